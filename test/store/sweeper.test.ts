/** Tests that createSweeper sweeps at once and every minute, in batches, and continues after a failed sweep. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createSweeper } from '../../src/store/sweep.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { start } from './samples.ts';

it('createSweeper sweeps at once and every minute, continues while there is more, and survives a failed sweep', async () => {
  const clock = createManualClock(start);
  const sweepTimes: number[] = [];
  const logLines: string[] = [];
  const results = [{ deleted: 500, more: true }, { deleted: 3, more: false }, null, { deleted: 0, more: false }];
  const store = {
    async sweep(now: number, batch: number) {
      assert.equal(batch, 500);
      sweepTimes.push(now - start);
      const result = results.shift();
      if (result === null) throw new Error('down');
      return result ?? { deleted: 0, more: false };
    },
  };
  const log = {
    info: (fields: Record<string, unknown>) => void logLines.push(String(fields.deleted)),
    warn() {},
    error: (fields: Record<string, unknown>) => void logLines.push(String(fields.event)),
  };
  const sweeper = createSweeper({ store, clock, log });
  await clock.advance(180_100);
  assert.deepEqual(sweepTimes, [0, 20, 60_020, 120_020, 180_020]);
  assert.deepEqual(logLines, ['500', '3', 'store.sweep_failed']);
  sweeper.close();
  await clock.advance(180_000);
  assert.equal(sweepTimes.length, 5);
});
