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
import { createTestRuntime, type ScriptedServer, sendJson, sendProblem, startServer } from './support.ts';

let server: ScriptedServer | null = null;
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

describe('Retries of @colophon/client', () => {
  for (const status of [429, 500, 502, 503, 504]) {
    it(`a read that gets ${status} is retried with increasing delays`, async () => {
      server = await startServer(sendProblem(status, 'x'), sendProblem(status, 'x'), sendJson(200, faq));
      const runtime = createTestRuntime();
      const client = composeClient({ baseUrl: server.origin }, runtime);
      const { data, attempts } = await client.faq.get('a').withResponse();
      assert.deepEqual([data, attempts, runtime.pauses], [faq, 3, [375, 750]]);
    });
  }

  it('a retried POST has the same Idempotency-Key in each attempt', async () => {
    server = await startServer(
      sendProblem(503, 'overloaded'),
      sendJson(202, { object: 'job', id: 'job_1', status: 'queued' }),
    );
    const client = composeClient({ baseUrl: server.origin }, createTestRuntime());
    await client.exports.start({ resource: 'docs', format: 'json' });
    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
    assert.equal(keys.length, 2);
    assert.match(keys[0]?.toString() ?? '', /^[0-9a-f-]{36}$/);
    assert.equal(keys[0], keys[1]);
  });

  it('a read that gets no response or a truncated one is retried', async () => {
    server = await startServer(
      (response) => response.destroy(),
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '900' });
        response.write('{"object":');
        setImmediate(() => response.destroy());
      },
      sendJson(200, faq),
    );
    const client = composeClient({ baseUrl: server.origin }, createTestRuntime());
    const { data, attempts } = await client.faq.get('a').withResponse();
    assert.deepEqual([data, attempts], [faq, 3]);
  });

  it('a retry is delayed by the Retry-After of the response, in seconds or as a date', async () => {
    server = await startServer(
      sendProblem(429, 'rate_limited', { 'retry-after': '7' }),
      sendProblem(503, 'overloaded', { 'retry-after': 'Sun, 22 Nov 2026 10:00:05 GMT' }),
      sendJson(200, faq),
    );
    const runtime = createTestRuntime();
    await composeClient({ baseUrl: server.origin }, runtime).faq.get('a');
    assert.deepEqual(runtime.pauses, [7125, 5125]);
  });

  it('a fraction of seconds in Retry-After is rounded up, and an invalid Retry-After is ignored', async () => {
    server = await startServer(
      sendProblem(429, 'rate_limited', { 'retry-after': '1.5' }),
      sendProblem(429, 'rate_limited', { 'retry-after': '1/5' }),
      sendJson(200, faq),
    );
    const runtime = createTestRuntime();
    await composeClient({ baseUrl: server.origin }, runtime).faq.get('a');
    assert.deepEqual(runtime.pauses, [2125, 750]);
  });
});

describe('Failures that @colophon/client does not retry', () => {
  for (const [status, code] of [
    [400, 'invalid_request'],
    [404, 'not_found'],
    [408, 'request_timeout'],
    [409, 'idempotency_conflict'],
    [410, 'version_retired'],
    [422, 'unprocessable'],
  ] as const) {
    it(`a read that gets ${status} ${code} is not retried`, async () => {
      server = await startServer(sendProblem(status, code));
      const error = await fetchFailure(composeClient({ baseUrl: server.origin }, createTestRuntime()).faq.get('a'));
      assert.ok(isCode(error, code));
      assert.deepEqual([error.status, error.attempts, server.requests.length], [status, 1, 1]);
    });
  }

  it('a read is not retried if its Retry-After is longer than the maximum', async () => {
    server = await startServer(sendProblem(429, 'rate_limited', { 'retry-after': '61' }));
    const runtime = createTestRuntime();
    const error = await fetchFailure(composeClient({ baseUrl: server.origin }, runtime).faq.get('a'));
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.retryAfter, server.requests.length, runtime.pauses], [61, 1, []]);
  });

  it('the retries option limits the retries of all calls or of one call', async () => {
    server = await startServer(sendProblem(500, 'internal_error'));
    const client = composeClient({ baseUrl: server.origin, retries: 1 }, createTestRuntime());
    const error = await fetchFailure(client.faq.get('a'));
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.attempts, server.requests.length], [2, 2]);
    await fetchFailure(client.faq.get('a', { retries: 0 }));
    assert.equal(server.requests.length, 3);
  });

  it('an aborted call is not retried and rejects with its reason, and an aborted signal prevents a request', async () => {
    server = await startServer(sendProblem(503, 'overloaded', { 'retry-after': '40' }));
    const abort = new AbortController();
    const reason = new Error('left the page');
    const client = composeClient(
      { baseUrl: server.origin, onRequest: () => setImmediate(() => abort.abort(reason)) },
      createTestRuntime(),
    );
    assert.equal(await fetchFailure(client.faq.get('a', { signal: abort.signal })), reason);
    const before = server.requests.length;
    assert.equal(await fetchFailure(client.faq.get('a', { signal: abort.signal })), reason);
    assert.equal(server.requests.length, before);
  });
});

describe('ApiError, TimeoutError and ConnectionError of @colophon/client', () => {
  it('an ApiError has the fields of the problem document, including an unknown code and field', async () => {
    server = await startServer(
      sendJson(418, { code: 'short_and_stout', detail: 'Use a cup.', handle: 'left' }, { 'x-request-id': 'req_9' }),
    );
    const error = await fetchFailure(composeClient({ baseUrl: server.origin }, createTestRuntime()).faq.get('a'));
    assert.ok(isCode(error, 'short_and_stout'));
    assert.deepEqual(
      [error.message, error.status, error.requestId, error.problem, error.suggestions, error.retryAfter],
      ['Use a cup.', 418, 'req_9', { code: 'short_and_stout', detail: 'Use a cup.', handle: 'left' }, [], null],
    );
  });

  it('an HTML page of a proxy becomes the code unknown with its first 500 characters as the detail', async () => {
    const page = `<h1>Bad Gateway</h1>${'x'.repeat(600)}`;
    server = await startServer((response) => void response.writeHead(502, { 'content-type': 'text/html' }).end(page));
    const error = await fetchFailure(
      composeClient({ baseUrl: server.origin, retries: 0 }, createTestRuntime()).faq.get('a'),
    );
    assert.ok(isCode(error, 'unknown'));
    assert.equal(error.detail, page.slice(0, 500));
  });

  it('a call rejects with TimeoutError after the timeout, and with ConnectionError if the connection is refused', async () => {
    server = await startServer(() => {});
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

  it('an invalid baseUrl throws a message that describes a valid one and contains no password', () => {
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

describe('faq.list of @colophon/client: pagination', () => {
  const sendPage = (ids: readonly string[], cursor: string | null) =>
    sendJson(200, {
      object: 'list',
      data: ids.map((id) => ({ ...faq, id })),
      pagination: { limit: 2, has_more: cursor !== null, next_cursor: cursor },
    });

  it('an awaited list is its first page, and iteration returns the items of every page', async () => {
    server = await startServer(sendPage(['a', 'b'], 'c1'), sendPage(['c'], null));
    const list = composeClient({ baseUrl: server.origin }, createTestRuntime()).faq.list({ limit: 2 });
    assert.deepEqual((await list).pagination.next_cursor, 'c1');
    const ids: string[] = [];
    for await (const { id } of list) ids.push(id);
    assert.deepEqual(ids, ['a', 'b', 'c']);
    assert.deepEqual(
      server.requests.map(({ path }) => path),
      ['/api/v1/faq?limit=2', '/api/v1/faq?limit=2&cursor=c1'],
    );
  });

  it('iteration and toArray() request no page after the last item that is used', async () => {
    server = await startServer(sendPage(['a', 'b'], 'c1'));
    const client = composeClient({ baseUrl: server.origin }, createTestRuntime());
    for await (const { id } of client.faq.list()) if (id === 'a') break;
    assert.deepEqual(
      (await client.faq.list().toArray({ limit: 2 })).map(({ id }) => id),
      ['a', 'b'],
    );
    assert.equal(server.requests.length, 2);
  });

  it('toArray() rejects if the server repeats a cursor', async () => {
    server = await startServer(sendPage(['a'], 'again'));
    const client = composeClient({ baseUrl: server.origin }, createTestRuntime());
    assert.match(String(await fetchFailure(client.faq.list().toArray({ limit: 100 }))), /repeats a cursor/);
    assert.equal(server.requests.length, 2);
  });
});

describe('The auth option of createClient: access tokens', () => {
  const sendToken = (value: string, seconds = 3600) =>
    sendJson(200, { access_token: value, token_type: 'Bearer', expires_in: seconds, scope: 'x' });
  const auth = { clientId: 'id:1', clientSecret: 's ecret', scope: 'read:docs' };

  it('concurrent calls share one token of POST /oauth/token', async () => {
    server = await startServer(sendToken('t1'), sendJson(200, faq));
    const client = composeClient({ baseUrl: server.origin, auth }, createTestRuntime());
    await Promise.all([client.faq.get('a'), client.faq.get('b'), client.faq.get('c')]);
    const [first, ...reads] = server.requests;
    assert.deepEqual(
      [first?.path, first?.body, first?.headers.authorization],
      ['/oauth/token', 'grant_type=client_credentials&scope=read%3Adocs', `Basic ${btoa('id%3A1:s+ecret')}`],
    );
    assert.deepEqual(
      reads.map(({ headers }) => headers.authorization),
      Array(3).fill('Bearer t1'),
    );
  });

  it('a token that expires in less than a minute is renewed before the next call', async () => {
    server = await startServer(
      sendToken('t1', 59),
      sendJson(200, faq),
      sendToken('t2'),
      sendJson(200, faq),
      sendJson(200, faq),
    );
    const client = composeClient({ baseUrl: server.origin, auth }, createTestRuntime());
    for (const id of ['a', 'b', 'c']) await client.faq.get(id);
    assert.deepEqual(
      server.requests.map(({ path, headers }) => (path === '/oauth/token' ? 'token' : headers.authorization)),
      ['token', 'Bearer t1', 'token', 'Bearer t2', 'Bearer t2'],
    );
  });

  it('a call that gets invalid_token is repeated once with a new token', async () => {
    server = await startServer(sendToken('t1'), sendProblem(401, 'invalid_token'), sendToken('t2'), sendJson(200, faq));
    const client = composeClient({ baseUrl: server.origin, auth }, createTestRuntime());
    assert.deepEqual(await client.faq.get('a'), faq);
    assert.deepEqual(server.requests.at(-1)?.headers.authorization, 'Bearer t2');
  });

  it('a call rejects with invalid_token if the new token is refused too', async () => {
    server = await startServer(
      sendToken('t1'),
      sendProblem(401, 'invalid_token'),
      sendToken('t2'),
      sendProblem(401, 'invalid_token'),
    );
    const client = composeClient({ baseUrl: server.origin, auth }, createTestRuntime());
    assert.ok(isCode(await fetchFailure(client.faq.get('a')), 'invalid_token'));
    assert.equal(server.requests.length, 4);
  });

  it('an accessToken function is called again after invalid_token, and a fixed accessToken is not retried', async () => {
    server = await startServer(
      sendProblem(401, 'invalid_token'),
      sendJson(200, faq),
      sendProblem(401, 'invalid_token'),
    );
    let count = 0;
    const accessToken = async (): Promise<string> => `own${++count}`;
    await composeClient({ baseUrl: server.origin, auth: { accessToken } }, createTestRuntime()).faq.get('a');
    assert.deepEqual(
      server.requests.map(({ headers }) => headers.authorization),
      ['Bearer own1', 'Bearer own2'],
    );
    await fetchFailure(
      composeClient({ baseUrl: server.origin, auth: { accessToken: 'fixed' } }, createTestRuntime()).faq.get('a'),
    );
    assert.equal(server.requests.length, 3);
  });

  it('composeClient throws an error if auth has a clientSecret in a browser', () => {
    const browser = { ...createTestRuntime(), browser: true };
    assert.throws(
      () => composeClient({ baseUrl: 'https://a.example', auth }, browser),
      /client secret in a web page is readable/,
    );
  });
});

describe('Calls of @colophon/client: rejections, path parameters and onResponse', () => {
  it('a call is a Promise, and its unhandled rejection ends a Node program with exit code 1', async () => {
    server = await startServer(sendJson(200, faq), sendProblem(404, 'not_found'));
    assert.ok(composeClient({ baseUrl: server.origin }, createTestRuntime()).faq.get('a') instanceof Promise);
    const client = new URL('../../packages/client/src/client.ts', import.meta.url);
    const program = `import { createClient } from '${client}'; createClient({ baseUrl: '${server.origin}' }).faq.get('a');`;
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
    await assert.rejects(run, (error: { code?: unknown; stderr?: string }) => {
      assert.match(error.stderr ?? '', /ApiError: It is not_found/);
      return error.code === 1;
    });
  });

  // The test runner fails a test during which a rejection is not handled.
  it('a rejection that is handled through withResponse() is not reported as unhandled', async () => {
    server = await startServer(sendProblem(404, 'not_found'));
    const client = composeClient({ baseUrl: server.origin }, createTestRuntime());
    for (const call of [client.faq.get('a'), client.faq.list()].map((call) => call.withResponse())) {
      assert.ok(isCode(await fetchFailure(call), 'not_found'));
    }
  });

  for (const name of ['..', '.', '', undefined]) {
    it(`a call with the name ${JSON.stringify(name)} rejects before it sends a request`, async () => {
      server = await startServer(sendJson(200, faq));
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
      assert.deepEqual(server.requests, []);
    });
  }

  it('composeClient without options throws an error that names baseUrl', () => {
    assert.throws(
      () => Reflect.apply(composeClient, null, [undefined, createTestRuntime()]),
      /baseUrl must be an origin/,
    );
  });

  it('onResponse receives the status, the request ID and the duration of each attempt', async () => {
    server = await startServer(
      (response) => response.destroy(),
      sendProblem(503, 'overloaded', { 'x-request-id': 'req_2' }),
      sendJson(200, faq, { 'x-request-id': 'req_3' }),
    );
    const events: unknown[] = [];
    const onResponse = ({ method, attempt, status, requestId, duration }: ResponseEvent): void =>
      void events.push([method, attempt, status, requestId, duration]);
    await composeClient({ baseUrl: server.origin, onResponse }, createTestRuntime()).faq.get('a');
    assert.deepEqual(events, [
      ['GET', 1, null, null, 0],
      ['GET', 2, 503, 'req_2', 0],
      ['GET', 3, 200, 'req_3', 0],
    ]);
  });
});

describe('ResponseError of @colophon/client: a successful response that is not JSON', () => {
  const portal = (response: ServerResponse): void =>
    void response.writeHead(200, { 'content-type': 'text/html', 'x-request-id': 'req_7' }).end('<h1>Sign in</h1>');
  const cut = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end('{"object":"rel');
  };
  const empty = (response: ServerResponse): void => void response.writeHead(200).end();
  const nothing = (response: ServerResponse): void => void response.writeHead(204).end();
  const unchanged = (response: ServerResponse): void => void response.writeHead(304).end();

  it('a read that gets HTML or truncated JSON is retried', async () => {
    server = await startServer(portal, cut, sendJson(200, faq));
    const client = composeClient({ baseUrl: server.origin }, createTestRuntime());
    const { data, attempts } = await client.faq.get('a').withResponse();
    assert.deepEqual([data, attempts], [faq, 3]);
  });

  for (const [name, respond] of Object.entries({ portal, cut, empty, nothing, unchanged })) {
    it(`a read rejects with ResponseError after its last retry (response: ${name})`, async () => {
      server = await startServer(respond);
      const client = composeClient({ baseUrl: server.origin, retries: 1 }, createTestRuntime());
      const error = await fetchFailure(client.faq.get('a'));
      assert.ok(error instanceof ResponseError && error instanceof ConnectionError);
      assert.deepEqual([error.attempts, server.requests.length], [2, 2]);
      if (name === 'portal')
        assert.deepEqual([error.status, error.requestId, error.body], [200, 'req_7', '<h1>Sign in</h1>']);
    });
  }

  it('request() returns uncached text for an Accept of text/markdown, and undefined for a 204', async () => {
    const text = (response: ServerResponse): void =>
      void response.writeHead(200, { 'content-type': 'text/markdown', etag: '"a"' }).end('# Hello');
    server = await startServer(text, text, nothing);
    const client = composeClient({ baseUrl: server.origin }, createTestRuntime());
    assert.equal(await client.request('GET', '/faq/a', { headers: { Accept: 'text/markdown' } }), '# Hello');
    assert.equal(server.requests[0]?.headers.accept, 'text/markdown');
    assert.equal(await client.request('GET', '/faq/a', { headers: { Accept: 'text/markdown' } }), '# Hello');
    assert.equal(server.requests[1]?.headers['if-none-match'], undefined);
    assert.equal(await client.request('DELETE', '/later'), undefined);
  });
});

describe('exports.download of @colophon/client', () => {
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

  it('a download that fails before its first byte is retried', async () => {
    server = await startServer(sendProblem(503, 'overloaded'), (response) => response.destroy(), file);
    const runtime = createTestRuntime();
    const stream = await composeClient({ baseUrl: server.origin }, runtime).exports.download(createJob(5));
    assert.equal(await text(stream), '12345');
    assert.deepEqual(runtime.pauses, [375, 750]);
  });

  it('a download that gets 404 rejects with its code and status', async () => {
    server = await startServer(sendProblem(404, 'not_found'));
    const client = composeClient({ baseUrl: server.origin }, createTestRuntime());
    const error = await fetchFailure(client.exports.download(createJob(5)));
    assert.ok(isCode(error, 'not_found') && error.status === 404);
  });

  it('a download without a response is retried, and a stalled stream rejects with TimeoutError', async () => {
    server = await startServer(
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
    assert.equal(server.requests.length, 2);
  });

  it('a stream that ends early rejects with the number of bytes that arrived', async () => {
    server = await startServer(file);
    const stream = await composeClient({ baseUrl: server.origin }, createTestRuntime()).exports.download(createJob(6));
    assert.match(String(await fetchFailure(text(stream))), /ended after 5 of 6 bytes/);
  });

  it('an aborted stream rejects with the reason of the caller', async () => {
    server = await startServer((response) => void response.writeHead(200).write('123'));
    const abort = new AbortController();
    const client = composeClient({ baseUrl: server.origin }, createTestRuntime());
    const stream = await client.exports.download(createJob(5), { signal: abort.signal });
    const reason = new Error('left the page');
    setTimeout(() => abort.abort(reason), 20);
    assert.equal(await fetchFailure(text(stream)), reason);
  });
});
