/** Tests API versions: v0 returns 410, and a row in the list of versions is enough to deprecate or retire v1. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiVersion, findVersionFaults } from '../../../src/operations/versions.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { startTestServer } from '../../support/server.ts';

const deprecatedV1: readonly ApiVersion[] = [
  { name: 'v2', served: true, deprecated: null, sunset: null, successor: null },
  { name: 'v1', served: true, deprecated: '2027-01-01', sunset: '2027-07-01', successor: 'v2' },
  { name: 'v0', served: false, deprecated: '2026-02-01', sunset: '2026-08-01', successor: 'v1' },
];

describe('/api/{version}: version_retired', () => {
  it('v0 returns 410 on every path and method, and names its successor', async (t) => {
    const server = await startTestServer();
    t.after(() => server.close());
    for (const path of ['/api/v0', '/api/v0/', '/api/v0/releases/latest', '/api/v0/anything/at/all']) {
      for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'PUT']) {
        const { status, headers, json } = await server.request(path, { method });
        assert.equal(status, 410, `${method} ${path}`);
        assert.equal(headers.get('deprecation'), '@1769904000');
        assert.equal(headers.get('sunset'), 'Sat, 01 Aug 2026 00:00:00 GMT');
        assert.match(headers.get('link') ?? '', /rel="deprecation"/);
        assert.ok(headers.get('link')?.includes(`<${server.baseUrl}/api/v1>; rel="successor-version"`));
        if (method === 'HEAD') continue;
        assert.equal(json.code, 'version_retired');
        assert.equal(json.successor, `${server.baseUrl}/api/v1`);
      }
    }
    const current = await server.request('/api/v1/docs');
    assert.equal(current.headers.get('deprecation'), null);
    assert.equal(current.headers.get('sunset'), null);
  });

  it('the responses of v1 carry Deprecation, Sunset and Link from the date of its deprecation on', async (t) => {
    const clock = createManualClock(Date.parse('2026-12-31T23:59:59Z'));
    const server = await startTestServer({ clock, versions: deprecatedV1 });
    t.after(() => server.close());
    const fetchStatus = async () => (await server.request('/api/v1')).json.versioning.versions[1].status;
    assert.equal((await server.request('/api/v1/docs')).headers.get('deprecation'), null);
    assert.equal(await fetchStatus(), 'current');
    await clock.advance(1000);
    for (const path of ['/api/v1', '/api/v1/docs?limit=1', '/api/v1/nothing', '/api/v1/sandbox/docs']) {
      const { headers } = await server.request(path);
      assert.equal(headers.get('deprecation'), '@1798761600', path);
      assert.equal(headers.get('sunset'), 'Thu, 01 Jul 2027 00:00:00 GMT');
      assert.ok(headers.get('link')?.includes(`<${server.baseUrl}/api/v2>; rel="successor-version"`));
      if (path.includes('limit')) assert.match(headers.get('link') ?? '', /rel="next"/);
    }
    assert.equal(await fetchStatus(), 'deprecated');
  });

  it('v1 returns 410 version_retired after its sunset', async (t) => {
    const clock = createManualClock(Date.parse('2027-06-30T23:59:59Z'));
    const server = await startTestServer({ clock, versions: deprecatedV1 });
    t.after(() => server.close());
    assert.equal((await server.request('/api/v1/docs')).status, 200);
    await clock.advance(1000);
    const { status, json, headers } = await server.request('/api/v1/docs');
    assert.equal(status, 410);
    assert.equal(json.code, 'version_retired');
    assert.equal(headers.get('sunset'), 'Thu, 01 Jul 2027 00:00:00 GMT');
  });

  it('the server does not start if a version is retired less than 180 days after its deprecation', async () => {
    const versions = [{ name: 'v1', served: true, deprecated: '2027-01-01', sunset: '2027-06-01', successor: 'v2' }];
    assert.deepEqual(findVersionFaults(versions), [
      'v1 is retired less than 180 days after its deprecation on 2027-01-01.',
    ]);
    await assert.rejects(startTestServer({ versions }), /less than 180 days/);
  });
});
