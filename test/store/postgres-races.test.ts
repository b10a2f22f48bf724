/** Races between two processes on one PostgreSQL, over HTTP: whatever comes first on either, both give one answer. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  allowedCode,
  askForToken,
  basic,
  bearer,
  form,
  issueToken,
  newProof,
  redeem,
  registerApp,
  registerClient,
  revoke,
} from '../support/oauth.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { type Asked, ask, json, type TestServer } from '../support/server.ts';
import { startTwoServers } from '../support/two-servers.ts';

type Node = Pick<TestServer, 'ask'>;

const { TEST_POSTGRES: given } = process.env;
const postgres = given === undefined ? sharedPostgres() : null;
const reason = typeof postgres === 'string' ? `not run: PostgreSQL: ${postgres}` : false;

describe('Two processes with the same DATABASE_URL: idempotency_conflict, invalid_grant', { skip: reason }, () => {
  let both: TestServer;
  let nodes: readonly [Node, Node];
  before(async () => {
    const cluster = given ?? (postgres === null || typeof postgres === 'string' ? '' : await postgres.createDatabase());
    both = await startTwoServers({}, cluster);
    const at = (url: string): Node => ({ ask: (path, init) => ask(url, path, init) });
    nodes = [at(both.listenUrl), at(both.listenUrl)];
  });
  after(async () => {
    await both.close();
    if (postgres !== null && typeof postgres !== 'string') await postgres.close();
  });

  /** `count` of them at once, on both in turn. */
  const onBoth = <T>(count: number, send: (node: Node, index: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => send(index % 2 === 0 ? nodes[0] : nodes[1], index)));
  const use = (token: string) => (node: Node) => node.ask('/agent/auth', { headers: bearer(token) });
  const getExport = (token: string, key: string, body: object, path = '/api/v1/exports') => {
    const headers = { ...bearer(token), 'idempotency-key': key };
    return (node: Node) => node.ask(path, json(body, headers));
  };
  const statuses = (answers: readonly Asked[]): number[] => answers.map(({ status }) => status).sort();
  const docs = { resource: 'docs', format: 'markdown' };

  it('both processes refuse a revoked token for every request after the 200 of its revocation', async () => {
    for (let round = 0; round < 40; round += 1) {
      const [one, other] = round % 2 === 0 ? nodes : [nodes[1], nodes[0]];
      const client = await registerClient(one);
      const token = await issueToken(other, client);
      const earlier = onBoth(6, use(token));
      assert.equal((await revoke(one, client, token)).status, 200);
      assert.deepEqual(statuses(await onBoth(4, use(token))), [401, 401, 401, 401]);
      for (const { status } of await earlier) assert.ok(status === 200 || status === 401);
    }
  });

  it('the tokens that both processes issue while the client’s secret is revoked are invalid', async () => {
    for (let round = 0; round < 5; round += 1) {
      const client = await registerClient(nodes[0]);
      const minting = onBoth(30, (node) => askForToken(node, client));
      const revoked = nodes[1].ask('/oauth/revoke', form({ token: client.secret }, basic(client)));
      const answers = await minting;
      assert.equal((await revoked).status, 200);
      const tokens = answers.flatMap(({ status, json: body }) => (status === 200 ? [body.access_token] : []));
      for (const { status } of answers) assert.ok(status === 200 || status === 401, String(status));
      for (const token of tokens) assert.deepEqual(statuses(await onBoth(2, use(token))), [401, 401]);
      assert.deepEqual(statuses(await onBoth(2, (node) => askForToken(node, client))), [401, 401]);
    }
  });

  it('repeated exports with one Idempotency-Key start one job, whichever process receives them', async () => {
    const token = await issueToken(nodes[0], await registerClient(nodes[0]));
    for (let round = 0; round < 10; round += 1) {
      const answers = await onBoth(32, getExport(token, `same-${round}`, docs));
      assert.deepEqual(new Set(statuses(answers)), new Set([202]));
      assert.equal(new Set(answers.map(({ json: job }) => job.id)).size, 1);
      assert.equal(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1);
    }
  });

  it('one of two bodies with the same Idempotency-Key is accepted, and the other gets idempotency_conflict', async () => {
    const token = await issueToken(nodes[0], await registerClient(nodes[0]));
    for (let round = 0; round < 10; round += 1) {
      const getBody = (index: number) => (index % 3 === 0 ? { resource: 'faq', format: 'json' } : docs);
      const answers = await onBoth(16, (node, index) => getExport(token, `mixed-${round}`, getBody(index))(node));
      const won = answers.filter(({ status }) => status === 202);
      assert.equal(new Set(won.map(({ json: job }) => job.id)).size, 1);
      const [first] = won;
      const expected = answers.map((_, index) => (getBody(index).resource === first?.json.resource ? 202 : 409));
      assert.deepEqual(
        answers.map(({ status }) => status),
        expected,
      );
      for (const { status, json: body } of answers) if (status === 409) assert.equal(body.code, 'idempotency_conflict');
    }
  });

  it('two clients, and two paths of one client, may use the same Idempotency-Key', async () => {
    const [one, other] = await onBoth(2, async (node) => issueToken(node, await registerClient(node)));
    const key = 'shared-by-chance';
    const faq = { resource: 'faq', format: 'json' };
    const batch = { operations: [{ id: 'a', method: 'GET', path: '/faq' }] };
    const [first, second, third] = await Promise.all([
      getExport(one ?? '', key, docs)(nodes[0]),
      getExport(other ?? '', key, faq)(nodes[1]),
      getExport(one ?? '', key, batch, '/api/v1/batch')(nodes[1]),
    ]);
    assert.deepEqual([first.status, second.status, third.status], [202, 202, 200]);
    assert.notEqual(first.json.id, second.json.id);
    for (const { headers } of [first, second, third]) assert.equal(headers.get('idempotent-replayed'), null);
  });

  it('a code redeemed 50 times at once yields one token, and the repetitions revoke the token', async () => {
    for (let round = 0; round < 4; round += 1) {
      const client = await registerApp(nodes[0]);
      const proof = newProof();
      const code = await allowedCode(nodes[round % 2 === 0 ? 0 : 1], client, proof);
      const answers = await onBoth(50, (node) => redeem(node, client, code, proof));
      const won = answers.filter(({ status }) => status === 200);
      assert.equal(won.length, 1);
      for (const { status, json: body } of answers) if (status !== 200) assert.equal(body.code, 'invalid_grant');
      const [{ json: issued } = { json: {} }] = won;
      assert.deepEqual(statuses(await onBoth(2, use(issued.access_token))), [401, 401]);
    }
  });
});
