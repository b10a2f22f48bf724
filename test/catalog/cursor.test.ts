/** Tests cursors of lists: an issued cursor returns its position, and every other string is rejected with invalid_cursor. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../../src/base/api-error.ts';
import { createCursors, type SortKey } from '../../src/catalog/cursor.ts';

const cursors = createCursors(Buffer.alloc(32, 7));
const filter = { channel: 'beta', q: 'x' };
const position = fc.array(
  fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  ),
  { maxLength: 4 },
);

function assertRefused(cursor: string, listing = 'docs', query: unknown = filter): void {
  assert.throws(
    () => cursors.read(listing, query, cursor),
    (error) => error instanceof ApiError && error.code === 'invalid_cursor' && /next_cursor/.test(error.message),
    cursor,
  );
}

describe('Cursors of lists: invalid_cursor', () => {
  it('reading a cursor returns the position that was issued', () => {
    const inputs = fc.tuple(position, fc.jsonValue(), fc.string());
    fc.assert(
      fc.property(inputs, ([key, query, listing]) => {
        const cursor = cursors.issue(listing, query, key);
        assert.match(cursor, /^[A-Za-z0-9_-]+$/);
        assert.deepEqual(cursors.read(listing, query, cursor), key);
      }),
    );
  });

  it('two processes with the same secret issue the same cursor for the same position', () => {
    const otherCursors = createCursors(Buffer.alloc(32, 7));
    assert.equal(
      otherCursors.issue('docs', filter, ['a', 1]),
      cursors.issue('docs', { q: 'x', channel: 'beta' }, ['a', 1]),
    );
  });

  it('a cursor with one flipped bit is rejected', () => {
    const bytes = Buffer.from(cursors.issue('docs', filter, ['quickstart', 10]), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      assertRefused(flipped.toString('base64url'));
    }
  });

  it('a cursor with one character changed, added or removed is rejected', () => {
    for (const key of [['a'], ['ab'], ['abc']] satisfies SortKey[]) {
      const cursor = cursors.issue('docs', filter, key);
      for (let index = 0; index <= cursor.length; index += 1) {
        for (const character of ['A', 'B', 'z', '-', '_', '=', ' ', '+', '/', '\n', 'é']) {
          if (character !== cursor[index]) assertRefused(cursor.slice(0, index) + character + cursor.slice(index + 1));
          assertRefused(cursor.slice(0, index) + character + cursor.slice(index));
        }
        if (index < cursor.length) assertRefused(cursor.slice(0, index) + cursor.slice(index + 1));
      }
    }
  });

  it('a cursor of another listing, filter or secret is rejected', () => {
    const cursor = cursors.issue('docs', filter, ['quickstart']);
    assertRefused(cursor, 'faq');
    assertRefused(cursor, 'docs', { ...filter, q: 'y' });
    assertRefused(cursor, 'docs', null);
    assertRefused(createCursors(Buffer.alloc(32, 8)).issue('docs', filter, ['quickstart']));
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (firstFilter, secondFilter) => {
        fc.pre(JSON.stringify(firstFilter) !== JSON.stringify(secondFilter));
        fc.pre(!Object.is(firstFilter, -0) && !Object.is(secondFilter, -0));
        const issuedCursor = cursors.issue('docs', firstFilter, ['a']);
        try {
          cursors.read('docs', secondFilter, issuedCursor);
        } catch {
          return;
        }
        assert.deepEqual(JSON.parse(JSON.stringify(firstFilter)), JSON.parse(JSON.stringify(secondFilter)));
      }),
    );
  });

  it('an arbitrary string is rejected', () => {
    for (const text of ['', '2', 'AQ', 'next', 'AQ'.repeat(2000), '\ud800', 'eyJvZmZzZXQiOjIwfQ']) assertRefused(text);
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => assertRefused(text)));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) =>
        assertRefused(Buffer.from([1, ...bytes]).toString('base64url')),
      ),
    );
  });

  it('issue throws an error instead of returning a cursor that is too long to be read', () => {
    const longest = cursors.issue('docs', filter, ['x'.repeat(3051)]);
    assert.equal(longest.length, 4096);
    assert.deepEqual(cursors.read('docs', filter, longest), ['x'.repeat(3051)]);
    assert.throws(() => cursors.issue('docs', filter, ['x'.repeat(3052)]), RangeError);
  });
});
