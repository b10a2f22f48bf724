/** The real Varnish with the file that ships, told by real servers what changed: the new is there at once, the rest stays stored. */
import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { writeContentFolder } from '../support/content-folder.ts';
import { feedOf } from '../support/feed-samples.ts';
import { startPostgres } from '../support/postgres.ts';
import { createClient, percentile, startService } from './service.ts';
import { freePort } from './support/nginx.ts';
import { proxies } from './support/proxies.ts';

const varnish = proxies.find(({ name }) => name === 'Varnish');
const skip = varnish?.notRun ?? false;

const pages = 1000;
const page = (at: number, text = 'Words.') =>
  `---\ntitle: Page ${at}\ndescription: Page ${at}.\n---\n\n# Page ${at}\n\n${text}\n`;

const folderOf = (t: TestContext): string =>
  writeContentFolder(t, {
    'appcast.xml': feedOf('1.0'),
    ...Object.fromEntries(Array.from({ length: pages }, (_, at) => [`docs/page-${at}.md`, page(at)])),
  });

/** An origin that asks one server after the other, so that a cache may store what either serves. */
async function startTurns(t: TestContext, origins: string[]): Promise<string> {
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    turn += 1;
    const origin = new URL(origins[turn % origins.length] ?? '');
    const { method, url: path, headers } = incoming;
    const asked = request({ agent, host: origin.hostname, port: origin.port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    asked.on('error', () => outgoing.destroy());
    incoming.pipe(asked);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
    agent.destroy();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function startVarnish(t: TestContext, origin: string, port: number) {
  const running = await varnish?.start(origin, port);
  assert.ok(running);
  t.after(() => running.close());
  return running.url;
}

/** Whether Varnish had it: then it names the request that stored it, too. */
const isHit = (headers: Record<string, string | string[] | undefined>): boolean =>
  String(headers['x-varnish']).includes(' ');

/** Replaces a file as a deployment does. */
function replace(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

it('a release is seen through the cache within two seconds, and a thousand pages stay stored', { skip }, async (t) => {
  const folder = folderOf(t);
  const port = await freePort();
  const cacheUrl = `http://127.0.0.1:${port}`;
  const service = await startService(t, {
    CONTENT_DIR: folder,
    PURGE_URL: cacheUrl,
    TRUST_PROXY: '127.0.0.1',
    LOG_LEVEL: 'info',
  });
  await startVarnish(t, service.url, port);
  const client = createClient(cacheUrl, 8);
  t.after(() => client.close());
  // The cache was not there yet when the server started; what failed is repeated.
  await service.says(/"event":"cache\.purged"/);
  // The one that follows every purge after five seconds would empty it again.
  await wait(7000);
  const hits = async (): Promise<number> => {
    let count = 0;
    const all = Array.from({ length: pages }, (_, at) => at);
    const work = async () => {
      for (let at = all.pop(); at !== undefined; at = all.pop()) {
        const { status, headers } = await client.get(`/docs/page-${at}`);
        assert.equal(status, 200);
        if (isHit(headers)) count += 1;
      }
    };
    await Promise.all(Array.from({ length: 8 }, work));
    return count;
  };
  await hits();
  assert.equal(await hits(), pages);
  const took: number[] = [];
  for (const version of ['1.1', '1.2', '1.3']) {
    const versionOf = async () => JSON.parse((await client.get('/api/v1/releases/latest')).body.toString()).version;
    assert.notEqual(await versionOf(), version);
    const began = performance.now();
    replace(join(folder, 'appcast.xml'), feedOf('1.0', version));
    while ((await versionOf()) !== version) await wait(10);
    took.push(performance.now() - began);
    assert.equal(await hits(), pages, `pages that are still stored after ${version}`);
    await wait(6000);
    assert.equal(await hits(), pages, `pages that are still stored after the second purge of ${version}`);
  }
  assert.ok(Math.max(...took) < 2000, `seen after ${took.map(Math.round).join(', ')} ms`);
  t.diagnostic(
    `row 82: seen after ${took.map(Math.round).join(', ')} ms (median ${Math.round(percentile(took, 0.5))}), ${pages} of ${pages} pages still stored`,
  );
});

it('of two servers one adopts ten seconds late, and no stale page remains', { skip }, async (t) => {
  const postgres = await startPostgres();
  if (typeof postgres === 'string') return t.skip(`not run: ${postgres}`);
  t.after(() => postgres.close());
  const port = await freePort();
  const cacheUrl = `http://127.0.0.1:${port}`;
  const shared = {
    DATABASE_URL: await postgres.createDatabase(),
    SECRET_KEY: 'a secret for every process of the test',
    BASE_URL: cacheUrl,
    PURGE_URL: cacheUrl,
    TRUST_PROXY: '127.0.0.1',
    LOG_LEVEL: 'info',
  };
  const folders = [folderOf(t), folderOf(t)];
  const origins = [];
  for (const folder of folders) {
    const own = await freePort();
    await startService(t, { ...shared, CONTENT_DIR: folder, PORT: String(own) });
    origins.push(`http://127.0.0.1:${own}`);
  }
  await startVarnish(t, await startTurns(t, origins), port);
  const client = createClient(cacheUrl, 8);
  t.after(() => client.close());
  const changed = Array.from({ length: 20 }, (_, at) => at);
  const stale = async () => {
    const bodies = await Promise.all(
      changed.map(async (at) => (await client.get(`/docs/page-${at}.md`)).body.toString()),
    );
    return bodies.filter((body) => !body.includes('Other words.')).length;
  };
  await stale();
  const change = (folder: string) => {
    for (const at of changed) replace(join(folder, `docs/page-${at}.md`), page(at, 'Other words.'));
  };
  change(folders[0] ?? '');
  let mostStale = 0;
  for (let round = 0; round < 100; round += 1) {
    mostStale = Math.max(mostStale, await stale());
    await wait(100);
  }
  assert.ok(mostStale > 0, 'the late server was never asked, so nothing was tested');
  change(folders[1] ?? '');
  const began = performance.now();
  while ((await stale()) > 0) await wait(50);
  const took = Math.round(performance.now() - began);
  await wait(7000);
  assert.equal(await stale(), 0);
  t.diagnostic(`row 83: up to ${mostStale} of 20 pages stale until the late server adopted, none ${took} ms later`);
});
