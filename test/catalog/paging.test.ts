/** Pages by key: the same as slices of the list, also while items come and go. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { SortKey } from '../../src/catalog/cursor.ts';
import { type ListPage, selectPage } from '../../src/catalog/paging.ts';

const ascending = ([a = 0]: SortKey, [b = 0]: SortKey) => Number(a) - Number(b);
const page = (items: readonly number[], limit: number, after: SortKey | null) =>
  selectPage(items, { limit, after, getKey: (item) => [item], compare: ascending });

const list = fc.uniqueArray(fc.integer({ min: -50, max: 50 })).map((items) => items.sort((a, b) => a - b));
const limits = fc.integer({ min: 1, max: 12 });

describe('Pages of a list: limit and has_more', () => {
  it('each page is the next slice of the list, and has_more is false on the last page', () => {
    fc.assert(
      fc.property(list, limits, (items, limit) => {
        let after: SortKey | null = null;
        for (let at = 0; ; at += limit) {
          const { items: found, hasMore, lastKey } = page(items, limit, after);
          assert.deepEqual(found, items.slice(at, at + limit));
          assert.equal(hasMore, at + limit < items.length);
          assert.deepEqual(lastKey, found.length === 0 ? null : [found.at(-1)]);
          if (!hasMore) break;
          after = lastKey;
        }
      }),
    );
  });

  it('no item that stays is repeated or skipped, whatever else is added or removed between two pages', () => {
    fc.assert(
      fc.property(fc.array(list, { minLength: 2, maxLength: 6 }), limits, (versions, limit) => {
        const seen: number[] = [];
        let after: SortKey | null = null;
        let current: readonly number[] = [];
        for (let turn = 0; ; turn += 1) {
          current = versions[Math.min(turn, versions.length - 1)] ?? [];
          const { items, hasMore, lastKey } = page(current, limit, after);
          seen.push(...items);
          if (!hasMore) break;
          after = lastKey;
        }
        assert.equal(new Set(seen).size, seen.length);
        assert.deepEqual(
          seen,
          seen.toSorted((a, b) => a - b),
        );
        const always = current.filter((item) => versions.every((version) => version.includes(item)));
        for (const item of always) assert.ok(seen.includes(item));
      }),
    );
  });

  it('the next page begins after the last item sent, even if that item was removed', () => {
    assert.deepEqual(page([1, 2, 4, 5], 2, [3]).items, [4, 5]);
    assert.deepEqual(page([1, 2], 2, [9]), { items: [], hasMore: false, lastKey: null });
    assert.deepEqual(page([], 2, null), { items: [], hasMore: false, lastKey: null });
  });

  it('no item is repeated even if the order is cyclic', () => {
    const beats: Record<string, string> = { rock: 'scissors', scissors: 'paper', paper: 'rock' };
    const compare = ([a = '']: SortKey, [b = '']: SortKey) => (a === b ? 0 : beats[a] === b ? -1 : 1);
    const items = ['rock', 'scissors', 'paper'];
    const seen: string[] = [];
    for (let after: SortKey | null = null; ; ) {
      const found: ListPage<string> = selectPage(items, { limit: 1, after, getKey: (item) => [item], compare });
      seen.push(...found.items);
      if (!found.hasMore) break;
      after = found.lastKey;
    }
    assert.deepEqual(seen, items);
  });
});
