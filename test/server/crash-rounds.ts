/** Kills the real server right after it acknowledged a fact, starts it again on the same data, and looks for the fact. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { startColophon } from '../support/command.ts';
import { findFreePort } from '../support/free-port.ts';
import {
  createBasicHeaders,
  createBearerHeaders,
  createFormPost,
  issueToken,
  registerClient,
  requestToken,
  revokeToken,
} from '../support/oauth.ts';
import { createJsonPost, sendRequest, type TestResponse, type TestServer } from '../support/server.ts';

/** The outcome of all rounds. */
export interface CrashCount {
  /** Facts that the server had confirmed when it was killed: one a round. */
  readonly acknowledged: number;
  /** Facts that were acknowledged and are gone, one line each. */
  readonly lost: readonly string[];
  /**
   * Revocations that failed, one line each: the credential works again or is refused in another way than it should be, or one that
   * was not revoked is refused.
   */
  readonly resurrected: readonly string[];
}

/** Options of the rounds. */
export interface CrashOptions {
  readonly rounds: number;
  /** The data folder of all rounds; the caller removes it. */
  readonly dataDir: string;
  /** The content folder. @defaultValue the example product */
  readonly contentDir?: string;
  /** Is called after each round with its number, counted from 1. */
  readonly onRound?: (round: number) => void;
}

/**
 * Runs the rounds, each kind of fact in turn. A fact is looked for after the start that follows its crash, and once more
 * after the last crash. Rejects when the server does not start again, ends by itself, or refuses to make a fact.
 */
export async function crashRounds({ rounds, dataDir, contentDir, onRound }: CrashOptions): Promise<CrashCount> {
  // The address is the issuer of the tokens, so tokens of earlier rounds are valid only if every round has the same port.
  const env = {
    ...quiet,
    DATA_DIR: dataDir,
    PORT: String(await findFreePort()),
    ...(contentDir !== undefined && { CONTENT_DIR: contentDir }),
  };
  const facts: Fact[] = [];
  const faults = new Map<Fact, string>();
  const check = async (server: Server, round: number): Promise<void> => {
    const fact = facts[round - 1];
    if (fact === undefined || faults.has(fact)) return;
    const fault = await findFault(fact, server);
    if (fault !== null) faults.set(fact, `${fact.kind.name} of round ${round}: ${fault}`);
  };
  for (let round = 1; round <= rounds; round += 1) {
    await withServer(env, async (server) => {
      await check(server, round - 1);
      const kind = kinds[(round - 1) % kinds.length] ?? assert.fail();
      facts.push({ kind, verify: await kind.make(server) });
      assert.ok(server.isKilled(), 'the server outlived the acknowledgement');
    });
    onRound?.(round);
  }
  await withServer(env, async (server) => {
    for (let round = 1; round <= rounds; round += 1) await check(server, round);
  });
  const listLines = (isRevocation: boolean): string[] =>
    [...faults].filter(([{ kind }]) => kind.isRevocation === isRevocation).map(([, line]) => line);
  return { acknowledged: facts.length, lost: listLines(false), resurrected: listLines(true) };
}

interface Server extends Pick<TestServer, 'request'> {
  /** The server, which is killed as soon as the next response has arrived. */
  readonly last: Pick<TestServer, 'request'>;
  isKilled(): boolean;
}

/** A function that looks for a fact on a restarted server. It rejects with an AssertionError when the fact is gone. */
type Verify = (server: Server) => Promise<void>;

interface Kind {
  readonly name: string;
  readonly isRevocation: boolean;
  /** Makes a fact, with the acknowledgement as the server's last answer, and returns how to look for it. */
  make(server: Server): Promise<Verify>;
}

interface Fact {
  readonly kind: Kind;
  readonly verify: Verify;
}

const kinds: readonly Kind[] = [
  {
    name: 'registration',
    isRevocation: false,
    async make({ last }) {
      const client = await registerClient(last);
      return async (server) => {
        await issueToken(server, client);
      };
    },
  },
  {
    name: 'token',
    isRevocation: false,
    async make(server) {
      const token = await issueToken(server.last, await registerClient(server));
      return (nextServer) => assertAccepted(nextServer, token);
    },
  },
  {
    name: 'revoked token',
    isRevocation: true,
    async make(server) {
      const client = await registerClient(server);
      const [token, otherToken] = [await issueToken(server, client), await issueToken(server, client)];
      await assertAccepted(server, token);
      assertStatus(await revokeToken(server.last, client, token), 200);
      return async (nextServer) => {
        await assertRefused(nextServer, token);
        await assertAccepted(nextServer, otherToken);
      };
    },
  },
  {
    name: 'revoked secret',
    isRevocation: true,
    async make(server) {
      const client = await registerClient(server);
      const token = await issueToken(server, client);
      await assertAccepted(server, token);
      assertStatus(
        await server.last.request(
          '/oauth/revoke',
          createFormPost({ token: client.secret }, createBasicHeaders(client)),
        ),
        200,
      );
      return async (nextServer) => {
        const response = await requestToken(nextServer, client);
        assertStatus(response, 401);
        assert.equal(response.json.code, 'invalid_client');
        await assertRefused(nextServer, token);
      };
    },
  },
  {
    name: 'export',
    isRevocation: false,
    async make(server) {
      const token = await issueToken(server, await registerClient(server), 'export:docs');
      const body = { resource: 'docs', format: 'markdown' };
      const startResponse = await server.last.request(
        '/api/v1/exports',
        createJsonPost(body, createBearerHeaders(token)),
      );
      assertStatus(startResponse, 202);
      return (nextServer) => assertExported(nextServer, new URL(startResponse.json.poll_url).pathname, token);
    },
  },
];

function assertStatus({ status, text }: TestResponse, expected: number): void {
  assert.equal(status, expected, `${status} instead of ${expected}: ${text}`);
}

async function assertAccepted(server: Server, token: string): Promise<void> {
  const response = await server.request('/api/v1', { headers: createBearerHeaders(token) });
  assertStatus(response, 200);
  assert.match(response.headers.get('ratelimit-policy') ?? '', /^"authenticated";/);
}

async function assertRefused(server: Server, token: string): Promise<void> {
  const response = await server.request('/api/v1', { headers: createBearerHeaders(token) });
  assertStatus(response, 401);
  assert.equal(response.json.code, 'invalid_token');
}

/** Asserts that a job completes within a minute, and that its file has the bytes that its name promises. */
async function assertExported(server: Server, path: string, token: string): Promise<void> {
  for (let poll = 1; ; poll += 1) {
    const response = await server.request(path, { headers: { ...createBearerHeaders(token), prefer: 'wait=10' } });
    assertStatus(response, 200);
    const { status, result } = response.json;
    if (poll < 6 && (status === 'queued' || status === 'running')) continue;
    assert.equal(status, 'completed', response.text);
    const file = await server.request(new URL(result.url).pathname);
    assertStatus(file, 200);
    const sha256 = createHash('sha256').update(file.text).digest('hex');
    assert.equal(basename(result.url), `${sha256}.md`);
    return;
  }
}

/** Returns what is wrong with a fact in one line, or null. Rejects if the server does not respond. */
async function findFault({ verify }: Fact, server: Server): Promise<string | null> {
  try {
    await verify(server);
    return null;
  } catch (error) {
    if (error instanceof assert.AssertionError) return error.message.split('\n')[0] ?? '';
    throw error;
  }
}

const generous = '1000000';

/** Settings of each server: no log, and limits that the rounds never reach. */
const quiet = {
  LOG_LEVEL: 'silent',
  RATE_LIMIT_ANONYMOUS: generous,
  RATE_LIMIT_TOKEN: generous,
  RATE_LIMIT_PAGES: generous,
  RATE_LIMIT_ADDRESS: generous,
  RATE_LIMIT_REGISTRATION: generous,
  RATE_LIMIT_ISSUE: generous,
  RATE_LIMIT_REFUSED: generous,
};

/** Starts the server with these settings, calls `use` with it, and kills it unless `use` did. Throws if the server ended by itself. */
async function withServer(env: Record<string, string>, use: (server: Server) => Promise<void>): Promise<void> {
  const { child, exitCode, waitForOutput, getStderr } = startColophon(['serve'], { env });
  try {
    const [, url = ''] = await waitForOutput(/Colophon serves .* at (http:[^\s"]+)/);
    await use({
      request: (path, init) => sendRequest(url, path, init),
      last: {
        // The response is parsed after the kill, so that the server gets no time for work that it has postponed.
        async request(path, init) {
          const { status, headers, body } = await fetch(url + path, init);
          const text = await new Response(body).text();
          child.kill('SIGKILL');
          return { status, headers, text, json: JSON.parse(text) };
        },
      },
      isKilled: () => child.killed,
    });
  } finally {
    child.kill('SIGKILL');
    await exitCode;
  }
  assert.equal(child.signalCode, 'SIGKILL', `the server ended by itself:\n${getStderr()}`);
}

/**
 * Runs `node test/server/crash-rounds.ts 200`. The exit code is 1 if a fact did not survive, and then the data is kept; it is 64 if
 * the number of rounds is not one from 1 to 1000.
 */
async function main([count = '200']: readonly string[]): Promise<void> {
  const rounds = Number(count);
  // The last check uses the tokens of all rounds, which expire after an hour, so all rounds must end within an hour.
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 1000) {
    console.error(`Give a number of rounds from 1 to 1000, such as 200; "${count}" is none.`);
    process.exitCode = 64;
    return;
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'colophon-crash-'));
  const startMs = performance.now();
  const onRound = (round: number): void => {
    if (round % 20 === 0) console.log(`${round} of ${rounds} rounds`);
  };
  const { acknowledged, lost, resurrected } = await crashRounds({ rounds, dataDir, onRound });
  const seconds = Math.round((performance.now() - startMs) / 1000);
  for (const line of [...lost, ...resurrected]) console.error(line);
  console.log(
    `${rounds} crashes in ${seconds} s: ${acknowledged} facts acknowledged, ${lost.length} lost, ${resurrected.length} resurrected.`,
  );
  if (lost.length + resurrected.length === 0) await rm(dataDir, { recursive: true, force: true });
  else {
    console.error(`The data is kept in ${dataDir}.`);
    process.exitCode = 1;
  }
}

if (import.meta.main) await main(process.argv.slice(2));
