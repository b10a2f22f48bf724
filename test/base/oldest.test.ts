/** The oldest entry of a Map is its first, whatever was added, replaced and deleted in between. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { createOldest } from '../../src/base/oldest.ts';

it('the oldest entry of a Map is its first one', () => {
  const step = fc.tuple(fc.constantFrom('put', 'delete', 'evict', 'look'), fc.nat(12));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const map = new Map<number, object>();
      const oldest = createOldest(map);
      for (const [what, key] of steps) {
        if (what === 'put' || what === 'delete') map.delete(key);
        const [first] = map.keys();
        if (what === 'put') map.set(key, {});
        if (what === 'evict') assert.equal(oldest.drop()?.[0], first);
        if (what === 'look') assert.deepEqual(oldest.look(), map.entries().next().value);
      }
      assert.deepEqual(oldest.look(), map.entries().next().value);
    }),
  );
});
