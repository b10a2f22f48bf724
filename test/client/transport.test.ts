/** Tests which requests the client repeats, how long it waits, and which errors it throws, against a scripted server. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { composeClient } from '../../packages/client/src/client.ts';
import {
  ApiError,
  ColophonError,
  ConnectionError,
  isCode,
  ResponseError,
  TimeoutError,
} from '../../packages/client/src/errors.ts';
import type { ResponseEvent } from '../../packages/client/src/transport.ts';
import type { Job } from '../../packages/client/src/types.ts';
import { createTestRuntime, json, problem, type Scripted, startScripted } from './support.ts';

let server: Scripted | null = null;
afterEach(() => server?.close());

const faq = { object: 'faq', id: 'a', question: 'Q?', answer: 'A.' };

async function fetchFailure(call: PromiseLike<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  assert.fail('The call did not fail.');
}

describe('the client repeats', () => {
  for (const status of [429, 500, 502, 503, 504]) {
    it(`a read after ${status}, with growing pauses`, async () => {
      server = await startScripted(problem(status, 'x'), problem(status, 'x'), json(200, faq));
      const runtime = createTestRuntime();
      const client = composeClient({ baseUrl: server.origin }, runtime);
      const { data, attempts } = await client.faq.get('a').withResponse();
      assert.deepEqual([data, attempts, runtime.pauses], [faq, 3, [375, 750]]);
    });
  }

  it('a POST with one Idempotency-Key for all attempts', async () => {
    server = await startScripted(
      problem(503, 'overloaded'),
      json(202, { object: 'job', id: 'job_1', status: 'queued' }),
    );
    const client = composeClient({ baseUrl: server.origin }, createTestRuntime());
    await client.exports.start({ resource: 'docs', format: 'json' });
    const keys = server.received.map(({ headers }) => headers['idempotency-key']);
    assert.equal(keys.length, 2);
    assert.match(keys[0]?.toString() ?? '', /^[0-9a-f-]{36}$/);
    assert.equal(keys[0], keys[1]);
  });

  it('what got no response, and what was cut off', async () => {
    server = await startScripted(
      (response) => response.destroy(),
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '900' });
        response.write('{"object":');
        setImmediate(() => response.destroy());
      },
      json(200, faq),
    );
    const client = composeClient({ baseUrl: server.origin }, createTestRuntime());
    const { data, attempts } = await client.faq.get('a').withResponse();
    assert.deepEqual([data, attempts], [faq, 3]);
  });

  it("after the server's Retry-After, in seconds or as a date", async () => {
    server = await startScripted(
      problem(429, 'rate_limited', { 'retry-after': '7' }),
      problem(503, 'overloaded', { 'retry-after': 'Sun, 22 Nov 2026 10:00:05 GMT' }),
      json(200, faq),
    );
    const runtime = createTestRuntime();
    await composeClient({ baseUrl: server.origin }, runtime).faq.get('a');
    assert.deepEqual(runtime.pauses, [7125, 5125]);
  });

  it('after a fraction of seconds rounded up, and as without Retry-After after what is neither a number nor a date', async () => {
    server = await startScripted(
      problem(429, 'rate_limited', { 'retry-after': '1.5' }),
      problem(429, 'rate_limited', { 'retry-after': '1/5' }),
      json(200, faq),
    );
    const runtime = createTestRuntime();
    await composeClient({ baseUrl: server.origin }, runtime).faq.get('a');
    assert.deepEqual(runtime.pauses, [2125, 750]);
  });
});

describe('the client does not repeat', () => {
  for (const [status, code] of [
    [400, 'invalid_request'],
    [404, 'not_found'],
    [408, 'request_timeout'],
    [409, 'idempotency_conflict'],
    [410, 'version_retired'],
    [422, 'unprocessable'],
  ] as const) {
    it(`${status}`, async () => {
      server = await startScripted(problem(status, code));
      const error = await fetchFailure(composeClient({ baseUrl: server.origin }, createTestRuntime()).faq.get('a'));
      assert.ok(isCode(error, code));
      assert.deepEqual([error.status, error.attempts, server.received.length], [status, 1, 1]);
    });
  }

  it('when Retry-After is longer than the caller allows', async () => {
    server = await startScripted(problem(429, 'rate_limited', { 'retry-after': '61' }));
    const runtime = createTestRuntime();
    const error = await fetchFailure(composeClient({ baseUrl: server.origin }, runtime).faq.get('a'));
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.retryAfter, server.received.length, runtime.pauses], [61, 1, []]);
  });

  it('more often than the caller allows', async () => {
    server = await startScripted(problem(500, 'internal_error'));
    const client = composeClient({ baseUrl: server.origin, retries: 1 }, createTestRuntime());
    const error = await fetchFailure(client.faq.get('a'));
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.attempts, server.received.length], [2, 2]);
    await fetchFailure(client.faq.get('a', { retries: 0 }));
    assert.equal(server.received.length, 3);
  });

  it('what the caller aborted, and rejects with the caller’s reason', async () => {
    server = await startScripted(problem(503, 'overloaded', { 'retry-after': '40' }));
    const abort = new AbortController();
    const reason = new Error('left the page');
    const client = composeClient(
      { baseUrl: server.origin, onRequest: () => setImmediate(() => abort.abort(reason)) },
      createTestRuntime(),
    );
    assert.equal(await fetchFailure(client.faq.get('a', { signal: abort.signal })), reason);
    const before = server.received.length;
    assert.equal(await fetchFailure(client.faq.get('a', { signal: abort.signal })), reason);
    assert.equal(server.received.length, before);
  });
});

describe('the client throws', () => {
  it('the problem document, with fields and codes that it does not know', async () => {
    server = await startScripted(
      json(418, { code: 'short_and_stout', detail: 'Use a cup.', handle: 'left' }, { 'x-request-id': 'req_9' }),
    );
    const error = await fetchFailure(composeClient({ baseUrl: server.origin }, createTestRuntime()).faq.get('a'));
    assert.ok(isCode(error, 'short_and_stout'));
    assert.deepEqual(
      [error.message, error.status, error.requestId, error.problem, error.suggestions, error.retryAfter],
      ['Use a cup.', 418, 'req_9', { code: 'short_and_stout', detail: 'Use a cup.', handle: 'left' }, [], null],
    );
  });

  it('`unknown` for what a proxy answered', async () => {
    const page = `<h1>Bad Gateway</h1>${'x'.repeat(600)}`;
    server = await startScripted((response) => void response.writeHead(502, { 'content-type': 'text/html' }).end(page));
    const error = await fetchFailure(
      composeClient({ baseUrl: server.origin, retries: 0 }, createTestRuntime()).faq.get('a'),
    );
    assert.ok(isCode(error, 'unknown'));
    assert.equal(error.detail, page.slice(0, 500));
  });

  it('TimeoutError after the time limit, and ConnectionError when nobody listens', async () => {
    server = await startScripted(() => {});
    const runtime = createTestRuntime();
    const client = composeClient(
      { baseUrl: server.origin, retries: 0, onRequest: () => setTimeout(runtime.expire, 50) },
      runtime,
    );
    const timeout = await fetchFailure(client.faq.get('a'));
    assert.ok(timeout instanceof TimeoutError && timeout instanceof ConnectionError);
    assert.equal(timeout.message, 'No complete response within 30000 ms.');
    const { origin } = server;
    await server.close();
    const refused = await fetchFailure(
      composeClient({ baseUrl: origin, retries: 0 }, createTestRuntime()).faq.get('a'),
    );
    assert.ok(refused instanceof ConnectionError && !(refused instanceof TimeoutError));
    assert.ok(refused.cause !== undefined);
  });

  it('a sentence for a base URL that cannot work', () => {
    assert.throws(
      () => composeClient({ baseUrl: 'sotto.example' }, createTestRuntime()),
      /baseUrl must be an origin such as/,
    );
    for (const rest of ['a.example/api/v1', 'a.example/?q=a', 'a.example/#a', 'me:secret@a.example', 'me@a.example']) {
      assert.throws(() => composeClient({ baseUrl: `https://${rest}` }, createTestRuntime()), {
        message:
          'baseUrl must be an http or https origin without user, path, query and fragment; try https://a.example.',
      });
    }
    assert.throws(
      () => composeClient({ baseUrl: 'https://me:secret@a.example:port' }, createTestRuntime()),
      /it is https:\/\/a\.example:port\./,
    );
  });
});

describe('a listing', () => {
  const page = (ids: readonly string[], cursor: string | null) =>
    json(200, {
      object: 'list',
      data: ids.map((id) => ({ ...faq, id })),
      pagination: { limit: 2, has_more: cursor !== null, next_cursor: cursor },
    });

  it('is its first page when awaited, and every item when iterated', async () => {
    server = await startScripted(page(['a', 'b'], 'c1'), page(['c'], null));
    const list = composeClient({ baseUrl: server.origin }, createTestRuntime()).faq.list({ limit: 2 });
    assert.deepEqual((await list).pagination.next_cursor, 'c1');
    const ids: string[] = [];
    for await (const { id } of list) ids.push(id);
    assert.deepEqual(ids, ['a', 'b', 'c']);
    assert.deepEqual(
      server.received.map(({ path }) => path),
      ['/api/v1/faq?limit=2', '/api/v1/faq?limit=2&cursor=c1'],
    );
  });

  it('requests no page that nobody reached', async () => {
    server = await startScripted(page(['a', 'b'], 'c1'));
    const client = composeClient({ baseUrl: server.origin }, createTestRuntime());
    for await (const { id } of client.faq.list()) if (id === 'a') break;
    assert.deepEqual(
      (await client.faq.list().toArray({ limit: 2 })).map(({ id }) => id),
      ['a', 'b'],
    );
    assert.equal(server.received.length, 2);
  });

  it('ends with an error when a cursor repeats', async () => {
    server = await startScripted(page(['a'], 'again'));
    const client = composeClient({ baseUrl: server.origin }, createTestRuntime());
    assert.match(String(await fetchFailure(client.faq.list().toArray({ limit: 100 }))), /repeats a cursor/);
    assert.equal(server.received.length, 2);
  });
});

describe('a token', () => {
  const token = (value: string, seconds = 3600) =>
    json(200, { access_token: value, token_type: 'Bearer', expires_in: seconds, scope: 'x' });
  const auth = { clientId: 'id:1', clientSecret: 's ecret', scope: 'read:docs' };

  it('is obtained once for all who wait, and sent to the API only', async () => {
    server = await startScripted(token('t1'), json(200, faq));
    const client = composeClient({ baseUrl: server.origin, auth }, createTestRuntime());
    await Promise.all([client.faq.get('a'), client.faq.get('b'), client.faq.get('c')]);
    const [first, ...reads] = server.received;
    assert.deepEqual(
      [first?.path, first?.body, first?.headers.authorization],
      ['/oauth/token', 'grant_type=client_credentials&scope=read%3Adocs', `Basic ${btoa('id%3A1:s+ecret')}`],
    );
    assert.deepEqual(
      reads.map(({ headers }) => headers.authorization),
      Array(3).fill('Bearer t1'),
    );
  });

  it('is renewed when less than a minute of it is left', async () => {
    server = await startScripted(token('t1', 59), json(200, faq), token('t2'), json(200, faq), json(200, faq));
    const client = composeClient({ baseUrl: server.origin, auth }, createTestRuntime());
    for (const id of ['a', 'b', 'c']) await client.faq.get(id);
    assert.deepEqual(
      server.received.map(({ path, headers }) => (path === '/oauth/token' ? 'token' : headers.authorization)),
      ['token', 'Bearer t1', 'token', 'Bearer t2', 'Bearer t2'],
    );
  });

  it('that is refused is replaced, and the request is sent once more', async () => {
    server = await startScripted(token('t1'), problem(401, 'invalid_token'), token('t2'), json(200, faq));
    const client = composeClient({ baseUrl: server.origin, auth }, createTestRuntime());
    assert.deepEqual(await client.faq.get('a'), faq);
    assert.deepEqual(server.received.at(-1)?.headers.authorization, 'Bearer t2');
  });

  it('that is refused twice is the caller’s to know', async () => {
    server = await startScripted(
      token('t1'),
      problem(401, 'invalid_token'),
      token('t2'),
      problem(401, 'invalid_token'),
    );
    const client = composeClient({ baseUrl: server.origin, auth }, createTestRuntime());
    assert.ok(isCode(await fetchFailure(client.faq.get('a')), 'invalid_token'));
    assert.equal(server.received.length, 4);
  });

  it('of the caller’s own is asked for again after a refusal; a fixed one is not repeated', async () => {
    server = await startScripted(problem(401, 'invalid_token'), json(200, faq), problem(401, 'invalid_token'));
    let made = 0;
    const accessToken = async (): Promise<string> => `own${++made}`;
    await composeClient({ baseUrl: server.origin, auth: { accessToken } }, createTestRuntime()).faq.get('a');
    assert.deepEqual(
      server.received.map(({ headers }) => headers.authorization),
      ['Bearer own1', 'Bearer own2'],
    );
    await fetchFailure(
      composeClient({ baseUrl: server.origin, auth: { accessToken: 'fixed' } }, createTestRuntime()).faq.get('a'),
    );
    assert.equal(server.received.length, 3);
  });

  it('needs no secret in a browser, and gets none', () => {
    const browser = { ...createTestRuntime(), browser: true };
    assert.throws(
      () => composeClient({ baseUrl: 'https://a.example', auth }, browser),
      /client secret in a web page is readable/,
    );
  });
});

describe('a call', () => {
  it('is a promise, and a failure that nobody handles ends a program of Node', async () => {
    server = await startScripted(json(200, faq), problem(404, 'not_found'));
    assert.ok(composeClient({ baseUrl: server.origin }, createTestRuntime()).faq.get('a') instanceof Promise);
    const client = new URL('../../packages/client/src/client.ts', import.meta.url);
    const program = `import { createClient } from '${client}'; createClient({ baseUrl: '${server.origin}' }).faq.get('a');`;
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
    await assert.rejects(run, (error: { code?: unknown; stderr?: string }) => {
      assert.match(error.stderr ?? '', /ApiError: It is not_found/);
      return error.code === 1;
    });
  });

  // The test fails if a rejection is not handled.
  it('reports no failure that the caller handles through withResponse', async () => {
    server = await startScripted(problem(404, 'not_found'));
    const client = composeClient({ baseUrl: server.origin }, createTestRuntime());
    for (const call of [client.faq.get('a'), client.faq.list()].map((call) => call.withResponse())) {
      assert.ok(isCode(await fetchFailure(call), 'not_found'));
    }
  });

  for (const name of ['..', '.', '', undefined]) {
    it(`rejects the name ${JSON.stringify(name)} before it sends anything`, async () => {
      server = await startScripted(json(200, faq));
      const client = composeClient({ baseUrl: server.origin }, createTestRuntime());
      const wrong = name as string;
      const calls = [
        client.faq.get(wrong),
        client.releases.get(wrong),
        client.exports.get(wrong),
        client.docs.get(wrong),
        client.docs.get(`a/${wrong ?? ''}/b`),
      ];
      for (const error of await Promise.all(calls.map(fetchFailure))) {
        assert.ok(error instanceof ColophonError);
        assert.match(error.message, /cannot be a part of a path/);
      }
      assert.deepEqual(server.received, []);
    });
  }

  it('without options is an error that says what is missing', () => {
    assert.throws(
      () => Reflect.apply(composeClient, null, [undefined, createTestRuntime()]),
      /baseUrl must be an origin/,
    );
  });

  it('reports each attempt to onResponse', async () => {
    server = await startScripted(
      (response) => response.destroy(),
      problem(503, 'overloaded', { 'x-request-id': 'req_2' }),
      json(200, faq, { 'x-request-id': 'req_3' }),
    );
    const seen: unknown[] = [];
    const onResponse = ({ method, attempt, status, requestId, duration }: ResponseEvent): void =>
      void seen.push([method, attempt, status, requestId, duration]);
    await composeClient({ baseUrl: server.origin, onResponse }, createTestRuntime()).faq.get('a');
    assert.deepEqual(seen, [
      ['GET', 1, null, null, 0],
      ['GET', 2, 503, 'req_2', 0],
      ['GET', 3, 200, 'req_3', 0],
    ]);
  });
});

describe('a success that is not JSON', () => {
  const portal = (response: ServerResponse): void =>
    void response.writeHead(200, { 'content-type': 'text/html', 'x-request-id': 'req_7' }).end('<h1>Sign in</h1>');
  const cut = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end('{"object":"rel');
  };
  const empty = (response: ServerResponse): void => void response.writeHead(200).end();
  const nothing = (response: ServerResponse): void => void response.writeHead(204).end();
  const unchanged = (response: ServerResponse): void => void response.writeHead(304).end();

  it('is repeated', async () => {
    server = await startScripted(portal, cut, json(200, faq));
    const client = composeClient({ baseUrl: server.origin }, createTestRuntime());
    const { data, attempts } = await client.faq.get('a').withResponse();
    assert.deepEqual([data, attempts], [faq, 3]);
  });

  for (const [name, answer] of Object.entries({ portal, cut, empty, nothing, unchanged })) {
    it(`is a ResponseError in the end: ${name}`, async () => {
      server = await startScripted(answer);
      const client = composeClient({ baseUrl: server.origin, retries: 1 }, createTestRuntime());
      const error = await fetchFailure(client.faq.get('a'));
      assert.ok(error instanceof ResponseError && error instanceof ConnectionError);
      assert.deepEqual([error.attempts, server.received.length], [2, 2]);
      if (name === 'portal')
        assert.deepEqual([error.status, error.requestId, error.body], [200, 'req_7', '<h1>Sign in</h1>']);
    });
  }

  it('is a text for a caller who asked for another type, and undefined for a request that returns nothing', async () => {
    const text = (response: ServerResponse): void =>
      void response.writeHead(200, { 'content-type': 'text/markdown', etag: '"a"' }).end('# Hello');
    server = await startScripted(text, text, nothing);
    const client = composeClient({ baseUrl: server.origin }, createTestRuntime());
    assert.equal(await client.request('GET', '/faq/a', { headers: { Accept: 'text/markdown' } }), '# Hello');
    assert.equal(server.received[0]?.headers.accept, 'text/markdown');
    assert.equal(await client.request('GET', '/faq/a', { headers: { Accept: 'text/markdown' } }), '# Hello');
    assert.equal(server.received[1]?.headers['if-none-match'], undefined);
    assert.equal(await client.request('DELETE', '/later'), undefined);
  });
});

describe('a download', () => {
  const createJob = (bytes: number): Job =>
    ({
      object: 'job',
      id: 'job_1',
      status: 'completed',
      resource: 'faq',
      format: 'json',
      progress: 100,
      created_at: '2026-11-22T10:00:00Z',
      url: '',
      result: {
        url: `${server?.origin}/exports/a.json`,
        size_bytes: bytes,
        sha256: '',
        media_type: 'application/json',
      },
    }) as unknown as Job;
  const file = (response: ServerResponse): void => void response.writeHead(200).end('12345');

  it('is repeated before its first byte', async () => {
    server = await startScripted(problem(503, 'overloaded'), (response) => response.destroy(), file);
    const runtime = createTestRuntime();
    const stream = await composeClient({ baseUrl: server.origin }, runtime).exports.download(createJob(5));
    assert.equal(await text(stream), '12345');
    assert.deepEqual(runtime.pauses, [375, 750]);
  });

  it('rejects with ApiError and its status', async () => {
    server = await startScripted(problem(404, 'not_found'));
    const client = composeClient({ baseUrl: server.origin }, createTestRuntime());
    const error = await fetchFailure(client.exports.download(createJob(5)));
    assert.ok(isCode(error, 'not_found') && error.status === 404);
  });

  it('that does not begin, and one that stops, is a TimeoutError', async () => {
    server = await startScripted(
      () => {},
      (response) => void response.writeHead(200).write('123'),
    );
    const runtime = createTestRuntime();
    const client = composeClient(
      {
        baseUrl: server.origin,
        retries: 1,
        onRequest: ({ attempt }) => attempt === 1 && setTimeout(runtime.expire, 50),
      },
      runtime,
    );
    const stream = await client.exports.download(createJob(5));
    setTimeout(runtime.expire, 50);
    assert.ok((await fetchFailure(text(stream))) instanceof TimeoutError);
    assert.equal(server.received.length, 2);
  });

  it('that ends early is a ConnectionError', async () => {
    server = await startScripted(file);
    const stream = await composeClient({ baseUrl: server.origin }, createTestRuntime()).exports.download(createJob(6));
    assert.match(String(await fetchFailure(text(stream))), /ended after 5 of 6 bytes/);
  });

  it('ends with the caller’s reason as soon as the caller aborts', async () => {
    server = await startScripted((response) => void response.writeHead(200).write('123'));
    const abort = new AbortController();
    const client = composeClient({ baseUrl: server.origin }, createTestRuntime());
    const stream = await client.exports.download(createJob(5), { signal: abort.signal });
    const reason = new Error('left the page');
    setTimeout(() => abort.abort(reason), 20);
    assert.equal(await fetchFailure(text(stream)), reason);
  });
});
