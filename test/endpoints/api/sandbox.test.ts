/** Tests the sandbox of the API: fixed fixtures, simulated errors and delays, and a separate rate limit. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { simulations } from '../../../src/operations/simulations.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { createJsonPost, startTestServer, type TestServer } from '../../support/server.ts';

describe('/api/v1/sandbox: RATE_LIMIT_SANDBOX, and each error with simulate', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  it('the fixtures are one release, three pages and two FAQ entries', async () => {
    const { json: release } = await server.request('/api/v1/sandbox/releases/latest');
    assert.equal(release.version, '0.0.0-sandbox');
    assert.equal(release.sandbox, true);
    for (const name of ['object', 'version', 'notes', 'published_at', 'download_url'])
      assert.equal(typeof release[name], 'string');
    const { json: docs } = await server.request('/api/v1/sandbox/docs');
    assert.deepEqual(
      docs.data.map(({ slug }: { slug: string }) => slug),
      ['quickstart', 'dictation', 'troubleshooting'],
    );
    assert.equal((await server.request('/api/v1/sandbox/faq')).json.data.length, 2);
    assert.equal((await server.request('/api/v1/sandbox/releases')).json.data.length, 1);
  });

  it('errors of the sandbox have sandbox: true and X-Service-Environment, unlike those of production', async () => {
    for (const path of ['/docs/nothing', '/nothing', '/docs?limit=0', '/docs?cursor=x']) {
      const { status, headers, json } = await server.request(`/api/v1/sandbox${path}`);
      assert.ok(status >= 400);
      assert.equal(json.sandbox, true, path);
      assert.equal(headers.get('x-service-environment'), 'sandbox');
    }
    const { headers } = await server.request('/api/v1/sandbox', { method: 'OPTIONS' });
    assert.equal(headers.get('x-service-environment'), 'sandbox');
    const production = await server.request('/api/v1/docs/nothing');
    assert.equal(production.json.sandbox, undefined);
    assert.equal(production.headers.get('x-service-environment'), null);
  });

  const outcomes: [string, number, string, Record<string, RegExp>][] = [
    ['rate_limited', 429, 'rate_limited', { 'retry-after': /^3$/, 'ratelimit-limit': /^\d+$/ }],
    ['invalid_request', 400, 'invalid_request', {}],
    ['not_found', 404, 'not_found', {}],
    ['invalid_token', 401, 'invalid_token', { 'www-authenticate': /^Bearer error="invalid_token"/ }],
    ['insufficient_scope', 403, 'insufficient_scope', { 'www-authenticate': /scope="export:docs"/ }],
    ['internal_error', 500, 'internal_error', {}],
    ['upstream_unavailable', 503, 'upstream_unavailable', { 'retry-after': /^[1-9]\d*$/ }],
  ];

  for (const [simulate, status, code, headers] of outcomes) {
    it(`simulate=${simulate} returns ${status} ${code} for GET and for POST /batch`, async () => {
      for (const path of ['', '/releases', '/docs/quickstart', '/search?q=sandbox']) {
        const answer = await server.request(
          `/api/v1/sandbox${path}${path.includes('?') ? '&' : '?'}simulate=${simulate}`,
        );
        assert.equal(answer.status, status);
        assert.equal(answer.json.code, code);
        assert.equal(answer.json.sandbox, true);
        assert.equal((answer.json.errors ?? []).length > 0, code === 'invalid_request');
        assert.equal(answer.headers.get('cache-control'), 'no-store');
        for (const [name, pattern] of Object.entries(headers)) assert.match(answer.headers.get(name) ?? '', pattern);
      }
      const batch = { operations: [{ id: 'a', method: 'GET', path: '/docs' }] };
      assert.equal(
        (await server.request(`/api/v1/sandbox/batch?simulate=${simulate}`, createJsonPost(batch))).status,
        status,
      );
    });
  }

  it('an unknown or repeated simulate is rejected with 400, and the production API ignores simulate', async () => {
    const { status, json } = await server.request('/api/v1/sandbox/docs?simulate=rate_limit');
    assert.equal(status, 400);
    assert.deepEqual(json.suggestions, ['rate_limited']);
    const repeated = await server.request('/api/v1/sandbox/docs?simulate=slow&simulate=slow');
    assert.equal(repeated.status, 400);
    const detail = 'simulate may be given once; you sent 2 values.';
    assert.deepEqual(repeated.json.errors, [{ field: 'simulate', code: 'repeated', detail }]);
    assert.equal((await server.request('/api/v1/docs?simulate=not_found')).status, 200);
  });

  it('POST /batch returns fixtures, and simulate applies to a single operation', async () => {
    const operations = [
      { id: 'a', method: 'GET', path: '/releases/latest' },
      { id: 'b', method: 'GET', path: '/docs?simulate=not_found' },
    ];
    const { json } = await server.request('/api/v1/sandbox/batch', createJsonPost({ operations }));
    assert.equal(json.sandbox, true);
    assert.equal(json.results[0].body.version, '0.0.0-sandbox');
    assert.equal(json.results[0].body.sandbox, true);
    assert.equal(json.results[1].status, 404);
    assert.equal(json.results[1].body.sandbox, true);
  });
});

describe('/api/v1/sandbox: simulate=slow, caching, markdown and RATE_LIMIT_SANDBOX', () => {
  it('simulate=slow delays the response by at least two seconds', async (t) => {
    const clock = createManualClock(Date.parse('2026-11-21T12:00:00Z'));
    const server = await startTestServer({ clock });
    t.after(() => server.close());
    let isDone = false;
    const pending = server.request('/api/v1/sandbox/docs?simulate=slow').then((answer) => {
      isDone = true;
      return answer;
    });
    while (!isDone) {
      await clock.advance(500);
      await setImmediate();
    }
    const answer = await pending;
    assert.equal(answer.status, 200);
    assert.ok(clock.monotonic() >= 2000);
  });

  it('every response to simulate has Cache-Control: no-store', async (t) => {
    const clock = createManualClock(Date.parse('2026-11-21T12:00:00Z'));
    const server = await startTestServer({ clock });
    t.after(() => server.close());
    const paths = ['', '/docs', '/docs/quickstart', '/faq', '/releases/latest', '/pricing', '/search?q=light'];
    const requests: [string, RequestInit][] = [
      ['/api/v1/sandbox/docs', { method: 'HEAD' }],
      ['/api/v1/sandbox/docs', { headers: { 'if-none-match': '*' } }],
      ['/api/v1/sandbox/exports', createJsonPost({ resource: 'docs', format: 'json' })],
      ...['application/json', 'text/markdown'].flatMap((accept) =>
        paths.map((path): [string, RequestInit] => [`/api/v1/sandbox${path}`, { headers: { accept } }]),
      ),
    ];
    for (const outcome of simulations.keys()) {
      for (const [path, init] of requests) {
        const pending = server.request(`${path}${path.includes('?') ? '&' : '?'}simulate=${outcome}`, init);
        let answer: Awaited<typeof pending> | null = null;
        void pending.then((response) => {
          answer = response;
        });
        while (answer === null) await clock.advance(500);
        assert.equal((await pending).headers.get('cache-control'), 'no-store', `${outcome} ${path}`);
      }
    }
    const { headers } = await server.request('/api/v1/sandbox/docs');
    assert.match(headers.get('cache-control') ?? '', /^public/);
  });

  it('every markdown response of the sandbox begins with a note about fixture data, and no other response has it', async (t) => {
    const server = await startTestServer();
    t.after(() => server.close());
    const note = '> Sandbox: fixed fixture data, not the product’s.\n\n';
    for (const path of ['', '/docs', '/docs/quickstart', '/faq', '/releases/latest', '/pricing', '/search?q=light']) {
      const ask = (root: string, accept: string) => server.request(`${root}${path}`, { headers: { accept } });
      const markdown = await ask('/api/v1/sandbox', 'text/markdown');
      assert.deepEqual([markdown.status, markdown.text.startsWith(note)], [200, true], path);
      const json = await ask('/api/v1/sandbox', 'application/json');
      assert.equal(json.text.includes(note), false, path);
      if (path !== '/docs/quickstart') assert.equal((await ask('/api/v1', 'text/markdown')).text.includes(note), false);
    }
  });

  it('requests count against RATE_LIMIT_SANDBOX and not against RATE_LIMIT_ANONYMOUS', async (t) => {
    const clock = createManualClock(Date.parse('2026-11-21T12:00:00Z'));
    const server = await startTestServer({ clock, env: { RATE_LIMIT_SANDBOX: '60', RATE_LIMIT_ANONYMOUS: '120' } });
    t.after(() => server.close());
    for (let count = 1; count <= 60; count += 1) {
      const { status, headers } = await server.request('/api/v1/sandbox/docs');
      assert.equal(status, 200);
      assert.equal(headers.get('ratelimit-remaining'), String(60 - count));
      assert.equal(headers.get('ratelimit-policy'), '"sandbox";q=60;w=60');
    }
    const response = await server.request('/api/v1/sandbox/docs');
    assert.equal(response.status, 429);
    assert.equal(response.json.sandbox, true);
    const { headers } = await server.request('/api/v1/docs');
    assert.equal(headers.get('ratelimit-remaining'), '119');
  });
});
