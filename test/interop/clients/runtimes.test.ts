/** The packed client: installed and type-checked in an empty project, and run in every runtime that it supports. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { launchBrowser } from './fixtures/browser.ts';
import { createProject, exerciseReport } from './fixtures/project.ts';
import { startWorkerd } from './fixtures/workerd.ts';
import { here, installed, run } from './fixtures/workshop.ts';

let server: TestServer;
let project: string;
let expected: Record<string, unknown>;

before(async () => {
  server = await startTestServer();
  project = await createProject();
  expected = await exerciseReport(server);
});
after(async () => {
  await server?.close();
  await rm(project, { recursive: true, force: true });
});

describe('@colophon/client in an empty project', () => {
  for (const [resolution, module] of [
    ['bundler', 'esnext'],
    ['nodenext', 'nodenext'],
  ] as const) {
    for (const [surroundings, settings] of [
      ['the DOM library', { lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'], types: [] }],
      ['the types of Node', { lib: ['es2022'], types: ['node'], typeRoots: [installed('@types')] }],
    ] as const) {
      it(`the client type-checks with moduleResolution ${resolution} and ${surroundings}`, {
        timeout: 90_000,
      }, async () => {
        const folder = join(project, `${resolution}-${settings.types.length}`);
        await mkdir(folder, { recursive: true });
        const compilerOptions = {
          ...settings,
          target: 'es2022',
          module,
          moduleResolution: resolution,
          strict: true,
          exactOptionalPropertyTypes: true,
          noUncheckedIndexedAccess: true,
          skipLibCheck: false,
          noEmit: true,
        };
        await writeFile(
          join(folder, 'tsconfig.json'),
          JSON.stringify({ compilerOptions, files: ['../typed.ts', '../queries.ts'] }),
        );
        const words = [installed('typescript/bin/tsc'), '--project', folder];
        const { code, text } = await run(process.execPath, words, { cwd: project, timeout: 80_000 });
        assert.equal(code, 0, text);
      });
    }
  }
});

const runtimes = [
  { name: 'Node 18', program: installed('node-18/bin/node'), words: [] },
  { name: 'Node 20', program: installed('node-20/bin/node'), words: [] },
  { name: 'Node 24', program: installed('node-24/bin/node'), words: [] },
  { name: 'Node 26', program: process.execPath, words: [] },
  { name: 'Bun', program: installed('@oven/bun-linux-x64/bin/bun'), words: ['run'] },
  {
    name: 'Deno',
    program: installed('@deno/linux-x64-glibc/deno'),
    words: ['run', '--quiet', '--no-prompt', '--allow-net=127.0.0.1', '--allow-read'],
  },
];

describe('@colophon/client in each runtime', () => {
  for (const { name, program, words } of runtimes) {
    it(`the client works in ${name}`, { timeout: 60_000 }, async (t) => {
      if (!existsSync(program)) return t.skip(`not run: npm has no ${name} for ${process.platform}-${process.arch}`);
      const version = await run(program, ['--version'], { timeout: 20_000 });
      t.diagnostic(version.out.trim().split('\n')[0] ?? '');
      const args = [...words, join(project, 'main.js'), server.baseUrl];
      const { code, out, text } = await run(program, args, { cwd: project, timeout: 50_000 });
      assert.equal(code, 0, text);
      assert.deepEqual(JSON.parse(out), expected);
    });
  }

  it('the client works in workerd, the runtime of Cloudflare Workers', { timeout: 60_000 }, async (t) => {
    const program = installed('@cloudflare/workerd-linux-64/bin/workerd');
    if (!existsSync(program)) return t.skip(`not run: workerd is installed for Linux x64 only`);
    t.diagnostic((await run(program, ['--version'], { timeout: 20_000 })).out.trim());
    const worker = await startWorkerd(program, project);
    t.after(() => worker.close());
    const response = await fetch(`${worker.origin}/?origin=${encodeURIComponent(server.baseUrl)}`);
    const text = await response.text();
    assert.equal(response.status, 200, text);
    assert.deepEqual(JSON.parse(text), expected);
  });

  it('the client works in Chromium, imported from another origin, and rejects a client secret', {
    timeout: 90_000,
  }, async (t) => {
    const browser = await launchBrowser();
    if (typeof browser === 'string') return t.skip(`not run: ${browser}`);
    t.after(() => browser.close());
    t.diagnostic(browser.version());
    const exercise = await readFile(join(here, 'runtimes/exercise.js'));
    const otherOrigin = createServer((request, response) => {
      if (request.url === '/exercise.js') return response.setHeader('content-type', 'text/javascript').end(exercise);
      return response.setHeader('content-type', 'text/html').end('<!doctype html><title>elsewhere</title>');
    });
    await new Promise<void>((resolve) => otherOrigin.listen(0, '127.0.0.1', resolve));
    t.after(() => otherOrigin.close());
    const page = await (await browser.newContext()).newPage();
    const problems: string[] = [];
    page.on('pageerror', ({ message }) => problems.push(message));
    await page.goto(`http://127.0.0.1:${(otherOrigin.address() as AddressInfo).port}/`);
    const result = await page.evaluate(async (origin) => {
      const client = await import(`${origin}/developers/client.js`);
      const { exercise: run } = await import(`${location.origin}/exercise.js`);
      const secret = { baseUrl: origin, auth: { clientId: 'a', clientSecret: 'b' } };
      let refusal = '';
      try {
        client.createClient(secret);
      } catch (error) {
        refusal = String(error);
      }
      return { refusal, report: await run(client, { origin, mayHoldSecret: false }) };
    }, server.baseUrl);
    assert.match(result.refusal, /A client secret in a web page is readable by everyone/);
    // The HTTP cache of the browser responds instead of the cache of the client.
    assert.deepEqual(result.report, { ...expected, fromCache: false });
    assert.deepEqual(problems, []);
  });
});
