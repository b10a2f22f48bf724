/** How well search finds: judged queries over documentation that nobody here wrote, next to libraries for search. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseMarkdown } from '../src/markdown/markdown.ts';
import type { SearchDocument } from '../src/search/document.ts';
import { sectionsOf } from '../src/search/pages.ts';
import { colophon, miniSearch, withoutSynonyms } from './search-engines.ts';
import { fixed, table } from './table.ts';

interface Judgements {
  /** By package, which of its files are the documents. */
  readonly documents: Readonly<Record<string, string>>;
  /** By file, 3 (answers it) to 1 (touches it); what is not named does not answer it. */
  readonly queries: readonly { readonly query: string; readonly judged: Readonly<Record<string, number>> }[];
}

/** A table in Markdown: nDCG at ten, the share of queries whose first hit is a best one, and of those without a hit. */
export async function measureRelevance(): Promise<string> {
  const file = join(import.meta.dirname, 'relevance/judgements.json');
  const { documents, queries }: Judgements = JSON.parse(readFileSync(file, 'utf8'));
  const read = Object.entries(documents).flatMap(([name, pattern]) => readDocuments(name, pattern));
  const rows: string[][] = [];
  for (const make of [colophon, withoutSynonyms, miniSearch]) {
    const engine = await make(read);
    const scores = queries.map(({ query, judged }) => {
      const keys = [...new Set(engine.search(query).map(({ key }) => key))];
      const best = Math.max(...Object.values(judged));
      return { gain: gainOf(keys, judged), first: judged[keys[0] ?? ''] === best, none: keys.length === 0 };
    });
    const share = (count: number): string => `${fixed((100 * count) / scores.length, 0)} %`;
    rows.push([
      engine.name,
      fixed(scores.reduce((sum, { gain }) => sum + gain, 0) / scores.length, 3),
      share(scores.filter(({ first }) => first).length),
      share(scores.filter(({ none }) => none).length),
    ]);
  }
  const heads = ['engine', 'nDCG@10', 'best document first', 'nothing found'];
  return `${read.length} documents, ${queries.length} queries.\n\n${table(heads, rows)}`;
}

function readDocuments(name: string, pattern: string): SearchDocument[] {
  const modules = join(import.meta.dirname, 'node_modules');
  return globSync(`${name}/${pattern}`, { cwd: modules })
    .sort()
    .map((file) => {
      const { headings, sections } = parseMarkdown(readFileSync(join(modules, file), 'utf8'));
      const title = headings[0]?.text ?? file;
      return { kind: 'doc', key: file, title, titleIs: 'page', sections: sectionsOf(title, '', sections) };
    });
}

/** Normalised discounted cumulative gain of the first ten, with 2^grade - 1 as the gain. */
function gainOf(keys: readonly string[], judged: Readonly<Record<string, number>>): number {
  const discounted = (grades: readonly number[]): number =>
    grades.slice(0, 10).reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);
  const ideal = Object.values(judged).sort((a, b) => b - a);
  return discounted(keys.map((key) => judged[key] ?? 0)) / discounted(ideal);
}
