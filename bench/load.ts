/** One round of load from wrk, on a core of its own, and what it cost the server. */
import { spawn } from 'node:child_process';
import { cpuMicroseconds, loadCore, pinned } from './process.ts';

export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A Lua script for wrk; a request with a body needs one. */
  readonly script?: string;
  readonly pid: number;
}

export interface Round {
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Of the server's processor time, per request. */
  readonly cpu: number;
  /** The share of its core that the load generator used; above 0.9 it may have been the limit. */
  readonly generator: number;
  /** Answers that were neither 2xx nor 3xx, and broken connections. */
  readonly failed: number;
}

/** `connections` ask again and again for `seconds`. */
export async function load(target: Target, { seconds = 1, connections = 64 } = {}): Promise<Round> {
  const headers = Object.entries(target.headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const script = target.script === undefined ? [] : ['-s', target.script];
  const wrk = ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '--latency', ...headers, ...script, target.url];
  const before = cpuMicroseconds(target.pid);
  const printed = await run(pinned(loadCore, wrk));
  const spent = cpuMicroseconds(target.pid) - before;
  const number = (pattern: RegExp): number => Number(pattern.exec(printed)?.[1] ?? 0);
  const requests = number(/(\d+) requests in/);
  const [, user = 0, system = 0, elapsed = 1] = /cpu ([\d.]+) ([\d.]+) ([\d.]+)/.exec(printed)?.map(Number) ?? [];
  const sockets = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(printed)?.slice(1) ?? [];
  return {
    rate: number(/Requests\/sec:\s+([\d.]+)/),
    p50: milliseconds(/50%\s+([\d.]+\w+)/.exec(printed)?.[1]),
    p99: milliseconds(/99%\s+([\d.]+\w+)/.exec(printed)?.[1]),
    cpu: spent / requests,
    generator: (user + system) / elapsed,
    failed: number(/Non-2xx or 3xx responses: (\d+)/) + sockets.map(Number).reduce((a, b) => a + b, 0),
  };
}

/** Bash's `time` says what its child cost; it does so on standard error. */
function run(command: readonly string[]): Promise<string> {
  const child = spawn('bash', ['-c', 'TIMEFORMAT="cpu %U %S %R"; time "$@"', 'bash', ...command]);
  return new Promise((done, fail) => {
    let printed = '';
    child.stdout.on('data', (chunk) => (printed += chunk));
    child.stderr.on('data', (chunk) => (printed += chunk));
    child.once('error', fail);
    child.once('close', (code) => (code === 0 ? done(printed) : fail(new Error(printed))));
  });
}

function milliseconds(text = '0ms'): number {
  const value = Number.parseFloat(text);
  if (text.endsWith('us')) return value / 1000;
  return text.endsWith('ms') ? value : value * 1000;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
