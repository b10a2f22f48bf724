/** Tests redirects of redirects.yaml and of aliases. Request targets are sent unchanged, as a hostile client would send them. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { writeContentFolder } from '../../support/content-folder.ts';
import { sendRaw } from '../../support/raw.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const redirects = `redirects:
  - { from: /wiki/*, to: "https://code.example/acme/app/wiki/*" }
  - { from: /dl/*, to: "https://cdn.example/*" }
  - { from: /older/*, to: /wiki/* }
  - { from: /v1/*, to: /docs/* }
  - { from: /gone/*, to: "https://code.example/acme" }
`;

describe('redirects.yaml', () => {
  const cleanups: (() => unknown)[] = [];
  let server: TestServer;
  before(async () => {
    const context = { after: (cleanup: () => unknown) => void cleanups.push(cleanup) };
    const page = '---\ntitle: Bulbs\naliases: [/Lamps]\n---\nText.\n';
    const directory = writeContentFolder(context, { 'docs/bulbs.md': page, 'redirects.yaml': redirects });
    server = await startTestServer({ env: { CONTENT_DIR: directory } });
  });
  after(async () => {
    await server.close();
    for (const cleanup of cleanups) await cleanup();
  });

  /** Sends the target byte by byte and returns the status and the Location, without this server's own base URL. */
  async function request(target: string, { method = 'GET', accept = '*/*' } = {}): Promise<[number, string | null]> {
    const head = `${method} ${target} HTTP/1.1\r\nHost: ${new URL(server.baseUrl).host}\r\nAccept: ${accept}\r\nConnection: close\r\n\r\n`;
    const { status, headers } = await sendRaw(server.baseUrl, Buffer.from(head, 'latin1'));
    return [status, headers.location?.replace(server.baseUrl, '') ?? null];
  }

  const locations: Record<string, string> = {
    '/wiki/Getting-Started': 'https://code.example/acme/app/wiki/Getting-Started',
    '/WIKI/Getting-Started': 'https://code.example/acme/app/wiki/Getting-Started',
    '/dl/App-2.0.DMG': 'https://cdn.example/App-2.0.DMG',
    '/dl/Sotto.app.md': 'https://cdn.example/Sotto.app.md',
    '/dl/index.html': 'https://cdn.example/index.html',
    '/wiki/index': 'https://code.example/acme/app/wiki/index',
    '/wiki/a/b/': 'https://code.example/acme/app/wiki/a/b/',
    '/wiki': 'https://code.example/acme/app/wiki',
    '/wiki/': 'https://code.example/acme/app/wiki/',
    '/wiki/x?y=1&z=%2F': 'https://code.example/acme/app/wiki/x?y=1&z=%2F',
    '/wiki?y=1': 'https://code.example/acme/app/wiki?y=1',
    '/wiki/a%3Fb%23c': 'https://code.example/acme/app/wiki/a%3Fb%23c',
    '/wiki/%41%2fb%C3%a9': 'https://code.example/acme/app/wiki/%41%2fb%C3%a9',
    '/%77iki/x': 'https://code.example/acme/app/wiki/x',
    '/wiki/100%': 'https://code.example/acme/app/wiki/100%',
    '/wiki/...': 'https://code.example/acme/app/wiki/...',
    '/wiki/..a': 'https://code.example/acme/app/wiki/..a',
    '/dl//other.example/x': 'https://cdn.example//other.example/x',
    '/older/Some%20Page?q=A': 'https://code.example/acme/app/wiki/Some%20Page?q=A',
  };
  for (const [target, location] of Object.entries(locations)) {
    it(`${target} redirects with the rest of the path and the query unchanged`, async () => {
      assert.deepEqual(await request(target), [308, location]);
      assert.deepEqual(await request(target, { method: 'HEAD' }), [308, location]);
      assert.deepEqual(await request(target, { accept: 'text/html' }), [308, location]);
    });
  }

  it('a redirect within this site has the canonical spelling of its target', async () => {
    assert.deepEqual(await request('/v1/Bulbs.html'), [308, '/docs/bulbs']);
    assert.deepEqual(await request('/lamps.md'), [308, '/docs/bulbs.md']);
    assert.deepEqual(await request('/gone/Anything?x=1'), [308, 'https://code.example/acme']);
  });

  const dotSegments = [
    '..%2f..%2f..%2fattacker/repo',
    '../../../attacker',
    '%2e%2e/%2E%2E/attacker',
    '.%2e/attacker',
    '..%5c..%5cattacker',
    '..\\..\\attacker',
    'a%5C%2e%2E%5cb',
    'a/..',
    './a',
    'a/%2e',
    '%252e%252e%252fattacker',
    '..%25%32%66attacker',
  ];
  for (const rest of dotSegments) {
    it(`/wiki/${rest} gets 404 because it has a dot segment`, async () => {
      for (const prefix of ['/wiki/', '/dl/', '/older/', '/v1/', '/gone/', '/docs/bulbs/']) {
        for (const accept of ['*/*', 'text/html', 'text/markdown']) {
          assert.deepEqual(await request(prefix + rest, { accept }), [404, null], prefix);
          assert.deepEqual(await request(`${prefix}${rest}/`, { accept }), [404, null], prefix);
        }
      }
    });
  }
});

describe('Redirects that would repeat the requested URL', () => {
  it('an unknown path below /download, /sandbox or /developers/reference gets 404 without Location', async (t) => {
    const server = await startTestServer();
    t.after(() => server.close());
    const paths = ['/download', '/sandbox', '/developers/reference', '/sandbox/docs', '/oauth', '/.well-known'].flatMap(
      (prefix) =>
        ['%20', '%C3%A9/x', '%c3%a9', '%00', 'A', '2.0%20beta', '..%2f..%2fetc'].map((rest) => `${prefix}/${rest}`),
    );
    for (const path of paths) {
      for (const accept of ['*/*', 'text/html']) {
        const head = `GET ${path} HTTP/1.1\r\nHost: ${new URL(server.baseUrl).host}\r\nAccept: ${accept}\r\n\r\n`;
        const { status, headers } = await sendRaw(server.baseUrl, head);
        assert.deepEqual([status, headers.location], [404, undefined], `${path} ${accept}`);
      }
    }
  });

  it('a rule of redirects.yaml whose target is the requested URL gets 404', async (t) => {
    const baseUrl = 'https://lamp.example';
    const rules = `redirects:\n  - { from: /wiki/*, to: "${baseUrl}/wiki/*" }\n  - { from: /shop%20a, to: "${baseUrl}/shop%20a#x" }\n`;
    const directory = writeContentFolder(t, { 'redirects.yaml': rules });
    const server = await startTestServer({ env: { CONTENT_DIR: directory, BASE_URL: baseUrl } });
    t.after(() => server.close());
    for (const target of ['/wiki/x', '/wiki/%C3%A9?y=1', '/wiki/%c3%a9', '/shop%20a']) {
      assert.equal((await server.request(target)).status, 404, target);
    }
  });
});
