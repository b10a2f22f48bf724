/** Cursors: they come back as they went out, and nothing else does. */
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

function isRefused(cursor: string, listing = 'docs', wanted: unknown = filter): void {
  assert.throws(
    () => cursors.read(listing, wanted, cursor),
    (error) => error instanceof ApiError && error.code === 'invalid_cursor' && /next_cursor/.test(error.message),
    cursor,
  );
}

describe('Cursors of lists: invalid_cursor', () => {
  it('reading a cursor returns the position that was issued', () => {
    const any = fc.tuple(position, fc.jsonValue(), fc.string());
    fc.assert(
      fc.property(any, ([place, wanted, listing]) => {
        const cursor = cursors.issue(listing, wanted, place);
        assert.match(cursor, /^[A-Za-z0-9_-]+$/);
        assert.deepEqual(cursors.read(listing, wanted, cursor), place);
      }),
    );
  });

  it('two processes with the same secret issue the same cursor for the same position', () => {
    const again = createCursors(Buffer.alloc(32, 7));
    assert.equal(again.issue('docs', filter, ['a', 1]), cursors.issue('docs', { q: 'x', channel: 'beta' }, ['a', 1]));
  });

  it('a cursor with one flipped bit is rejected', () => {
    const bytes = Buffer.from(cursors.issue('docs', filter, ['quickstart', 10]), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      isRefused(flipped.toString('base64url'));
    }
  });

  it('a cursor with one character changed, added or removed is rejected', () => {
    for (const place of [['a'], ['ab'], ['abc']] satisfies SortKey[]) {
      const cursor = cursors.issue('docs', filter, place);
      for (let at = 0; at <= cursor.length; at += 1) {
        for (const other of ['A', 'B', 'z', '-', '_', '=', ' ', '+', '/', '\n', 'é']) {
          if (other !== cursor[at]) isRefused(cursor.slice(0, at) + other + cursor.slice(at + 1));
          isRefused(cursor.slice(0, at) + other + cursor.slice(at));
        }
        if (at < cursor.length) isRefused(cursor.slice(0, at) + cursor.slice(at + 1));
      }
    }
  });

  it('a cursor of another listing, filter or secret is rejected', () => {
    const cursor = cursors.issue('docs', filter, ['quickstart']);
    isRefused(cursor, 'faq');
    isRefused(cursor, 'docs', { ...filter, q: 'y' });
    isRefused(cursor, 'docs', null);
    isRefused(createCursors(Buffer.alloc(32, 8)).issue('docs', filter, ['quickstart']));
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        fc.pre(JSON.stringify(one) !== JSON.stringify(other));
        fc.pre(!Object.is(one, -0) && !Object.is(other, -0));
        const made = cursors.issue('docs', one, ['a']);
        try {
          cursors.read('docs', other, made);
        } catch {
          return;
        }
        assert.deepEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
      }),
    );
  });

  it('an arbitrary string is rejected', () => {
    for (const text of ['', '2', 'AQ', 'next', 'AQ'.repeat(2000), '\ud800', 'eyJvZmZzZXQiOjIwfQ']) isRefused(text);
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => isRefused(text)));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) =>
        isRefused(Buffer.from([1, ...bytes]).toString('base64url')),
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
