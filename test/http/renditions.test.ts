/** The cache of renditions: a maximum of entries and of bytes, and eviction of the least recently used entry. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createRendition, createRenditions, type Rendition } from '../../src/http/renditions.ts';

/** Creates a rendition whose size counts as twice `length` plus 1,000 bytes; `length` is that of its body. */
const createTestRendition = (length: number): Rendition =>
  createRendition({ encoded: { bytes: 'x'.repeat(length), etag: '"tag"' }, headers: {}, route: '/' });

it('createRenditions evicts the least recently used entry beyond maxEntries', () => {
  const renditions = createRenditions({ maxEntries: 4 });
  const listKeys = (): string[] => ['a', 'b', 'c', 'd', 'e'].filter((key) => renditions.get(key) !== undefined);
  for (const key of ['a', 'b', 'c', 'd']) renditions.set(key, createTestRendition(1));
  assert.ok(renditions.get('a'));
  renditions.set('e', createTestRendition(1));
  assert.deepEqual(listKeys(), ['a', 'c', 'd', 'e']);
});

it('createRenditions evicts the least recently used entry beyond maxBytes, and stores none over a quarter of it', () => {
  const renditions = createRenditions({ maxBytes: 7996 });
  renditions.set('large', createTestRendition(501));
  assert.equal(renditions.get('large'), undefined);
  // Each entry counts as 1,999 bytes: twice 499, 1,000, and one for its key.
  for (const key of ['a', 'b', 'c', 'd']) renditions.set(key, createTestRendition(499));
  assert.ok(renditions.get('a'));
  renditions.set('e', createTestRendition(1));
  assert.deepEqual(
    ['a', 'b', 'c', 'd', 'e'].map((key) => renditions.get(key) !== undefined),
    [true, false, true, true, true],
  );
});
