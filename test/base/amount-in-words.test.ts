/** Tests how durations, numbers and sizes are written in sentences. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatKibibytes, formatNumber, writeDuration } from '../../src/base/amount-in-words.ts';

it('writeDuration uses the largest unit whose count is whole and above one, but writes “an hour” and “a second”', () => {
  const minute = 60_000;
  const durations = [1000, 2000, minute, 10 * minute, 60 * minute, 90 * minute, 24 * 60 * minute, 7 * 24 * 60 * minute];
  assert.deepEqual(durations.map(writeDuration), [
    'a second',
    '2 seconds',
    '60 seconds',
    '10 minutes',
    'an hour',
    '90 minutes',
    '24 hours',
    '7 days',
  ]);
});

it('formatNumber groups thousands, and formatKibibytes converts bytes to KiB', () => {
  assert.deepEqual([0, 999, 1000, 65_536, 1_234_567].map(formatNumber), ['0', '999', '1,000', '65,536', '1,234,567']);
  assert.equal(formatKibibytes(16_384), '16 KiB');
});
