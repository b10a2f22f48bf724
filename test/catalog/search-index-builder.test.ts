/** Tests that a search index from a worker process equals one from this process, and that an index is built when it is needed. */
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
        text: Array.from({ length: 60 }, (__, position) => words[(index * 7 + position * position) % 8]).join(' '),
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
  const [localIndex, workerIndex] = [await buildIndexHere(searched), await buildIndexInWorker(searched, workers)];
  for (const query of ['jar', 'boiler', 'shelf 2042', '"lid label"', 'kettel', 'nothing here'])
    assert.deepEqual(workerIndex.search(query, { limit: 10 }), localIndex.search(query, { limit: 10 }), query);
  assert.ok(localIndex.search('boiler', { limit: 10 }).hits.length > 0);
});

test('buildIndexInWorker rejects with the error that occurred in the worker', async () => {
  const broken = [{ ...documents[0], title: 5 }] as unknown as SearchDocument[];
  await assert.rejects(buildIndexInWorker({ ...searched, documents: [...broken] }, workers), TypeError);
});

test('buildIndexLazily builds the index when it is first opened, and only once', async () => {
  const fewDocuments = { ...searched, documents: documents.slice(0, 20) };
  let buildCount = 0;
  const index = buildIndexLazily(() => {
    buildCount += 1;
    return buildIndexHere(fewDocuments);
  });
  assert.equal(buildCount, 0);
  const openedIndex = await index.open();
  const expected = await buildIndexHere(fewDocuments);
  assert.deepEqual(openedIndex.search('jar', { limit: 5 }), expected.search('jar', { limit: 5 }));
  assert.equal(index.open(), openedIndex);
  assert.equal(buildCount, 1);
});

test('buildIndexLazily shares one build among concurrent calls, and builds again after a failure', async () => {
  const builds = [Promise.withResolvers<SearchIndex>(), Promise.withResolvers<SearchIndex>()];
  let buildCount = 0;
  const index = buildIndexLazily(() => {
    buildCount += 1;
    return builds[buildCount - 1]?.promise ?? buildIndexHere(searched);
  });
  const openings = [index.open(), index.open()];
  assert.equal(buildCount, 1);
  builds[0]?.reject(new Error('out of memory'));
  for (const opening of openings) await assert.rejects(Promise.resolve(opening), { message: 'out of memory' });
  const retry = index.open();
  assert.equal(buildCount, 2);
  const searchIndex = await buildIndexHere({ ...searched, documents: documents.slice(0, 20) });
  builds[1]?.resolve(searchIndex);
  assert.equal(await retry, searchIndex);
  assert.equal(index.open(), searchIndex);
  assert.equal(buildCount, 2);
});

test('buildIndexLazily retries after a failure, whether the build throws or rejects', async () => {
  const ready = buildIndexHere({ ...searched, documents: documents.slice(0, 20) });
  const failure = new Error('no memory');
  const fail = (): never => {
    throw failure;
  };
  for (const failingBuild of [fail, async () => fail()]) {
    const attempts: (() => SearchIndex | Promise<SearchIndex>)[] = [failingBuild, () => ready];
    const index = buildIndexLazily(() => attempts.shift()?.() ?? fail());
    await assert.rejects(async () => await index.open(), failure);
    assert.equal(await index.open(), ready);
  }
});
