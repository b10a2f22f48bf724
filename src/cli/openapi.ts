/** `colophon openapi`: prints the OpenAPI document of an instance with these settings and this content. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { httpOrigin } from '../base/host-name.ts';
import { silentLog } from '../base/log.ts';
import { readConfig } from '../config/environment.ts';
import { startServer } from '../server/server.ts';
import { type Command, exitCodes } from './command.ts';
import { applyOptions } from './content-folder.ts';

export const openapi: Command = {
  name: 'openapi',
  summary: 'Print the OpenAPI document.',
  argument: {
    name: 'DIR',
    help: 'The content folder; by default CONTENT_DIR, or else the example product.',
  },
  options: { output: { value: 'FILE', help: 'Write to this file instead of standard output.' } },
  details: 'The same document that a server with these settings returns at /openapi.json; BASE_URL sets its URLs.',
  async run(invocation) {
    const config = readConfig(applyOptions(invocation), invocation.directory);
    const { host, port } = config;
    const baseUrl = config.baseUrl ?? httpOrigin(host, port);
    // A running server locks the data folder, so this one uses a temporary one.
    const dataDir = await mkdtemp(join(tmpdir(), 'colophon-openapi-'));
    const quiet = {
      ...config,
      port: 0,
      host: '127.0.0.1',
      admin: null,
      baseUrl,
      dataDir,
      databaseUrl: null,
      redisUrl: null,
    };
    try {
      const server = await startServer({ config: quiet, log: silentLog, accessSink: () => {} });
      const document = await fetch(`${server.listenUrl}/openapi.json`)
        .then((response) => response.text())
        .finally(() => server.close());
      const file = invocation.value('output');
      if (file === null) invocation.terminal.out(`${document.trimEnd()}\n`);
      else await writeFile(resolve(invocation.directory, file), document);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
    return exitCodes.done;
  },
};
