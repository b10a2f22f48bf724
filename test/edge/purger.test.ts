/** Purging: what a cache is sent, how failures are repeated, and that of several processes one purges until the last has adopted. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as turn } from 'node:timers/promises';
import { readConfig } from '../../src/config/environment.ts';
import { createCacheClient } from '../../src/edge/cache-client.ts';
import { adopted, beaten, claimed, gone, noPurges, type PurgeState, purged } from '../../src/edge/purge-state.ts';
import { writeContentFile, writeContentFolder } from '../support/content-folder.ts';
import { feedOf } from '../support/feed-samples.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { type PurgedCache, startPurgedCache } from '../support/purged-cache.ts';
import { startOneServer } from '../support/server.ts';

const start = Date.parse('2026-11-21T12:00:00Z');

async function until(clock: ManualClock, isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    await clock.advance(100);
    await turn(2);
  }
}

async function startPurging(t: TestContext, env: Record<string, string> = {}, dataDir?: string) {
  const directory = env.CONTENT_DIR ?? writeContentFolder(t, { 'appcast.xml': feedOf('1.0') });
  const cache = await startPurgedCache(t);
  const clock = createManualClock(start);
  const all = { PURGE_URL: cache.url, ADMIN_PORT: '0', ...env, CONTENT_DIR: directory };
  const server = await startOneServer({ clock, env: all, ...(dataDir !== undefined && { dataDir }) });
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    const closing = server.close().then(() => {
      isClosed = true;
    });
    await until(clock, () => isClosed);
    await closing;
  };
  t.after(close);
  return { directory, cache, clock, server, close };
}

const keysOf = ({ purges }: PurgedCache) => purges.map(({ keys }) => keys);

const faq = (answer: string) =>
  `entries:\n  - id: is-it-bright\n    category: Use\n    question: Is it bright?\n    answer: ${answer}\n`;

describe('a server with PURGE_URL', () => {
  it('purges what changed while it was stopped, and nothing when nothing did', async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'colophon-'));
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    const BASE_URL = 'https://api.example.com';
    const first = await startPurging(t, { BASE_URL }, dataDir);
    await until(first.clock, () => first.cache.purges.length === 2);
    assert.deepEqual(keysOf(first.cache), [['all'], ['all']]);
    const stopped = await first.server.serving();
    assert.equal(stopped.purges?.waiting, 0);
    await first.close();
    writeContentFile(first.directory, 'faq.yaml', faq('Very.'));

    const second = await startPurging(t, { BASE_URL, CONTENT_DIR: first.directory }, dataDir);
    await until(second.clock, () => second.cache.purges.length === 2);
    assert.deepEqual(keysOf(second.cache), [
      ['mixed', 'res-redirects', 'res-faq'],
      ['mixed', 'res-redirects', 'res-faq'],
    ]);
    await second.close();

    const third = await startPurging(t, { BASE_URL, CONTENT_DIR: first.directory }, dataDir);
    await third.clock.advance(60_000);
    const { purges } = await third.server.serving();
    await third.close();
    assert.deepEqual([purges?.waiting, third.cache.purges], [0, []]);
  });

  it('repeats a purge that failed, says so in /readyz and /metrics, and then stops', async (t) => {
    const { cache, clock, server } = await startPurging(t);
    cache.status = 503;
    await until(clock, () => cache.purges.length === 3);
    const readiness = async () => (await (await fetch(`${server.adminUrl}/readyz`)).json()) as { warnings: string[] };
    const metrics = async () => (await (await fetch(`${server.adminUrl}/metrics`)).text()).split('\n');
    assert.deepEqual((await readiness()).warnings, [
      `Caches may serve what has changed: the last purge failed and is repeated. ${cache.url}: the cache responded with 503`,
    ]);
    const failing = await metrics();
    assert.ok(failing.includes('colophon_purge_failing 1'));
    assert.ok(failing.some((line) => /^colophon_purges_total\{outcome="failed"\} [2-9]/.test(line)));
    cache.status = 204;
    await until(clock, () => server.lines.some(({ event }) => event === 'cache.purged'));
    await clock.advance(20_000);
    await until(clock, () => server.lines.filter(({ event }) => event === 'cache.purged').length > 0);
    assert.deepEqual((await readiness()).warnings, []);
    const well = await metrics();
    for (const line of ['colophon_purge_failing 0', 'colophon_purge_waiting 0']) assert.ok(well.includes(line), line);
    assert.equal(server.lines.filter(({ event }) => event === 'cache.purge_failed').length >= 2, true);
  });

  it('sends a purge in the form of its preset', async (t) => {
    const cache = await startPurgedCache(t);
    const clock = createManualClock(start);
    const published = { slugs: ['a/b'], faqIds: [], versions: [], content: { assets: new Map() } };
    const sent = async (env: Record<string, string>, keys: readonly string[]) => {
      cache.purges.length = 0;
      const { purge } = readConfig({ PURGE_URL: `${cache.url}x`, ...env }, process.cwd());
      assert.ok(purge);
      await createCacheClient(purge, clock).purge(keys, published);
      return cache.purges;
    };
    const three = ['feed', 'mixed', 'page-a.b'];
    const [varnish, ...rest] = await sent({ PURGE_BATCH: '2', PURGE_METHOD: 'DELETE', PURGE_HEADER: 'x-keys' }, three);
    assert.deepEqual([varnish?.method, varnish?.url, varnish?.headers['x-keys']], ['DELETE', '/x', 'feed mixed']);
    assert.deepEqual(
      rest.map(({ headers }) => headers['x-keys']),
      ['page-a.b'],
    );
    const fastly = await sent({ PURGE_PRESET: 'fastly', PURGE_AUTHORIZATION: 'Fastly-Key: s3cret' }, three);
    assert.deepEqual(
      fastly.map(({ method, headers, body }) => [method, headers['surrogate-key'], headers['fastly-key'], body]),
      [['POST', 'feed mixed page-a.b', 's3cret', '']],
    );
    const cloudflare = await sent(
      { PURGE_PRESET: 'cloudflare', PURGE_AUTHORIZATION: 'Authorization: Bearer t' },
      three,
    );
    assert.deepEqual(
      cloudflare.map(({ method, headers, body }) => [method, headers['content-type'], headers.authorization, body]),
      [['POST', 'application/json', 'Bearer t', '{"tags":["feed","mixed","page-a.b"]}']],
    );
    cache.status = 404;
    const nginx = await sent({ PURGE_PRESET: 'nginx' }, ['page-a.b']);
    assert.equal(nginx.length, 3 * 4 * 3);
    assert.deepEqual([...new Set(nginx.map(({ method, url }) => `${method} ${url}`))].sort(), [
      'GET /x/api/v1/docs/a/b',
      'GET /x/docs/a/b',
      'GET /x/docs/a/b.md',
    ]);
    await assert.rejects(sent({}, three), { message: `${cache.url}x: the cache responded with 404` });
  });

  it('refuses settings that cannot work together', () => {
    const faults = (env: Record<string, string>) => {
      try {
        readConfig(env, process.cwd());
      } catch (error) {
        return error instanceof Error ? error.message : '';
      }
      return '';
    };
    assert.equal(
      faults({ PURGE_URL: 'ftp://x' }),
      'PURGE_URL must be an http or https URL without a user name or a fragment.',
    );
    assert.equal(
      faults({ PURGE_PRESET: 'cloudflare', PURGE_BATCH: '101' }),
      'PURGE_BATCH must be at most 100 with PURGE_PRESET cloudflare.',
    );
    assert.equal(
      faults({ PURGE_PRESET: 'nginx', PURGE_HEADER: 'xkey' }),
      'PURGE_HEADER is set, but PURGE_PRESET nginx lists no keys in a header.',
    );
    assert.equal(
      faults({ PURGE_AUTHORIZATION: 'secret' }),
      'PURGE_AUTHORIZATION must be a header with its value, such as Authorization: Bearer TOKEN.',
    );
  });
});

describe('of several processes', () => {
  const of = (id: string, revision: string) => ({ id, revision });
  /** Purges with success, if that is due and nobody else does. */
  const purge = (state: PurgeState, id: string, now: number): [PurgeState, readonly string[]] => {
    const claim = claimed(state, id, now);
    return [claim.keys.length > 0 ? purged(claim.state, id, null, now) : claim.state, claim.keys];
  };

  it('one purges at once, again after five seconds, and again when the last has adopted', () => {
    let keys: readonly string[];
    let state = adopted(adopted(noPurges, of('a', '1'), [], 0), of('b', '1'), [], 0);
    assert.deepEqual(claimed(state, 'a', 0).keys, []);
    state = adopted(state, of('a', '2'), ['feed'], 1000);
    const both = [claimed(state, 'a', 1000), claimed(claimed(state, 'a', 1000).state, 'b', 1000)];
    assert.deepEqual(
      both.map((one) => one.keys),
      [['feed'], []],
    );
    [state] = purge(state, 'a', 1000);
    [state, keys] = purge(state, 'b', 5999);
    assert.deepEqual(keys, []);
    [state, keys] = purge(beaten(state, of('b', '1'), 6000), 'b', 6000);
    assert.deepEqual(keys, ['feed']);
    [state, keys] = purge(beaten(state, of('a', '2'), 9000), 'a', 9000);
    assert.deepEqual(keys, []);
    // The late one finds nothing that is new, and everybody is told once more.
    state = adopted(state, of('b', '2'), [], 11_000);
    [state, keys] = purge(state, 'b', 11_000);
    assert.deepEqual(keys, ['feed']);
    [state, keys] = purge(state, 'b', 16_000);
    assert.deepEqual([keys, state.changed, state.due], [['feed'], [], []]);
  });

  it('what changed is purged for the last time when the one that lagged is gone', () => {
    let state = adopted(adopted(noPurges, of('a', '1'), [], 0), of('b', '1'), [], 0);
    state = adopted(state, of('a', '2'), ['feed'], 1000);
    [state] = purge(state, 'a', 1000);
    [state] = purge(state, 'a', 6000);
    assert.deepEqual(beaten(state, of('a', '2'), 14_000).due, []);
    assert.deepEqual(beaten(state, of('a', '2'), 15_000).due, [15_000, 20_000]);
    assert.deepEqual(beaten(gone(state, 'b'), of('a', '2'), 7000).due, [7000, 12_000]);
  });

  it('another takes over from one that is gone while it purges, and waits longer after each failure', () => {
    let state = adopted(noPurges, of('a', '1'), ['feed'], 0);
    state = claimed(state, 'a', 0).state;
    assert.deepEqual(claimed(beaten(state, of('b', '1'), 59_999), 'b', 59_999).keys, []);
    const claim = claimed(beaten(state, of('b', '1'), 60_000), 'b', 60_000);
    assert.deepEqual(claim.keys, ['feed']);
    assert.equal(purged(claim.state, 'a', null, 60_001), claim.state);
    const waits: (number | undefined)[] = [];
    state = claim.state;
    for (let at = 0; at < 8; at += 1) {
      const now = 100_000 * (at + 1);
      state = purged({ ...state, claim: { by: 'b', until: now + 1 }, due: [] }, 'b', 'down', now);
      waits.push((state.due[0] ?? 0) - now);
    }
    assert.deepEqual(waits, [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
    assert.equal(state.problem, 'down');
    assert.deepEqual(state.changed, ['feed']);
  });
});
