/** A histogram in Prometheus' text format, made of durations that were counted elsewhere. */
import type { Durations } from '../../base/durations.ts';

export interface Histogram {
  readonly name: string;
  readonly help: string;
  /** `labels`: as they stand between the braces, '' for none. */
  readonly series: readonly { readonly labels: string; readonly durations: Durations }[];
}

export function histogram({ name, help, series }: Histogram): string {
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`];
  for (const { labels, durations } of series) {
    const { bounds, counts, totalSeconds, count } = durations;
    const before = labels === '' ? '' : `${labels},`;
    const braced = labels === '' ? '' : `{${labels}}`;
    let upTo = 0;
    for (const [index, bound] of bounds.entries()) {
      upTo += counts[index] ?? 0;
      lines.push(`${name}_bucket{${before}le="${bound}"} ${upTo}`);
    }
    lines.push(`${name}_bucket{${before}le="+Inf"} ${count}`);
    lines.push(`${name}_sum${braced} ${totalSeconds}`, `${name}_count${braced} ${count}`);
  }
  return `${lines.join('\n')}\n`;
}
