/** Several processes behind one port: `colophon serve` with WEB_CONCURRENCY, the real command on a real PostgreSQL. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { mergeMetrics } from '../../src/endpoints/operator/metrics-merge.ts';
import { colophon, type RunningCommand, startColophon } from '../support/command.ts';
import { writeContentFolder } from '../support/content-folder.ts';
import { sharedPostgres, type TestPostgres } from '../support/postgres.ts';

const startLine = /Colophon serves .* at (http:\S+)/g;
const key = { SECRET_KEY: '0123456789abcdef0123456789abcdef' };

describe('WEB_CONCURRENCY without DATABASE_URL', () => {
  it('is refused with 78 and what to do', async () => {
    const { code, error } = await colophon(['serve'], { env: { WEB_CONCURRENCY: '2' } });
    assert.equal(code, 78);
    assert.equal(
      error,
      'WEB_CONCURRENCY is 2, but SQLite allows only one writing process: set DATABASE_URL to a PostgreSQL database that the workers share, or WEB_CONCURRENCY to 1.\n',
    );
  });
});

describe('numbers of several processes', () => {
  it('add up where they count, and stand side by side where they measure', () => {
    const text = (requests: number, age: number, fast: number) =>
      [
        '# HELP requests_total Requests.',
        '# TYPE requests_total counter',
        `requests_total{route="/a b",status="200"} ${requests}`,
        ...(requests > 5 ? [`requests_total{route="/c",status="404"} 1`] : []),
        '',
        '# HELP age_seconds Age.',
        '# TYPE age_seconds gauge',
        `age_seconds ${age}`,
        '# HELP took Time.',
        '# TYPE took histogram',
        `took_bucket{le="0.1"} ${fast}`,
        `took_bucket{le="+Inf"} ${requests}`,
        `took_sum ${requests / 4}`,
        '',
      ].join('\n');
    const merged = mergeMetrics(
      new Map([
        [1, text(3, 1.5, 2)],
        [2, text(8, 2, 8)],
      ]),
    );
    assert.equal(
      merged,
      [
        '# HELP requests_total Requests.',
        '# TYPE requests_total counter',
        'requests_total{route="/a b",status="200"} 11',
        'requests_total{route="/c",status="404"} 1',
        '# HELP age_seconds Age.',
        '# TYPE age_seconds gauge',
        'age_seconds{worker="1"} 1.5',
        'age_seconds{worker="2"} 2',
        '# HELP took Time.',
        '# TYPE took histogram',
        'took_bucket{le="0.1"} 10',
        'took_bucket{le="+Inf"} 11',
        'took_sum 2.75',
        '',
      ].join('\n'),
    );
  });
});

describe('two workers', () => {
  let postgres: TestPostgres | string;
  before(async () => {
    postgres = await sharedPostgres();
  });
  after(async () => {
    if (typeof postgres !== 'string') await postgres.close();
  });

  /** The command with two workers on its own database; null, and the test is skipped, where PostgreSQL cannot run. */
  async function start(t: TestContext, env: Record<string, string> = {}) {
    if (typeof postgres === 'string') {
      t.skip(`not run: PostgreSQL: ${postgres}`);
      return null;
    }
    const directory = await mkdtemp(join(tmpdir(), 'colophon-workers-'));
    const command = startColophon(['serve'], {
      env: {
        ...key,
        DATABASE_URL: await postgres.createDatabase(),
        DATA_DIR: directory,
        WEB_CONCURRENCY: '2',
        RATE_LIMIT_ANONYMOUS: '100000',
        ADMIN_PORT: '0',
        ...env,
      },
    });
    t.after(async () => {
      command.child.kill('SIGKILL');
      await command.ended;
      await rm(directory, { recursive: true, force: true });
    });
    return command;
  }

  async function listening(command: RunningCommand) {
    const [, url = ''] = await command.says(new RegExp(startLine.source));
    const [, admin = ''] = await command.says(/"url":"(http:[^"]+)","msg":"the admin listener/);
    return { url, admin };
  }

  it('share a port and the counts, say once where they are, and write whole lines', async (t) => {
    const command = await start(t, { TRUST_PROXY: '1' });
    if (command === null) return;
    const { url, admin } = await listening(command);
    const before = await (await fetch(`${admin}/metrics`)).text();
    assert.match(before, /^colophon_workers 2$/m);
    assert.match(before, /^process_resident_memory_bytes\{worker="2"\} \d+$/m);
    for (let sent = 0; sent < 40; sent += 1) {
      const { status } = await fetch(`${url}/api/v1/faq`, { headers: { connection: 'close' } });
      assert.equal(status, 200);
    }
    const metrics = await (await fetch(`${admin}/metrics`)).text();
    assert.match(metrics, /^colophon_http_requests_total\{route="\/api\/v1\/faq",method="GET",status="200"\} 40$/m);
    for (let client = 1; client <= 40; client += 1) {
      await fetch(`${url}/search?q=zzz`, { headers: { connection: 'close', 'x-forwarded-for': `192.0.2.${client}` } });
    }
    // What each of them has counted.
    const searched = [{ query: 'zzz', searches: 40, without_results: 40 }];
    assert.deepEqual(await (await fetch(`${admin}/searches`)).json(), {
      days: 30,
      most_frequent: searched,
      without_results: searched,
    });
    const ready = await fetch(`${admin}/readyz`);
    assert.equal(ready.status, 200);
    assert.match(await ready.text(), /^\{"status":"ready","reasons":\[\],"warnings":\[\],"revision":"[0-9a-f]{64}"/);
    command.child.kill('SIGTERM');
    assert.equal(await command.ended, 0);
    assert.equal([...command.out().matchAll(startLine)].length, 1);
    const lines = command.out().trim().split('\n');
    const parsed = lines.filter((line) => !line.startsWith('Colophon')).map((line) => JSON.parse(line));
    assert.equal(parsed.filter(({ msg, path }) => msg === 'request' && path === '/api/v1/faq').length, 40);
    assert.deepEqual(new Set(parsed.map(({ worker }) => worker)), new Set([1, 2, undefined]));
    assert.equal(command.error(), '');
  });

  it('keep serving when one of them dies, and it is replaced', async (t) => {
    const command = await start(t);
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
    const command = await start(t);
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
    const command = await start(t);
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
    const command = await start(t, { DRAIN_DELAY: '1' });
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
      const command = await start(t, { DRAIN_DELAY: '60' });
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

  it('do not start where one could not: 78 and the faults, once', async (t) => {
    const folder = writeContentFolder(t, { 'features.yaml': 'features: 1\n' });
    const command = await start(t, { CONTENT_DIR: folder });
    if (command === null) return;
    assert.equal(await command.ended, 78);
    assert.equal(
      command
        .error()
        .split('\n')
        .filter((line) => line.includes('features.yaml:1:11: ')).length,
      1,
    );
  });

  it('leave the port to whoever has it', async (t) => {
    const command = await start(t);
    if (command === null) return;
    const { url } = await listening(command);
    const second = await start(t, { PORT: new URL(url).port });
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
