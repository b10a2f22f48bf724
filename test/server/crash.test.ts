/** Tests that acknowledged facts survive a crash of the server, with one round of each kind; `crash-rounds.ts` runs up to 1000. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { writeContentFolder } from '../support/content-folder.ts';
import { createAppcast } from '../support/feed-samples.ts';
import { crashRounds } from './crash-rounds.ts';

it('registrations, tokens, revocations and exports survive SIGKILL once the server acknowledged them', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'colophon-crash-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const contentDir = writeContentFolder(t, { 'appcast.xml': createAppcast('1.0') });
  assert.deepEqual(await crashRounds({ rounds: 5, dataDir, contentDir }), {
    acknowledged: 5,
    lost: [],
    resurrected: [],
  });
});
