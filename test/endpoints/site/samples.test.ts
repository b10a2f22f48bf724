/** Runs the samples of the portal against the server: JavaScript always, curl and Python where they are. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { startTestServer, type TestServer } from '../../support/server.ts';

const run = promisify(execFile);

interface Sample {
  readonly page: string;
  readonly language: string;
  readonly code: string;
}

let server: TestServer;
const samples: Sample[] = [];

before(async () => {
  server = await startTestServer();
  const index = await server.ask('/developers/reference.md');
  const reference = [...index.text.matchAll(/\((http[^)]+\/developers\/reference\/[^)]+\.md)\)/g)];
  const pages = ['/developers.md', ...reference.map(([, address = '']) => new URL(address).pathname)];
  for (const page of pages) {
    const { text } = await server.ask(page);
    samples.push(
      ...[...text.matchAll(/^( *)```(\w+)\n([\s\S]*?)\n\1```$/gm)].map(([, indent = '', language = '', code = '']) => ({
        page,
        language,
        code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      })),
    );
  }
});
after(() => server.close());

const preload = new URL('../../support/network-module.js', import.meta.url).href;

/** What the code prints; it may import the client from the server. */
async function runJavaScript(code: string): Promise<string> {
  const env = { ...process.env, MODULE_URL: `${server.baseUrl}/developers/client.js` };
  const words = ['--import', preload, '--input-type=module', '-e', code];
  return (await run(process.execPath, words, { env, timeout: 20_000 })).stdout;
}

const samplesIn = (language: string): Sample[] => samples.filter((sample) => sample.language === language);

/** Runs each, a few at a time; what fails is told with its page and code. */
async function all(list: readonly Sample[], runOne: (sample: Sample) => Promise<void>): Promise<void> {
  const failed: string[] = [];
  const queue = [...list];
  const worker = async (): Promise<void> => {
    for (let sample = queue.shift(); sample !== undefined; sample = queue.shift()) {
      try {
        await runOne(sample);
      } catch (error) {
        failed.push(`${sample.page}\n${sample.code}\n${error instanceof Error ? error.message : error}`);
      }
    }
  };
  await Promise.all([worker(), worker(), worker()]);
  assert.deepEqual(failed, []);
}

const has = async (command: string): Promise<boolean> =>
  run(command, ['--version']).then(
    () => true,
    () => false,
  );

describe('samples', () => {
  it('are there for every operation, in five languages', async () => {
    const { json } = await server.ask('/api/v1');
    for (const language of ['sh', 'js', 'python', 'swift', 'go']) {
      assert.ok(samplesIn(language).length >= json.endpoints.length, language);
    }
  });

  it('in JavaScript run as they stand', { timeout: 60_000 }, async () => {
    await all(samplesIn('js'), async ({ code }) => {
      const stdout = await runJavaScript(code);
      assert.notEqual(stdout.trim(), '', 'it prints nothing');
      if (code.includes('clientSecret')) assert.match(stdout, /^200 "authenticated";/);
    });
  });

  it('in JavaScript use the client, imported from this server', () => {
    const head = `import { createClient } from '${server.baseUrl}/developers/client.js';`;
    const without = samplesIn('js').filter(({ code }) => !code.includes(head) && !code.includes('isCode }'));
    assert.deepEqual(without, []);
    assert.ok(samplesIn('js').some(({ code }) => code.includes('await api.releases.latest(')));
  });

  it('in curl run as they stand', { timeout: 60_000 }, async (t) => {
    if (!(await has('curl'))) return t.skip('not run: there is no curl here');
    const commands = samplesIn('sh').filter(({ code }) => code.startsWith('curl '));
    assert.ok(commands.length > 15);
    await all(commands, async ({ code }) => {
      const { stdout } = await run('sh', ['-c', code], { timeout: 20_000 });
      assert.ok(stdout.length > 10);
      if (!/simulate=|-i /.test(code) && !code.includes('markdown')) {
        const answer = JSON.parse(stdout);
        assert.equal(typeof answer.object, 'string');
        // The portal makes one mistake on purpose.
        if (answer.object === 'error') assert.equal(answer.status, 404);
      }
    });
  });

  it('in Python run as they stand', { timeout: 60_000 }, async (t) => {
    if (!(await has('python3'))) return t.skip('not run: there is no python3 here');
    await all(samplesIn('python'), async ({ code }) => {
      const { stdout } = await run('python3', ['-c', code], { timeout: 20_000 });
      assert.equal(typeof JSON.parse(stdout).object, 'string');
    });
  });

  describe('as a form is filled in', () => {
    const part = (fields: Record<string, string>, accept = 'text/html') => {
      const query = new URLSearchParams({ part: 'samples', ...fields });
      return server.ask(`/developers/reference/releases?${query}`, { headers: { accept } });
    };

    it('are a part of the page that no cache keeps', async () => {
      const { status, headers, text } = await part({ operation: 'listReleases', input: '{"limit":"3","cursor":""}' });
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('ratelimit-policy'), '"pages";q=1000000;w=60');
      assert.doesNotMatch(text, /<html|cursor/);
      assert.match(text, /^<div class="code sample sh">/);
      assert.equal(text.split('<code ').length - 1, 5);
    });

    it('have what the server, the representation and simulate make of them', async () => {
      const { text } = await part(
        {
          operation: 'getRelease',
          server: 'sandbox',
          accept: 'text/markdown',
          simulate: 'slow',
          input: JSON.stringify({ version: `1'"\`\\<b>` }),
        },
        'text/markdown',
      );
      const address = `${server.baseUrl}/api/v1/sandbox/releases/1'%22%60%5C%3Cb%3E?simulate=slow`;
      const inShell = address.replace("'", "'\\''");
      assert.ok(text.startsWith(`\`\`\`sh\ncurl -sS '${inShell}' \\\n  -H 'Accept: text/markdown'\n\`\`\``), text);
      for (const language of ['js', 'python', 'swift', 'go']) assert.ok(text.includes(`\`\`\`${language}\n`), language);
      const live = await part({
        operation: 'getRelease',
        server: 'production',
        simulate: 'slow',
        input: '{"version":"1"}',
      });
      assert.doesNotMatch(live.text, /simulate|sandbox/);
      const exported = await part({ operation: 'startExport', input: '{"resource":"docs"}' }, 'text/markdown');
      assert.match(exported.text, /-H "Authorization: Bearer \$TOKEN"/);
      assert.match(exported.text, /request\.httpBody = Data\(#"\{"resource":"docs"\}"#\.utf8\)/);
    });

    it('in JavaScript run as a form makes them', { timeout: 60_000 }, async () => {
      const cases: Record<string, string>[] = [
        { operation: 'getRelease', server: 'sandbox', accept: 'text/markdown', input: '{"version":"0.0.0-sandbox"}' },
        { operation: 'getRelease', server: 'sandbox', input: '{"version":"0.0.0-sandbox"}' },
        { operation: 'listReleases', server: 'sandbox', simulate: 'slow', input: '{"limit":"1"}' },
        { operation: 'search', server: 'production', input: `{"q":"it's \\"quoted\\" \\\\ text","limit":"2"}` },
        { operation: 'runBatch', input: '{"operations":[{"id":"a","method":"GET","path":"/pricing"}]}' },
        { operation: 'startExport', server: 'sandbox', input: '{"resource":"faq","format":"json"}' },
      ];
      for (const fields of cases) {
        const { text } = await part(fields, 'text/markdown');
        const code = /```js\n([\s\S]*?)\n```/.exec(text)?.[1] ?? '';
        assert.match(await runJavaScript(code), /object: '\w+'|^200 /, code);
      }
      const exported = await part({ operation: 'startExport', input: '{"resource":"docs"}' }, 'text/markdown');
      assert.ok(exported.text.includes("import { env } from 'node:process';"));
      assert.ok(exported.text.includes('auth: { accessToken: env.TOKEN }'));
    });

    it('refuse an operation that there is not, and an input that is no object', async () => {
      assert.equal((await part({ operation: 'nothing' }, '*/*')).json.code, 'not_found');
      for (const input of ['[1', '[]', '7', 'null']) {
        const { status, json } = await part({ operation: 'listReleases', input }, '*/*');
        assert.equal(status, 400, input);
        assert.deepEqual(json.errors, [{ field: 'input', code: 'malformed', detail: 'input must be a JSON object.' }]);
      }
    });
  });

  it('show the answers that the API gives', async () => {
    for (const page of new Set(samplesIn('json').map((sample) => sample.page))) {
      for (const { code } of samplesIn('json').filter((sample) => sample.page === page)) {
        assert.doesNotThrow(() => JSON.parse(code), `${page}\n${code}`);
      }
    }
    const { text } = await server.ask('/developers/reference/releases.md');
    const { json: latest } = await server.ask('/api/v1/releases/latest');
    assert.ok(text.includes(JSON.stringify(latest.download_url)));
  });
});
