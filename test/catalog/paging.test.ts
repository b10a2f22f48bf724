/** Tests selectPage: pages are slices of the list, and no item is repeated or skipped while other items are added or removed. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { SortKey } from '../../src/catalog/cursor.ts';
import { type ListPage, selectPage } from '../../src/catalog/paging.ts';

const compareKeys = ([a = 0]: SortKey, [b = 0]: SortKey) => Number(a) - Number(b);
const getPage = (items: readonly number[], limit: number, after: SortKey | null) =>
  selectPage(items, { limit, after, getKey: (item) => [item], compare: compareKeys });

const list = fc.uniqueArray(fc.integer({ min: -50, max: 50 })).map((items) => items.sort((a, b) => a - b));
const limits = fc.integer({ min: 1, max: 12 });

describe('Pages of a list: limit and has_more', () => {
  it('each page is the next slice of the list, and has_more is false on the last page', () => {
    fc.assert(
      fc.property(list, limits, (items, limit) => {
        let after: SortKey | null = null;
        for (let start = 0; ; start += limit) {
          const { items: pageItems, hasMore, lastKey } = getPage(items, limit, after);
          assert.deepEqual(pageItems, items.slice(start, start + limit));
          assert.equal(hasMore, start + limit < items.length);
          assert.deepEqual(lastKey, pageItems.length === 0 ? null : [pageItems.at(-1)]);
          if (!hasMore) break;
          after = lastKey;
        }
      }),
    );
  });

  it('no item that stays is repeated or skipped, whatever else is added or removed between two pages', () => {
    fc.assert(
      fc.property(fc.array(list, { minLength: 2, maxLength: 6 }), limits, (versions, limit) => {
        const pagedItems: number[] = [];
        let after: SortKey | null = null;
        let current: readonly number[] = [];
        for (let turn = 0; ; turn += 1) {
          current = versions[Math.min(turn, versions.length - 1)] ?? [];
          const { items, hasMore, lastKey } = getPage(current, limit, after);
          pagedItems.push(...items);
          if (!hasMore) break;
          after = lastKey;
        }
        assert.equal(new Set(pagedItems).size, pagedItems.length);
        assert.deepEqual(
          pagedItems,
          pagedItems.toSorted((a, b) => a - b),
        );
        const stableItems = current.filter((item) => versions.every((version) => version.includes(item)));
        for (const item of stableItems) assert.ok(pagedItems.includes(item));
      }),
    );
  });

  it('the next page begins after the last item sent, even if that item was removed', () => {
    assert.deepEqual(getPage([1, 2, 4, 5], 2, [3]).items, [4, 5]);
    assert.deepEqual(getPage([1, 2], 2, [9]), { items: [], hasMore: false, lastKey: null });
    assert.deepEqual(getPage([], 2, null), { items: [], hasMore: false, lastKey: null });
  });

  it('no item is repeated even if the order is cyclic', () => {
    const beats: Record<string, string> = { rock: 'scissors', scissors: 'paper', paper: 'rock' };
    const compare = ([a = '']: SortKey, [b = '']: SortKey) => (a === b ? 0 : beats[a] === b ? -1 : 1);
    const items = ['rock', 'scissors', 'paper'];
    const pagedItems: string[] = [];
    for (let after: SortKey | null = null; ; ) {
      const listPage: ListPage<string> = selectPage(items, { limit: 1, after, getKey: (item) => [item], compare });
      pagedItems.push(...listPage.items);
      if (!listPage.hasMore) break;
      after = listPage.lastKey;
    }
    assert.deepEqual(pagedItems, items);
  });
});
