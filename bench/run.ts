/**
 * Measures the server against others and writes the results to bench/results/ and the goals to bench/README.md.
 *
 *     npm run bench                    # everything but `peers`, in about twelve minutes
 *     npm run bench -- gets sizes      # some of it; the pages keep the rest as it was
 *     npm run bench -- --quick         # whether everything runs; writes nothing
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { measureBatches } from './batches.ts';
import { measureCredentials } from './credentials.ts';
import { measureExports } from './exports.ts';
import { measureGets } from './gets.ts';
import type { Measured } from './goals.ts';
import { measureHolds } from './holds.ts';
import { measureMcp } from './mcp.ts';
import { measureParts } from './parts.ts';
import { measurePeers } from './peers.ts';
import { isOnPath } from './process.ts';
import { measureRelevance } from './relevance.ts';
import { keep } from './results.ts';
import { measureSearches } from './searches.ts';
import { measureSizes } from './sizes.ts';
import { type Pace, quick, steady } from './turns.ts';
import { measureUnits } from './units.ts';
import { measureWorkers } from './workers.ts';

const here = import.meta.dirname;

interface Section {
  readonly name: string;
  /** A text without goals, or both. */
  measure(pace: Pace): Promise<string | Measured>;
  /** Only when it is named: it installs much, for figures that hardly change. */
  readonly onDemand?: true;
}

const sections: readonly Section[] = [
  { name: 'gets', measure: measureGets },
  { name: 'parts', measure: measureParts },
  { name: 'batches', measure: measureBatches },
  { name: 'credentials', measure: measureCredentials },
  { name: 'exports', measure: measureExports },
  { name: 'workers', measure: measureWorkers },
  { name: 'units', measure: measureUnits },
  { name: 'sizes', measure: measureSizes },
  { name: 'holds', measure: measureHolds },
  { name: 'mcp', measure: measureMcp },
  { name: 'searches', measure: measureSearches },
  { name: 'relevance', measure: measureRelevance },
  { name: 'peers', measure: measurePeers, onDemand: true },
];

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const words = process.argv.slice(2);
const faults = faultsOf(words);
if (faults.length > 0) {
  process.stderr.write(`Not run: ${faults.join(' ')}\n`);
  process.exitCode = 1;
} else await run(words);

function faultsOf(asked: readonly string[]): string[] {
  const names = sections.map(({ name }) => name);
  const unknown = asked.filter((word) => word !== '--quick' && !names.includes(word));
  if (unknown.length > 0) return [`there is no section ${unknown.join(', ')}; there are ${names.join(', ')}.`];
  if (process.platform !== 'linux') return ['the benchmark reads processor time from /proc, which Linux alone has.'];
  if (cpus().length < 2) return ['server and load need a core each.'];
  const packages = { wrk: 'wrk', taskset: 'util-linux' };
  return Object.entries(packages).flatMap(([command, name]) =>
    isOnPath(command) ? [] : [`there is no ${command}; install Debian’s package ${name}.`],
  );
}

async function run(asked: readonly string[]): Promise<void> {
  if (!isInstalled()) execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: here, stdio: 'inherit' });
  // As npm ci leaves a clone, whatever was changed since.
  execFileSync(process.execPath, ['bin/colophon.js', 'bundle', '--quiet'], { cwd: join(here, '..'), stdio: 'inherit' });
  const names = asked.filter((word) => word !== '--quick');
  const pace = asked.includes('--quick') ? quick : steady;
  for (const { name, measure, onDemand } of sections) {
    if (names.length > 0 ? !names.includes(name) : onDemand) continue;
    // Whatever else the machine does is in the figures: a load above zero here says how far to trust them.
    const load = loadavg()[0]?.toFixed(1);
    const processor = cpus()[0]?.model ?? 'unknown processor';
    const date = new Date().toISOString().slice(0, 10);
    const machine = `${date}, Node ${process.versions.node}, ${processor}, ${cpus().length} cores, load before the run ${load}.`;
    const began = performance.now();
    try {
      const found = await measure(pace);
      const measured = typeof found === 'string' ? { text: found, goals: [] } : found;
      const seconds = Math.round((performance.now() - began) / 1000);
      console.log(`## ${name} (${seconds} s)\n\n${machine}\n\n${measured.text}\n`);
      for (const { name: goal, target, figure, met } of measured.goals) {
        console.log(`${met ? 'met   ' : 'missed'} ${goal}: ${figure} (${target})`);
      }
      const order = sections.map((section) => section.name);
      if (pace !== quick) keep(here, { section: name, processor, machine, measured }, order);
    } catch (error) {
      console.error(`## ${name}\n\nNot measured:`, error);
      process.exitCode = 1;
    }
  }
}

/** Whether the packages of bench/package.json are there, in its versions. */
function isInstalled(): boolean {
  const { dependencies }: { dependencies: Record<string, string> } = readJson(join(here, 'package.json'));
  return Object.entries(dependencies).every(([name, version]) => {
    const manifest = join(here, 'node_modules', name, 'package.json');
    return existsSync(manifest) && readJson<{ version: string }>(manifest).version === version;
  });
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8'));
}
