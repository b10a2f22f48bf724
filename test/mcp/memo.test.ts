/** What MCP remembers of its results stays within a bound. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createMemo } from '../../src/mcp/memo.ts';

it('the memo counts keys and texts together, and drops what is oldest', () => {
  const memo = createMemo(80);
  const held = (): string[] =>
    ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].filter((key) => memo.get(key) !== undefined);
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) memo.set(key, { members: '123456789' });
  assert.deepEqual(held(), ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
  memo.set('i', { members: '1' });
  assert.deepEqual(held(), ['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']);
});

it('the memo leaves out what would take an eighth of it', () => {
  const memo = createMemo(80);
  memo.set('a', { members: '1234567890' });
  assert.equal(memo.get('a'), undefined);
  memo.set('a', { members: '123456789' });
  memo.set('a', { members: 'other' });
  assert.deepEqual(memo.get('a'), { members: '123456789' });
});
