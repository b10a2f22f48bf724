/** One text for Prometheus out of those of several processes. */

interface Family {
  readonly lines: string[];
  readonly type: string;
  /** By series, the labels included. */
  readonly values: Map<string, number>;
}

/**
 * Counters and histograms add up. A gauge of one process says nothing of the others, so each keeps its own under the label
 * `worker`, whose values are the keys of `texts`.
 */
export function mergeMetrics(texts: ReadonlyMap<number, string>): string {
  const families = new Map<string, Family>();
  for (const [worker, text] of texts) addText(families, worker, text);
  return [...families.values()]
    .flatMap(({ lines, values }) => [...lines, ...Array.from(values, ([series, value]) => `${series} ${shown(value)}`)])
    .map((line) => `${line}\n`)
    .join('');
}

function addText(families: Map<string, Family>, worker: number, text: string): void {
  let family: Family | null = null;
  let help: string[] = [];
  for (const line of text.split('\n')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (kind === 'HELP') help = [line];
    else if (kind === 'TYPE') {
      family = families.get(name) ?? { lines: [...help, line], type: rest, values: new Map() };
      families.set(name, family);
    } else if (family !== null && line !== '' && !line.startsWith('#')) {
      const end = line.lastIndexOf(' ');
      const [series, value] = [line.slice(0, end), Number(line.slice(end + 1).replace(/Inf$/, 'Infinity'))];
      const adds = family.type === 'counter' || family.type === 'histogram';
      const key = adds ? series : labelled(series, worker);
      family.values.set(key, (family.values.get(key) ?? 0) + value);
    }
  }
}

const labelled = (series: string, worker: number): string =>
  series.endsWith('}') ? `${series.slice(0, -1)},worker="${worker}"}` : `${series}{worker="${worker}"}`;

/** As the text format writes numbers. */
const shown = (value: number): string =>
  Number.isNaN(value) ? 'NaN' : Number.isFinite(value) ? String(value) : value > 0 ? '+Inf' : '-Inf';
