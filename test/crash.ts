/**
 * Kills a server right after it has acknowledged something, starts it again, and looks whether what was acknowledged
 * holds: `node test/crash.ts [rounds]`, 200 rounds unless told. Ends with 1 when anything was lost or came back.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const command = resolve(import.meta.dirname, '../bin/colophon.js');

export interface CrashReport {
  readonly rounds: number;
  /** How often each thing was acknowledged just before a kill. */
  readonly acknowledged: Readonly<Record<Kind, number>>;
  /** What did not hold, one sentence each. */
  readonly breaches: readonly string[];
}

type Kind = 'registration' | 'token' | 'token revocation' | 'client revocation' | 'export';

const kinds: readonly Kind[] = ['registration', 'token', 'token revocation', 'client revocation', 'export'];

interface Running {
  readonly url: string;
  /** kill -9, and waits until the process is gone. */
  kill(): Promise<void>;
}

interface Client {
  readonly id: string;
  readonly secret: string;
}

/** What must be true of every server that starts on the same folder from now on. */
type Check = (server: Running) => Promise<string | null>;

/** Runs the rounds on a data folder of its own. `say` gets a line now and then. */
export async function crashRounds(rounds: number, say: (line: string) => void = () => {}): Promise<CrashReport> {
  const dataDir = await mkdtemp(join(tmpdir(), 'colophon-crash-'));
  const acknowledged: Record<Kind, number> = {
    registration: 0,
    token: 0,
    'token revocation': 0,
    'client revocation': 0,
    export: 0,
  };
  const breaches: string[] = [];
  /** The newest are checked again after later crashes, too. */
  let checks: Check[] = [];
  let server = await start(dataDir);
  try {
    for (let round = 0; round < rounds; round += 1) {
      const kind = kinds[round % kinds.length] ?? 'token';
      const check = await acts[kind](server);
      await server.kill();
      acknowledged[kind] += 1;
      server = await start(dataDir);
      checks = [...checks, check].slice(-20);
      for (const holds of checks) {
        const breach = await holds(server);
        if (breach !== null) breaches.push(`round ${round + 1}: ${breach}`);
      }
      if ((round + 1) % 20 === 0) say(`${round + 1} of ${rounds} rounds, ${breaches.length} breaches`);
    }
  } finally {
    await server.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
  return { rounds, acknowledged, breaches };
}

/** Each does one thing, and says what has to hold once it was acknowledged. */
const acts: Record<Kind, (server: Running) => Promise<Check>> = {
  async registration(server) {
    const client = await register(server);
    return async (next) => ((await tokenOf(next, client)) === null ? `client ${client.id} is lost` : null);
  },
  async token(server) {
    const client = await register(server);
    const token = await requireToken(server, client);
    return async (next) => ((await isValid(next, token)) ? null : `a token of ${client.id} is lost`);
  },
  async 'token revocation'(server) {
    const client = await register(server);
    const token = await requireToken(server, client);
    await revoke(server, client, token);
    return async (next) => ((await isValid(next, token)) ? `a revoked token of ${client.id} is back` : null);
  },
  async 'client revocation'(server) {
    const client = await register(server);
    const token = await requireToken(server, client);
    await revoke(server, client, client.secret);
    return async (next) => {
      if (await isValid(next, token)) return `a token of the revoked client ${client.id} is back`;
      return (await tokenOf(next, client)) === null ? null : `the revoked client ${client.id} is back`;
    };
  },
  async export(server) {
    const client = await register(server);
    const token = await requireToken(server, client);
    const response = await fetch(`${server.url}/api/v1/exports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': client.id },
      body: JSON.stringify({ resource: 'docs', format: 'json' }),
    });
    const { id } = await jsonOf(response, 202);
    return async (next) => {
      const polled = await fetch(`${next.url}/api/v1/exports/${id}`, {
        headers: { authorization: `Bearer ${token}`, prefer: 'wait=10' },
      });
      if (polled.status !== 200) return `the export ${id} is lost (${polled.status})`;
      const { status, result } = await jsonOf(polled, 200);
      if (status !== 'completed') return `the export ${id} is ${status}`;
      const file = await fetch(next.url + new URL(result.url).pathname);
      await file.arrayBuffer();
      return file.status === 200 ? null : `the file of ${id} is lost`;
    };
  },
};

async function start(dataDir: string): Promise<Running> {
  const child = spawn(process.execPath, [command, 'serve'], {
    env: {
      ...process.env,
      PORT: '0',
      ADMIN_PORT: 'off',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      RATE_LIMIT_ANONYMOUS: '1000000',
      RATE_LIMIT_REGISTRATION: '1000000',
      RATE_LIMIT_REFUSED: '1000000',
      RATE_LIMIT_ADDRESS: '1000000',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { url: await addressOf(child), kill: () => kill(child) };
}

async function addressOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the server has no output');
  for await (const line of createInterface(child.stdout)) {
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (url === undefined) continue;
    child.stdout.resume();
    return url;
  }
  throw new Error('the server ended before it listened');
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

async function register(server: Running): Promise<Client> {
  const response = await fetch(`${server.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'crash', scope: 'read:docs export:docs' }),
  });
  const { client_id: id, client_secret: secret } = await jsonOf(response, 201);
  return { id, secret };
}

const postForm = (server: Running, path: string, client: Client, values: Record<string, string>): Promise<Response> =>
  fetch(server.url + path, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client.id}:${client.secret}`)}` },
    body: new URLSearchParams(values),
  });

/** null when the client is not known. */
async function tokenOf(server: Running, client: Client): Promise<string | null> {
  const response = await postForm(server, '/oauth/token', client, { grant_type: 'client_credentials' });
  const { access_token } = await jsonOf(response, 200, 401);
  return access_token ?? null;
}

async function requireToken(server: Running, client: Client): Promise<string> {
  const token = await tokenOf(server, client);
  if (token === null) throw new Error(`client ${client.id} gets no token`);
  return token;
}

async function revoke(server: Running, client: Client, token: string): Promise<void> {
  await jsonOf(await postForm(server, '/oauth/revoke', client, { token }), 200);
}

async function isValid(server: Running, token: string): Promise<boolean> {
  const response = await fetch(`${server.url}/agent/auth`, { headers: { authorization: `Bearer ${token}` } });
  await jsonOf(response, 200, 401);
  return response.status === 200;
}

// biome-ignore lint/suspicious/noExplicitAny: the contract's tests check these shapes
async function jsonOf(response: Response, ...statuses: number[]): Promise<any> {
  const text = await response.text();
  if (statuses.includes(response.status)) return JSON.parse(text);
  throw new Error(`${response.url} answered ${response.status}: ${text}`);
}

if (import.meta.main) {
  const rounds = Number(process.argv[2] ?? '200');
  const report = await crashRounds(rounds, (line) => console.log(line));
  console.log(JSON.stringify(report, null, 2));
  process.exitCode = report.breaches.length > 0 ? 1 : 0;
}
