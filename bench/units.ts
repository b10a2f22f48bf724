/** What a request costs the server and what is behind it, for docs/capacity.md: processor time of each, by kind of request. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRedis } from '../test/faults/support/redis.ts';
import { startPostgres, type TestPostgres } from '../test/support/postgres.ts';
import { load, type Target } from './load.ts';
import { cpuMicroseconds, type Started, startColophon, stop } from './process.ts';
import { fixed, table } from './table.ts';
import { obtainCredential } from './token.ts';
import type { Pace } from './turns.ts';

const manyAddresses = 3000;

interface Kind {
  readonly name: string;
  readonly target: Target;
  /** The root process of what counts and stores for the server. */
  readonly behind: number;
}

/** A table in Markdown. The databases run on whichever core is free; their processor time is a separate column. */
export async function measureUnits(pace: Pace): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
  const postgres = await startPostgres();
  if (typeof postgres === 'string') return `Not run: ${postgres}.`;
  const redis = await startRedis();
  const running: Started[] = [];
  try {
    const start = async (name: string, env: Record<string, string>): Promise<Started> => {
      const server = await startColophon({
        DATA_DIR: join(directory, name),
        DATABASE_URL: await postgres.createDatabase(),
        SECRET_KEY: 'of-the-benchmark-alone-'.repeat(2),
        TRUST_PROXY: '127.0.0.1',
        ...env,
      });
      running.push(server);
      return server;
    };
    const database = await postmasterOf(postgres);
    const kinds = await onPostgres(await start('postgres', {}), database, directory);
    if (typeof redis !== 'string') {
      const server = await start('redis', { REDIS_URL: redis.url });
      const counter = Number(/process_id:(\d+)/.exec(String(await redis.command('INFO', 'server')))?.[1]);
      kinds.push({
        name: `GET from ${manyAddresses} addresses, counted in Redis`,
        target: { ...get(server), script: await spread(directory) },
        behind: counter,
      });
    }
    const rows: string[][] = [];
    for (const kind of kinds) rows.push(await measure(kind, pace));
    const absent = typeof redis === 'string' ? `\n\nRedis: not run: ${redis}.` : '';
    return table(['request', 'requests/s', 'server: CPU µs', 'behind it: CPU µs'], rows) + absent;
  } finally {
    await Promise.all(running.map(stop));
    if (typeof redis !== 'string') await redis.close();
    await postgres.close();
    await rm(directory, { recursive: true, force: true });
  }
}

const get = ({ said, pid }: Started): Target => ({ url: `${said}/api/v1/releases/latest`, headers: {}, pid });

async function onPostgres(server: Started, database: number, directory: string): Promise<Kind[]> {
  const { bearer } = await obtainCredential(server.said);
  const { basic } = await obtainCredential(server.said);
  const script = join(directory, 'token.lua');
  await writeFile(script, 'wrk.method = "POST"\nwrk.body = "grant_type=client_credentials"\n');
  const headers = { 'content-type': 'application/x-www-form-urlencoded', authorization: basic };
  const token = { url: `${server.said}/oauth/token`, headers, script, pid: server.pid };
  const kinds = {
    'GET from one address': get(server),
    [`GET from ${manyAddresses} addresses`]: { ...get(server), script: await spread(directory) },
    'GET with a token': { ...get(server), headers: { authorization: bearer } },
    'token issued': token,
  };
  return Object.entries(kinds).map(([name, target]) => ({ name, target, behind: database }));
}

/** Each request from the next of many addresses, as a proxy names them. */
async function spread(directory: string): Promise<string> {
  const script = join(directory, 'spread.lua');
  await writeFile(
    script,
    `local at = 0
request = function()
  at = (at + 1) % ${manyAddresses}
  wrk.headers["X-Forwarded-For"] = "10.1." .. math.floor(at / 250) .. "." .. (at % 250 + 1)
  return wrk.format()
end
`,
  );
  return script;
}

/** The first of PostgreSQL's processes, as its own folder names it. */
async function postmasterOf(postgres: TestPostgres): Promise<number> {
  const url = await postgres.createDatabase();
  const [row] = await postgres.query(url, "SELECT current_setting('data_directory') AS folder");
  return Number(readFileSync(join(String(row?.folder), 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/** Warm first, then all rounds together: the databases write in the background what a round has left. */
async function measure({ name, target, behind }: Kind, { rounds, seconds, warmUp }: Pace): Promise<string[]> {
  for (let spent = 0; spent < warmUp; spent += 1) await load(target, { seconds: 1 });
  const before = { server: cpuMicroseconds(target.pid), behind: cpuMicroseconds(behind) };
  let requests = 0;
  let rate = 0;
  for (let round = 0; round < rounds; round += 1) {
    const made = await load(target, { seconds });
    if (made.failed > 0) throw new Error(`${name}: ${made.failed} of ${made.requests} failed`);
    requests += made.requests;
    rate += made.rate / rounds;
  }
  const each = (used: number): string => fixed(used / requests, 1);
  return [
    name,
    fixed(rate, 0),
    each(cpuMicroseconds(target.pid) - before.server),
    each(cpuMicroseconds(behind) - before.behind),
  ];
}
