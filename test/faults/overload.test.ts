/** A server with far more requests than it can handle for a minute: it sheds load, its memory stays bounded, and it recovers at once. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { availableParallelism, setPriority } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import {
  computePercentile,
  createClient,
  createTemporaryFolder,
  getSkipReason,
  isShort,
  procSkipReason,
  readResidentMb,
  type Service,
  startService,
} from './service.ts';

it('a server with too many requests returns 503 with Retry-After, and recovers within 5 seconds', {
  skip: getSkipReason('wrk') || procSkipReason,
}, async (t) => {
  const service = await startService(t);
  const seconds = isShort ? 10 : 60;
  // Each search is new and so never cached: the most expensive request that needs no credential.
  const script = join(await createTemporaryFolder(t), 'searches.lua');
  await writeFile(
    script,
    'local n = 0\nfunction request()\n  n = n + 1\n  return wrk.format("GET", "/api/v1/search?q=dictation+microphone+" .. n .. "x")\nend\n',
  );
  const load = spawn('wrk', ['-t1', '-c2000', `-d${seconds}s`, '--timeout', '30s', '-s', script, service.url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => load.kill('SIGKILL'));
  let output = '';
  load.stdout.on('data', (chunk) => {
    output += chunk;
  });
  let isLoadRunning = true;
  void once(load, 'close').then(() => {
    isLoadRunning = false;
  });
  const client = createClient(service.url, 1);
  t.after(() => client.close());
  const durations: number[] = [];
  const memory: number[] = [];
  let shedCount = 0;
  while (isLoadRunning) {
    const { status, durationMs, headers } = await client.get('/api/v1/docs?limit=1');
    assert.ok(status === 200 || status === 503, String(status));
    if (status === 200) durations.push(durationMs);
    else {
      shedCount += 1;
      assert.match(String(headers['retry-after']), /^\d+$/);
    }
    memory.push(await readResidentMb(service.pid));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const loadEndedAt = performance.now();
  let fastResponses = 0;
  while (fastResponses < 5 && performance.now() - loadEndedAt < 20_000) {
    const { status, durationMs } = await client.get('/api/v1/docs?limit=1');
    fastResponses = status === 200 && durationMs < 200 ? fastResponses + 1 : 0;
  }
  const recoverySeconds = (performance.now() - loadEndedAt) / 1000;
  assert.ok(fastResponses === 5 && recoverySeconds < 5, `recovered after ${recoverySeconds} s`);
  assert.equal(service.child.exitCode, null);
  const half = memory.length >> 1;
  const [middle, last] = [
    computePercentile(memory.slice(half / 2, half), 0.5),
    computePercentile(memory.slice(-half / 2), 0.5),
  ];
  assert.ok(last < middle * 1.5 + 50, `${middle} MB, then ${last} MB`);
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1] ?? 0);
  const refusals = Number(/Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1] ?? 0);
  t.diagnostic(
    `2,000 connections of new searches for ${seconds} s: ${rate.toFixed(0)} answers a second, ${refusals} of them 503; another client: ${durations.length} answered (p99 ${computePercentile(durations, 0.99).toFixed(0)} ms), ${shedCount} refused with 503; ${last.toFixed(0)} MB; recovered after ${recoverySeconds.toFixed(1)} s`,
  );
});

/** Sends `reads` requests that are not cached, one at a time. Returns their statuses and the milliseconds of the slowest. */
async function sendOneByOne(service: Service, reads: number): Promise<{ statuses: number[]; slowest: number }> {
  const client = createClient(service.url, 1);
  const statuses: number[] = [];
  let slowest = 0;
  for (let read = 0; read < reads; read += 1) {
    const path = ['/docs/quickstart', '/api/v1/docs', '/faq', '/api/v1/search?q=light'][read % 4] ?? '';
    const { status, durationMs } = await client.get(`${path}${path.includes('?') ? '&' : '?'}read=${read}`);
    statuses.push(status);
    slowest = Math.max(slowest, durationMs);
  }
  client.close();
  return { statuses, slowest };
}

it('a server that was suspended three times returns 200 to a client that sends one request at a time', {
  skip: procSkipReason,
}, async (t) => {
  const service = await startService(t);
  for (let stops = 0; stops < 3; stops += 1) {
    process.kill(service.pid, 'SIGSTOP');
    await wait(900);
    process.kill(service.pid, 'SIGCONT');
    await wait(30);
  }
  const { statuses, slowest } = await sendOneByOne(service, 25);
  assert.deepEqual([...new Set(statuses)], [200]);
  t.diagnostic(
    `stopped three times for 0.9 s, then 25 reads one by one: 25 answered, slowest ${slowest.toFixed(0)} ms`,
  );
});

it('a server next to busy processes of higher priority returns 200 to a client that sends one request at a time', {
  skip: procSkipReason,
}, async (t) => {
  const service = await startService(t);
  setPriority(service.pid, 19);
  const neighbors = Array.from({ length: 2 * availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  t.after(() => {
    for (const { pid } of neighbors) if (pid !== undefined) process.kill(pid, 'SIGKILL');
  });
  const reads = isShort ? 12 : 40;
  const { statuses, slowest } = await sendOneByOne(service, reads);
  assert.deepEqual([...new Set(statuses)], [200]);
  t.diagnostic(
    `at priority 19 next to ${neighbors.length} busy processes: ${reads} reads one by one, all answered, slowest ${slowest.toFixed(0)} ms`,
  );
});
