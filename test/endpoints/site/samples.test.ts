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
  it('are there for every operation, in four languages', async () => {
    const { json } = await server.ask('/api/v1');
    for (const language of ['sh', 'js', 'python', 'swift']) {
      assert.ok(samplesIn(language).length >= json.endpoints.length, language);
    }
  });

  it('in JavaScript run as they stand', { timeout: 60_000 }, async () => {
    await all(samplesIn('js'), async ({ code }) => {
      const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { timeout: 20_000 });
      assert.notEqual(stdout.trim(), '', 'it prints nothing');
      if (code.includes('/oauth/token')) assert.match(stdout, /^200 "authenticated";/);
    });
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
