/** Server processes that are killed or told to end: `colophon serve` with WEB_CONCURRENCY, the real command on a real PostgreSQL. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningCommand } from '../support/command.ts';
import { listening, startWorkers } from '../support/workers.ts';

describe('WEB_CONCURRENCY=2: two server processes', () => {
  it('the server keeps serving when one process is killed, and starts another one', async (t) => {
    const command = await startWorkers(t);
    if (command === null) return;
    const { url, admin } = await listening(command);
    await untilTwo(admin);
    const [victim = 0] = listWorkers(command);
    process.kill(victim, 'SIGKILL');
    await command.says(
      /"code":null,"signal":"SIGKILL","wait_ms":250,"msg":"a server process ended and is being restarted"/,
    );
    assert.equal((await fetch(`${url}/api/v1/faq`, { headers: { connection: 'close' } })).status, 200);
    const metrics = await untilTwo(admin);
    assert.match(metrics, /^colophon_worker_restarts_total 1$/m);
    assert.equal((await fetch(`${admin}/readyz`)).status, 200);
    assert.ok(!listWorkers(command).includes(victim));
  });

  it('GET /searches and /readyz return 503 with the reason when no process responds', async (t) => {
    const command = await startWorkers(t);
    if (command === null) return;
    const { admin } = await listening(command);
    await untilTwo(admin);
    const pids = listWorkers(command);
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    try {
      for (const path of ['/searches', '/readyz']) {
        const response = await fetch(admin + path);
        assert.equal(response.status, 503);
        assert.deepEqual(await response.json(), { status: 'failing', reasons: ['no server process answers'] });
      }
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT');
    }
  });

  it('the wait before a restart doubles from 250 ms with each process that is killed', async (t) => {
    const command = await startWorkers(t);
    if (command === null) return;
    const { admin } = await listening(command);
    await untilTwo(admin);
    const [other = 0] = listWorkers(command);
    for (const waitMs of [250, 500, 1000]) {
      const [victim = 0] = listWorkers(command).filter((pid) => pid !== other);
      process.kill(victim, 'SIGKILL');
      await command.says(new RegExp(`"wait_ms":${waitMs},`));
      await untilTwo(admin);
    }
  });

  it('both processes drain on SIGTERM, and requests in progress get 200', async (t) => {
    const command = await startWorkers(t, { DRAIN_DELAY: '1' });
    if (command === null) return;
    const { url, admin } = await listening(command);
    const slow = Array.from({ length: 8 }, () => fetch(`${url}/api/v1/sandbox/faq?simulate=slow`));
    await sleep(200);
    command.child.kill('SIGTERM');
    await command.says(/"msg":"stopping"/);
    // The workers hear of it a moment later, and from then on close each connection after its response.
    let connection: string | null = null;
    while (connection !== 'close') {
      const { status, headers } = await fetch(`${url}/api/v1/faq`);
      assert.equal(status, 200);
      connection = headers.get('connection');
    }
    assert.match(await (await fetch(`${admin}/readyz`)).text(), /"status":"draining"/);
    for (const answer of await Promise.all(slow)) assert.equal(answer.status, 200);
    assert.equal(await command.ended, 0);
  });

  it('both processes end at once on a second signal, and when the primary process is killed', async (t) => {
    for (const [first, second, code] of [
      ['SIGINT', 'SIGTERM', 1],
      [null, 'SIGKILL', null],
    ] as const) {
      const command = await startWorkers(t, { DRAIN_DELAY: '60' });
      if (command === null) return;
      const { admin } = await listening(command);
      await untilTwo(admin);
      const pids = listWorkers(command);
      assert.equal(pids.length, 2);
      if (first !== null) {
        command.child.kill(first);
        await command.says(/"msg":"stopping"/);
        // A signal within 500 ms would count as a copy of the first.
        await sleep(600);
      }
      command.child.kill(second);
      assert.equal(await command.ended, code);
      while (pids.some(isRunning)) await sleep(20);
    }
  });

  it('a second server on the same port exits with 1, and the first one keeps serving', async (t) => {
    const command = await startWorkers(t);
    if (command === null) return;
    const { url } = await listening(command);
    const second = await startWorkers(t, { PORT: new URL(url).port });
    assert.equal(await second?.ended, 1);
    assert.match(second?.error() ?? '', /Port \d+ is in use\. Stop the other program, or set PORT/);
    assert.equal((await fetch(`${url}/api/v1/faq`)).status, 200);
  });
});

/** Waits until both server processes answer, and returns the metrics. */
async function untilTwo(admin: string): Promise<string> {
  for (;;) {
    const metrics = await (await fetch(`${admin}/metrics`)).text();
    if (/^colophon_workers 2$/m.test(metrics)) return metrics;
  }
}

/** The process ids of a command's children. */
function listWorkers({ child }: RunningCommand): number[] {
  const text = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
  return text.trim().split(' ').filter(Boolean).map(Number);
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
