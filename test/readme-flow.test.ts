/** Runs the commands of docs/api.md and of /auth.md unchanged, in a shell with curl. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { startTestServer } from './support/server.ts';

const page = readFileSync(new URL('../docs/api.md', import.meta.url), 'utf8');
const printedOrigin = 'http://127.0.0.1:8080';
const run = promisify(execFile);
const hasCurl = spawnSync('curl', ['--version']).status === 0 && spawnSync('sh', ['-c', 'true']).status === 0;

it('the six curl commands in docs/api.md, from a 401 to an export, print the documented output', {
  skip: hasCurl ? false : 'not run: curl and sh are not here',
}, async (t) => {
  const server = await startTestServer();
  t.after(() => server.close());
  const section = page.slice(page.indexOf('## From a 401 to an export'));
  const [, script = '', output = ''] = /```sh\n([\s\S]*?)```\n\n```text\n([\s\S]*?)\n```/.exec(section) ?? [];
  assert.equal(script.match(/curl /g)?.length, 6);
  const { stdout } = await run('sh', ['-eu', '-c', script.replaceAll(printedOrigin, server.baseUrl)], {
    timeout: 60_000,
  });
  assert.equal(stdout.replaceAll(server.baseUrl, printedOrigin).replaceAll('\r', '').trim(), output.trim());
});

it('the commands in GET /auth.md register a client, get a token, read a page and revoke both', {
  skip: hasCurl ? false : 'not run: curl and sh are not here',
}, async (t) => {
  const server = await startTestServer();
  t.after(() => server.close());
  const { text } = await server.request('/auth.md');
  assert.match(text, /^# .*auth\.md/m);
  const script = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, commands]) => commands).join('\n');
  const { stdout } = await run(
    'sh',
    ['-eu', '-c', `${script}\necho "token=$token secret=$client_secret id=$client_id"`],
    {
      timeout: 60_000,
    },
  );
  const [, token = '', secret = '', id = ''] = /token=(at_\S+) secret=(cs_\S+) id=(cl_\S+)/.exec(stdout) ?? [];
  assert.match(stdout, /title: "Quickstart"/);
  const response = await server.request('/api/v1', { headers: { authorization: `Bearer ${token}` } });
  assert.equal(response.status, 401);
  const tokenResponse = await server.request('/oauth/token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret }).toString(),
  });
  assert.equal(tokenResponse.json.code, 'invalid_client');
});
