/** A short version of `npm run test:clients`: one generator for the contract, and the packed client in the oldest Node. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { startLaterService } from '../support/later-service.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { generators } from './clients/fixtures/generators.ts';
import { createLaterReport, createProject, exerciseReport, programReport } from './clients/fixtures/project.ts';
import { bundle, compile, generate, installed, run } from './clients/fixtures/workshop.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server?.close());

it('a client of openapi-typescript and openapi-fetch compiles, and reads responses of a later API version', {
  timeout: 150_000,
}, async (t) => {
  const [generator] = generators;
  assert.ok(generator?.name === 'openapi-fetch');
  const { text: contract } = await server.request('/openapi.sdk.json');
  const later = await startLaterService(server.baseUrl, JSON.parse(contract));
  t.after(() => later.close());
  const { folder, result } = await generate(generator, contract);
  assert.equal(result.code, 0, result.text);
  assert.equal(await compile(folder), '');
  const program = await bundle(folder);
  const serverReport = await programReport(server);
  for (const [origin, report] of [
    [server.baseUrl, serverReport],
    [later.origin, createLaterReport(serverReport)],
  ] as const) {
    const { out, text } = await run(process.execPath, [program, origin], { timeout: 20_000 });
    assert.deepEqual(JSON.parse(out || 'null'), report, text);
  }
});

it('the packed client runs in Node 18', { timeout: 150_000 }, async (t) => {
  const node = installed('node-18/bin/node');
  if (!existsSync(node)) return t.skip(`not run: npm has no Node 18 for ${process.platform}-${process.arch}`);
  const project = await createProject();
  t.after(() => rm(project, { recursive: true, force: true }));
  const words = [join(project, 'main.js'), server.baseUrl];
  const { out, text } = await run(node, words, { cwd: project, timeout: 50_000 });
  assert.deepEqual(JSON.parse(out || 'null'), await exerciseReport(server), text);
});
