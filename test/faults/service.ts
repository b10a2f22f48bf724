/** Starts the real server as a separate process for the fault tests, measures it from outside, and sends requests to it. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestContext } from 'node:test';
import { type RunningCommand, startColophon } from '../support/command.ts';
import { sendRequest, type TestResponse } from '../support/server.ts';

/** The absolute path of the root of the repository. */
export const projectFolder = resolve(import.meta.dirname, '../..');

/** Whether the fault tests run in their short form, with `--short`, which sets FAULTS_SHORT to 1. */
export const isShort = process.env.FAULTS_SHORT === '1';

const highLimit = '1000000';

/** Settings with rate limits that no test reaches. */
const unlimited = {
  RATE_LIMIT_ANONYMOUS: highLimit,
  RATE_LIMIT_TOKEN: highLimit,
  RATE_LIMIT_SANDBOX: highLimit,
  RATE_LIMIT_PAGES: highLimit,
  RATE_LIMIT_ADDRESS: highLimit,
  RATE_LIMIT_REGISTRATION: highLimit,
  RATE_LIMIT_ISSUE: highLimit,
  RATE_LIMIT_REFUSED: highLimit,
};

/** A service in a process of its own. */
export interface Service extends RunningCommand {
  /** The base URL, without a slash at the end. */
  readonly url: string;
  /** The URL of the admin listener, or an empty string unless LOG_LEVEL is `info`. */
  readonly adminUrl: string;
  readonly pid: number;
  readonly dataDir: string;
  /** Sends a request and returns the response. Rejects with an AssertionError if the response is against the contract. */
  request(path: string, init?: RequestInit): Promise<TestResponse>;
}

/**
 * Starts a server without limits of requests, waits until it listens, and kills it after the test; rejects if it ends before it
 * listens. `env` has further settings; the data is removed unless DATA_DIR is among them. `program` is the path of another copy of
 * the command than the repository's.
 */
export async function startService(
  t: TestContext,
  env: Record<string, string> = {},
  program?: string,
): Promise<Service> {
  const dataDir = env.DATA_DIR ?? (await createTemporaryFolder(t));
  const running = startColophon(['serve'], {
    env: { LOG_LEVEL: 'warn', ADMIN_PORT: '0', ...unlimited, ...env, DATA_DIR: dataDir },
    ...(program !== undefined && { program }),
  });
  t.after(async () => {
    running.child.kill('SIGKILL');
    await running.exitCode;
  });
  const [, url = ''] = await running.waitForOutput(/Colophon serves .* at (http:[^\s"]+)/);
  const { pid } = running.child;
  if (pid === undefined) throw new Error('the server has no process id');
  const adminUrl =
    env.LOG_LEVEL === 'info' ? ((await running.waitForOutput(/"admin_url":"(http:[^"]+)"/))[1] ?? '') : '';
  return { ...running, url, adminUrl, pid, dataDir, request: (path, init) => sendRequest(url, path, init) };
}

/** Creates an empty folder, which is removed after the test, and returns its absolute path. */
export async function createTemporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-fault-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns why a test that needs these programs cannot run, or false if all are installed. */
export function getSkipReason(...programs: string[]): string | false {
  const missing = programs.filter((name) => spawnSync(name, ['--version']).error !== undefined);
  return missing.length > 0 && `not run: ${missing.join(' and ')} is not installed`;
}

/** Why a test that reads /proc cannot run, or false. */
export const procSkipReason = process.platform !== 'linux' && 'not run: needs Linux';

/** Returns the resident memory of a process in MB (10^6 bytes). Rejects if it has ended. */
export async function readResidentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return (Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024) / 1e6;
}

/** Returns how many file descriptors a process has open, those of sockets included. Rejects if it has ended. */
export const countOpenFiles = async (pid: number): Promise<number> => (await readdir(`/proc/${pid}/fd`)).length;

/** A response. */
export interface TimedResponse {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Buffer;
  /** Milliseconds from the request to the end of the response. */
  readonly durationMs: number;
}

/** A client whose connections are kept open. */
export interface Client {
  /** Sends a GET. Rejects when the connection breaks. */
  get(path: string, headers?: Record<string, string>): Promise<TimedResponse>;
  /** Sends a request with any method. Rejects when the connection breaks. */
  send(method: string, path: string, headers?: Record<string, string>, body?: string): Promise<TimedResponse>;
  close(): void;
}

/** Creates a client of the server at `url` with at most `maxSockets` connections. It adds none of the headers that fetch adds. */
export function createClient(url: string, maxSockets = 64): Client {
  const agent = new Agent({ keepAlive: true, maxSockets });
  const send = (
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: string,
  ): Promise<TimedResponse> =>
    new Promise((resolve, reject) => {
      const startedAt = performance.now();
      const clientRequest = request(url + path, { agent, method, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const durationMs = performance.now() - startedAt;
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
            durationMs,
          });
        });
      });
      clientRequest.on('error', reject);
      clientRequest.end(body);
    });
  return { send, get: (path, headers) => send('GET', path, headers), close: () => agent.destroy() };
}

/** Returns the value below which this share (0 to 1) of values in any order is, the largest for 1, or NaN if there are none. */
export function computePercentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/**
 * Calls `task` at a steady rate, whatever each call takes, with 0, 1 and so on as the index. `stop` makes no further calls, waits
 * for those that run, and returns how many there were in all; it rejects if one that it waits for does. A call that rejects earlier
 * is an unhandled rejection.
 */
export function startLoad(perSecond: number, task: (index: number) => Promise<void>): { stop(): Promise<number> } {
  const startedAt = performance.now();
  const pending = new Set<Promise<void>>();
  let callCount = 0;
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * perSecond);
    for (; callCount < due; callCount += 1) {
      const call = task(callCount).finally(() => pending.delete(call));
      pending.add(call);
    }
  }, 5);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(pending);
      return callCount;
    },
  };
}
