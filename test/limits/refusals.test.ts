/** Counters that are known to be used up are not asked for again until they are not. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createRefusals } from '../../src/limits/refusals.ts';
import { createManualClock } from '../support/manual-clock.ts';

const ask = (key: string) => ({ key, limit: 5, windowMs: 60_000, count: true });
const refused = (resetSeconds: number) => ({ allowed: false, limit: 5, remaining: 0, resetSeconds });
const allowed = { allowed: true, limit: 5, remaining: 5, resetSeconds: 60 };

it('a refusal holds for every request until its wait is over', async () => {
  const clock = createManualClock(0);
  const refusals = createRefusals(clock);
  refusals.keep('a', 2000);
  assert.deepEqual(refusals.find([ask('a')]), [refused(2)]);
  assert.deepEqual(refusals.find([ask('a'), ask('b')]), [refused(2), allowed]);
  await clock.advance(1500);
  assert.deepEqual(refusals.find([ask('b'), ask('a')]), [allowed, refused(1)]);
  assert.equal(refusals.find([ask('b')]), null);
  await clock.advance(500);
  assert.equal(refusals.find([ask('a')]), null);
});

it('the oldest refusal goes when there are too many', () => {
  const refusals = createRefusals(createManualClock(0), 2);
  for (const key of ['a', 'b', 'a', 'c']) refusals.keep(key, 1000);
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => refusals.find([ask(key)]) !== null),
    [true, false, true],
  );
});
