/** Clients of seven generators for /openapi.sdk.json: they compile under `strict`, and read responses of this and of a later version. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type LaterService, startLaterService } from '../../support/later-service.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { generators } from './fixtures/generators.ts';
import { createLaterReport, programReport } from './fixtures/project.ts';
import { bundle, compile, generate, run } from './fixtures/workshop.ts';

let server: TestServer;
let later: LaterService;
let contract: string;
let expected: Record<string, unknown>;

before(async () => {
  server = await startTestServer();
  contract = (await server.request('/openapi.sdk.json')).text;
  later = await startLaterService(server.baseUrl, JSON.parse(contract));
  expected = await programReport(server);
});
after(async () => {
  await later?.close();
  await server?.close();
});

for (const generator of generators) {
  describe(`A client that ${generator.name} generates from /openapi.sdk.json`, () => {
    let folder: string;
    let program: string;

    it('the generator succeeds', { timeout: 70_000 }, async () => {
      const client = await generate(generator, contract);
      assert.equal(client.result.code, 0, client.result.text);
      folder = client.folder;
    });

    it('the client compiles under strict', { timeout: 70_000 }, async () => {
      assert.equal(await compile(folder), '');
      program = await bundle(folder);
    });

    for (const [which, origin, report] of [
      ['the client reads the responses of the server', () => server.baseUrl, () => expected],
      [
        'the client reads responses with added members, codes, states and kinds',
        () => later.origin,
        () => createLaterReport(expected),
      ],
    ] as const) {
      it(which, { timeout: 30_000 }, async () => {
        const { code, out, text } = await run(process.execPath, [program, origin()], { timeout: 20_000 });
        assert.equal(code, 0, text);
        assert.deepEqual(JSON.parse(out), report());
      });
    }
  });
}
