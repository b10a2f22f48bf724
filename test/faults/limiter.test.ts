/** createLimiter with a million addresses: its memory, and the time of a decision. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { it } from 'node:test';

it('createLimiter stores at most 100,000 of a million addresses, in under 100 MB and without slowing down', (t) => {
  const script = `
    const { createLimiter } = await import(${JSON.stringify(new URL('../../src/limits/sliding-window.ts', import.meta.url).href)});
    const { createAddressKey } = await import(${JSON.stringify(new URL('../../src/limits/address-key.ts', import.meta.url).href)});
    const { systemClock } = await import(${JSON.stringify(new URL('../../src/base/clock.ts', import.meta.url).href)});
    const limiter = createLimiter({ clock: systemClock, windowMs: 60_000 });
    const round = (from, count) => {
      const began = performance.now();
      for (let index = from; index < from + count; index += 1)
        limiter.take('anonymous ' + createAddressKey('2001:db8:' + (index >> 16).toString(16) + ':' + (index & 65535).toString(16) + '::1'), 120);
      return ((performance.now() - began) / count) * 1000;
    };
    round(0, 20_000);
    gc();
    const before = process.memoryUsage().heapUsed;
    const first = round(20_000, 80_000);
    round(100_000, 820_000);
    const last = round(920_000, 80_000);
    gc();
    const { heapUsed } = process.memoryUsage();
    console.log(JSON.stringify({ size: limiter.size, mb: (heapUsed - before) / 1e6, first, last }));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  assert.notEqual(stdout, '', stderr);
  const { size, mb, first, last } = JSON.parse(stdout) as Record<string, number>;
  assert.ok(size !== undefined && mb !== undefined && first !== undefined && last !== undefined);
  assert.ok(size <= 100_000);
  assert.ok(mb < 100, `${mb} MB`);
  assert.ok(last < first * 4 + 5, `${last} µs after ${first} µs`);
  t.diagnostic(
    `1,000,000 addresses: ${size} kept in ${mb.toFixed(0)} MB; ${first.toFixed(1)} µs a decision among the first, ${last.toFixed(1)} µs among the last`,
  );
});
