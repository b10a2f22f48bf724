/** `colophon dev`: serves a content folder while it is edited, with its errors in the terminal and on every page. */
import { systemClock } from '../base/clock.ts';
import { readConfig } from '../config/environment.ts';
import { formatFault } from '../content/fault.ts';
import { ContentError } from '../content/source.ts';
import { watchContent } from '../content/watch.ts';
import { createDevPage, type Waiting } from '../endpoints/operator/dev-page.ts';
import type { Command } from './command.ts';
import { applyOptions, folderArgument, loadValidContent, portOption, requireContentFolder } from './content-folder.ts';
import { createLog } from './log.ts';
import { serveUntilEnd } from './serve.ts';
import { installShutdown } from './shutdown.ts';
import { formatCount, type Terminal } from './terminal.ts';

/** The command `dev`. */
export const dev: Command = {
  name: 'dev',
  summary: 'Serve a content folder while you edit it: changes and errors show within a second.',
  argument: folderArgument,
  options: [portOption],
  details: `Errors are listed in the terminal and on every page, and pages reload after a change. A folder with errors is not served until
they are fixed; then the server starts. After later errors, the API keeps serving the last valid revision. The admin listener is
off unless ADMIN_PORT is set.`,
  async run(invocation) {
    const { terminal, directory } = invocation;
    const config = readConfig({ ADMIN_PORT: 'off', ...applyOptions(invocation) }, directory);
    const folder = requireContentFolder(invocation, config);
    const output = createLog(config.logLevel, terminal.isTerminal ? terminal.paint : null);
    const shutdown = installShutdown(output);
    const devPage = createDevPage();
    let waiting: Waiting | null = null;
    // If the system chooses the port (PORT=0), the page of errors and the site still share one, so an open page finds both.
    let { port } = config;
    for (;;) {
      // The folder is watched before it is loaded, so that a change during a start is not missed.
      const change = Promise.withResolvers<null>();
      const stopWatching = watchContent(folder, { clock: systemClock, onChange: () => change.resolve(null) });
      try {
        if (waiting !== null) await loadValidContent(folder);
        devPage.show([]);
        await waiting?.close();
        waiting = null;
        const server = { ...output, config: { ...config, port, contentDir: folder }, devPage };
        return await serveUntilEnd(server, shutdown);
      } catch (error) {
        if (!(error instanceof ContentError)) throw error;
        devPage.show(error.faults);
        waiting ??= await devPage.listen(config.host, port);
        port = waiting.port;
        printFaults(error, waiting.url, terminal);
        const code = await Promise.race([change.promise, shutdown.of(nothing)]);
        if (code === null) continue;
        await waiting.close();
        return code;
      } finally {
        stopWatching();
      }
    }
  },
};

/** Stands for the server while the folder has errors. */
const nothing = { close: async () => {} };

function printFaults({ faults }: ContentError, url: string, { error, paintError }: Terminal): void {
  for (const fault of faults) error(`${paintError('red', formatFault(fault))}\n`);
  error(`${formatCount(faults.length, 'error')}, also listed at ${url}. Waiting for a change; Ctrl-C ends.\n`);
}
