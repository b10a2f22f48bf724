/** Tests that a timer of systemClock with a negative delay runs and causes no warning. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { it } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';

it('systemClock.after with a negative delay runs its callback asynchronously and causes no warning', async (t) => {
  const warnings: Error[] = [];
  const warn = (warning: Error): void => void warnings.push(warning);
  process.on('warning', warn);
  t.after(() => process.off('warning', warn));
  const order: string[] = [];
  await new Promise<void>((resolve) => {
    systemClock.after(-0.1, () => {
      order.push('late');
      resolve();
    });
    // This timer keeps the process alive until the callback has run, because timers of systemClock do not.
    setTimeout(() => {}, 50);
    order.push('now');
  });
  assert.deepEqual(order, ['now', 'late']);
  process.emitWarning('the last one');
  await once(process, 'warning');
  assert.deepEqual(
    warnings.map(({ message }) => message),
    ['the last one'],
  );
});
