/** Indexes that a thread builds: the same as those that are built at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  indexHere,
  indexInThread,
  indexWhenAsked,
  isSmall,
  type Searched,
} from '../../src/catalog/search-index-builder.ts';
import type { SearchDocument } from '../../src/search/document.ts';
import { createManualClock } from '../support/manual-clock.ts';

const words = ['jar', 'lid', 'shelf', 'cellar', 'label', 'spoon', 'kettle', 'apron'];
const documents = Array.from(
  { length: 3000 },
  (_, index): SearchDocument => ({
    kind: 'doc',
    key: `page-${index}`,
    title: `${words[index % 8]} ${index}`,
    titleIs: 'page',
    sections: [
      {
        heading: null,
        anchor: null,
        parents: [],
        text: Array.from({ length: 60 }, (__, at) => words[(index * 7 + at * at) % 8]).join(' '),
        code: '',
        linkShare: 0,
      },
    ],
  }),
);
const searched: Searched = { documents, language: 'en', synonyms: [['kettle', 'boiler']] };

test('an index from a thread finds what one that is built at once finds', async () => {
  assert.equal(isSmall(documents), false);
  assert.equal(isSmall(documents.slice(0, 100)), true);
  const [here, there] = [indexHere(searched), await indexInThread(searched, createManualClock(0))];
  for (const query of ['jar', 'boiler', 'shelf 2042', '"lid label"', 'kettel', 'nothing here'])
    assert.deepEqual(there.search(query, { limit: 10 }), here.search(query, { limit: 10 }), query);
  assert.ok(here.search('boiler', { limit: 10 }).hits.length > 0);
});

test('a thread that cannot build an index says so', async () => {
  const broken = [{ ...documents[0], title: 5 }] as unknown as SearchDocument[];
  await assert.rejects(indexInThread({ ...searched, documents: [...broken] }, createManualClock(0)), TypeError);
});

test('an index is built for its first query, and only once', () => {
  const few = { ...searched, documents: documents.slice(0, 20) };
  let built = 0;
  const index = indexWhenAsked(() => {
    built += 1;
    return indexHere(few);
  });
  assert.equal(built, 0);
  const page = index.search('jar', { limit: 5 });
  assert.deepEqual(page, indexHere(few).search('jar', { limit: 5 }));
  index.prepare();
  assert.equal(index.resume('jar', new Uint8Array(0), { limit: 5 }), null);
  assert.equal(built, 1);
  const other = indexWhenAsked(() => {
    built += 1;
    return indexHere(few);
  });
  other.prepare();
  assert.equal(built, 2);
});
