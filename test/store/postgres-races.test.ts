/** Tests races over HTTP between two processes that share a PostgreSQL database: the outcome of one holds for both. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  createBasicHeaders,
  createBearerHeaders,
  createFormPost,
  createProofKey,
  fetchAllowedCode,
  issueToken,
  redeemCode,
  registerApp,
  registerClient,
  requestToken,
  revokeToken,
} from '../support/oauth.ts';
import { getSharedPostgres } from '../support/postgres.ts';
import { createJsonPost, sendRequest, type TestResponse, type TestServer } from '../support/server.ts';
import { startTwoServers } from '../support/two-servers.ts';

type Node = Pick<TestServer, 'request'>;

const { TEST_POSTGRES: cluster } = process.env;
const postgres = cluster === undefined ? getSharedPostgres() : null;
const reason = typeof postgres === 'string' ? `not run: PostgreSQL: ${postgres}` : false;

describe('Two processes with the same DATABASE_URL: idempotency_conflict, invalid_grant', { skip: reason }, () => {
  let servers: TestServer;
  let nodes: readonly [Node, Node];
  before(async () => {
    const url = cluster ?? (postgres === null || typeof postgres === 'string' ? '' : await postgres.createDatabase());
    servers = await startTwoServers({}, url);
    const createNode = (address: string): Node => ({ request: (path, init) => sendRequest(address, path, init) });
    // Each read of listenUrl returns the address of the next process in turn.
    const addresses = [servers.listenUrl, servers.listenUrl] as const;
    assert.notEqual(addresses[0], addresses[1]);
    nodes = [createNode(addresses[0]), createNode(addresses[1])];
  });
  after(async () => {
    await servers.close();
    if (postgres !== null && typeof postgres !== 'string') await postgres.close();
  });

  /** Sends `count` requests at once, to both processes in turn, and returns the responses. */
  const sendToBoth = <T>(count: number, send: (node: Node, index: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => send(index % 2 === 0 ? nodes[0] : nodes[1], index)));
  const useToken = (token: string) => (node: Node) =>
    node.request('/agent/auth', { headers: createBearerHeaders(token) });
  const createExport = (token: string, key: string, body: object, path = '/api/v1/exports') => {
    const headers = { ...createBearerHeaders(token), 'idempotency-key': key };
    return (node: Node) => node.request(path, createJsonPost(body, headers));
  };
  const listStatuses = (responses: readonly TestResponse[]): number[] => responses.map(({ status }) => status).sort();
  const docs = { resource: 'docs', format: 'markdown' };

  it('both processes refuse a revoked token for every request after the 200 of its revocation', async () => {
    for (let round = 0; round < 40; round += 1) {
      const [firstNode, secondNode] = round % 2 === 0 ? nodes : [nodes[1], nodes[0]];
      const client = await registerClient(firstNode);
      const token = await issueToken(secondNode, client);
      const earlierRequests = sendToBoth(6, useToken(token));
      assert.equal((await revokeToken(firstNode, client, token)).status, 200);
      assert.deepEqual(listStatuses(await sendToBoth(4, useToken(token))), [401, 401, 401, 401]);
      for (const { status } of await earlierRequests) assert.ok(status === 200 || status === 401);
    }
  });

  it('the tokens that both processes issue while the client’s secret is revoked are invalid', async () => {
    for (let round = 0; round < 5; round += 1) {
      const client = await registerClient(nodes[0]);
      const tokenRequests = sendToBoth(30, (node) => requestToken(node, client));
      const revocation = nodes[1].request(
        '/oauth/revoke',
        createFormPost({ token: client.secret }, createBasicHeaders(client)),
      );
      const responses = await tokenRequests;
      assert.equal((await revocation).status, 200);
      const tokens = responses.flatMap(({ status, json: body }) => (status === 200 ? [body.access_token] : []));
      for (const { status } of responses) assert.ok(status === 200 || status === 401, String(status));
      for (const token of tokens) assert.deepEqual(listStatuses(await sendToBoth(2, useToken(token))), [401, 401]);
      assert.deepEqual(listStatuses(await sendToBoth(2, (node) => requestToken(node, client))), [401, 401]);
    }
  });

  it('repeated exports with one Idempotency-Key start one job, whichever process receives them', async () => {
    const token = await issueToken(nodes[0], await registerClient(nodes[0]));
    for (let round = 0; round < 10; round += 1) {
      const responses = await sendToBoth(32, createExport(token, `same-${round}`, docs));
      assert.deepEqual(new Set(listStatuses(responses)), new Set([202]));
      assert.equal(new Set(responses.map(({ json: job }) => job.id)).size, 1);
      assert.equal(responses.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1);
    }
  });

  it('one of two bodies with the same Idempotency-Key is accepted, and the other gets idempotency_conflict', async () => {
    const token = await issueToken(nodes[0], await registerClient(nodes[0]));
    for (let round = 0; round < 10; round += 1) {
      const getBody = (index: number) => (index % 3 === 0 ? { resource: 'faq', format: 'json' } : docs);
      const responses = await sendToBoth(16, (node, index) =>
        createExport(token, `mixed-${round}`, getBody(index))(node),
      );
      const successes = responses.filter(({ status }) => status === 202);
      assert.equal(new Set(successes.map(({ json: job }) => job.id)).size, 1);
      const [first] = successes;
      const expected = responses.map((_, index) => (getBody(index).resource === first?.json.resource ? 202 : 409));
      assert.deepEqual(
        responses.map(({ status }) => status),
        expected,
      );
      for (const { status, json: body } of responses)
        if (status === 409) assert.equal(body.code, 'idempotency_conflict');
    }
  });

  it('two clients, and two paths of one client, may use the same Idempotency-Key', async () => {
    const [firstToken, secondToken] = await sendToBoth(2, async (node) => issueToken(node, await registerClient(node)));
    const key = 'shared-by-chance';
    const faq = { resource: 'faq', format: 'json' };
    const batch = { operations: [{ id: 'a', method: 'GET', path: '/faq' }] };
    const [first, second, third] = await Promise.all([
      createExport(firstToken ?? '', key, docs)(nodes[0]),
      createExport(secondToken ?? '', key, faq)(nodes[1]),
      createExport(firstToken ?? '', key, batch, '/api/v1/batch')(nodes[1]),
    ]);
    assert.deepEqual([first.status, second.status, third.status], [202, 202, 200]);
    assert.notEqual(first.json.id, second.json.id);
    for (const { headers } of [first, second, third]) assert.equal(headers.get('idempotent-replayed'), null);
  });

  it('a code redeemed 50 times at once yields one token, and the repetitions revoke the token', async () => {
    for (let round = 0; round < 4; round += 1) {
      const client = await registerApp(nodes[0]);
      const proof = createProofKey();
      const code = await fetchAllowedCode(nodes[round % 2 === 0 ? 0 : 1], client, proof);
      const responses = await sendToBoth(50, (node) => redeemCode(node, client, code, proof));
      const successes = responses.filter(({ status }) => status === 200);
      assert.equal(successes.length, 1);
      for (const { status, json: body } of responses) if (status !== 200) assert.equal(body.code, 'invalid_grant');
      const [{ json: tokens } = { json: {} }] = successes;
      assert.deepEqual(listStatuses(await sendToBoth(2, useToken(tokens.access_token))), [401, 401]);
    }
  });
});
