/** Kept answers stay within a bound of entries and one of bytes; what was asked for last stays longest. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createRendition, createRenditions, type Rendition } from '../../src/http/renditions.ts';

/** It counts with twice its length and 1,000 bytes. */
const getRendition = (length: number): Rendition =>
  createRendition({ encoded: { bytes: 'x'.repeat(length), etag: '"tag"' }, headers: {}, route: '/' });

it('createRenditions evicts the least recently used entry beyond maxEntries', () => {
  const renditions = createRenditions({ maxEntries: 4 });
  const held = (): string[] => ['a', 'b', 'c', 'd', 'e'].filter((key) => renditions.get(key) !== undefined);
  for (const key of ['a', 'b', 'c', 'd']) renditions.set(key, getRendition(1));
  assert.ok(renditions.get('a'));
  renditions.set('e', getRendition(1));
  assert.deepEqual(held(), ['a', 'c', 'd', 'e']);
});

it('createRenditions evicts the least recently used entry beyond maxBytes, and stores none over a quarter of it', () => {
  const renditions = createRenditions({ maxBytes: 7996 });
  renditions.set('large', getRendition(501));
  assert.equal(renditions.get('large'), undefined);
  // 1,999 bytes each with its key.
  for (const key of ['a', 'b', 'c', 'd']) renditions.set(key, getRendition(499));
  assert.ok(renditions.get('a'));
  renditions.set('e', getRendition(1));
  assert.deepEqual(
    ['a', 'b', 'c', 'd', 'e'].map((key) => renditions.get(key) !== undefined),
    [true, false, true, true, true],
  );
});
