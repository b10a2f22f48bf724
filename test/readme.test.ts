/** The README says what is true: its calls give what stands under them, its table has every endpoint. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { operations } from '../src/resources/resources.ts';
import { startTestServer, type TestServer } from './support/server.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const printed = 'http://127.0.0.1:8080';

describe('README', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  it('shows what its calls answer', async () => {
    const calls = [...readme.matchAll(/```sh\n(curl [^\n]+)\n```\n\n```(?:json|markdown)\n([\s\S]*?)\n```/g)];
    assert.ok(calls.length >= 3);
    for (const [, command = '', output = ''] of calls) {
      const url = /(http:\/\/127\.0\.0\.1:8080[^\s']*)/.exec(command)?.[1] ?? '';
      const accept = /-H 'Accept: ([^']+)'/.exec(command)?.[1];
      const { text } = await server.ask(url.slice(printed.length), accept === undefined ? {} : { headers: { accept } });
      assert.equal(text.replaceAll(server.baseUrl, printed).trim(), output.trim(), command);
    }
  });

  it('lists every endpoint', () => {
    for (const { method, path } of operations) {
      const shown = path === '' ? '`/` (the root itself)' : `\`${path}\``;
      assert.ok(readme.includes(`| ${method} | ${shown} |`), `${method} ${path}`);
    }
  });
});
