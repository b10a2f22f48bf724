/** A few rounds of `crash.ts`; `node test/crash.ts 200` runs as many as a release needs. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { crashRounds } from './crash.ts';

it('a server that is killed loses nothing that it acknowledged, and nothing that it ended comes back', async () => {
  const { acknowledged, breaches } = await crashRounds(5);
  assert.deepEqual(breaches, []);
  assert.deepEqual([...new Set(Object.values(acknowledged))], [1]);
});
