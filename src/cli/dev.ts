/** `colophon dev`: serves a content folder while it is edited, with its errors in the terminal and on every page. */
import { systemClock } from '../base/clock.ts';
import { readConfig } from '../config/environment.ts';
import { formatFault } from '../content/fault.ts';
import { loadContent } from '../content/load.ts';
import { ContentError } from '../content/source.ts';
import { watchContent } from '../content/watch.ts';
import { createDevPage, type Waiting } from '../endpoints/operator/dev-page.ts';
import type { RunningServer } from '../server/options.ts';
import { type Command, exitCodes } from './command.ts';
import { applyOptions, requireContentFolder } from './content-folder.ts';

import { createLog } from './log.ts';
import { start } from './serve.ts';
import { installShutdown, onEndSignal } from './shutdown.ts';
import type { Terminal } from './terminal.ts';

export const dev: Command = {
  name: 'dev',
  summary: 'Serve a content folder while you edit it: changes and errors show within a second.',
  argument: { name: 'DIR', help: 'The content folder; by default CONTENT_DIR, or else the current folder.' },
  options: {
    port: { value: 'NUMBER', help: 'The port to listen on, instead of PORT; 0 picks a free one.' },
  },
  details: `Errors are listed in the terminal and on every page, and pages reload after a change. A folder with errors is not served until
they are fixed; then the server starts. After later errors, the API keeps serving the last valid revision. The admin listener is
off unless ADMIN_PORT is set.`,
  async run(invocation) {
    const { terminal, directory } = invocation;
    const env = { ADMIN_PORT: 'off', ...applyOptions(invocation) };
    const config = readConfig(env, directory);
    const folder = requireContentFolder(invocation, config);
    const output = createLog(config.logLevel, terminal.isTerminal ? terminal.paint : null);
    const shutdown = installShutdown(output);
    const devPage = createDevPage();
    let waiting: Waiting | null = null;
    // The page of errors and the site have one address, also if the system chose the port.
    let { port } = config;
    let server: RunningServer | null = null;
    while (server === null) {
      const changed = nextChange(folder);
      try {
        if (waiting !== null) await requireValid(folder);
        devPage.show([]);
        await waiting?.close();
        waiting = null;
        server = await start({ ...config, port, contentDir: folder }, output, devPage);
      } catch (error) {
        if (!(error instanceof ContentError)) throw error;
        devPage.show(error.faults);
        const again = changed.orSignal();
        waiting ??= await devPage.listen(config.host, port);
        port = waiting.port;
        showFaults(error, waiting, terminal);
        if (!(await again)) {
          await waiting.close();
          return exitCodes.done;
        }
      } finally {
        changed.stop();
      }
    }
    return shutdown.of(server);
  },
};

/** Throws ContentError with all errors of the folder. */
async function requireValid(folder: string): Promise<void> {
  const loaded = await loadContent(folder);
  if ('faults' in loaded) throw new ContentError(loaded.faults, folder);
}

function showFaults({ faults }: ContentError, { url }: Waiting, { error, paintError }: Terminal): void {
  for (const fault of faults) error(`${paintError('red', formatFault(fault))}\n`);
  const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`;
  error(`${count}, also listed at ${url}. Waiting for a change; Ctrl-C ends.\n`);
}

/** Watches the folder from now on, so that a change during a start counts. `orSignal` returns false if a signal came first. */
function nextChange(folder: string): { orSignal(): Promise<boolean>; stop(): void } {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const stop = watchContent(folder, { clock: systemClock, onChange: () => resolve(true) });
  return {
    stop,
    async orSignal() {
      const stopListening = onEndSignal(() => resolve(false));
      const isChanged = await promise;
      // After a signal the listener stays: npm and its launcher may pass the same signal on a second time.
      if (isChanged) stopListening();
      return isChanged;
    },
  };
}
