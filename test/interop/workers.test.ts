/** Workers that die, hang or are told to end: `colophon serve` with WEB_CONCURRENCY, the real command on a real PostgreSQL. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningCommand } from '../support/command.ts';
import { listening, startWorkers } from '../support/workers.ts';

describe('two workers', () => {
  it('keep serving when one of them dies, and it is replaced', async (t) => {
    const command = await startWorkers(t);
    if (command === null) return;
    const { url, admin } = await listening(command);
    const [victim = 0] = workersOf(command);
    process.kill(victim, 'SIGKILL');
    await command.says(
      /"pid":\d+,"code":null,"signal":"SIGKILL","wait_ms":250,"msg":"a worker ended and is being restarted"/,
    );
    const missing = await fetch(`${admin}/readyz`);
    assert.equal(missing.status, 503);
    assert.deepEqual(await missing.json(), {
      status: 'incomplete',
      reasons: ['Worker 1 of 2 does not answer.'],
    });
    while ((await fetch(`${admin}/readyz`)).status !== 200) {
      assert.equal((await fetch(`${url}/api/v1/faq`, { headers: { connection: 'close' } })).status, 200);
      await sleep(50);
    }
    const metrics = await (await fetch(`${admin}/metrics`)).text();
    assert.match(metrics, /^colophon_worker_restarts_total 1$/m);
    assert.equal(workersOf(command).length, 2);
    assert.ok(!workersOf(command).includes(victim));
  });

  it('kill and replace one that no longer responds, and say so in /livez', async (t) => {
    const command = await startWorkers(t);
    if (command === null) return;
    const { admin } = await listening(command);
    const [victim = 0] = workersOf(command);
    const began = performance.now();
    process.kill(victim, 'SIGSTOP');
    const livez = () => fetch(`${admin}/livez`);
    while ((await livez()).status === 200) await sleep(50);
    const stuck = await livez();
    assert.deepEqual(
      [stuck.status, await stuck.json()],
      [503, { status: 'stuck', reasons: ['Worker 1 of 2 does not respond.'] }],
    );
    await command.says(/"pid":\d+,"msg":"a worker does not respond and is killed"/);
    while ((await fetch(`${admin}/readyz`)).status !== 200) await sleep(50);
    t.diagnostic(`replaced after ${Math.round(performance.now() - began)} ms`);
    assert.equal((await livez()).status, 200);
    assert.ok(!workersOf(command).includes(victim));

    const [next = 0] = workersOf(command);
    process.kill(next, 'SIGSTOP');
    command.child.kill('SIGTERM');
    assert.equal(await command.ended, 1);
    assert.doesNotMatch(command.out(), /workers did not end in time and were killed/);
  });

  it('are given up when one dies again and again, with a message and exit code 1', async (t) => {
    const command = await startWorkers(t);
    if (command === null) return;
    await listening(command);
    let running = true;
    void command.ended.then(() => {
      running = false;
    });
    while (running) {
      for (const pid of workersOf(command)) killIfThere(pid);
      await sleep(20);
    }
    assert.equal(await command.ended, 1);
    assert.match(
      command.out(),
      /worker [12] ended 5 times in a row, each within a minute of its start: shutting down"/,
    );
  });

  it('are drained together on SIGTERM, and answer what is under way', async (t) => {
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

  it('end at once on a second signal, and with their primary', async (t) => {
    for (const [first, second, code] of [
      ['SIGINT', 'SIGTERM', 1],
      [null, 'SIGKILL', null],
    ] as const) {
      const command = await startWorkers(t, { DRAIN_DELAY: '60' });
      if (command === null) return;
      await listening(command);
      const pids = workersOf(command);
      assert.equal(pids.length, 2);
      if (first !== null) {
        command.child.kill(first);
        await command.says(/"msg":"stopping"/);
      }
      command.child.kill(second);
      assert.equal(await command.ended, code);
      while (pids.some(isRunning)) await sleep(20);
    }
  });

  it('leave the port to whoever has it', async (t) => {
    const command = await startWorkers(t);
    if (command === null) return;
    const { url } = await listening(command);
    const second = await startWorkers(t, { PORT: new URL(url).port });
    assert.equal(await second?.ended, 1);
    assert.match(second?.error() ?? '', /Another program uses that port: stop it, or set PORT/);
    assert.equal((await fetch(`${url}/api/v1/faq`)).status, 200);
  });
});

/** The process ids of a command's children. */
function workersOf({ child }: RunningCommand): number[] {
  const text = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
  return text.trim().split(' ').filter(Boolean).map(Number);
}

/** A worker may have ended since it was listed. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error) || Reflect.get(error, 'code') !== 'ESRCH') throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
