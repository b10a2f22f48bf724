/**
 * Measures the limits of docs/decisions/071-benchmark.md, and prints a table for each part.
 *
 *     npm run bench                                # all parts, in about 20 minutes
 *     npm run bench -- gets tokens                 # these two parts
 *     npm run bench -- gets --server ../before     # GETs next to another checkout of this repository, with its packages installed
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measureBatches } from './batches.ts';
import { measureGets } from './gets.ts';
import { measureHolds } from './holds.ts';
import { measureMcp } from './mcp.ts';
import { isOnPath } from './process.ts';
import { measureRelevance } from './relevance.ts';
import { measureSearches } from './searches.ts';
import { measureStarts } from './starts.ts';
import { measureTokens } from './tokens.ts';
import { measureWorkers } from './workers.ts';

/**
 * The parts by name. Each measures, and resolves with one or more tables in Markdown, or with a sentence that says why it did not
 * run. `otherFolder` is the folder of another checkout to compare with, or null.
 */
const parts: Readonly<Record<string, (otherFolder: string | null) => Promise<string>>> = {
  gets: measureGets,
  tokens: measureTokens,
  mcp: measureMcp,
  batches: measureBatches,
  workers: measureWorkers,
  searches: measureSearches,
  relevance: measureRelevance,
  holds: measureHolds,
  starts: measureStarts,
};

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const { values, positionals } = parseArgs({ allowPositionals: true, options: { server: { type: 'string' } } });
const otherFolder = values.server === undefined ? null : resolve(values.server);
const faults = findFaults();
if (faults.length > 0) {
  process.stderr.write(`Not run: ${faults.join(' ')}\n`);
  process.exitCode = 1;
} else await run();

/**
 * Checks the arguments and this machine. Returns the first reason not to run as a sentence, or a sentence for each missing program,
 * or an empty array if there is no reason.
 */
function findFaults(): string[] {
  const unknown = positionals.filter((name) => !(name in parts));
  if (unknown.length > 0)
    return [`there is no part ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}.`];
  if (process.platform !== 'linux') return ['the benchmark reads processor time from /proc, which Linux alone has.'];
  if (cpus().length < 2) return ['server and load need a core each.'];
  if (otherFolder !== null && !existsSync(join(otherFolder, 'bench/colophon.ts')))
    return [`${otherFolder} is no checkout of this repository.`];
  const packages = { wrk: 'wrk', taskset: 'util-linux' };
  return Object.entries(packages).flatMap(([command, name]) =>
    isOnPath(command) ? [] : [`there is no ${command}; install Debian’s package ${name}.`],
  );
}

async function run(): Promise<void> {
  if (!existsSync(join(import.meta.dirname, 'node_modules')))
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: import.meta.dirname, stdio: 'inherit' });
  console.log(`Node ${process.versions.node}, ${cpus()[0]?.model}, ${cpus().length} cores`);
  for (const [name, measure] of Object.entries(parts)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    const load = loadavg()[0]?.toFixed(1);
    const startedAt = performance.now();
    const table = await measure(otherFolder).catch((error: unknown) => {
      process.exitCode = 1;
      return `Not measured: ${error instanceof Error ? error.stack : error}`;
    });
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    console.log(`\n## ${name} (${seconds} s, load before ${load})\n\n${table}`);
  }
}
