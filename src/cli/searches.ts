/** `colophon searches`: what people search for, and what they do not find. */
import { reportedDays, searchReport } from '../analytics/search-report.ts';
import { systemClock } from '../base/clock.ts';
import type { Config } from '../config/environment.ts';
import { loadConfig } from '../config/file.ts';
import { type SearchLists, searchLifetime } from '../store/search-table.ts';
import { listSearches } from '../store/sqlite/upkeep.ts';
import type { Command } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

export const searches: Command = {
  name: 'searches',
  summary: 'List what people searched for, and what they did not find.',
  options: { json: { help: 'Print JSON.' } },
  details: `The last ${reportedDays} days, without the last minute of a running server. A query is listed once three clients have asked it in one
day. This only reads the database, so servers can keep running.`,
  async run({ terminal, flag, env, directory }) {
    const config = loadConfig(env, directory);
    const lists = await read(config, systemClock.now() - searchLifetime);
    if (flag('json')) terminal.out(`${JSON.stringify(searchReport(lists))}\n`);
    else print(terminal, lists);
    if (!config.searchAnalytics) terminal.error('SEARCH_ANALYTICS is off: searches are not counted.\n');
    return exitCodes.done;
  },
};

async function read({ databaseUrl, dataDir }: Config, since: number): Promise<SearchLists> {
  if (databaseUrl === null) return listSearches(dataDir, since);
  // Loaded only where it is used.
  const { listPostgresSearches } = await import('../store/postgres/upkeep.ts');
  return listPostgresSearches(databaseUrl, since);
}

function print(terminal: Terminal, { mostFrequent, withoutResults }: SearchLists): void {
  const list = (title: string, lines: readonly string[]): void => {
    terminal.out(`${title}\n${lines.length === 0 ? '  none\n' : lines.map((line) => `${line}\n`).join('')}`);
  };
  const line = (count: number, query: string): string => `${String(count).padStart(7)}  ${query}`;
  list(
    `Most frequent, last ${reportedDays} days`,
    mostFrequent.map(({ query, searches: count }) => line(count, query)),
  );
  list(
    'Without results',
    withoutResults.map(({ query, withoutResults: count }) => line(count, query)),
  );
}
