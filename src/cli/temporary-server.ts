/** Starts a server that lasts as long as a command. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHttpOrigin } from '../base/host-name.ts';
import { silentLog } from '../base/log.ts';
import type { Config } from '../config/environment.ts';
import type { RunningServer } from '../server/options.ts';
import { startServer } from '../server/server.ts';

/**
 * Starts a server at a free port of 127.0.0.1, with SQLite in a new temporary data folder, because a running server locks the one
 * in the settings; `await using` ends the server and deletes the folder, which is also deleted if the start rejects. The server
 * logs nothing and trusts a request's X-Forwarded-For, its responses have the URLs of the settings, and with `isSnapshot` its pages
 * leave out what needs a server.
 */
export async function startTemporaryServer(
  config: Config,
  isSnapshot = false,
): Promise<RunningServer & AsyncDisposable> {
  await using ending = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'colophon-'));
  ending.defer(() => rm(dataDir, { recursive: true, force: true }));
  const baseUrl = config.baseUrl ?? createHttpOrigin(config.host, config.port);
  const alone = { host: '127.0.0.1', port: 0, admin: null, databaseUrl: null, redisUrl: null };
  const trustProxy = { kind: 'hops', hops: 1 } as const;
  const options = { log: silentLog, accessSink: () => {}, isSnapshot };
  const server = await startServer({ ...options, config: { ...config, ...alone, baseUrl, dataDir, trustProxy } });
  ending.defer(() => server.close({ atOnce: true }));
  const rest = ending.move();
  return { ...server, [Symbol.asyncDispose]: () => rest.disposeAsync() };
}
