/** Tests that docs/operating.md lists every command, exit code, metric and log field, and no metric that does not exist. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { exitCodes } from '../src/cli/command.ts';
import { commandNames } from '../src/cli/program.ts';
import { startTestServer, type TestServer } from './support/server.ts';

const page = readFileSync(new URL('../docs/operating.md', import.meta.url), 'utf8');

/** The first cell of each row of all tables, without its backquotes. */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split(' | ')[0]?.slice(2).replaceAll('`', '') ?? '');

describe('docs/operating.md', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ env: { ADMIN_PORT: '0' } });
  });
  after(() => server.close());

  it('the page has every command and exit code', () => {
    for (const name of commandNames)
      assert.ok(
        rows.some((row) => `${row} `.startsWith(`colophon ${name} `)),
        name,
      );
    for (const code of Object.values(exitCodes)) assert.ok(rows.includes(String(code)), String(code));
  });

  it('the page lists exactly the metrics that /metrics has', async () => {
    await server.request('/api/v1/faq');
    const text = await (await fetch(`${server.adminUrl}/metrics`)).text();
    const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);
    const colophonMetrics = names.filter((name) => name.startsWith('colophon_'));
    assert.deepEqual(
      colophonMetrics.filter((name) => !rows.includes(name)),
      [],
    );
    assert.deepEqual(
      rows.filter((row) => row.startsWith('colophon_') && !colophonMetrics.includes(row)),
      [],
    );
    for (const [, name = ''] of page.matchAll(/`((?:process|nodejs)_\w+)`/g)) assert.ok(names.includes(name), name);
  });

  it('every metric of the alert rules and the dashboard is documented', () => {
    const pages = page + readFileSync(new URL('../docs/scaling.md', import.meta.url), 'utf8');
    for (const file of ['prometheus-rules.yml', 'grafana-dashboard.json']) {
      const text = readFileSync(new URL(`../packaging/${file}`, import.meta.url), 'utf8');
      const names = [...text.matchAll(/\bcolophon_\w+/g)].map(([name]) => name.replace(/_(?:bucket|sum|count)$/, ''));
      assert.ok(names.length > 10, file);
      assert.deepEqual(
        names.filter((name) => !pages.includes(`\`${name}\``)),
        [],
        file,
      );
    }
  });

  it('the page has every field of an access line', async () => {
    await server.request('/api/v1/no-such-endpoint', { headers: { 'x-request-id': 'mine' } });
    const admin = await fetch(`${server.adminUrl}/readyz`);
    assert.equal(admin.status, 200);
    await server.close();
    const line = server.logLines.find(({ msg, status }) => msg === 'request' && status === 404) ?? {};
    const documentedWords = rows.flatMap((row) => row.split(' '));
    assert.ok(Object.keys(line).length > 10);
    assert.deepEqual(
      Object.keys(line).filter((field) => !documentedWords.includes(field)),
      [],
    );
  });
});
