/** A GET with a token next to one without, GETs from many addresses, and issuing a token, on SQLite and on PostgreSQL. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPostgres } from '../test/support/postgres.ts';
import { type Started, startColophon, stop } from './process.ts';
import { fixed, table } from './table.ts';
import { obtainCredential } from './token.ts';
import { type Contestant, computeRatio, figureHeads, formatFigures, takeTurns } from './turns.ts';

const addresses = 3000;
const withoutToken = (store: string): string => `${store}: GET without a token`;

/**
 * Returns a Markdown table of requests with and without a token. Its reader checks what must hold: a GET with a token has at least
 * 0.4 of the rate without on SQLite, 0.2 on PostgreSQL. Where PostgreSQL cannot run, a line below the table says why.
 */
export async function measureTokens(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
  const postgres = createPostgres();
  const running: Started[] = [];
  try {
    const stores: Record<string, Record<string, string>> = { SQLite: {} };
    if (typeof postgres !== 'string')
      stores.PostgreSQL = {
        DATABASE_URL: await postgres.createDatabase(),
        SECRET_KEY: 'secret-of-the-benchmark-'.repeat(2),
      };
    const rows: string[][] = [];
    for (const [store, env] of Object.entries(stores)) {
      const server = await startColophon({ DATA_DIR: join(directory, store), TRUST_PROXY: '1', ...env });
      running.push(server);
      const contestants = await makeContestants(store, server, directory);
      const results = await takeTurns(contestants);
      for (const { name } of contestants) {
        const share = fixed(computeRatio(results, 'rate', name, withoutToken(store)), 2);
        rows.push([name, ...formatFigures(results, name), share]);
      }
    }
    const absent = typeof postgres === 'string' ? `\n\nPostgreSQL: not run: ${postgres}.` : '';
    return table(['what', ...figureHeads, 'times the rate without a token'], rows) + absent;
  } finally {
    await Promise.all(running.map(stop));
    if (typeof postgres !== 'string') await postgres.close();
    await rm(directory, { recursive: true, force: true });
  }
}

async function makeContestants(
  store: string,
  { said, pid, forget }: Started,
  directory: string,
): Promise<Contestant[]> {
  const { basic, bearer } = await obtainCredential(said);
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
  const form = { 'content-type': 'application/x-www-form-urlencoded', authorization: basic };
  const get = { url: `${said}/api/v1/releases/latest`, pid };
  return [
    { name: withoutToken(store), forget, target: { ...get, headers: {} } },
    { name: `${store}: GET with a token`, forget, target: { ...get, headers: { authorization: bearer } } },
    { name: `${store}: GETs from ${addresses} addresses`, forget, target: { ...get, script: spread, headers: {} } },
    { name: `${store}: a token issued`, forget, target: { url: `${said}/oauth/token`, pid, script, headers: form } },
  ];
}
