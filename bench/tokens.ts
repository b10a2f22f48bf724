/** Measures GETs with and without a token, GETs from many addresses, and the issue of tokens, on SQLite and on PostgreSQL. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPostgres } from '../test/support/postgres.ts';
import { type RunningProcess, startColophon, stopProcess } from './process.ts';
import { formatNumber, formatTable } from './table.ts';
import { obtainCredential } from './token.ts';
import { type Contestant, computeRatio, figureHeads, formatFigures, takeTurns } from './turns.ts';

const addressCount = 3000;
const formatBaseName = (store: string): string => `${store}: GET without a token`;

/**
 * Returns a Markdown table of requests with and without a token. Its reader checks what is required: a GET with a token has at
 * least 0.4 of the rate without on SQLite, 0.2 on PostgreSQL. Where PostgreSQL cannot run, a line below the table says why.
 */
export async function measureTokens(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
  const postgres = createPostgres();
  const servers: RunningProcess[] = [];
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
      servers.push(server);
      const contestants = await createContestants(store, server, directory);
      const results = await takeTurns(contestants);
      for (const { name } of contestants) {
        const share = formatNumber(computeRatio(results, 'rate', name, formatBaseName(store)), 2);
        rows.push([name, ...formatFigures(results, name), share]);
      }
    }
    const note = typeof postgres === 'string' ? `\n\nPostgreSQL: not run: ${postgres}.` : '';
    return formatTable(['what', ...figureHeads, 'times the rate without a token'], rows) + note;
  } finally {
    await Promise.all(servers.map(stopProcess));
    if (typeof postgres !== 'string') await postgres.close();
    await rm(directory, { recursive: true, force: true });
  }
}

async function createContestants(
  store: string,
  { readyText: origin, pid, clearOutput }: RunningProcess,
  directory: string,
): Promise<Contestant[]> {
  const { basic, bearer } = await obtainCredential(origin);
  const tokenScript = join(directory, 'token.lua');
  await writeFile(tokenScript, 'wrk.method = "POST"\nwrk.body = "grant_type=client_credentials"\n');
  const addressScript = join(directory, 'addresses.lua');
  await writeFile(
    addressScript,
    `local n = 0
request = function()
  n = (n + 1) % ${addressCount}
  return wrk.format("GET", nil, { ["x-forwarded-for"] = "10.0." .. math.floor(n / 250) .. "." .. n % 250 })
end
`,
  );
  const form = { 'content-type': 'application/x-www-form-urlencoded', authorization: basic };
  const get = { url: `${origin}/api/v1/releases/latest`, pid };
  return [
    { name: formatBaseName(store), clearOutput, target: { ...get, headers: {} } },
    { name: `${store}: GET with a token`, clearOutput, target: { ...get, headers: { authorization: bearer } } },
    {
      name: `${store}: GETs from ${addressCount} addresses`,
      clearOutput,
      target: { ...get, script: addressScript, headers: {} },
    },
    {
      name: `${store}: a token issued`,
      clearOutput,
      target: { url: `${origin}/oauth/token`, pid, script: tokenScript, headers: form },
    },
  ];
}
