/**
 * Measures the server beside others and writes what it found to bench/README.md.
 *
 *     npm run bench              # everything, in about five minutes
 *     npm run bench gets sizes   # some of it; the page keeps the rest as it was
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { measureBatches } from './batches.ts';
import { measureGets } from './gets.ts';
import { measureMcp } from './mcp.ts';
import { measureRelevance } from './relevance.ts';
import { measureSearches } from './searches.ts';
import { measureSizes } from './sizes.ts';

const here = import.meta.dirname;

const sections: readonly { name: string; measure(): Promise<string> | string }[] = [
  { name: 'gets', measure: measureGets },
  { name: 'batches', measure: measureBatches },
  { name: 'searches', measure: measureSearches },
  { name: 'relevance', measure: measureRelevance },
  { name: 'sizes', measure: measureSizes },
  { name: 'mcp', measure: measureMcp },
];

const missing = whatIsMissing();
if (missing.length > 0) {
  process.stderr.write(`Not run: ${missing.join(' ')}\n`);
  process.exitCode = 1;
} else await run(process.argv.slice(2));

function whatIsMissing(): string[] {
  if (process.platform !== 'linux') return ['the benchmark reads processor time from /proc, which Linux alone has.'];
  if (cpus().length < 2) return ['server and load need a core each.'];
  const packages = { wrk: 'wrk', nginx: 'nginx', taskset: 'util-linux' };
  return Object.entries(packages).flatMap(([command, name]) => {
    const found = (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, command)));
    return found ? [] : [`there is no ${command}; install Debian’s package ${name}.`];
  });
}

async function run(names: readonly string[]): Promise<void> {
  if (!existsSync(join(here, 'node_modules'))) {
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: here, stdio: 'inherit' });
  }
  const file = join(here, 'README.md');
  for (const { name, measure } of sections) {
    if (names.length > 0 && !names.includes(name)) continue;
    // Whatever else the machine does is in the figures: a load above zero here says how far to trust them.
    const load = loadavg()[0]?.toFixed(1);
    const machine = `Node ${process.versions.node}, ${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, load before the run ${load}.`;
    const found = `\n${machine}\n\n${await measure()}\n`;
    console.log(found);
    writeFileSync(file, replaceSection(readFileSync(file, 'utf8'), name, found));
  }
}

function replaceSection(page: string, name: string, text: string): string {
  const [start, end] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`];
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from === -1 || to === -1) throw new Error(`bench/README.md has no place for ${name}.`);
  return page.slice(0, from + start.length) + text + page.slice(to);
}
