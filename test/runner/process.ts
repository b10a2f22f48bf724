/**
 * Runs the test files that it is sent, one after the other in this process. A file is over when nothing that it started is
 * left, as if it had the process to itself; then its root hooks have run, and the next file gets a new root.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { run } from 'node:test';
import { type FileEvent, type FromProcess, portable, type ToProcess } from './events.ts';

const send = (message: FromProcess): void => {
  process.send?.(message);
};

process.on('message', (order: ToProcess) => {
  if (order === 'what is left') send({ left: process.getActiveResourcesInfo() });
  else runFile(resolve(order.file));
});

function runFile(file: string): void {
  // What waits for the next file must not keep this one from being over.
  process.channel?.unref();
  const before = processorMs();
  const events = run({ files: [file], isolation: 'none' });
  events.on('data', (event) => {
    if (event.type === 'test:summary') {
      const cpuMs = processorMs() - before;
      process.channel?.ref();
      // The root takes its listeners off the process right after it has reported.
      setImmediate(() => send({ ended: { success: event.data.success, cpuMs } }));
    } else if (isPrinted(event)) send({ event: portable(event) });
  });
}

/** Of this process, and on Linux of the child processes that have ended. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1000;
  try {
    const [userTicks, systemTicks] =
      readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ').slice(13, 15) ?? [];
    return own + 10 * (Number(userTicks) + Number(systemTicks));
  } catch {
    return own;
  }
}

/** All but what tells of the test's progress, and the counts of this file. */
const isPrinted = ({ type, data }: FileEvent): boolean =>
  /^test:(start|pass|fail|log)$/.test(type) ||
  (type === 'test:diagnostic' &&
    !/^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/.test(data.message));
