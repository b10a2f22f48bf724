/** Every kind of request at once for 20 minutes: memory, open files and the write-ahead log must stay bounded. */
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import {
  createAuthorizationPath,
  createBasicHeaders,
  createBearerHeaders,
  createProofKey,
  createToken,
  getTicket,
  registerApp,
  registerClient,
} from '../support/oauth.ts';
import {
  countOpenFiles,
  createClient,
  isShort,
  procSkipReason,
  readResidentMb,
  startLoad,
  startService,
} from './service.ts';

/** Maximum number of rounds in progress. */
const maxOpen = 100;

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

it('a server under mixed load for minutes has bounded memory, open files and write-ahead log', {
  skip: procSkipReason,
}, async (t) => {
  const minutes = isShort ? 1 : 20;
  const service = await startService(t);
  const client = createClient(service.url, 32);
  t.after(() => client.close());
  const app = await registerApp(service);
  const owner = await registerClient(service);
  const token = await createToken(service);
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
    const response = await client.send(method, path, headers, body);
    count.set(response.status, (count.get(response.status) ?? 0) + 1);
    if (response.status >= 500) faults.push(`${method} ${path}: ${response.status}`);
    return response;
  };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const kinds: ((round: number) => Promise<unknown>)[] = [
    (round) =>
      send('GET', gets[round % gets.length] ?? '/', { accept: round % 3 === 0 ? 'text/markdown, */*;q=0.1' : '*/*' }),
    (round) => send('GET', gets[round % gets.length] ?? '/', { 'accept-encoding': round % 2 === 0 ? 'br' : 'gzip' }),
    (round) => send('GET', `/api/v1/search?q=dictation+${round % 400}`),
    (round) => send('GET', `/api/v1/docs?limit=${round % 9}&x=${round % 300}`),
    (round) => send('GET', `/api/v1/compatibility?os_version=${10 + (round % 20)}.${round % 7}&arch=arm64`),
    () => send('GET', '/api/v1/docs', createBearerHeaders(token)),
    () => send('GET', '/api/v1/docs', createBearerHeaders(`${token.slice(0, -3)}xyz`)),
    (round) =>
      send(
        'POST',
        '/api/v1/batch',
        { ...json, 'idempotency-key': `soak-${round % 500}` },
        JSON.stringify({ operations: [{ id: 'a', method: 'GET', path: '/faq' }] }),
      ),
    () => send('POST', '/api/v1/batch', json, '{"operations":['),
    () => send('POST', '/oauth/token', { ...form, ...createBasicHeaders(owner) }, 'grant_type=client_credentials'),
    () => send('POST', '/oauth/register', json, '{"scope":"read:docs"}'),
    async () => {
      const page = await send('GET', createAuthorizationPath(app, createProofKey()));
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
        { ...json, ...createBearerHeaders(token), 'idempotency-key': `e-${round % 40}` },
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
  const samples: { minute: number; mb: number; files: number; wal: number }[] = [];
  const startedAt = performance.now();
  let openRounds = 0;
  let skippedRounds = 0;
  const load = startLoad(isShort ? 200 : 250, async (round) => {
    // A slow machine skips rounds, because it would otherwise send them after the end of the test.
    if (openRounds >= maxOpen) {
      skippedRounds += 1;
      return;
    }
    openRounds += 1;
    // A status below 500 is no fault, such as 409 for an Idempotency-Key with another body; a broken connection is.
    await kinds[round % kinds.length]?.(Math.floor(round / kinds.length)).catch((error: unknown) =>
      faults.push(String(error)),
    );
    openRounds -= 1;
  });
  while (performance.now() - startedAt < minutes * 60_000) {
    await new Promise((resolve) => setTimeout(resolve, 5000));
    const wal = await stat(join(service.dataDir, 'colophon.sqlite-wal')).then(
      ({ size }) => size / 1e6,
      () => 0,
    );
    samples.push({
      minute: (performance.now() - startedAt) / 60_000,
      mb: await readResidentMb(service.pid),
      files: await countOpenFiles(service.pid),
      wal,
    });
  }
  const rounds = (await load.stop()) - skippedRounds;
  // The short run has samples of one minute only, too few for a curve.
  if (!isShort)
    t.diagnostic(
      `minute, MB resident, open files, MB of the write-ahead log: ${JSON.stringify(minuteByMinute(samples))}`,
    );
  assert.deepEqual(faults.slice(0, 5), []);
  assert.equal(service.child.exitCode, null);
  // Code is compiled and caches fill in the first 40% of the time. After that, requests only repeat, so memory must not grow.
  const steadySamples = samples.slice(Math.floor(samples.length * 0.4));
  const slope = computeSlope(steadySamples.map(({ minute, mb }) => [minute, mb]));
  const [first, last] = [steadySamples[0] ?? assert.fail(), steadySamples.at(-1) ?? assert.fail()];
  const files = Math.max(...steadySamples.map(({ files: fileCount }) => fileCount));
  const wal = Math.max(...samples.map(({ wal: size }) => size));
  assert.ok(slope < (isShort ? 60 : 6), `memory grows by ${slope.toFixed(1)} MB a minute`);
  assert.ok(files < 120, `${files} open files`);
  assert.ok(wal < 40, `a write-ahead log of ${wal} MB`);
  const statuses = [...count].sort(([a], [b]) => a - b).map(([status, responses]) => `${responses} x ${status}`);
  t.diagnostic(
    `${minutes} minutes, ${rounds} rounds (${statuses.join(', ')}): resident ${first.mb.toFixed(0)} MB, then ${last.mb.toFixed(0)} MB (${slope.toFixed(1)} MB a minute), at most ${files} open files, write-ahead log at most ${wal.toFixed(1)} MB`,
  );
});

/**
 * Returns a row for each minute: its number, rounded up, and the maximum of `mb` and `files` in whole units and of `wal` in tenths.
 */
function minuteByMinute(samples: readonly { minute: number; mb: number; files: number; wal: number }[]): number[][] {
  const minutes = Map.groupBy(samples, ({ minute }) => Math.ceil(minute));
  return [...minutes].map(([minute, group]) => {
    const findMaximum = (key: 'mb' | 'files' | 'wal') =>
      Math.round(Math.max(...group.map((sample) => sample[key])) * 10) / 10;
    return [minute, Math.round(findMaximum('mb')), findMaximum('files'), findMaximum('wal')];
  });
}

/** Returns the slope of the line that fits the points [x, y] best by least squares, or NaN unless two of them differ in x. */
function computeSlope(points: readonly (readonly [number, number])[]): number {
  const computeMean = (axis: 0 | 1) => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  const [x, y] = [computeMean(0), computeMean(1)];
  const numerator = points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0);
  return numerator / points.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
}
