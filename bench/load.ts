/** Sends requests with wrk on a separate core, and returns the rate, the response times and the server's processor time. */
import { spawn } from 'node:child_process';
import { createPinnedCommand, loadCore, readBusyMicroseconds, readCpuMicroseconds } from './process.ts';

/** A request that is sent again and again. */
export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The path of a Lua script for wrk. Without one, wrk sends GETs without a body. */
  readonly script?: string;
  /** The server's process; what it started counts with it. */
  readonly pid: number;
}

/** The result of one round of load. */
export interface Round {
  /** Requests per second. */
  readonly rate: number;
  /** The median of the time to a response, in milliseconds. */
  readonly p50: number;
  /** The time that 99 of 100 responses stay below, in milliseconds. */
  readonly p99: number;
  /** Microseconds of the server's processor time, per request; NaN or infinite without a request. */
  readonly cpu: number;
  /** The share, from 0 to 1, of the round that the load generator's core was busy; above 0.9 it may have been the limit. */
  readonly generator: number;
  /** The share, from 0 to 1, of both cores' time that other programs than the benchmark's used. */
  readonly others: number;
  /** The number of requests that got a response. */
  readonly requests: number;
  /** The number of answers that were neither 2xx nor 3xx, of connections that failed and of answers that took over ten seconds. */
  readonly failed: number;
}

/**
 * Sends requests over `connections` connections for `seconds`, each after the response to the one before, and returns what wrk
 * measured. wrk runs on `cores`, which are written as for taskset, such as `0,1`. Rejects if wrk fails.
 */
export async function runLoad(
  target: Target,
  { seconds = 1, connections = 64, cores = loadCore } = {},
): Promise<Round> {
  const headers = Object.entries(target.headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const script = target.script === undefined ? [] : ['-s', target.script];
  const command = [
    'wrk',
    '-t1',
    '--timeout',
    '10s',
    `-c${connections}`,
    `-d${seconds}s`,
    '--latency',
    ...headers,
    ...script,
    target.url,
  ];
  const before = readUsage(target.pid);
  const output = await runCommand(createPinnedCommand(cores, command));
  const after = readUsage(target.pid);
  const parseNumber = (pattern: RegExp): number => Number(pattern.exec(output)?.[1] ?? 0);
  const requests = parseNumber(/(\d+) requests in/);
  const socketErrors =
    /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(output)?.slice(1) ?? [];
  const duration = after.time - before.time;
  return {
    rate: parseNumber(/Requests\/sec:\s+([\d.]+)/),
    p50: parseMilliseconds(/50%\s+([\d.]+\w+)/.exec(output)?.[1]),
    p99: parseMilliseconds(/99%\s+([\d.]+\w+)/.exec(output)?.[1]),
    cpu: (after.server - before.server) / requests,
    generator: (after.cores.load - before.cores.load) / duration,
    others: Math.max(0, after.cores.all - before.cores.all - (after.ours - before.ours)) / (2 * duration),
    requests,
    failed: parseNumber(/Non-2xx or 3xx responses: (\d+)/) + socketErrors.map(Number).reduce((a, b) => a + b, 0),
  };
}

/**
 * Returns readings in microseconds: `time` of a clock, and the processor time used so far by the server with this process ID
 * (`server`), by all processes of the benchmark (`ours`: this one, the servers, the generator, a database) and of the cores
 * (`cores`, see `readBusyMicroseconds`).
 */
const readUsage = (server: number) => ({
  time: performance.now() * 1000,
  server: readCpuMicroseconds(server),
  ours: readCpuMicroseconds(process.pid),
  cores: readBusyMicroseconds(),
});

function runCommand([program, ...args]: readonly [string, ...string[]]): Promise<string> {
  const child = spawn(program, args);
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve(output) : reject(new Error(output))));
  });
}

function parseMilliseconds(text = '0ms'): number {
  const value = Number.parseFloat(text);
  if (text.endsWith('us')) return value / 1000;
  return text.endsWith('ms') ? value : value * 1000;
}
