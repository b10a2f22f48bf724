/** Far more requests than the server can answer, for long: it sheds, keeps its size, and is well again at once. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { availableParallelism, setPriority } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import {
  createClient,
  isShort,
  percentile,
  residentMb,
  type Service,
  startService,
  temporaryFolder,
  without,
  withoutProc,
} from './service.ts';

it('a server with too many requests returns 503 with Retry-After, and recovers within 5 seconds', {
  skip: without('wrk') || withoutProc,
}, async (t) => {
  const service = await startService(t);
  const seconds = isShort ? 10 : 60;
  // Searches that were never asked before: the dearest request that needs no credential.
  const script = join(await temporaryFolder(t), 'searches.lua');
  await writeFile(
    script,
    'local n = 0\nfunction request()\n  n = n + 1\n  return wrk.format("GET", "/api/v1/search?q=dictation+microphone+" .. n .. "x")\nend\n',
  );
  const load = spawn('wrk', ['-t1', '-c2000', `-d${seconds}s`, '--timeout', '30s', '-s', script, service.url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => load.kill('SIGKILL'));
  let printed = '';
  load.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  const ended = once(load, 'close');
  let going = true;
  void ended.then(() => {
    going = false;
  });
  const client = createClient(service.url, 1);
  t.after(() => client.close());
  const times: number[] = [];
  const memory: number[] = [];
  let shed = 0;
  while (going) {
    const { status, took, headers } = await client.get('/api/v1/docs?limit=1');
    assert.ok(status === 200 || status === 503, String(status));
    if (status === 200) times.push(took);
    else {
      shed += 1;
      assert.match(String(headers['retry-after']), /^\d+$/);
    }
    memory.push(await residentMb(service.pid));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const over = performance.now();
  let calm = 0;
  while (calm < 5 && performance.now() - over < 20_000) {
    const { status, took } = await client.get('/api/v1/docs?limit=1');
    calm = status === 200 && took < 200 ? calm + 1 : 0;
  }
  const recovered = (performance.now() - over) / 1000;
  assert.ok(calm === 5 && recovered < 5, `calm after ${recovered} s`);
  assert.equal(service.child.exitCode, null);
  const half = memory.length >> 1;
  const [middle, last] = [percentile(memory.slice(half / 2, half), 0.5), percentile(memory.slice(-half / 2), 0.5)];
  assert.ok(last < middle * 1.5 + 50, `${middle} MB, then ${last} MB`);
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(printed)?.[1] ?? 0);
  const refused = Number(/Non-2xx or 3xx responses: (\d+)/.exec(printed)?.[1] ?? 0);
  t.diagnostic(
    `2,000 connections of new searches for ${seconds} s: ${rate.toFixed(0)} answers a second, ${refused} of them 503; another client: ${times.length} answered (p99 ${percentile(times, 0.99).toFixed(0)} ms), ${shed} refused with 503; ${last.toFixed(0)} MB; calm ${recovered.toFixed(1)} s afterwards`,
  );
});

/** Pages and answers that nobody has asked for before, one after the other. */
async function readAlone(service: Service, reads: number): Promise<{ statuses: number[]; slowest: number }> {
  const client = createClient(service.url, 1);
  const statuses: number[] = [];
  let slowest = 0;
  for (let read = 0; read < reads; read += 1) {
    const path = ['/docs/quickstart', '/api/v1/docs', '/faq', '/api/v1/search?q=light'][read % 4] ?? '';
    const { status, took } = await client.get(`${path}${path.includes('?') ? '&' : '?'}read=${read}`);
    statuses.push(status);
    slowest = Math.max(slowest, took);
  }
  client.close();
  return { statuses, slowest };
}

it('a server that was suspended three times returns 200 to a client that sends one request at a time', {
  skip: withoutProc,
}, async (t) => {
  const service = await startService(t);
  for (let stops = 0; stops < 3; stops += 1) {
    process.kill(service.pid, 'SIGSTOP');
    await wait(900);
    process.kill(service.pid, 'SIGCONT');
    await wait(30);
  }
  const { statuses, slowest } = await readAlone(service, 25);
  assert.deepEqual([...new Set(statuses)], [200]);
  t.diagnostic(
    `stopped three times for 0.9 s, then 25 reads one by one: 25 answered, slowest ${slowest.toFixed(0)} ms`,
  );
});

it('a server next to busy processes of higher priority returns 200 to a client that sends one request at a time', {
  skip: withoutProc,
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
  const { statuses, slowest } = await readAlone(service, reads);
  assert.deepEqual([...new Set(statuses)], [200]);
  t.diagnostic(
    `at priority 19 next to ${neighbors.length} busy processes: ${reads} reads one by one, all answered, slowest ${slowest.toFixed(0)} ms`,
  );
});
