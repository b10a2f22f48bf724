/** Two servers behind nginx with packaging/nginx.conf, restarted in turn under a mixed load: no request may fail. */
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { jobsPerClient } from '../../src/store/jobs.ts';
import { findFreePort } from '../support/free-port.ts';
import {
  createBasicHeaders,
  createBearerHeaders,
  issueToken,
  registerClient,
  type TestClient,
} from '../support/oauth.ts';
import { createPostgres } from '../support/postgres.ts';
import { sendRequest } from '../support/server.ts';
import { type Client, createClient, isShort, type Service, startService, type TimedResponse } from './service.ts';
import { nginxSkipReason, startNginx } from './support/nginx.ts';

const restarts = isShort ? 2 : 10;
const minRequests = isShort ? 1_000 : 20_000;
const callers = 24;

const json = { 'content-type': 'application/json' };
const formType = { 'content-type': 'application/x-www-form-urlencoded' };

interface Owner {
  readonly client: TestClient;
  readonly token: string;
}

interface Tally {
  requests: number;
  registered: number;
  exported: number;
  readonly failed: string[];
}

/**
 * Sends what a caller of the API sends, in rounds of one request after the other, until `isOver` is true after a round. Counts them
 * in `tally`, in place; an unexpected response or an error is added to `tally.failed`.
 */
async function call(client: Client, owners: readonly Owner[], tally: Tally, isOver: () => boolean): Promise<void> {
  const send = async (
    method: string,
    path: string,
    expected: number,
    headers: Record<string, string> = {},
    body?: string,
  ): Promise<TimedResponse | null> => {
    tally.requests += 1;
    try {
      const response = await client.send(method, path, headers, body);
      if (response.status === expected) return response;
      tally.failed.push(`${method} ${path}: ${response.status} ${response.body.toString().slice(0, 200)}`);
    } catch (error) {
      tally.failed.push(`${method} ${path}: ${error}`);
    }
    return null;
  };
  for (let round = 0; !isOver(); round += 1) {
    const { client: app, token } = owners[round % owners.length] ?? assert.fail();
    // A new query is not in the cache of nginx, so the request reaches a server.
    const query = `x=${tally.requests}`;
    const list = await send('GET', `/api/v1/docs?${query}`, 200);
    const tag = String(list?.headers.etag);
    if (list !== null) await send('GET', `/api/v1/docs?${query}&y`, 304, { 'if-none-match': tag });
    await send('GET', '/api/v1/faq', 200, { accept: 'text/markdown' });
    await send('GET', `/docs/quickstart?${query}`, 200, { accept: 'text/html' });
    await send('GET', `/api/v1/search?q=dictation+${round}`, 200);
    await send('GET', '/api/v1/releases', 200, createBearerHeaders(token));
    const operations = [{ id: 'a', method: 'GET', path: '/faq' }];
    await send('POST', '/api/v1/batch', 200, json, JSON.stringify({ operations }));
    await send(
      'POST',
      '/oauth/token',
      200,
      { ...formType, ...createBasicHeaders(app) },
      'grant_type=client_credentials',
    );
    const message = { jsonrpc: '2.0', id: round, method: 'tools/list', params: {} };
    const accept = 'application/json, text/event-stream';
    await send('POST', '/mcp', 200, { ...json, accept }, JSON.stringify(message));
    if ((await send('POST', '/oauth/register', 201, json, '{"scope":"read:docs"}')) !== null) tally.registered += 1;
    if (round % 4 > 0) continue;
    const exportBody = '{"resource":"faq","format":"json"}';
    // The exports are spread over all clients, because the server keeps only the newest thousand jobs of each.
    const exporter = createBearerHeaders(owners[tally.exported % owners.length]?.token ?? assert.fail());
    const job = await send('POST', '/api/v1/exports', 202, { ...json, ...exporter }, exportBody);
    if (job === null) continue;
    tally.exported += 1;
    await send('GET', String(job.headers.location).replace(/^https?:\/\/[^/]+/, ''), 200, exporter);
  }
}

async function isReady(adminUrl: string): Promise<boolean> {
  const response = await fetch(`${adminUrl}/readyz`).catch(() => null);
  await response?.arrayBuffer();
  return response?.status === 200;
}

it('two servers that restart in turn behind nginx fail no request and repeat no write', {
  skip: nginxSkipReason ?? false,
}, async (t) => {
  const postgres = createPostgres();
  if (typeof postgres === 'string') return t.skip(`not run: ${postgres}`);
  t.after(() => postgres.close());
  const databaseUrl = await postgres.createDatabase();
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const start = async (t: TestContext, serverPort: number, adminPort: number): Promise<Service> => {
    const service = await startService(t, {
      DATABASE_URL: databaseUrl,
      SECRET_KEY: 'a secret for every process of the test',
      BASE_URL: url,
      TRUST_PROXY: '127.0.0.1',
      PORT: String(serverPort),
      ADMIN_PORT: String(adminPort),
    });
    for (let tries = 0; !(await isReady(`http://127.0.0.1:${adminPort}`)); tries += 1) {
      assert.ok(tries < 600, 'the server is not ready after a minute');
      await wait(100);
    }
    return service;
  };
  const ports = await Promise.all(
    Array.from({ length: 2 }, async () => [await findFreePort(), await findFreePort()] as const),
  );
  const services: Service[] = [];
  for (const [serverPort, adminPort] of ports) services.push(await start(t, serverPort, adminPort));
  const proxy = await startNginx(
    ports.map(([serverPort]) => `http://127.0.0.1:${serverPort}`),
    port,
  );
  t.after(() => proxy.close());
  // `sendRequest` checks responses against the contract, which does not have the headers that nginx adds.
  const direct = `http://127.0.0.1:${ports[0]?.[0]}`;
  const server = { request: (path: string, init?: RequestInit) => sendRequest(direct, path, init) };
  const owners: Owner[] = [];
  for (let count = 0; count < callers; count += 1) {
    const client = await registerClient(server);
    owners.push({ client, token: await issueToken(server, client) });
  }

  const tally: Tally = { requests: 0, registered: 0, exported: 0, failed: [] };
  let isOver = false;
  const clients = Array.from({ length: callers }, () => createClient(url, 1));
  const load = Promise.all(clients.map((client) => call(client, owners, tally, () => isOver)));
  const waitForRequests = async (count: number): Promise<void> => {
    while (tally.requests < count && tally.failed.length === 0) await wait(50);
  };
  for (let round = 1; round <= restarts && tally.failed.length === 0; round += 1) {
    for (const [index, [serverPort, adminPort]] of ports.entries()) {
      const service = services[index] ?? assert.fail();
      service.child.kill('SIGTERM');
      assert.equal(await service.exitCode, 0);
      services[index] = await start(t, serverPort, adminPort);
    }
    await waitForRequests((minRequests / restarts) * round);
  }
  isOver = true;
  await load;
  for (const client of clients) client.close();

  assert.deepEqual(tally.failed.slice(0, 10), [], `${tally.failed.length} of ${tally.requests} failed`);
  assert.ok(tally.requests >= minRequests);
  const countRows = async (table: string) =>
    Number((await postgres.query(databaseUrl, `SELECT count(*) FROM ${table}`))[0]?.count);
  // nginx may have sent a request to both servers; it must have been executed once.
  assert.equal(await countRows('clients'), tally.registered + owners.length);
  assert.ok(tally.exported < owners.length * jobsPerClient, 'more exports than the clients keep');
  assert.equal(await countRows('jobs'), tally.exported);
  t.diagnostic(
    `${restarts} restarts of each of two servers, ${tally.requests} requests, 0 failed; ${tally.registered} registrations and ${tally.exported} exports, none made twice`,
  );
});
