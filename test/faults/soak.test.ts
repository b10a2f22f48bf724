/** Minutes of every kind of request at once: what they leave behind in memory, open files and the write-ahead log. */
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import {
  authorizationPath,
  basic,
  bearer,
  getTicket,
  newProof,
  newToken,
  registerApp,
  registerClient,
} from '../support/oauth.ts';
import { atRate, createClient, isShort, openFiles, residentMb, startService, withoutProc } from './service.ts';

/** Maximum number of rounds in progress. */
const maxOpen = 100;

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

it('a server under mixed load for minutes has bounded memory, open files and write-ahead log', {
  skip: withoutProc,
}, async (t) => {
  const minutes = isShort ? 1 : 20;
  const service = await startService(t);
  const client = createClient(service.url, 32);
  t.after(() => client.close());
  const app = await registerApp(service);
  const owner = await registerClient(service);
  const token = await newToken(service);
  const index = JSON.parse((await client.get('/api/v1')).body.toString());
  const gets: string[] = [
    '/',
    '/docs/quickstart',
    '/faq',
    '/openapi.json',
    '/llms.txt',
    '/nothing',
    '/docs/none',
    '/releases.atom',
  ];
  for (const { method, path, token_required } of index.endpoints)
    if (method === 'GET' && !token_required && !path.includes('{')) gets.push(path);
  const count = new Map<number, number>();
  const faults: string[] = [];
  const send = async (method: string, path: string, headers = {}, body?: string) => {
    const answer = await client.send(method, path, headers, body);
    count.set(answer.status, (count.get(answer.status) ?? 0) + 1);
    if (answer.status >= 500) faults.push(`${method} ${path}: ${answer.status}`);
    return answer;
  };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const kinds: ((round: number) => Promise<unknown>)[] = [
    (round) =>
      send('GET', gets[round % gets.length] ?? '/', { accept: round % 3 === 0 ? 'text/markdown, */*;q=0.1' : '*/*' }),
    (round) => send('GET', gets[round % gets.length] ?? '/', { 'accept-encoding': round % 2 === 0 ? 'br' : 'gzip' }),
    (round) => send('GET', `/api/v1/search?q=dictation+${round % 400}`),
    (round) => send('GET', `/api/v1/docs?limit=${round % 9}&x=${round % 300}`),
    (round) => send('GET', `/api/v1/compatibility?os_version=${10 + (round % 20)}.${round % 7}&arch=arm64`),
    () => send('GET', '/api/v1/docs', bearer(token)),
    () => send('GET', '/api/v1/docs', bearer(`${token.slice(0, -3)}xyz`)),
    (round) =>
      send(
        'POST',
        '/api/v1/batch',
        { ...json, 'idempotency-key': `soak-${round % 500}` },
        JSON.stringify({ operations: [{ id: 'a', method: 'GET', path: '/faq' }] }),
      ),
    () => send('POST', '/api/v1/batch', json, '{"operations":['),
    () => send('POST', '/oauth/token', { ...form, ...basic(owner) }, 'grant_type=client_credentials'),
    () => send('POST', '/oauth/register', json, '{"scope":"read:docs"}'),
    async () => {
      const page = await send('GET', authorizationPath(app, newProof()));
      await send(
        'POST',
        '/oauth/authorize',
        form,
        new URLSearchParams({ ticket: getTicket(page.body.toString()), decision: 'allow' }).toString(),
      );
    },
    (round) =>
      send(
        'POST',
        '/api/v1/exports',
        { ...json, ...bearer(token), 'idempotency-key': `e-${round % 40}` },
        `{"resource":"${round % 2 === 0 ? 'docs' : 'faq'}","format":"json"}`,
      ).then(() => {}),
    () => send('POST', '/mcp', { ...json, accept: 'application/json, text/event-stream' }, JSON.stringify(call)),
    async () => {
      const started = await send('POST', '/api/v1/sandbox/exports', json, '{"resource":"docs","format":"markdown"}');
      await send('GET', new URL(JSON.parse(started.body.toString()).poll_url).pathname);
    },
    (round) => send('OPTIONS', gets[round % gets.length] ?? '/'),
    (round) => send('DELETE', gets[round % gets.length] ?? '/'),
  ];
  const samples: { at: number; mb: number; files: number; wal: number }[] = [];
  const began = performance.now();
  let open = 0;
  let leftOut = 0;
  const load = atRate(isShort ? 200 : 250, async (round) => {
    // A slow machine skips rounds, because it would send them after the twenty minutes.
    if (open >= maxOpen) {
      leftOut += 1;
      return;
    }
    open += 1;
    // A kind with a conflict of keys, such as an export under a key of another body, counts as an answer too.
    await kinds[round % kinds.length]?.(Math.floor(round / kinds.length)).catch((error: unknown) =>
      faults.push(String(error)),
    );
    open -= 1;
  });
  while (performance.now() - began < minutes * 60_000) {
    await new Promise((resolve) => setTimeout(resolve, 5000));
    const wal = await stat(join(service.dataDir, 'colophon.sqlite-wal')).then(
      ({ size }) => size / 1e6,
      () => 0,
    );
    samples.push({
      at: (performance.now() - began) / 60_000,
      mb: await residentMb(service.pid),
      files: await openFiles(service.pid),
      wal,
    });
  }
  const rounds = (await load.stop()) - leftOut;
  // A minute says nothing of a curve.
  if (!isShort)
    t.diagnostic(
      `minute, MB resident, open files, MB of the write-ahead log: ${JSON.stringify(minuteByMinute(samples))}`,
    );
  assert.deepEqual(faults.slice(0, 5), []);
  assert.equal(service.child.exitCode, null);
  // The first part warms up: code is compiled, and what is kept of answers fills. Requests repeat, so nothing else may grow.
  const steady = samples.slice(Math.floor(samples.length * 0.4));
  const slope = computeSlope(steady.map(({ at, mb }) => [at, mb]));
  const [first, last] = [steady[0] ?? assert.fail(), steady.at(-1) ?? assert.fail()];
  const files = Math.max(...steady.map(({ files: open }) => open));
  const wal = Math.max(...samples.map(({ wal: size }) => size));
  assert.ok(slope < (isShort ? 60 : 6), `memory grows by ${slope.toFixed(1)} MB a minute`);
  assert.ok(files < 120, `${files} open files`);
  assert.ok(wal < 40, `a write-ahead log of ${wal} MB`);
  const statuses = [...count].sort(([a], [b]) => a - b).map(([status, times]) => `${times} x ${status}`);
  t.diagnostic(
    `${minutes} minutes, ${rounds} rounds (${statuses.join(', ')}): resident ${first.mb.toFixed(0)} MB, then ${last.mb.toFixed(0)} MB (${slope.toFixed(1)} MB a minute), at most ${files} open files, write-ahead log at most ${wal.toFixed(1)} MB`,
  );
});

/** Returns the maximum of each value in each minute, in whole units. */
function minuteByMinute(samples: readonly { at: number; mb: number; files: number; wal: number }[]): number[][] {
  const minutes = Map.groupBy(samples, ({ at }) => Math.ceil(at));
  return [...minutes].map(([minute, of]) => {
    const findMaximum = (key: 'mb' | 'files' | 'wal') =>
      Math.round(Math.max(...of.map((sample) => sample[key])) * 10) / 10;
    return [minute, Math.round(findMaximum('mb')), findMaximum('files'), findMaximum('wal')];
  });
}

/** Least squares. */
function computeSlope(points: readonly (readonly [number, number])[]): number {
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const above = points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0);
  return above / points.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
}
