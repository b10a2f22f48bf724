/** Runs the samples of the portal against the server: JavaScript always, curl and Python if they are installed. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
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
  host = fork(new URL('../../support/module-host.js', import.meta.url), {
    execArgv: ['--import', preload],
    env: { ...process.env, MODULE_URL: `${server.baseUrl}/developers/client.js` },
  });
  const index = await server.request('/developers/reference.md');
  const reference = [...index.text.matchAll(/^## \[\w+\]\((http[^)]+\/developers\/reference\/\w+)\)$/gm)];
  const pages = [
    '/developers.md',
    '/developers/authentication.md',
    ...reference.map(([, address = '']) => `${new URL(address).pathname}.md`),
  ];
  for (const page of pages) {
    const { text } = await server.request(page);
    samples.push(
      ...[...text.matchAll(/^( *)```(\w+)\n([\s\S]*?)\n\1```$/gm)].map(([, indent = '', language = '', code = '']) => ({
        page,
        language,
        code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      })),
    );
  }
});
after(async () => {
  host.kill();
  await server.close();
});

let host: ChildProcess;
let previous: Promise<unknown> = Promise.resolve();
const preload = new URL('../../support/network-module.js', import.meta.url).href;

/**
 * Runs code, which may import the client, after the code of all earlier calls, and returns its output. Rejects if the code fails or
 * takes longer than 100 seconds.
 */
function runJavaScript(code: string): Promise<string> {
  const output = previous.then(async () => {
    host.send(code);
    const [{ output: moduleOutput, error }] = await once(host, 'message', { signal: AbortSignal.timeout(100_000) });
    if (error !== null) throw new Error(error);
    return moduleOutput;
  });
  previous = output.catch(() => {});
  return output;
}

const getSamples = (language: string): Sample[] => samples.filter((sample) => sample.language === language);

/** Returns the samples in `language` that need neither a credential nor the export that another sample starts. */
const getIndependentSamples = (language: string): Sample[] =>
  getSamples(language).filter(({ page, code }) => !page.endsWith('/authentication.md') && !code.includes('EXPORT_URL'));

/**
 * Returns the samples of the operation with this ID, by language, or an empty object if there are none; `page` is the path of the
 * Markdown page that has them.
 */
async function fetchSamples(page: string, id: string): Promise<Readonly<Record<string, string>>> {
  const { text } = await server.request(page);
  const section = text.slice(text.indexOf(`(\`${id}\`)`)).split(/^## /m)[0] ?? '';
  return Object.fromEntries(
    [...section.matchAll(/^```(\w+)\n([\s\S]*?)\n```$/gm)].map(([, language = '', code = '']) => [language, code]),
  );
}

/** Runs each sample, three at a time. Asserts that none fails; the message has the page, the code and the error of each failure. */
async function runAll(list: readonly Sample[], runOne: (sample: Sample) => Promise<void>): Promise<void> {
  const failures: string[] = [];
  const queue = [...list];
  const worker = async (): Promise<void> => {
    for (let sample = queue.shift(); sample !== undefined; sample = queue.shift()) {
      try {
        await runOne(sample);
      } catch (error) {
        failures.push(`${sample.page}\n${sample.code}\n${error instanceof Error ? error.message : error}`);
      }
    }
  };
  await Promise.all([worker(), worker(), worker()]);
  assert.deepEqual(failures, []);
}

const isInstalled = async (command: string): Promise<boolean> =>
  run(command, ['--version']).then(
    () => true,
    () => false,
  );

describe('Code samples of /developers, /developers/authentication and /developers/reference', () => {
  it('every operation has samples in five languages, without example credentials', async () => {
    const { json } = await server.request('/api/v1');
    for (const language of ['sh', 'js', 'python', 'swift', 'go']) {
      assert.ok(getSamples(language).length >= json.endpoints.length, language);
      const credentials = getSamples(language).filter(({ code }) =>
        /cl_0A1b|at_u9K|ct_2Kr|a5a5|app\.example/.test(code),
      );
      assert.deepEqual(credentials, []);
    }
  });

  it('the samples in JavaScript run unchanged', { timeout: 60_000 }, async () => {
    await runAll(
      [...getIndependentSamples('js'), ...getSamples('js').filter(({ page }) => page.startsWith('/developers/auth'))],
      async ({ code }) => {
        const stdout = await runJavaScript(code);
        assert.notEqual(stdout.trim(), '', 'it prints nothing');
        if (code.includes('clientSecret')) assert.match(stdout, /^200 "authenticated";/);
      },
    );
  });

  it('the samples in JavaScript import the client and have the command that installs it from this server', () => {
    const head = "import { createClient } from '@colophon/client';";
    const incomplete = getIndependentSamples('js').filter(
      ({ code }) => !code.includes(head) && !code.includes('isCode }'),
    );
    assert.deepEqual(incomplete, []);
    const install = `// npm install ${server.baseUrl}/client.tgz\n`;
    for (const { code } of getSamples('js'))
      if (code.includes('@colophon/client')) assert.ok(code.includes(install), code);
    assert.ok(getSamples('js').some(({ code }) => code.includes('await api.releases.latest(')));
  });

  it('the samples in curl run unchanged', { timeout: 60_000 }, async (t) => {
    if (!(await isInstalled('curl'))) return t.skip('not run: there is no curl here');
    const commands = getIndependentSamples('sh').filter(({ code }) => code.startsWith('curl '));
    assert.ok(commands.length > 15);
    await runAll(commands, async ({ code }) => {
      const { stdout } = await run('sh', ['-c', code], { timeout: 100_000 });
      assert.ok(stdout.length > 10);
      if (!/simulate=|-i /.test(code) && !code.includes('markdown')) {
        const answer = JSON.parse(stdout);
        assert.equal(typeof answer.object, 'string');
        // The guide requests /docs/quckstart to show an error, so the response of that sample is a 404.
        if (answer.object === 'error') assert.equal(answer.status, 404);
      }
    });
  });

  it('the samples in Python run unchanged', { timeout: 60_000 }, async (t) => {
    if (!(await isInstalled('python3'))) return t.skip('not run: there is no python3 here');
    await runAll(getIndependentSamples('python'), async ({ code }) => {
      const { stdout } = await run('python3', ['-c', code], { timeout: 100_000 });
      assert.equal(typeof JSON.parse(stdout).object, 'string');
    });
  });

  it('the commands of the walkthrough run in order, from the 401 to the export file and the deleted client', {
    timeout: 60_000,
  }, async (t) => {
    if (!(await isInstalled('curl'))) return t.skip('not run: there is no curl here');
    const { text } = await server.request('/developers/authentication.md');
    const walkthrough = text.split('## From 401 to a finished export')[1]?.split(/^## /m)[0] ?? '';
    const commands = [...walkthrough.matchAll(/^```sh\n([\s\S]*?)\n```$/gm)].map(([, code]) => code);
    assert.equal(commands.length, 10);
    const script = [
      ...commands,
      `curl -sS -o /dev/null -w '%{http_code}' ${server.baseUrl}/agent/auth -H "Authorization: Bearer $TOKEN"`,
    ];
    const { stdout } = await run('sh', ['-c', script.join('\necho; echo ----\n')], { timeout: 50_000 });
    const outputs = stdout.split('\n----\n');
    assert.match(outputs[0] ?? '', /^HTTP\/1\.1 401 [\s\S]*^WWW-Authenticate: Bearer .*resource_metadata=/im);
    assert.equal(JSON.parse(outputs[1] ?? '').resource, server.baseUrl);
    assert.equal(JSON.parse(outputs[2] ?? '').token_endpoint, `${server.baseUrl}/oauth/token`);
    assert.match(outputs[3] ?? '', /^cl_[\w-]{16}\s*$/);
    assert.equal(JSON.parse(outputs[4] ?? '').scope, 'export:docs');
    assert.equal(JSON.parse(outputs[5] ?? '').rate_limit.policy, 'authenticated');
    assert.equal(JSON.parse(outputs[6] ?? '').status, 'queued');
    assert.match(outputs[7] ?? '', /\/exports\/[0-9a-f]{64}\.md\s*$/);
    assert.match(outputs[8] ?? '', /^> Sandbox: /);
    assert.equal(outputs[10]?.trim(), '401', 'the token is revoked with its client');
  });

  for (const [language, command, flag] of [
    ['sh', 'sh', '-c'],
    ['python', 'python3', '-c'],
    ['js', process.execPath, '-e'],
  ] as const) {
    it(`the OAuth samples in ${language} run with exported variables, from registration to deletion`, async (t) => {
      if (!(await isInstalled(command === 'sh' ? 'curl' : command)))
        return t.skip(`not run: there is no ${command} here`);
      const page = '/developers/reference/authentication.md';
      // The variables that the samples read from the environment, where a reader exports each of them once.
      const env: Record<string, string> = {};
      const runSample = async (id: string) => {
        const { [language]: code = '' } = await fetchSamples(page, id);
        const more = language === 'js' ? ['--input-type=module'] : [];
        const { stdout } = await run(command, [...more, flag, code], { env: { ...process.env, ...env } });
        return stdout;
      };
      const getField = (output: string, name: string): string =>
        new RegExp(`["']?${name}["']?: *["']([^"']+)["']`).exec(output)?.[1] ?? '';
      const client = await runSample('registerClient');
      env.CLIENT_ID = getField(client, 'client_id');
      env.CLIENT_SECRET = getField(client, 'client_secret');
      env.REGISTRATION_ACCESS_TOKEN = getField(client, 'registration_access_token');
      assert.equal(getField(await runSample('readRegistration'), 'client_id'), env.CLIENT_ID);
      env.TOKEN = getField(await runSample('issueToken'), 'access_token');
      assert.equal(getField(await runSample('getAgentAuth'), 'policy'), 'authenticated');
      assert.equal((await runSample('revokeToken')).trim(), '{}');
      const rejection = await server.request('/agent/auth', { headers: { authorization: `Bearer ${env.TOKEN}` } });
      assert.equal(rejection.json.code, 'invalid_token');
      assert.match(await runSample('deleteRegistration'), language === 'sh' ? /^$/ : /^204/);
      assert.match(await runSample('getAuthGuide'), /# auth\.md/);
    });
  }

  it('the sample of getExportFile downloads the file', async () => {
    const startResponse = await server.request('/api/v1/sandbox/exports', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"resource":"faq","format":"markdown"}',
    });
    const path = new URL(startResponse.json.poll_url).pathname;
    for (const status of ['queued', 'running', 'completed'])
      assert.equal((await server.request(path)).json.status, status);
    const { json: job } = await server.request(path);
    const { js = '' } = await fetchSamples('/developers/reference/exports.md', 'getExportFile');
    const env = { ...process.env, EXPORT_URL: String(job.result.url) };
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', js], { env });
    assert.match(stdout, /^200 /);
  });

  describe('GET /developers/reference/{group}?part=samples: not_found, invalid_request', () => {
    const fetchPart = (fields: Record<string, string>, accept = 'text/html') => {
      const query = new URLSearchParams({ part: 'samples', ...fields });
      return server.request(`/developers/reference/releases?${query}`, { headers: { accept } });
    };

    it('the response is an HTML fragment with Cache-Control: no-store', async () => {
      const { status, headers, text } = await fetchPart({
        operation: 'listReleases',
        input: '{"limit":"3","cursor":""}',
      });
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('ratelimit-policy'), '"pages";q=1000000;w=60');
      assert.doesNotMatch(text, /<html|cursor/);
      assert.match(text, /^<div class="code sample sh">/);
      assert.equal(text.split('<code ').length - 1, 5);
    });

    it('the samples have the server, the representation and the simulation of the query', async () => {
      const { text } = await fetchPart(
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
      const production = await fetchPart({
        operation: 'getRelease',
        server: 'production',
        simulate: 'slow',
        input: '{"version":"1"}',
      });
      assert.doesNotMatch(production.text, /simulate|sandbox/);
      const exportPart = await fetchPart({ operation: 'startExport', input: '{"resource":"docs"}' }, 'text/markdown');
      assert.match(exportPart.text, /-H "Authorization: Bearer \$TOKEN"/);
      assert.match(exportPart.text, /request\.httpBody = Data\(#"\{"resource":"docs"\}"#\.utf8\)/);
    });

    it('the samples in JavaScript run with the input of the query', { timeout: 60_000 }, async () => {
      const cases: Record<string, string>[] = [
        { operation: 'getRelease', server: 'sandbox', accept: 'text/markdown', input: '{"version":"0.0.0-sandbox"}' },
        { operation: 'getRelease', server: 'sandbox', input: '{"version":"0.0.0-sandbox"}' },
        { operation: 'listReleases', server: 'sandbox', simulate: 'slow', input: '{"limit":"1"}' },
        { operation: 'search', server: 'production', input: `{"q":"it's \\"quoted\\" \\\\ text","limit":"2"}` },
        { operation: 'runBatch', input: '{"operations":[{"id":"a","method":"GET","path":"/pricing"}]}' },
        { operation: 'startExport', server: 'sandbox', input: '{"resource":"faq","format":"json"}' },
      ];
      for (const fields of cases) {
        const { text } = await fetchPart(fields, 'text/markdown');
        const code = /```js\n([\s\S]*?)\n```/.exec(text)?.[1] ?? '';
        assert.match(await runJavaScript(code), /object: '\w+'|^200 /, code);
      }
      const exportPart = await fetchPart({ operation: 'startExport', input: '{"resource":"docs"}' }, 'text/markdown');
      assert.ok(exportPart.text.includes("import { env } from 'node:process';"));
      assert.ok(exportPart.text.includes('auth: { accessToken: env.TOKEN }'));
    });

    it('an unknown operation is not_found, and an input that is no object is invalid_request', async () => {
      assert.equal((await fetchPart({ operation: 'nothing' }, '*/*')).json.code, 'not_found');
      for (const input of ['[1', '[]', '7', 'null']) {
        const { status, json } = await fetchPart({ operation: 'listReleases', input }, '*/*');
        assert.equal(status, 400, input);
        assert.deepEqual(json.errors, [{ field: 'input', code: 'malformed', detail: 'input must be a JSON object.' }]);
      }
    });
  });

  it('the sample responses are JSON, and the latest release is the one of the API', async () => {
    for (const page of new Set(getSamples('json').map((sample) => sample.page))) {
      for (const { code } of getSamples('json').filter((sample) => sample.page === page)) {
        assert.doesNotThrow(() => JSON.parse(code), `${page}\n${code}`);
      }
    }
    const { text } = await server.request('/developers/reference/releases.md');
    const { json: latest } = await server.request('/api/v1/releases/latest');
    assert.ok(text.includes(JSON.stringify(latest.download_url)));
  });
});
