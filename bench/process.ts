/** Child processes of the benchmark: started on a core of their own, and what they cost. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, truncateSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Servers on one core, the load on the other. */
export const serverCore = '0';
export const loadCore = '1';

/** A command that runs on one core alone. */
export const pinned = (core: string, command: readonly string[]): [string, ...string[]] => [
  'taskset',
  '-c',
  core,
  ...command,
];

export interface Started {
  readonly child: ChildProcess;
  readonly pid: number;
  /** What `ready` captured in what the process printed. */
  readonly said: string;
  /** Empties the file that the process prints to. */
  forget(): void;
}

/** Starts a command on the servers' core and waits until it prints what `ready` captures. Its output goes to a file. */
export async function startPinned(
  command: readonly string[],
  ready: RegExp,
  env: Record<string, string> = {},
): Promise<Started> {
  const file = join(await mkdtemp(join(tmpdir(), 'colophon-bench-log-')), 'output');
  const output = openSync(file, 'a');
  const [program, ...rest] = pinned(serverCore, command);
  const child = spawn(program, rest, {
    env: { ...process.env, ...env },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const waited = performance.now();
  while (performance.now() - waited < 60_000) {
    const printed = readFileSync(file, 'utf8');
    const said = ready.exec(printed)?.[1];
    if (said !== undefined && child.pid !== undefined) {
      return { child, pid: child.pid, said, forget: () => truncateSync(file) };
    }
    if (child.exitCode !== null) throw new Error(`${command.join(' ')} ended early:\n${printed.slice(0, 2000)}`);
    await pause(5);
  }
  child.kill();
  throw new Error(`${command.join(' ')} was not ready within a minute.`);
}

export async function stop({ child }: Pick<Started, 'child'>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 2000);
  await ended;
  clearTimeout(late);
}

/** Microseconds of processor time that a process has used, user and system; the kernel counts in hundredths of a second. */
export function cpuMicroseconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name, in brackets, may hold spaces. utime and stime are fields 14 and 15, the eleventh and twelfth after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** Megabytes of memory that a process holds now. */
export function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
