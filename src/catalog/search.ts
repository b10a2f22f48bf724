/** Full-text search over pages and FAQ entries: an FTS5 index in memory, ranked by BM25, paged by key. */
import { DatabaseSync } from 'node:sqlite';
import { excerptable, excerptOf } from './excerpt.ts';
import { attemptsAt, titleTerms } from './search-query.ts';
import { createVocabularyBuilder, type VocabularyBuilder } from './vocabulary.ts';
import { eachWord } from './words.ts';

export interface SearchDocument {
  readonly kind: 'doc' | 'faq';
  /** A page's slug or an entry's id; unique within its kind. */
  readonly key: string;
  readonly title: string;
  readonly headings: readonly string[];
  /** Plain text. */
  readonly body: string;
}

export interface SearchHit {
  readonly kind: SearchDocument['kind'];
  readonly key: string;
  readonly title: string;
  /** Above 0, rounded to 4 decimals; comparable within one answer only. */
  readonly score: number;
  /** Plain text around the best match, with the matched words in `**`. */
  readonly excerpt: string;
}

export interface SearchPosition {
  readonly score: number;
  readonly kind: string;
  readonly key: string;
}

export interface SearchPage {
  /** Best first; equal scores by kind and key. */
  readonly hits: readonly SearchHit[];
  /** What to pass as `after` for the next page, or null when this is the last. */
  readonly next: SearchPosition | null;
  /** What was searched instead, when nothing matched as asked. */
  readonly searchedFor: string | null;
}

export interface SearchOptions {
  readonly kind?: SearchDocument['kind'];
  /** At least 1. */
  readonly limit: number;
  /** Only hits that come after this one, which need not exist any more. */
  readonly after?: SearchPosition;
}

export interface SearchIndex {
  /**
   * Finds the documents that have every word of `query` (by its stem, the last one also by its beginning) and every
   * phrase in double quotes; when there are none, corrects words that no document has, then takes any of the words.
   * Any string is safe; one without words finds nothing.
   */
  search(query: string, options: SearchOptions): SearchPage;
  /** Frees the index. It cannot be searched afterwards. */
  close(): void;
}

/** Builds the index: about a second for 10,000 pages of 2 kB. */
export function createSearchIndex(documents: readonly SearchDocument[]): SearchIndex {
  const sorted = documents
    .toSorted((a, b) => compareNames(a.kind, b.kind) || compareNames(a.key, b.key))
    .map(({ kind, key, title, body, headings }) => ({ kind, key, title, headings, body: excerptable(body) }));
  const database = new DatabaseSync(':memory:');
  const builder = createVocabularyBuilder();
  fill(database, sorted, builder);
  const vocabulary = builder.finish();
  const select = database.prepare(selectHits);
  const exists = database.prepare(selectAny);

  /** How many documents come up to a kind and key. A document's row id is its place, counted from 1. */
  const placeOf = (kind: string, key: string) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const document = sorted[middle];
      const order = document ? compareNames(document.kind, kind) || compareNames(document.key, key) : 1;
      if (order <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  const firstFaq = sorted.filter(({ kind }) => kind === 'doc').length + 1;
  const rowsOf = {
    all: [1, sorted.length],
    doc: [1, firstFaq - 1],
    faq: [firstFaq, sorted.length],
  } as const;

  return {
    search(query, { kind, limit, after }) {
      const rows = rowsOf[kind ?? 'all'];
      const points = after ? Math.round(after.score * pointsPerScore) : Number.MAX_SAFE_INTEGER;
      const place = after ? placeOf(after.kind, after.key) : 0;
      for (const { phrases, expression, searchedFor } of attemptsAt(query, vocabulary)) {
        const found = select.all(expression, ...rows, points, place, limit + 1);
        // An attempt that found something has its pages, of which the one after the last is empty.
        if (found.length === 0 && !(after && exists.get(expression, ...rows))) continue;
        const hits = found.slice(0, limit).flatMap((row) => {
          const document = sorted[Number(row.id) - 1];
          if (document === undefined) return [];
          const { kind: kindFound, key, title, body } = document;
          const excerpt = excerptOf(body, phrases, vocabulary);
          return { kind: kindFound, key, title, score: Number(row.points) / pointsPerScore, excerpt };
        });
        const last = hits.at(-1);
        const next = found.length > limit && last ? { score: last.score, kind: last.kind, key: last.key } : null;
        return { hits, next, searchedFor };
      }
      return { hits: [], next: null, searchedFor: null };
    },
    close: () => database.close(),
  };
}

/** Scores are ordered and paged as whole ten-thousandths, so that what is sent is exactly what is compared. */
const pointsPerScore = 10_000;

/** Contentless: the texts are kept once, by us. Terms come stemmed, so that the tokenizer has only to split at spaces. */
const schema = `CREATE VIRTUAL TABLE entry USING fts5(title, headings, body, content='', tokenize='ascii')`;

/** A word in the title counts as six in the body, one in a heading or in the key as three. */
const score = `max(1, CAST(round(bm25(entry, 6, 3, 1) * -${pointsPerScore}) AS INTEGER))`;
const selectHits = `
  WITH hit AS MATERIALIZED (
    SELECT rowid AS id, ${score} AS points FROM entry WHERE entry MATCH ?1 AND rowid BETWEEN ?2 AND ?3
  )
  SELECT id, points FROM hit WHERE points < ?4 OR (points = ?4 AND id > ?5)
  ORDER BY points DESC, id LIMIT ?6`;
const selectAny = 'SELECT 1 FROM entry WHERE entry MATCH ? AND rowid BETWEEN ? AND ? LIMIT 1';

function fill(database: DatabaseSync, documents: readonly SearchDocument[], builder: VocabularyBuilder): void {
  const termsIn = (text: string) => {
    const terms: string[] = [];
    eachWord(text, (start, end) => terms.push(builder.learn(text.slice(start, end))));
    return terms;
  };
  database.exec(schema);
  // Eight megabytes before a merge instead of one: half the time to build.
  database.exec(`INSERT INTO entry (entry, rank) VALUES ('hashsize', ${8 * 1024 * 1024})`);
  database.exec('BEGIN');
  const insert = database.prepare('INSERT INTO entry (rowid, title, headings, body) VALUES (?, ?, ?, ?)');
  for (const [index, { key, title, headings, body }] of documents.entries()) {
    const columns = [titleTerms(termsIn(title)), termsIn([key, ...headings].join('\n')), termsIn(body)];
    insert.run(index + 1, ...columns.map((terms) => terms.join(' ')));
  }
  // FTS5 gives a word that is in more than half of the rows no weight at all, and a small product's main words are.
  // As many empty rows again keep every word below half.
  for (let row = documents.length; row <= 2 * documents.length; row += 1) insert.run(row + 1, '', '', '');
  database.exec('COMMIT');
}

function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
