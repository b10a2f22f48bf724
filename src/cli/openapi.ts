/** `colophon openapi`: prints the OpenAPI document of an instance with these settings and this content. */
import { Argument } from 'commander';
import { readConfig } from '../config/environment.ts';
import { type Command, exitCodes } from './command.ts';
import { applyOptions } from './content-folder.ts';
import { startTemporaryServer } from './temporary-server.ts';

/** The command `openapi`. */
export const openapi: Command = {
  name: 'openapi',
  summary: 'Print the OpenAPI document.',
  argument: new Argument('[DIR]', 'The content folder; by default CONTENT_DIR, or else the example product.'),
  details: 'The document that a server with these settings returns at /openapi.json, indented; BASE_URL sets its URLs.',
  async run(invocation) {
    // The document has examples from the sandbox, which needs every part of a server.
    await using server = await startTemporaryServer(readConfig(applyOptions(invocation), invocation.directory));
    const response = await fetch(`${server.listenUrl}/openapi.json`);
    invocation.terminal.out(`${JSON.stringify(await response.json(), null, 2)}\n`);
    return exitCodes.done;
  },
};
