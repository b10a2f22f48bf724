/** Tests `colophon serve` with WEB_CONCURRENCY: two real processes behind one port, with a real PostgreSQL. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runColophon } from '../support/command.ts';
import { writeContentFolder } from '../support/content-folder.ts';
import { startWorkers, waitForUrls } from '../support/workers.ts';

const startLine = /Colophon serves .* at (http:[^\s"]+)/g;

describe('WEB_CONCURRENCY without DATABASE_URL', () => {
  it('colophon serve exits with 78 and names the two settings to change', async () => {
    const { code, stderr } = await runColophon(['serve'], { env: { WEB_CONCURRENCY: '2' } });
    assert.equal(code, 78);
    assert.equal(
      stderr,
      'WEB_CONCURRENCY is 2, but SQLite allows only one writing process: set DATABASE_URL to a PostgreSQL database that the processes share, or WEB_CONCURRENCY to 1.\n',
    );
  });
});

/**
 * Returns the text of /metrics at the base URL `admin`. Reads it until both workers are in it: on a busy machine, one may not
 * respond in time.
 */
async function fetchWorkerMetrics(admin: string): Promise<string> {
  let metrics = '';
  while (!/^colophon_workers 2$/m.test(metrics)) metrics = await (await fetch(`${admin}/metrics`)).text();
  return metrics;
}

describe('WEB_CONCURRENCY=2: two server processes', () => {
  it('the processes share a port, metrics and search counts, log the start once, and write whole lines', async (t) => {
    const command = await startWorkers(t, { TRUST_PROXY: '1' });
    if (command === null) return;
    const { url, admin } = await waitForUrls(command);
    const before = await fetchWorkerMetrics(admin);
    assert.match(before, /^process_resident_memory_bytes \d+$/m);
    for (let index = 0; index < 40; index += 1) {
      const { status } = await fetch(`${url}/api/v1/faq`, { headers: { connection: 'close' } });
      assert.equal(status, 200);
    }
    const metrics = await fetchWorkerMetrics(admin);
    assert.match(metrics, /^colophon_http_requests_total\{route="\/api\/v1\/faq",method="GET",status="200"\} 40$/m);
    // The two workers share the three connections of each query, so /searches has to add the counts of both.
    const queries = Array.from('abcdefgh', (letter) => `zz${letter}`);
    for (const query of queries) {
      for (let count = 0; count < 3; count += 1) {
        await fetch(`${url}/search?q=${query}`, { headers: { connection: 'close' } });
      }
    }
    const expected = queries.map((query) => ({ query, searches: 3, without_results: 3 }));
    const { since, ...lists } = (await (await fetch(`${admin}/searches`)).json()) as Record<string, unknown>;
    assert.match(String(since), /^\d{4}-\d\d-\d\dT/);
    assert.deepEqual(lists, { most_frequent: expected, without_results: expected });
    const ready = await fetch(`${admin}/readyz`);
    assert.equal(ready.status, 200);
    assert.match(await ready.text(), /^\{"status":"ready","reasons":\[\],"warnings":\[\],"revision":"[0-9a-f]{64}"/);
    command.child.kill('SIGTERM');
    assert.equal(await command.exitCode, 0);
    assert.equal([...command.getStdout().matchAll(startLine)].length, 1);
    const lines = command.getStdout().trim().split('\n');
    const entries = lines.map((line) => JSON.parse(line));
    assert.equal(entries.filter(({ msg, path }) => msg === 'request' && path === '/api/v1/faq').length, 40);
    assert.deepEqual(new Set(entries.map(({ worker }) => worker)), new Set([1, 2, undefined]));
    assert.equal(command.getStderr(), '');
  });

  it('an invalid content folder is reported once, with exit code 78', async (t) => {
    const folder = writeContentFolder(t, { 'features.yaml': 'features: 1\n' });
    const command = await startWorkers(t, { CONTENT_DIR: folder });
    if (command === null) return;
    assert.equal(await command.exitCode, 78);
    assert.equal(
      command
        .getStderr()
        .split('\n')
        .filter((line) => line.includes('features.yaml:1:11: ')).length,
      1,
    );
  });
});
