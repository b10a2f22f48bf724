/** Files of a folder that nobody else waits for: at once, until the disk turns out to be slow. */
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { createOwnDisk } from '../../src/content/disk.ts';

const file = import.meta.filename;

/** How many of 40 readings came at once when each takes so long; all of them are of the file. */
async function atOnce(ms: (reading: number) => number): Promise<number> {
  let now = 0;
  let reading = 0;
  const disk = createOwnDisk({
    monotonic() {
      now += ms(Math.floor(reading / 2));
      reading += 1;
      return now;
    },
  });
  let count = 0;
  for (let time = 0; time < 20; time += 1) {
    const [bytes, stats] = [disk.read(file), disk.stat(file)];
    for (const one of [bytes, stats]) if (!(one instanceof Promise)) count += 1;
    assert.deepEqual(await bytes, readFileSync(file));
    assert.equal((await stats).size, statSync(file).size);
  }
  return count;
}

test('files that come at once are not waited for, though now and then one takes longer', async () => {
  assert.equal(await atOnce(() => 0.1), 40);
  assert.equal(await atOnce((time) => (time % 4 === 0 ? 5 : 0.1)), 40);
});

test('files that are slow to come are waited for several at a time', async () => {
  assert.equal(await atOnce(() => 5), 17);
});
