/** Measures the relevance of search results with judged questions about npm packages and about the shipped content folder. */
import { toPlainText } from '../src/markdown/markdown.ts';
import { buildIndex } from '../src/search/build.ts';
import { createStemmer, english } from '../src/search/language.ts';
import { openIndex } from '../src/search/search.ts';
import { formatPlace, getPage, type JudgedQuestion, type JudgedSet, readPackageSet, readSottoSet } from './judged.ts';
import { formatNumber, formatTable } from './table.ts';

const packages = [
  { name: 'fastify, pino and undici', file: 'judgements.json' },
  { name: 'npm and Mercurius', file: 'packages-unseen.json' },
  { name: 'AI SDK', file: 'ai-unseen.json' },
  { name: 'Marko', file: 'marko-unseen.json' },
  { name: 'Gemini CLI and semantic-release', file: 'packages-unseen-2.json' },
];
const stem = createStemmer('en');

/**
 * Returns a Markdown table of all sets. Its reader checks what is required: nDCG@10 of every set within 0.002 of what it was before
 * a change. A best page is one with the question's highest grade; `in three` is the share of questions with a best page among the
 * first three pages.
 */
export async function measureRelevance(): Promise<string> {
  const rows = packages.map(({ name, file }) => measureRow(name, readPackageSet(file), english, (_, key) => key));
  const sotto = ['sotto', 'sotto-unseen', 'sotto-unseen-2', 'sotto-unseen-3', 'sotto-unseen-4'];
  for (const file of sotto.map((name) => `${name}.json`)) {
    const set = await readSottoSet([file]);
    rows.push(measureRow(file, set, [...english, ...set.vendor], formatPlace));
  }
  return formatTable(['questions about', 'count', 'nDCG@10', 'best place first', 'best page first', 'in three'], rows);
}

function measureRow(
  name: string,
  { documents, queries }: JudgedSet,
  synonyms: readonly (readonly string[])[],
  toPlace: typeof formatPlace,
): string[] {
  const index = openIndex(buildIndex(documents, { stem, synonyms, toPlainText }), stem);
  let gains = 0;
  let bestFirst = 0;
  let pageFirst = 0;
  let pageInThree = 0;
  for (const { query, judged } of queries) {
    const { hits } = index.search(query, { limit: 20 });
    const places = [...new Set(hits.map(({ kind, key, anchor }) => toPlace(kind, key, anchor)))];
    gains += computeGain(places, judged);
    const highestGrade = Math.max(...Object.values(judged));
    if (judged[places[0] ?? ''] === highestGrade) bestFirst += 1;
    const bestPages = Object.keys(judged)
      .filter((place) => judged[place] === highestGrade)
      .map(getPage);
    const rank = [...new Set(places.map(getPage))].findIndex((page) => bestPages.includes(page));
    if (rank === 0) pageFirst += 1;
    if (rank >= 0 && rank < 3) pageInThree += 1;
  }
  const share = (sum: number): number => sum / queries.length;
  const percent = (count: number): string => `${formatNumber(100 * share(count), 0)} %`;
  return [
    name,
    String(queries.length),
    formatNumber(share(gains), 4),
    ...[bestFirst, pageFirst, pageInThree].map(percent),
  ];
}

/**
 * Returns the normalized discounted cumulative gain, from 0 to 1, of the first ten places found, which are sorted best first, with
 * 2^grade - 1 as the gain (Järvelin and Kekäläinen, 2002). Returns NaN if no place in `judged` has a grade above 0.
 */
function computeGain(places: readonly string[], judged: JudgedQuestion['judged']): number {
  const discounted = (grades: readonly number[]): number =>
    grades.slice(0, 10).reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0);
  return (
    discounted(places.map((place) => judged[place] ?? 0)) / discounted(Object.values(judged).sort((a, b) => b - a))
  );
}
