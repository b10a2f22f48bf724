/** Starts and stops the benchmark's child processes on fixed cores, and reads their processor time and memory from /proc. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, readlinkSync, truncateSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** The processor core on which the servers run, as taskset writes it. */
export const serverCore = '0';
/** The processor core on which the load runs, as taskset writes it. */
export const loadCore = '1';
/** Both processor cores, as taskset writes them. */
export const bothCores = '0,1';

/** The flags of Node in `npm start`, so that the server is measured as it is started. */
export const startFlags: readonly string[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'),
)
  .scripts.start.split(' ')
  .filter((word: string) => word.startsWith('--'));

/** Returns the words of a command that runs `command` only on `cores`, which are written as for taskset, such as `0,1`. */
export const createPinnedCommand = (cores: string, command: readonly string[]): [string, ...string[]] => [
  'taskset',
  '-c',
  cores,
  ...command,
];

/** Returns whether a command is in one of the folders of PATH. */
export const isOnPath = (command: string): boolean =>
  (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, command)));

/** A process that printed that it is ready. Its output is removed when it ends; `hasPrinted` and `clearOutput` throw after that. */
export interface RunningProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  /** The text that the first group of `ready` captured from the output. */
  readonly readyText: string;
  /** Returns whether the process has printed `text` since the last `clearOutput`. */
  hasPrinted(text: string): boolean;
  /** Empties the file that the process prints to, so that nothing counts as printed. */
  clearOutput(): void;
}

/** The child processes that are running. They are killed when the benchmark ends, even with an error. */
const runningChildren = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of runningChildren) child.kill('SIGKILL');
});

/**
 * Starts a command on `cores`, with `env` in addition to this process's environment, and resolves once its output matches `ready`,
 * whose first group, which it must have, becomes `readyText`. Rejects if the command ends before that, or is not ready within a
 * minute and so is ended. `cwd` is the folder that the command runs in, by default that of this process.
 */
export async function startPinned(
  command: readonly string[],
  ready: RegExp,
  env: Record<string, string> = {},
  { cores = serverCore, cwd = process.cwd() } = {},
): Promise<RunningProcess> {
  const directory = await mkdtemp(join(tmpdir(), 'colophon-bench-log-'));
  const file = join(directory, 'output');
  const output = openSync(file, 'a');
  const [program, ...rest] = createPinnedCommand(cores, command);
  const child = spawn(program, rest, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  runningChildren.add(child);
  child.once('exit', () => {
    runningChildren.delete(child);
    void rm(directory, { recursive: true, force: true });
  });
  const startedAt = performance.now();
  while (performance.now() - startedAt < 60_000) {
    if (child.exitCode !== null) break;
    const readyText = ready.exec(readFileSync(file, 'utf8'))?.[1];
    if (readyText !== undefined && child.pid !== undefined) {
      const hasPrinted = (text: string): boolean => readFileSync(file, 'utf8').includes(text);
      return { child, pid: child.pid, readyText, hasPrinted, clearOutput: () => truncateSync(file) };
    }
    await pause(5);
  }
  const excerpt = readFileSync(file, 'utf8').slice(0, 2000);
  child.kill();
  throw new Error(
    `${command.join(' ')} ${child.exitCode === null ? 'was not ready within a minute' : 'ended early'}:\n${excerpt}`,
  );
}

/**
 * Starts the server of the folder `checkout` with all its limits set to a billion, on the servers' core, at a free port of this
 * machine. `env` has further variables of its environment, such as `DATA_DIR`. Its `readyText` is its URL, without a slash at the
 * end.
 */
export const startColophon = (
  env: Readonly<Record<string, string>>,
  checkout = join(import.meta.dirname, '..'),
): Promise<RunningProcess> =>
  startPinned([process.execPath, ...startFlags, join(checkout, 'bench/colophon.ts')], /listening on (\S+)/, {
    PORT: '0',
    HOST: '127.0.0.1',
    ADMIN_PORT: '0',
    ...env,
  });

/**
 * Starts a program of `contestants/`, such as `bare.js`. `file` is the path of the JSON file with its responses; `readyText` is its
 * URL, without a slash at the end.
 */
export const startContestant = (program: string, file: string): Promise<RunningProcess> =>
  startPinned([process.execPath, join(import.meta.dirname, 'contestants', program), file], /listening on (\S+)/);

/**
 * Ends a server, which ends its workers, by force after two seconds. Resolves once the server itself has ended, at once if it had
 * before.
 */
export async function stopProcess({ child }: Pick<RunningProcess, 'child'>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const killTimer = setTimeout(() => child.kill('SIGKILL'), 2000);
  await exit;
  clearTimeout(killTimer);
}

/** Returns the ID of a process, even if it has ended, followed by the IDs of all running processes that it started, directly or not. */
export function listProcesses(pid: number): number[] {
  const children = readProcess(`${pid}/task/${pid}/children`).split(' ').filter(Boolean);
  return [pid, ...children.flatMap((child) => listProcesses(Number(child)))];
}

/**
 * Returns the processor time, user and system, in microseconds that a process and all that it started have used, those that have
 * ended among them, or 0 if the process itself has ended. The kernel counts in hundredths of a second.
 */
export function readCpuMicroseconds(pid: number): number {
  return listProcesses(pid).reduce((sum, member) => {
    const stat = readProcess(`${member}/stat`);
    // The program's name is in brackets and may contain spaces. Fields 14 to 17 of proc_pid_stat(5) are utime, stime, cutime and cstime.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return sum + fields.slice(11, 15).reduce((ticks, field) => ticks + Number(field), 0) * 10_000;
  }, 0);
}

/**
 * Returns the text of the file at this path below /proc, such as `17/stat`, or '' if its process has ended, which may happen at any
 * moment.
 */
function readProcess(file: string): string {
  try {
    return readFileSync(`/proc/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Returns how many microseconds the core for the load (`load`) and both cores together (`all`) were busy since the machine started,
 * whatever kept them so. What another virtual machine took counts too.
 */
export function readBusyMicroseconds(): { readonly load: number; readonly all: number } {
  const stat = readFileSync('/proc/stat', 'utf8');
  const readBusy = (core: string): number => {
    const line = new RegExp(`^cpu${core} (.*)$`, 'm').exec(stat)?.[1] ?? '';
    const [user = 0, nice = 0, system = 0, _idle, _wait, irq = 0, softirq = 0, steal = 0] = line.split(' ').map(Number);
    return (user + nice + system + irq + softirq + steal) * 10_000;
  };
  return { load: readBusy(loadCore), all: readBusy(serverCore) + readBusy(loadCore) };
}

/**
 * Returns the megabytes (2^20 bytes) of memory that processes hold together. Those that run the same program share its pages: they
 * are counted once, in the process that has the most of them. A process that has ended counts as 0.
 */
export function measureResidentMegabytes(pids: readonly number[]): number {
  let privateKilobytes = 0;
  const shared = new Map<string, number>();
  for (const pid of pids) {
    const status = readProcess(`${pid}/status`);
    const kilobytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
    privateKilobytes += kilobytes('RssAnon') + kilobytes('RssShmem');
    const program = readProgram(pid);
    shared.set(program, Math.max(shared.get(program) ?? 0, kilobytes('RssFile')));
  }
  return [...shared.values()].reduce((sum, kilobytes) => sum + kilobytes, privateKilobytes) / 1024;
}

function readProgram(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return '';
  }
}
