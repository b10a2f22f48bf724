/** What each part of the path of a GET costs: servers with one part more each, next to bare node:http and the whole server. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { capture } from './capture.ts';
import { figureHeads, figuresOf, medianOf, ratioOf } from './figures.ts';
import { partNames } from './part-names.ts';
import { type Started, startColophon, startPinned, stop } from './process.ts';
import { fixed, table } from './table.ts';
import { type Pace, type Results, takeTurns } from './turns.ts';

const whole = 'the whole server';

/** A table: each row has the parts of the rows above it as well. */
export async function measureParts(pace: Pace): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
  const running: Started[] = [];
  try {
    const colophon = await startColophon({ DATA_DIR: join(directory, 'data') });
    running.push(colophon);
    const headers = { accept: 'application/json' };
    const url = `${colophon.said}/api/v1/releases/latest`;
    const file = join(directory, 'answers.json');
    await writeFile(file, JSON.stringify([await capture(url, headers)]));
    const contestants = [{ name: whole, target: { url, headers, pid: colophon.pid }, forget: colophon.forget }];
    const script = join(import.meta.dirname, 'contestants/parts.ts');
    for (const name of partNames.toReversed()) {
      const started = await startPinned([process.execPath, script, file, name], /listening on (\S+)/);
      running.push(started);
      const target = { url: `${started.said}/api/v1/releases/latest`, headers, pid: started.pid };
      contestants.unshift({ name, target, forget: started.forget });
    }
    return report(await takeTurns(contestants, { ...pace, seconds: 1, rounds: 2 * pace.rounds }));
  } finally {
    await Promise.all(running.map(stop));
    await rm(directory, { recursive: true, force: true });
  }
}

function report(results: Results): string {
  const names = [...partNames, whole];
  const rows = names.map((name, at) => {
    const before = names[at - 1];
    const cost =
      before === undefined ? '' : fixed(medianOf(results, name, 'cpu') - medianOf(results, before, 'cpu'), 1);
    const share = fixed(ratioOf(results, 'cpu', 'node:http', name), 2);
    return [at === 0 || name === whole ? name : `+ ${name}`, ...figuresOf(results, name), cost, share];
  });
  return table(['GET latest', ...figureHeads, 'CPU µs more', 'times node:http'], rows);
}
