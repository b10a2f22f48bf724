/** The ranking against a scorer that reads every section for every query, over random documents and queries. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { SearchDocument } from '../../src/search/document.ts';
import { createStemmer } from '../../src/search/language.ts';
import { fields } from '../../src/search/postings.ts';
import { createIndex, section } from '../support/search-index.ts';

const stem = createStemmer('en');
const vocabulary = 'key keys whale board boards install installed installation push talk'.split(' ');
const words = (maxWords: number) =>
  fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: maxWords }).map((all) => all.join(' '));

// A corpus has at most 32 sections, because only the best 32 are compared by nearness and headings.
const corpus = fc.uniqueArray(
  fc.record({
    kind: fc.constantFrom('doc' as const, 'faq' as const),
    key: fc.stringMatching(/^[b-hj-z]{2}$/),
    title: words(3),
    titleIs: fc.constantFrom('page' as const, 'heading' as const),
    sections: fc.array(
      fc
        .record({
          heading: words(2),
          lead: words(4),
          body: words(20),
          code: words(4),
          parents: words(2),
          keywords: words(3),
          links: fc.nat(10),
        })
        .map(({ heading, lead, body, code, parents, keywords, links }) =>
          section(heading, `${lead}\n${body}`, {
            code,
            parents: [parents],
            keywords: [keywords],
            linkShare: links / 10,
          }),
        ),
      { minLength: 1, maxLength: 4 },
    ),
  }),
  { minLength: 1, maxLength: 8, selector: ({ kind, key }) => `${kind} ${key}` },
);

describe('GET /search: score', () => {
  it('the scores equal those of a reference scorer that reads every section of every page', () => {
    const asked = fc.uniqueArray(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 4, selector: stem });
    fc.assert(
      fc.property(corpus, asked, (documents, query) => {
        // A closing space: the last word is whole.
        const { hits } = createIndex(documents, { plain: true }).search(`${query.join(' ')} `, { limit: 1000 });
        const expected = listResults(documents, query);
        assert.equal(hits.length, expected.length);
        for (const [at, { score }] of hits.entries()) {
          const wanted = expected[at]?.score ?? 0;
          assert.ok(Math.abs(score - wanted) < 0.002 * wanted + 0.001, `${at}: ${score} is not ${wanted}`);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('a section ranks higher if the query words are close together and in the order of the query', () => {
    const far = `push ${'so '.repeat(12)}talk`;
    const index = createIndex([
      createEntry('a', far),
      createEntry('b', `${'so '.repeat(12)}push talk`),
      createEntry('c', `${'so '.repeat(12)}talk push`),
    ]);
    assert.deepEqual(
      index.search('push talk ', { limit: 5 }).hits.map(({ key }) => key),
      ['b', 'c', 'a'],
    );
  });

  it('a section that also has a rare query word ranks first, and a match in a heading outranks one in the text', () => {
    const index = createIndex([
      createEntry('a', 'board board board whale'),
      createEntry('b', 'board board board keynote'),
      { ...createEntry('c', 'whale'), sections: [section('Board', 'so so so so')] },
    ]);
    const keys = (query: string) => index.search(query, { limit: 5 }).hits.map(({ key }) => key);
    assert.equal(keys('keynote board ')[0], 'b');
    assert.equal(keys('board ')[0], 'c');
  });

  it('an index may have more than 65,536 sections and terms', () => {
    const index = createIndex(
      Array.from({ length: 66_000 }, (_, at) =>
        createEntry(`k${at}`, `w${at} ${at % 1000 === 7 ? 'push to talk' : ''}`),
      ),
      { plain: true },
    );
    assert.deepEqual(
      index.search('w65999 ', { limit: 5 }).hits.map(({ key, excerpt }) => [key, excerpt]),
      [['k65999', '**w65999**']],
    );
    assert.equal(index.search('"push to talk"', { limit: 100 }).hits.length, 66);
    assert.equal(index.search('w6599', { limit: 100 }).hits.length, 11);
  });
});

const createEntry = (key: string, text: string): SearchDocument => ({
  kind: 'doc',
  key,
  title: 'One',
  titleIs: 'page',
  sections: [section('Two', text)],
});

interface Read {
  readonly page: number;
  readonly fields: Readonly<Record<keyof typeof fields, readonly string[]>>;
  /** The words that are compared for nearness: heading, text and code. */
  readonly stream: readonly string[];
  readonly headingLength: number;
  readonly prior: number;
}

const listTerms = (text: string): string[] => text.split(/\s+/).filter(Boolean).map(stem);

function readAll(documents: readonly SearchDocument[]): Read[] {
  return documents.flatMap(({ key, title, titleIs, sections }, page) =>
    sections.map(({ heading, text, code, parents, keywords = [], linkShare }) => {
      const [lead = ''] = text.split('\n');
      const all = {
        title: listTerms(titleIs === 'page' ? `${title} ${key}` : key),
        heading: listTerms(heading ?? ''),
        parents: listTerms(parents.join(' ')),
        keywords: listTerms(keywords.join(' ')),
        lead: listTerms(lead),
        body: listTerms(text),
        code: listTerms(code),
      };
      const prior = 1 - 0.3 * Math.min(1, 2 * linkShare);
      return {
        page,
        fields: all,
        stream: [...all.heading, ...all.body, ...all.code],
        headingLength: all.heading.length,
        prior,
      };
    }),
  );
}

/** The scores of all results, best first. */
function listResults(
  documents: readonly SearchDocument[],
  query: readonly string[],
): { page: number; score: number }[] {
  const sorted = documents.toSorted((a, b) => (`${a.kind} ${a.key}` < `${b.kind} ${b.key}` ? -1 : 1));
  const sections = readAll(sorted);
  const names = Object.keys(fields) as (keyof typeof fields)[];
  const mean = (name: keyof typeof fields): number => {
    const lengths = sections.map((one) => one.fields[name].length).filter((length) => length > 0);
    return lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length) || 1;
  };
  const means = new Map(names.map((name) => [name, mean(name)]));
  const impact = (one: Read, term: string): number => {
    const tf = names.reduce((sum, name) => {
      const { weight, b } = fields[name];
      const found = one.fields[name].filter((other) => other === term).length;
      return sum + (weight * found) / (1 - b + (b * one.fields[name].length) / (means.get(name) ?? 1));
    }, 0);
    return (3 * tf) / (2 + tf);
  };
  const terms = query.map(stem);
  const known = terms
    .map((term) => ({ term, count: sections.filter((one) => impact(one, term) > 0).length }))
    .filter(({ count }) => count > 0)
    .map(({ term, count }) => ({ term, idf: Math.log(1 + (sections.length - count + 0.5) / (count + 0.5)) }));
  const total = known.reduce((sum, { idf }) => sum + idf, 0);
  const own = sections.map((one) => {
    const has = known.filter(({ term }) => impact(one, term) > 0);
    const sum = has.reduce((all, { term, idf }) => all + Math.min(idf, Math.max(1, idf)) * impact(one, term), 0);
    return sum * Math.sqrt(has.reduce((all, { idf }) => all + idf, 0) / total || 0) * one.prior;
  });
  const ofPage = (page: number): number => {
    const all = own.filter((_, at) => sections[at]?.page === page);
    return all.reduce((sum, score) => sum + score, 0) / Math.sqrt(all.length);
  };
  const scored = sections.map((one, at) => {
    const score = own[at] ?? 0;
    return {
      page: one.page,
      score: (score + 0.3 * Math.min(ofPage(one.page), 3 * score)) * computeBonus(one, known, total),
    };
  });
  const kept = new Map<number, number[]>();
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .filter(({ page, score }) => {
      const before = kept.get(page) ?? [];
      const [best = 0] = before;
      // The index rounds, so a section so close to the limit may be kept or not.
      fc.pre(Math.abs(score - 0.85 * best) > 0.002 * best + 0.001);
      if (before.length > 1 || score < 0.85 * best) return false;
      kept.set(page, [...before, score]);
      return true;
    });
}

function computeBonus(one: Read, known: readonly { term: string; idf: number }[], total: number): number {
  let near = 0;
  for (const [at, { term, idf }] of known.entries()) {
    const next = known[at + 1];
    if (next === undefined) continue;
    let best = 0;
    for (const [a, first] of one.stream.entries()) {
      for (const [b, second] of one.stream.entries()) {
        if (first !== term || second !== next.term || Math.abs(a - b) > 8) continue;
        best = Math.max(best, b > a ? 1 / (b - a) : 0.7 / (a - b));
      }
    }
    near += best * Math.min(idf, next.idf);
  }
  const heading = one.stream.slice(0, one.headingLength);
  const matched = heading.filter((term) => known.some((other) => other.term === term));
  const share = (matched.length / (heading.length || 1)) * (new Set(matched).size / known.length);
  return (1 + 0.4 * Math.min(1, near / total)) * (1 + 0.25 * (share || 0));
}
