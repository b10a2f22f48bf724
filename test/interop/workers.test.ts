/** `colophon serve` with WEB_CONCURRENCY on a real PostgreSQL, whose processes are killed or get a signal. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningCommand } from '../support/command.ts';
import { startWorkers, waitForUrls } from '../support/workers.ts';

describe('WEB_CONCURRENCY=2: two server processes', () => {
  it('the server keeps serving when one process is killed, and starts another one', async (t) => {
    const command = await startWorkers(t);
    if (command === null) return;
    const { url, admin } = await waitForUrls(command);
    await waitForTwoWorkers(admin);
    const [victim = 0] = listWorkers(command);
    process.kill(victim, 'SIGKILL');
    await command.waitForOutput(
      /"code":null,"signal":"SIGKILL","wait_ms":250,"msg":"a server process ended and is being restarted"/,
    );
    assert.equal((await fetch(`${url}/api/v1/faq`, { headers: { connection: 'close' } })).status, 200);
    const metrics = await waitForTwoWorkers(admin);
    assert.match(metrics, /^colophon_worker_restarts_total 1$/m);
    assert.equal((await fetch(`${admin}/readyz`)).status, 200);
    assert.ok(!listWorkers(command).includes(victim));
  });

  it('GET /searches and /readyz return 503 with the reason when no process responds', async (t) => {
    const command = await startWorkers(t);
    if (command === null) return;
    const { admin } = await waitForUrls(command);
    await waitForTwoWorkers(admin);
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
    const { admin } = await waitForUrls(command);
    await waitForTwoWorkers(admin);
    const [survivor = 0] = listWorkers(command);
    for (const waitMs of [250, 500, 1000]) {
      const [victim = 0] = listWorkers(command).filter((pid) => pid !== survivor);
      process.kill(victim, 'SIGKILL');
      await command.waitForOutput(new RegExp(`"wait_ms":${waitMs},`));
      await waitForTwoWorkers(admin);
    }
  });

  it('both processes drain on SIGTERM, and requests in progress get 200', async (t) => {
    const command = await startWorkers(t, { DRAIN_DELAY: '1' });
    if (command === null) return;
    const { url, admin } = await waitForUrls(command);
    const slow = Array.from({ length: 8 }, () => fetch(`${url}/api/v1/sandbox/faq?simulate=slow`));
    await sleep(200);
    command.child.kill('SIGTERM');
    await command.waitForOutput(/"msg":"stopping"/);
    // The workers receive the signal a moment later, and then close each connection after its response.
    let connection: string | null = null;
    while (connection !== 'close') {
      const { status, headers } = await fetch(`${url}/api/v1/faq`);
      assert.equal(status, 200);
      connection = headers.get('connection');
    }
    assert.match(await (await fetch(`${admin}/readyz`)).text(), /"status":"draining"/);
    for (const response of await Promise.all(slow)) assert.equal(response.status, 200);
    assert.equal(await command.exitCode, 0);
  });

  it('both processes end at once on a second signal, and when the primary process is killed', async (t) => {
    for (const [first, second, code] of [
      ['SIGINT', 'SIGTERM', 1],
      [null, 'SIGKILL', null],
    ] as const) {
      const command = await startWorkers(t, { DRAIN_DELAY: '60' });
      if (command === null) return;
      const { admin } = await waitForUrls(command);
      await waitForTwoWorkers(admin);
      const pids = listWorkers(command);
      assert.equal(pids.length, 2);
      if (first !== null) {
        command.child.kill(first);
        await command.waitForOutput(/"msg":"stopping"/);
        // The server ignores a signal within 500 ms of the first, because the terminal may have sent both.
        await sleep(600);
      }
      command.child.kill(second);
      assert.equal(await command.exitCode, code);
      while (pids.some(isRunning)) await sleep(20);
    }
  });

  it('a second server on the same port exits with 1, and the first one keeps serving', async (t) => {
    const command = await startWorkers(t);
    if (command === null) return;
    const { url } = await waitForUrls(command);
    const second = await startWorkers(t, { PORT: new URL(url).port });
    assert.equal(await second?.exitCode, 1);
    assert.match(second?.getStderr() ?? '', /Port \d+ is in use\. Stop the other program, or set PORT/);
    assert.equal((await fetch(`${url}/api/v1/faq`)).status, 200);
  });
});

/** Waits until both server processes answer, and returns the text of /metrics at the base URL `admin`. */
async function waitForTwoWorkers(admin: string): Promise<string> {
  for (;;) {
    const metrics = await (await fetch(`${admin}/metrics`)).text();
    if (/^colophon_workers 2$/m.test(metrics)) return metrics;
  }
}

/** Returns the process IDs of the children of a command. */
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
