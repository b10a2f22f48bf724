/** The child process in which tasks run: its messages, its processor time and its end. */
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Reply, Request } from './task.ts';

/** A running process that serves tasks. */
export interface WorkerProcess {
  /** Sends a message, which is lost if the process has ended. */
  post(request: Request): void;
  /**
   * Calls `onReply` for each message and `onEnd` once it has ended or could not be started, until the returned function is called.
   * Calls neither for a process that had ended before.
   */
  listen(onReply: (reply: Reply) => void, onEnd: () => void): () => void;
  /** Returns the processor time used so far in milliseconds, or null if it is unknown. */
  measureCpu(): number | null;
  /** Sets whether the process keeps the one alive that started it. */
  keepAlive(isNeeded: boolean): void;
  /** Ends the process at once, whatever it is doing; `onEnd` and `onExit` are called soon after. */
  stop(): void;
}

/** The program of a process and its limits. */
export interface WorkerProcessOptions {
  /** The module that the process runs. */
  readonly file: URL;
  readonly maxHeapMegabytes: number;
  /** Is called once, when the process has ended; it is not called if the process could not be started. */
  onExit(): void;
}

/**
 * Starts a child process that does not keep this one alive, and calls `onExit` when it ends. Its end frees all its memory, and its
 * crash or lack of memory does not end the server. If it cannot be started, only the `onEnd` of `listen` is called.
 */
export function startProcess({ file, maxHeapMegabytes, onExit }: WorkerProcessOptions): WorkerProcess {
  const child = fork(fileURLToPath(file), {
    execArgv: [`--max-old-space-size=${maxHeapMegabytes}`, '--max-semi-space-size=4'],
    env: compileCacheSettings(),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
  child.on('error', () => {}).once('exit', onExit);
  const keepAlive = (isNeeded: boolean): void => {
    if (isNeeded) child.ref();
    else child.unref();
    if (isNeeded) child.channel?.ref();
    else child.channel?.unref();
  };
  keepAlive(false);
  return {
    // A message to a process that has ended is dropped, because `listen` reports the end.
    post: (request) => void (child.connected && child.send(request, () => {})),
    listen(onReply, onEnd) {
      const receive = (message: unknown): void => onReply(message as Reply);
      child.on('message', receive).once('error', onEnd).once('exit', onEnd);
      return () => child.off('message', receive).off('error', onEnd).off('exit', onEnd);
    },
    measureCpu: () => readCpuTime(child),
    keepAlive,
    stop: () => void child.kill('SIGKILL'),
  };
}

/** Returns the processor time of a process in milliseconds, or null for an ended process and where the system has no /proc. */
function readCpuTime({ pid }: ChildProcess): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name, in parentheses, may contain spaces. Fields 14 and 15 are user and system time in hundredths of a second (proc(5)).
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
    return (user + system) * 10;
  } catch {
    return null;
  }
}

/**
 * Returns all that a worker gets of the environment: the folder of compiled code, which halves what its start takes, or nothing if
 * this process does not use one.
 */
function compileCacheSettings(): { NODE_COMPILE_CACHE?: string } {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}
