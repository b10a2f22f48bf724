/** The search index against a scorer that reads every document for every query, over random documents and queries. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createSearchIndex, type SearchDocument } from '../../src/search/search.ts';
import { stem } from '../../src/search/stem.ts';

/** A phrase as it is asked for; `open`: its last word may be the beginning of a longer one. */
interface Asked {
  readonly words: readonly string[];
  readonly open: boolean;
}

type Fits = (word: string) => boolean;

const vocabulary = 'key keys keyboard keynote board boards install installed installation installing push talk'.split(
  ' ',
);
const beginnings = ['ke', 'key', 'keyb', 'inst', 'installat', 'board', 'pu'];
const fieldWeights = [1, 3, 6];

const words = (most: number) => fc.array(fc.constantFrom(...vocabulary), { maxLength: most });

const corpus = fc.uniqueArray(
  fc.record({
    kind: fc.constantFrom('doc' as const, 'faq' as const),
    key: fc.stringMatching(/^[b-hj-z]{2}$/),
    title: words(3).map((all) => all.join(' ')),
    headings: fc.array(
      words(2).map((all) => all.join(' ')),
      { maxLength: 2 },
    ),
    body: words(40).map((all) => all.join(' ')),
  }),
  { minLength: 1, maxLength: 25, selector: ({ kind, key }) => `${kind} ${key}` },
);

const phrase = fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 3 });

const query = fc
  .record({
    phrases: fc.array(phrase, { minLength: 1, maxLength: 3 }),
    last: fc.option(
      fc.tuple(fc.array(fc.constantFrom(...vocabulary), { maxLength: 1 }), fc.constantFrom(...beginnings)),
    ),
  })
  .map(({ phrases, last }): Asked[] => {
    const asked = phrases.map((all) => ({ words: all, open: false }));
    return last === null ? asked : [...asked, { words: [...last[0], last[1]], open: true }];
  })
  .map(unique);

describe('ranking', () => {
  it('is that of BM25 over every form of every phrase, whatever is asked', () => {
    const kind = fc.constantFrom(undefined, 'doc' as const, 'faq' as const);
    fc.assert(
      fc.property(corpus, query, kind, (documents, asked, only) => {
        const index = createSearchIndex(documents);
        const { hits, searchedFor } = index.search(spell(asked), { limit: 1000, ...(only && { kind: only }) });
        const every = scoresOf(documents, asked, true).filter(
          ({ document }) => only === undefined || document.kind === only,
        );
        if (every.length === 0) {
          assert.ok(hits.length === 0 || searchedFor !== null);
          return;
        }
        assert.equal(searchedFor, null);
        assertSame(hits, every);
      }),
      { numRuns: 400 },
    );
  });

  it('is that of BM25 over any of the words when no document has all of them', () => {
    fc.assert(
      fc.property(
        corpus,
        fc.uniqueArray(fc.constantFrom(...vocabulary), { minLength: 2, maxLength: 8 }),
        (documents, all) => {
          const known = all.filter((word, at) => all.findIndex((other) => stem(other) === stem(word)) === at);
          const asked = known.map((word) => ({ words: [word], open: false }));
          fc.pre(
            known.every((word) =>
              documents.some((document) => wordsOf(document).some((other) => stem(other) === stem(word))),
            ),
          );
          const { hits, searchedFor } = createSearchIndex(documents).search(`${known.join(' ')} `, { limit: 1000 });
          const isEvery = scoresOf(documents, asked, true).length > 0;
          assert.equal(searchedFor, isEvery ? null : known.join(' OR '));
          assertSame(hits, scoresOf(documents, asked, isEvery));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('does not change with the order of the documents', () => {
    fc.assert(
      fc.property(corpus, query, (documents, asked) => {
        const search = (all: readonly SearchDocument[]) => createSearchIndex(all).search(spell(asked), { limit: 7 });
        assert.deepEqual(search(documents.toReversed()), search(documents));
      }),
      { numRuns: 50 },
    );
  });

  it('keeps equal scores in the order of kind and key, in whatever order they are found', () => {
    const index = createSearchIndex([
      doc('a', 'One', 'keyboard'),
      doc('b', 'One', 'keynote'),
      doc('c', 'One', 'keyboard'),
    ]);
    const { hits } = index.search('ke', { limit: 10 });
    assert.deepEqual(
      hits.map(({ key, score }) => [key, score === hits[0]?.score]),
      ['a', 'b', 'c'].map((key) => [key, true]),
    );
    assert.deepEqual(index.search('ke', { limit: 2 }).hits, hits.slice(0, 2));
  });

  it('holds more documents and more terms than 16 bits count', () => {
    const many = Array.from({ length: 66_000 }, (_, at) =>
      doc(`k${at}`, 'One', `w${at} ${at % 1000 === 7 ? 'push to talk' : ''}`),
    );
    const index = createSearchIndex(many);
    assert.deepEqual(
      index.search('w65999 ', { limit: 5 }).hits.map(({ key, excerpt }) => [key, excerpt]),
      [['k65999', '**w65999**']],
    );
    assert.equal(index.search('"push to talk"', { limit: 100 }).hits.length, 66);
    assert.equal(index.search('w6599', { limit: 100 }).hits.length, 11);
    assert.deepEqual(
      index
        .search('w65998 w7 ', { limit: 5 })
        .hits.map(({ key }) => key)
        .toSorted(),
      ['k65998', 'k7'],
    );
  });

  it('finds phrases however far they are from each other', () => {
    const steps = [...Array(300).keys(), 16_382, 16_383, 16_384, 40_000];
    const index = createSearchIndex(
      steps.map((step) => doc(`after-${step}`, 'One', `${'x '.repeat(step)}push to talk`)),
    );
    assert.equal(index.search('"push to talk"', { limit: 1000 }).hits.length, steps.length);
  });
});

describe('marks in excerpts', () => {
  it('are around exactly the words and phrases that were found', () => {
    const body = fc.array(fc.constantFrom(...vocabulary, 'lorem', 'ipsum', 'dolor', 'amet'), { maxLength: 90 });
    fc.assert(
      fc.property(body, query, (text, asked) => {
        const index = createSearchIndex([doc('one', `key ${vocabulary.join(' ')}`, text.join(' '))]);
        const { hits, searchedFor } = index.search(spell(asked), { limit: 1 });
        const excerpt = hits[0]?.excerpt ?? '';
        const shown = excerpt.replaceAll('…', '').replaceAll('**', '');
        assert.ok(` ${text.join(' ')} `.includes(` ${shown} `), shown);
        if (hits.length > 0 && searchedFor === null) assert.equal(excerpt.replaceAll('…', ''), marked(shown, asked));
      }),
      { numRuns: 300 },
    );
  });

  it('stand where they should in texts that are longer than 16 bits count, and beside gaps that are', () => {
    const excerpt = (body: string) =>
      createSearchIndex([doc('one', 'One', body)]).search('"push to talk"', { limit: 1 }).hits[0]?.excerpt;
    assert.match(
      excerpt(`${'filler '.repeat(20_000)}push to talk here`) ?? '',
      /^….*filler \*\*push to talk\*\* here$/,
    );
    for (const gap of [65_533, 65_534, 65_535, 65_536, 65_537, 131_071, 200_000]) {
      assert.equal(excerpt(`one ${'-'.repeat(gap)} push to talk here`), '…**push to talk** here', String(gap));
    }
  });
});

function doc(key: string, title: string, body: string): SearchDocument {
  return { kind: 'doc', key, title, headings: [], body };
}

/** As it would be typed; the last one without a closing quote when it is open. */
function spell(asked: readonly Asked[]): string {
  return asked
    .map(({ words: all, open }) => (open ? (all.length > 1 ? all.join('-') : all[0]) : `"${all.join(' ')}"`))
    .join(' ');
}

/** Two phrases with the same terms are one. */
function unique(asked: readonly Asked[]): Asked[] {
  const keyOf = ({ words: all, open }: Asked) =>
    open ? all.join(' ') + stem(all.at(-1) ?? '') : all.map(stem).join(' ');
  return asked.filter(
    (one, at) => asked.findIndex((other) => other.open === one.open && keyOf(other) === keyOf(one)) === at,
  );
}

interface Scored {
  readonly document: SearchDocument;
  readonly score: number;
}

const fieldsOf = ({ key, title, headings, body }: SearchDocument): string[][] =>
  [body, [key, ...headings].join(' '), title].map((text) => text.split(' ').filter((word) => word !== ''));
const wordsOf = (document: SearchDocument): string[] => fieldsOf(document).flat();

/** The documents that have every phrase, or any, with their scores; rounded as the index rounds. */
function scoresOf(documents: readonly SearchDocument[], asked: readonly Asked[], every: boolean): Scored[] {
  const lengths = documents.map((document) => wordsOf(document).length);
  const mean = lengths.reduce((sum, length) => sum + length, 0) / documents.length || 1;

  /** BM25 of what has these weights in the documents. */
  const bm25 = (weights: readonly number[]): number[] => {
    const having = weights.filter((weight) => weight > 0).length;
    const rarity = Math.log(1 + (documents.length - having + 0.5) / (having + 0.5));
    return weights.map((weight, at) => {
      const norm = 1.2 * (1 - 0.9 + (0.9 * (lengths[at] ?? 0)) / mean);
      return weight === 0 ? 0 : (rarity * weight * 2.2) / (weight + norm);
    });
  };
  const weightsOf = (pattern: readonly Fits[], fields: readonly number[]) =>
    documents.map((document) =>
      fieldsOf(document).reduce((sum, all, field) => sum + (fields[field] ?? 0) * occurrences(all, pattern), 0),
    );
  const known = documents.flatMap(wordsOf);
  const has = (one: Asked, document: SearchDocument) =>
    fieldsOf(document).some((all) => formsOf(one, known).some((pattern) => occurrences(all, pattern) > 0));

  const parts = asked.flatMap((one) =>
    formsOf(one, known).flatMap((pattern) => [
      bm25(weightsOf(pattern, fieldWeights)),
      bm25(weightsOf(pattern, [0, 0, 6])),
    ]),
  );
  if (every) {
    const title = asked.flatMap((one) => one.words.map(stem)).join(' ');
    parts.push(bm25(documents.map((document) => (fieldsOf(document)[2]?.map(stem).join(' ') === title ? 6 : 0))));
  }
  return documents
    .map((document, at) => ({ document, score: parts.reduce((sum, part) => sum + (part[at] ?? 0), 0) }))
    .filter(({ document }) => asked[every ? 'every' : 'some']((one) => has(one, document)));
}

/** A phrase as it is, and with its last word as the beginning of any of the `known` words. */
function formsOf({ words: all, open }: Asked, known: readonly string[]): Fits[][] {
  const exact = all.map((word) => (other: string) => stem(other) === stem(word));
  if (!open) return [exact];
  const last = all.at(-1) ?? '';
  // The terms of the words that begin so: another word of the same term counts too.
  const begun = new Set(known.filter((word) => word.startsWith(last)).map(stem));
  return [exact, [...exact.slice(0, -1), (other) => begun.has(stem(other))]];
}

function occurrences(all: readonly string[], pattern: readonly Fits[]): number {
  return all.filter((_, at) => standsAt(all, at, pattern)).length;
}

function standsAt(all: readonly string[], at: number, pattern: readonly Fits[]): boolean {
  return pattern.every((fits, next) => fits(all[at + next] ?? ''));
}

function assertSame(hits: readonly { kind: string; key: string; score: number }[], expected: readonly Scored[]): void {
  const nameOf = ({ kind, key }: { kind: string; key: string }) => `${kind} ${key}`;
  const scores = new Map(expected.map(({ document, score }) => [nameOf(document), score]));
  assert.deepEqual(hits.map(nameOf).toSorted(), [...scores.keys()].toSorted());
  for (const hit of hits) {
    const score = scores.get(nameOf(hit)) ?? Number.NaN;
    assert.ok(Math.abs(hit.score - score) < 0.0001, `${nameOf(hit)}: ${hit.score}, not ${score}`);
  }
  const sorted = hits.toSorted((a, b) => b.score - a.score || (nameOf(a) < nameOf(b) ? -1 : 1));
  assert.deepEqual(hits, sorted);
}

/** Of the phrases that start at a word the first one asked for is marked. */
function marked(text: string, asked: readonly Asked[]): string {
  const all = text.split(' ');
  const parts: string[] = [];
  for (let at = 0; at < all.length; ) {
    const found = asked.find((one) => formsOf(one, vocabulary).some((pattern) => standsAt(all, at, pattern)));
    const size = found?.words.length ?? 1;
    const part = all.slice(at, at + size).join(' ');
    parts.push(found === undefined ? part : `**${part}**`);
    at += size;
  }
  return parts.join(' ');
}
