/** Tests the client that the server serves: the bytes, the headers, and that programs which import the client call this server. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { startTestServer, type TestServer } from '../../support/server.ts';

const moduleBytes = readFileSync(resolve(import.meta.dirname, '../../../packages/client/dist/client.js'));
const path = '/developers/client.js';

describe('GET /developers/client.js and /client.tgz', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const fetchModule = (headers: Record<string, string> = {}, method = 'GET') =>
    fetch(server.listenUrl + path, { method, headers: { 'accept-encoding': 'identity', ...headers } });

  it('/developers/client.js is the built file, with headers that let any origin import it', async () => {
    const response = await fetchModule({ origin: 'https://elsewhere.example' });
    assert.equal(response.status, 200);
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), moduleBytes);
    const { etag, ...headers } = Object.fromEntries(response.headers);
    assert.match(etag ?? '', /^"[^"]+"$/);
    for (const [name, value] of Object.entries({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=60, s-maxage=300, stale-while-revalidate=300, stale-if-error=604800',
      'content-length': String(moduleBytes.length),
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
    })) {
      assert.equal(headers[name], value, name);
    }
    assert.match(headers['ratelimit-policy'] ?? '', /^"pages";/);
  });

  it('each content coding has a separate entity tag, and If-None-Match with it gets 304', async () => {
    const tags = new Set<string>();
    for (const coding of ['identity', 'gzip', 'br']) {
      const response = await server.request(path, { headers: { 'accept-encoding': coding } });
      assert.equal(response.headers.get('content-encoding'), coding === 'identity' ? null : coding);
      assert.equal(response.text, moduleBytes.toString());
      const etag = response.headers.get('etag') ?? '';
      tags.add(etag);
      const revalidation = await server.request(path, {
        headers: { 'accept-encoding': coding, 'if-none-match': etag },
      });
      assert.deepEqual([revalidation.status, revalidation.text, revalidation.headers.get('etag')], [304, '', etag]);
    }
    assert.equal(tags.size, 3);
  });

  it('HEAD returns the Content-Length of GET, and POST gets 405', async () => {
    const head = await fetchModule({}, 'HEAD');
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(moduleBytes.length)]);
    const post = await server.request(path, { method: 'POST' });
    assert.deepEqual([post.status, post.headers.get('allow')], [405, 'GET, HEAD, OPTIONS']);
  });

  it('npm installs /client.tgz with its types and its license, and a program can import it', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'client-package-'));
    t.after(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    const args = ['install', `${server.baseUrl}/client.tgz`, '--ignore-scripts', '--no-audit', '--no-fund'];
    await promisify(execFile)('npm', [...args, `--cache=${join(folder, 'cache')}`], { cwd: folder });
    const packageFolder = join(folder, 'node_modules/@colophon/client');
    const sourceFolder = resolve(import.meta.dirname, '../../../packages/client');
    for (const name of [
      'LICENSE',
      'README.md',
      'package.json',
      ...readdirSync(join(sourceFolder, 'dist')).map((name) => `dist/${name}`),
    ]) {
      assert.deepEqual(readFileSync(join(packageFolder, name)), readFileSync(join(sourceFolder, name)), name);
    }
    const program = `import { createClient } from '@colophon/client';
      console.log((await createClient({ baseUrl: '${server.baseUrl}' }).releases.latest()).version);`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: folder,
    });
    assert.equal(stdout.trim(), (await server.request('/api/v1/releases/latest')).json.version);
  });

  it('a program that imports the downloaded module can call the API', async (t) => {
    const { text } = await server.request(path);
    const folder = mkdtempSync(join(tmpdir(), 'client-module-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'client.mjs');
    writeFileSync(file, text);
    const { createClient, isCode } = await import(pathToFileURL(file).href);
    const api = createClient({ baseUrl: server.baseUrl });
    const { json } = await server.request('/api/v1/releases/latest');
    assert.deepEqual(await api.releases.latest(), json);
    await assert.rejects(
      async () => api.docs.get('quikstart'),
      (error) => isCode(error, 'not_found'),
    );
  });
});
