/** `colophon openapi`: prints the OpenAPI document of an instance with these settings and this content. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Argument } from 'commander';
import { httpOrigin } from '../base/host-name.ts';
import { silentLog } from '../base/log.ts';
import { type Config, readConfig } from '../config/environment.ts';
import { startServer } from '../server/server.ts';
import { type Command, exitCodes } from './command.ts';
import { applyOptions } from './content-folder.ts';

export const openapi: Command = {
  name: 'openapi',
  summary: 'Print the OpenAPI document.',
  argument: new Argument('[DIR]', 'The content folder; by default CONTENT_DIR, or else the example product.'),
  details: 'The document that a server with these settings returns at /openapi.json, indented; BASE_URL sets its URLs.',
  async run(invocation) {
    const document = await readDocument(readConfig(applyOptions(invocation), invocation.directory));
    invocation.terminal.out(`${JSON.stringify(document, null, 2)}\n`);
    return exitCodes.done;
  },
};

/**
 * Returns what a server with these settings has at /openapi.json. The document has examples from the sandbox, which needs every part
 * of a server; a running one locks the data folder, so this one uses a temporary folder.
 */
async function readDocument(config: Config): Promise<unknown> {
  const baseUrl = config.baseUrl ?? httpOrigin(config.host, config.port);
  const dataDir = await mkdtemp(join(tmpdir(), 'colophon-openapi-'));
  const alone = { host: '127.0.0.1', port: 0, admin: null, databaseUrl: null, redisUrl: null };
  try {
    const options = { config: { ...config, ...alone, baseUrl, dataDir }, log: silentLog, accessSink: () => {} };
    const server = await startServer(options);
    const response = await fetch(`${server.listenUrl}/openapi.json`);
    return await response.json().finally(server.close);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
