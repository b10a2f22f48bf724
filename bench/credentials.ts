/** What credentials and shared limits cost: a GET with a token and without, from one address and from many, and issuing a token, on SQLite and on PostgreSQL. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../test/support/postgres.ts';
import { figureHeads, figuresOf, rateRatioOf, ratioOf } from './figures.ts';
import { atLeast, type Measured } from './goals.ts';
import { type Started, startColophon, stop } from './process.ts';
import { fixed, table } from './table.ts';
import { obtainCredential } from './token.ts';
import { type Contestant, type Pace, type Results, takeTurns } from './turns.ts';

const without = (store: string): string => `${store}: GET without a token`;
const withToken = (store: string): string => `${store}: GET with a token`;
const manyAddresses = (store: string): string => `${store}: GETs from ${addresses} addresses`;
const issue = (store: string): string => `${store}: a token issued`;
const addresses = 3000;

/** A table in Markdown. PostgreSQL comes out of the lock file; its own processor time is not the server’s, and it runs on whichever core is free. */
export async function measureCredentials(pace: Pace): Promise<Measured> {
  const directory = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
  const postgres = await startPostgres();
  const running: Started[] = [];
  try {
    const stores: Record<string, Record<string, string>> = { SQLite: {} };
    if (typeof postgres !== 'string') {
      stores.PostgreSQL = {
        DATABASE_URL: await postgres.createDatabase(),
        SECRET_KEY: 'of-the-benchmark-alone-'.repeat(2),
      };
    }
    const contestants: Contestant[] = [];
    for (const [store, env] of Object.entries(stores)) {
      const server = await startColophon({ DATA_DIR: join(directory, store), TRUST_PROXY: '1', ...env });
      running.push(server);
      contestants.push(...(await contestantsOf(store, server, directory)));
    }
    const results = await takeTurns(contestants, pace);
    const absent = typeof postgres === 'string' ? `\n\nPostgreSQL: not run: ${postgres}.` : '';
    const text = report(results, Object.keys(stores)) + absent;
    const goals = Object.keys(stores).map((store) => {
      const share = ratioOf(results, 'cpu', without(store), withToken(store));
      const target = store === 'SQLite' ? 0.65 : 0.6;
      return atLeast(`${store}: a GET with a token, times one without, by CPU`, share, target);
    });
    return { text, goals };
  } finally {
    await Promise.all(running.map(stop));
    if (typeof postgres !== 'string') await postgres.close();
    await rm(directory, { recursive: true, force: true });
  }
}

async function contestantsOf(store: string, { said, pid, forget }: Started, directory: string): Promise<Contestant[]> {
  const { bearer } = await obtainCredential(said);
  // A client holds a bounded number of tokens: the many that are issued go to another.
  const { basic } = await obtainCredential(said);
  const script = join(directory, 'token.lua');
  await writeFile(script, 'wrk.method = "POST"\nwrk.body = "grant_type=client_credentials"\n');
  const spread = join(directory, 'addresses.lua');
  await writeFile(
    spread,
    `local n = 0
request = function()
  n = (n + 1) % ${addresses}
  return wrk.format("GET", nil, { ["x-forwarded-for"] = "10.0." .. math.floor(n / 250) .. "." .. n % 250 })
end
`,
  );
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const get = { url: `${said}/api/v1/releases/latest`, pid };
  return [
    { name: without(store), forget, target: { ...get, headers: {} } },
    { name: withToken(store), forget, target: { ...get, headers: { authorization: bearer } } },
    { name: manyAddresses(store), forget, target: { ...get, script: spread, headers: {} } },
    {
      name: issue(store),
      forget,
      target: { url: `${said}/oauth/token`, pid, script, headers: { ...form, authorization: basic } },
    },
  ];
}

function report(results: Results, stores: readonly string[]): string {
  const rows = stores.flatMap((store) =>
    [without(store), withToken(store), manyAddresses(store), issue(store)].map((name) => {
      const byCpu = fixed(ratioOf(results, 'cpu', without(store), name), 2);
      const byLocal = rateRatioOf(results, name, without('SQLite'), 2);
      return [name, ...figuresOf(results, name), rateRatioOf(results, name, without(store), 2), byCpu, byLocal];
    }),
  );
  const heads = ['what', ...figureHeads];
  return table([...heads, 'times the rate without', 'by CPU', 'times a GET with local limits'], rows);
}
