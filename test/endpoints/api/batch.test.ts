/** Tests POST /batch: the results, the maximum number of operations and bytes, invalid bodies and the Idempotency-Key. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createJsonPost, startTestServer, type TestServer } from '../../support/server.ts';

const operation = (id: string, path: string) => ({ id, method: 'GET', path });

describe('POST /batch: payload_too_large, unprocessable, unsupported_media_type', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const batch = (operations: unknown, headers: Record<string, string> = {}) =>
    server.request('/api/v1/batch', createJsonPost({ operations }, headers));

  it('the results are in the order of the operations and equal the responses to single requests', async () => {
    const paths = [
      '/releases/latest',
      '/docs?limit=2',
      'faq',
      '/search?q=microphone',
      '/pricing',
      '',
      '/docs/quickstart',
    ];
    const { status, headers, json } = await batch(
      paths.map((path, index) => operation(`op${index}`, path === '' ? '/' : path)),
    );
    assert.equal(status, 200);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(json.object, 'batch');
    for (const [index, path] of paths.entries()) {
      const single = await server.request(`/api/v1${path === '' || path.startsWith('/') ? path : `/${path}`}`);
      assert.deepEqual(json.results[index], { id: `op${index}`, status: 200, body: single.json });
    }
  });

  it('the entity tag depends on the ids, the order and the results, and ids may be in any script', async () => {
    const fetchTag = async (operations: unknown): Promise<string> => {
      const { status, headers, text, json } = await batch(operations);
      assert.equal(status, 200);
      assert.equal(headers.get('content-length'), String(Buffer.byteLength(text)));
      assert.deepEqual(
        json.results.map(({ id }: { id: string }) => id),
        (operations as { id: string }[]).map(({ id }) => id),
      );
      return headers.get('etag') ?? '';
    };
    const [a, b] = [operation('größe "✓"', '/faq'), operation('b', '/pricing')];
    const tag = await fetchTag([a, b]);
    assert.equal(await fetchTag([a, b]), tag);
    const otherTags = await Promise.all([
      fetchTag([b, a]),
      fetchTag([a]),
      fetchTag([{ ...a, id: 'a' }, b]),
      fetchTag([a, { ...b, path: '/faq' }]),
    ]);
    assert.equal(new Set([tag, ...otherTags]).size, 5);
  });

  it('a failed operation has a problem document as its body, and the batch still returns 200', async () => {
    const { status, headers, json } = await batch([
      operation('ok', '/requirements'),
      operation('slug', '/docs/quikstart'),
      operation('limit', '/docs?limit=250'),
      operation('post', '/batch'),
      operation('out', 'https://example.com/'),
      operation('up', '/../../etc/passwd'),
      operation('host', '//evil.example/releases'),
      operation('unknown', '/relases'),
    ]);
    assert.equal(status, 200);
    assert.deepEqual(
      json.results.map((result: { id: string; status: number; body: { code?: string } }) => [
        result.id,
        result.status,
        result.body.code,
      ]),
      [
        ['ok', 200, undefined],
        ['slug', 404, 'not_found'],
        ['limit', 400, 'invalid_request'],
        ['post', 422, 'unprocessable'],
        ['out', 422, 'unprocessable'],
        ['up', 422, 'unprocessable'],
        ['host', 422, 'unprocessable'],
        ['unknown', 404, 'not_found'],
      ],
    );
    const problem = json.results[1].body;
    assert.equal(problem.instance, '/api/v1/docs/quikstart');
    assert.equal(problem.request_id, headers.get('x-request-id'));
    assert.deepEqual(problem.suggestions, ['quickstart']);
  });

  it('a batch of 20 operations is accepted, and one of 21 is rejected with 413 payload_too_large', async () => {
    const listOperations = (count: number) =>
      Array.from({ length: count }, (_, index) => operation(String(index), '/features'));
    assert.equal((await batch(listOperations(20))).json.results.length, 20);
    const response = await batch(listOperations(21));
    assert.equal(response.status, 413);
    assert.equal(response.json.code, 'payload_too_large');
    assert.match(response.json.detail, /at most 20 operations; you sent 21/);
  });

  it('the errors of a 400 name every invalid field by its path', async () => {
    const { status, json } = await batch([
      operation('a', '/docs'),
      { id: 'b', method: 'POST', path: '/docs' },
      { method: 'GET', path: 5 },
    ]);
    assert.equal(status, 400);
    assert.deepEqual(
      json.errors.map(({ field, code }: { field: string; code: string }) => [field, code]),
      [
        ['operations[1].method', 'invalid_value'],
        ['operations[2].id', 'required'],
        ['operations[2].path', 'malformed'],
      ],
    );
    for (const body of [{}, { operations: [] }, { operations: {} }, [], null, 5, 'x']) {
      const response = await server.request('/api/v1/batch', createJsonPost(body));
      assert.equal(response.status, 400, JSON.stringify(body));
      assert.ok(response.json.errors.length > 0);
    }
  });

  it('two operations with the same id are rejected with 422, and unknown fields are ignored', async () => {
    const response = await batch([operation('a', '/docs'), operation('a', '/faq')]);
    assert.equal(response.status, 422);
    assert.match(response.json.detail, /have the id "a"/);
    const { status } = await server.request(
      '/api/v1/batch',
      createJsonPost({ operations: [{ ...operation('a', '/docs'), more: 1 }], note: 'x' }),
    );
    assert.equal(status, 200);
  });

  it('a body that is malformed, nested over 32 levels deep or not UTF-8 is rejected, and __proto__ changes no prototype', async () => {
    const rows: [string, number][] = [
      ['', 400],
      ['{', 400],
      ['{"operations":[}', 400],
      [`${'['.repeat(30000)}`, 400],
      ['\ufeff{"operations":[]}', 400],
      ['{"operations":[{"id":"a","method":"GET","path":"/docs"}]} x', 400],
      ['{"__proto__":{"x":1},"operations":[{"id":"__proto__","method":"GET","path":"/docs/__proto__"}]}', 200],
    ];
    for (const [body, status] of rows)
      assert.equal((await server.request('/api/v1/batch', createJsonPost(body))).status, status, body.slice(0, 60));
    assert.equal(Reflect.get({}, 'x'), undefined);
    const response = await server.request('/api/v1/batch', {
      ...createJsonPost(''),
      body: Buffer.from('{"operations":"\xff"}', 'latin1'),
    });
    assert.equal(response.status, 400);
    assert.match(response.json.detail, /not UTF-8/);
    const nest = (levels: number) =>
      `{"operations":[{"id":"a","method":"GET","path":"/docs"}],"x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    assert.equal((await server.request('/api/v1/batch', createJsonPost(nest(32)))).status, 200);
    const tooDeep = await server.request('/api/v1/batch', createJsonPost(nest(33)));
    assert.equal(tooDeep.status, 400);
    assert.match(tooDeep.json.detail, /nested more than 32 levels deep/);
  });

  it('a Content-Type other than application/json and a Content-Encoding are rejected with 415', async () => {
    const body = JSON.stringify({ operations: [operation('a', '/docs')] });
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonx',
      'multipart/form-data',
    ]) {
      const { status, json } = await server.request('/api/v1/batch', {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      });
      assert.equal(status, 415, type);
      assert.match(json.detail, /Content-Type must be application\/json; you sent /);
    }
    const response = await server.request(
      '/api/v1/batch',
      createJsonPost(body, { 'content-type': 'Application/JSON; charset=utf-8' }),
    );
    assert.equal(response.status, 200);
    const compressed = await server.request('/api/v1/batch', createJsonPost(body, { 'content-encoding': 'gzip' }));
    assert.equal(compressed.status, 415);
  });

  it('a body of 65,536 bytes is accepted, and one of 65,537 bytes is rejected with 413 payload_too_large', async () => {
    const padBody = (size: number) => {
      const body = JSON.stringify({ operations: [operation('a', '/features')], pad: '' });
      return body.replace('"pad":""', `"pad":"${'x'.repeat(size - body.length)}"`);
    };
    assert.equal((await server.request('/api/v1/batch', createJsonPost(padBody(65_536)))).status, 200);
    const { status, json } = await server.request('/api/v1/batch', createJsonPost(padBody(65_537)));
    assert.equal(status, 413);
    assert.equal(json.code, 'payload_too_large');
  });

  it('the response is markdown if the request has Accept: text/markdown', async () => {
    const { text, headers } = await batch([operation('one', '/requirements')], { accept: 'text/markdown' });
    assert.equal(headers.get('content-type'), 'text/markdown; charset=utf-8');
    assert.match(text, /^# Batch results\n\n## one: 200/);
  });

  describe('POST /batch with an Idempotency-Key: idempotency_conflict', () => {
    const body = [operation('a', '/docs?limit=1')];
    // Each process has the keys of callers without a token in its own memory, so one process gets all requests.
    const batch = (operations: unknown, headers: Record<string, string>) =>
      server.firstServer.request('/api/v1/batch', createJsonPost({ operations }, headers));

    it('the response carries the key, and a replay also carries Idempotent-Replayed: true', async () => {
      const first = await batch(body, { 'idempotency-key': 'key-1' });
      assert.equal(first.headers.get('idempotency-key'), 'key-1');
      assert.equal(first.headers.get('idempotent-replayed'), null);
      const replay = await server.firstServer.request(
        '/api/v1/batch',
        createJsonPost(`{ "operations": [ {"path":"/docs?limit=1", "method":"GET","id":"a"} ] }`, {
          'idempotency-key': 'key-1',
        }),
      );
      assert.equal(replay.headers.get('idempotent-replayed'), 'true');
      assert.deepEqual(replay.json, first.json);
    });

    it('another body with the same key is rejected with 409, also among concurrent requests', async () => {
      await batch(body, { 'idempotency-key': 'key-2' });
      const conflict = await batch([operation('b', '/faq')], { 'idempotency-key': 'key-2' });
      assert.equal(conflict.status, 409);
      assert.equal(conflict.json.code, 'idempotency_conflict');
      assert.equal(conflict.headers.get('idempotency-key'), 'key-2');
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          batch([operation(`x${index}`, '/faq')], { 'idempotency-key': 'key-3' }),
        ),
      );
      assert.equal(responses.filter(({ status }) => status === 200).length, 1);
      assert.equal(responses.filter(({ status }) => status === 409).length, 19);
    });

    it('a rejected request does not use up its key: the next request with the key gets 200 and is not a replay', async () => {
      assert.equal((await batch([], { 'idempotency-key': 'key-4' })).status, 400);
      const { status, headers, json } = await batch(body, { 'idempotency-key': 'key-4' });
      assert.equal(status, 200);
      assert.equal(json.results[0].status, 200);
      assert.equal(headers.get('idempotency-key'), 'key-4');
      assert.equal(headers.get('idempotent-replayed'), null);
    });

    it('a key has 1 to 255 visible ASCII characters, quoted or not, and any other is rejected with 400', async () => {
      for (const key of ['x', 'k'.repeat(255), '"quoted"']) {
        const { status, headers } = await batch(body, { 'idempotency-key': key });
        assert.equal(status, 200);
        assert.equal(headers.get('idempotency-key'), key);
      }
      for (const key of ['', 'k'.repeat(256), 'a b', 'é', '""']) {
        const { status, json } = await batch(body, { 'idempotency-key': key });
        assert.equal(status, 400, key);
        assert.equal(json.errors[0].field, 'Idempotency-Key');
      }
    });
  });
});
