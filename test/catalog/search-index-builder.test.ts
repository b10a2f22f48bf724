/** Indexes that a worker builds: the same as those that are built between requests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  buildIndexHere,
  buildIndexInWorker,
  buildIndexLazily,
  isSmall,
  type Searched,
} from '../../src/catalog/search-index-builder.ts';
import type { SearchDocument } from '../../src/search/document.ts';
import type { SearchIndex } from '../../src/search/search.ts';
import { createWorkers } from '../../src/worker/pool.ts';
import { createManualClock } from '../support/manual-clock.ts';

const workers = createWorkers({ clock: createManualClock(0) });
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

test('buildIndexInWorker builds an index with the same results as buildIndexHere', async () => {
  assert.equal(isSmall(documents), false);
  assert.equal(isSmall(documents.slice(0, 100)), true);
  const [here, there] = [await buildIndexHere(searched), await buildIndexInWorker(searched, workers)];
  for (const query of ['jar', 'boiler', 'shelf 2042', '"lid label"', 'kettel', 'nothing here'])
    assert.deepEqual(there.search(query, { limit: 10 }), here.search(query, { limit: 10 }), query);
  assert.ok(here.search('boiler', { limit: 10 }).hits.length > 0);
});

test('buildIndexInWorker rejects with the error that occurred in the worker', async () => {
  const broken = [{ ...documents[0], title: 5 }] as unknown as SearchDocument[];
  await assert.rejects(buildIndexInWorker({ ...searched, documents: [...broken] }, workers), TypeError);
});

test('buildIndexLazily builds the index when it is first opened, and only once', async () => {
  const few = { ...searched, documents: documents.slice(0, 20) };
  let built = 0;
  const index = buildIndexLazily(() => {
    built += 1;
    return buildIndexHere(few);
  });
  assert.equal(built, 0);
  const opened = await index.open();
  const expected = await buildIndexHere(few);
  assert.deepEqual(opened.search('jar', { limit: 5 }), expected.search('jar', { limit: 5 }));
  assert.equal(index.open(), opened);
  assert.equal(built, 1);
});

test('buildIndexLazily shares one build among concurrent calls, and builds again after a failure', async () => {
  const building = [Promise.withResolvers<SearchIndex>(), Promise.withResolvers<SearchIndex>()];
  let built = 0;
  const index = buildIndexLazily(() => {
    built += 1;
    return building[built - 1]?.promise ?? buildIndexHere(searched);
  });
  const failed = [index.open(), index.open()];
  assert.equal(built, 1);
  building[0]?.reject(new Error('out of memory'));
  for (const one of failed) await assert.rejects(Promise.resolve(one), { message: 'out of memory' });
  const waiting = index.open();
  assert.equal(built, 2);
  const made = await buildIndexHere({ ...searched, documents: documents.slice(0, 20) });
  building[1]?.resolve(made);
  assert.equal(await waiting, made);
  assert.equal(index.open(), made);
  assert.equal(built, 2);
});

test('buildIndexLazily retries after a failure, whether the build throws or rejects', async () => {
  const ready = buildIndexHere({ ...searched, documents: documents.slice(0, 20) });
  const failure = new Error('no memory');
  const fail = (): never => {
    throw failure;
  };
  for (const failed of [fail, async () => fail()]) {
    const attempts: (() => SearchIndex | Promise<SearchIndex>)[] = [failed, () => ready];
    const index = buildIndexLazily(() => attempts.shift()?.() ?? fail());
    await assert.rejects(async () => await index.open(), failure);
    assert.equal(await index.open(), ready);
  }
});
