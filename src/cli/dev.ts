/** `colophon dev`: serves a content folder while it is written, with its faults in the terminal. */
import { MessageChannel } from 'node:worker_threads';
import { systemClock } from '../base/clock.ts';
import { loadConfig } from '../config-file.ts';
import { formatFault } from '../content/fault.ts';
import { ContentError } from '../content/source.ts';
import { watchContent } from '../content/watch.ts';
import type { RunningServer } from '../server.ts';
import type { Command } from './command.ts';
import { contentFolder, withOptions } from './content-folder.ts';
import { watchForEnd } from './ending.ts';
import { exitCodes } from './exit-codes.ts';
import { createLog } from './log.ts';
import { start } from './serve.ts';
import type { Terminal } from './terminal.ts';

export const dev: Command = {
  name: 'dev',
  summary: 'Serve a content folder while you write it: changes show within a second, faults in the terminal.',
  argument: { name: 'DIR', help: 'The content folder; CONTENT_DIR, or the folder that one stands in, when left out.' },
  options: {
    port: { value: 'NUMBER', help: 'Listen there instead of at PORT; 0 picks a free one.' },
  },
  details: `A folder with faults is not served until they are mended; then it starts by itself. Later faults are listed, and the
last good revision stays. The admin listener is off unless ADMIN_PORT is set.`,
  async run(invocation) {
    const { terminal, directory } = invocation;
    const env = { ADMIN_PORT: 'off', ...withOptions(invocation) };
    const config = loadConfig(env, directory);
    const folder = contentFolder(invocation, config);
    const output = createLog(config.logLevel, terminal.paint);
    const ending = watchForEnd(output);
    let server: RunningServer | null = null;
    while (server === null) {
      const changed = nextChange(folder);
      try {
        server = await start({ ...config, contentDir: folder }, output, invocation);
      } catch (error) {
        if (!(error instanceof ContentError)) throw error;
        const again = changed.orSignal();
        showFaults(error, terminal);
        if (!(await again)) return exitCodes.done;
      } finally {
        changed.stop();
      }
    }
    return ending.of(server);
  },
};

function showFaults({ faults }: ContentError, { error, paintError }: Terminal): void {
  for (const fault of faults) error(`${paintError('red', formatFault(fault))}\n`);
  error(`${faults.length === 1 ? '1 fault' : `${faults.length} faults`}. Waiting for a change; Ctrl-C ends.\n`);
}

/** Watches from now on, so that a change during a start counts. `orSignal` gives false when the process is to end. */
function nextChange(folder: string): { orSignal(): Promise<boolean>; stop(): void } {
  let stop = () => {};
  const change = new Promise<boolean>((resolve) => {
    stop = watchContent(folder, { clock: systemClock, onChange: () => resolve(true) });
  });
  return {
    stop: () => stop(),
    async orSignal() {
      const ends = () => settle(false);
      let settle: (again: boolean) => void = () => {};
      // Watching alone does not keep the process alive; a port with a listener does.
      const { port1: alive } = new MessageChannel();
      alive.on('message', () => {});
      try {
        return await new Promise<boolean>((resolve) => {
          settle = resolve;
          process.once('SIGTERM', ends);
          process.once('SIGINT', ends);
          void change.then(resolve);
        });
      } finally {
        alive.close();
        process.off('SIGTERM', ends);
        process.off('SIGINT', ends);
      }
    },
  };
}
