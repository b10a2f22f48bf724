/** What every implementation of the store must do with what people search for. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type CountedSearch, mostListed, mostSearchesOfDay } from '../../src/store/search-table.ts';
import type { Store } from '../../src/store/store.ts';
import { day } from './samples.ts';

const today = 20_000 * day;

const counted = (query: string, searches: number, withoutResults = 0, on = today): CountedSearch => ({
  day: on,
  query,
  searches,
  withoutResults,
});

/** `storeOf` gives one that has no searches. */
export function searchContract(storeOf: () => Store): void {
  it('add up by day and query, and are listed most frequent first', async () => {
    const store = storeOf();
    await store.addSearches([]);
    await store.addSearches([counted('mic', 3), counted('zzz', 2, 2), counted('áé 音声 \'"', 2)]);
    await store.addSearches([
      counted('mic', 4, 1),
      counted('mic', 5, 0, today - day),
      counted('old', 9, 9, today - 2 * day),
    ]);
    assert.deepEqual(await store.listSearches(today - 2 * day), {
      mostFrequent: [
        { query: 'mic', searches: 12, withoutResults: 1 },
        { query: 'zzz', searches: 2, withoutResults: 2 },
        { query: 'áé 音声 \'"', searches: 2, withoutResults: 0 },
      ],
      withoutResults: [
        { query: 'zzz', searches: 2, withoutResults: 2 },
        { query: 'mic', searches: 12, withoutResults: 1 },
      ],
    });
  });

  it('are deleted 30 days after their day began', async () => {
    const store = storeOf();
    const sum = async () => (await store.listSearches(0)).mostFrequent.reduce((all, { searches }) => all + searches, 0);
    assert.equal(await sum(), 25);
    await store.sweep(today + 28 * day - 1, 500);
    assert.equal(await sum(), 25);
    await store.sweep(today + 28 * day, 500);
    assert.equal(await sum(), 16);
    await store.sweep(today + 30 * day, 500);
    assert.deepEqual(await store.listSearches(0), { mostFrequent: [], withoutResults: [] });
  });

  it('are of a bounded number of queries a day, the most frequent of those that come together', async () => {
    const store = storeOf();
    const many = (from: number, to: number, searches: number) =>
      Array.from({ length: to - from }, (_, at) => counted(`q${from + at}`, searches));
    await store.addSearches(many(0, mostSearchesOfDay - 1, 1));
    await store.addSearches([counted('one', 5), counted('other', 6), counted('q0', 1)]);
    await store.addSearches([counted('late', 9), counted('q1', 7), counted('tomorrow', 1, 0, today + day)]);
    const { mostFrequent } = await store.listSearches(0);
    assert.equal(mostFrequent.length, mostListed);
    assert.deepEqual(mostFrequent.slice(0, 4), [
      { query: 'q1', searches: 8, withoutResults: 0 },
      { query: 'other', searches: 6, withoutResults: 0 },
      { query: 'q0', searches: 2, withoutResults: 0 },
      { query: 'q10', searches: 1, withoutResults: 0 },
    ]);
    while ((await store.sweep(today + 31 * day, 500)).more);
  });
}
