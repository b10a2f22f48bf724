/** Traces: what becomes of a caller's `traceparent`, and what a collector receives, is spared, or cannot hold up. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { after, before, describe, it, type TestContext } from 'node:test';
import { readTraceparent } from '../../src/http/trace-context.ts';
import { storeDown } from '../../src/store/outage.ts';
import { startColophon } from '../support/command.ts';
import { writeContentFolder } from '../support/content-folder.ts';
import { feedOf } from '../support/feed-samples.ts';
import { bearer, issueToken, registerClient } from '../support/oauth.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { json, startOneServer, type TestServer, type TestServerOptions } from '../support/server.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';
const traceparent = `00-${traceId}-${parentId}-01`;

describe('a traceparent', () => {
  it('is read as section 3.2 of Trace Context has it, and otherwise ignored', () => {
    assert.deepEqual(readTraceparent(traceparent), { traceId, parentId, flags: 1 });
    assert.deepEqual(readTraceparent(`00-${traceId}-${parentId}-00`), { traceId, parentId, flags: 0 });
    assert.deepEqual(readTraceparent(`cc-${traceId}-${parentId}-03-what-comes-later`), { traceId, parentId, flags: 3 });
    for (const wrong of [
      '',
      traceId,
      `${traceparent}-more`,
      `${traceparent}, ${traceparent}`,
      ` ${traceparent}`,
      `ff-${traceId}-${parentId}-01`,
      `cc-${traceId}-${parentId}-01more`,
      `00-${traceId.toUpperCase()}-${parentId}-01`,
      `00-${'0'.repeat(32)}-${parentId}-01`,
      `00-${traceId}-${'0'.repeat(16)}-01`,
      `00-${traceId.slice(1)}-${parentId}-01`,
      `00-${traceId}-${parentId}-1`,
    ]) {
      assert.equal(readTraceparent(wrong), null, wrong);
    }
  });

  it('is continued in the access line, prepared responses included, and makes no trace where it is missing', async (t) => {
    const server = await startOneServer({});
    t.after(() => server.close());
    const ask = async (path: string, headers: Record<string, string> = {}) => {
      const { headers: given } = await server.ask(path, { headers });
      return given.get('x-request-id');
    };
    const asked = [
      await ask('/api/v1/faq', { traceparent }),
      await ask('/api/v1/faq', { traceparent }),
      await ask('/api/v1/docs/no-such-page', { traceparent }),
      await ask('/api/v1/faq'),
      await ask('/api/v1/faq', { traceparent: `00-${traceId}-${parentId}-zz` }),
    ];
    await server.close();
    const [first, second, failed, without, invalid] = asked.map((id) => {
      const line = server.lines.find(({ request_id }) => request_id === id) ?? {};
      return { trace: line.trace_id, span: String(line.span_id) };
    });
    for (const found of [first, second, failed]) {
      assert.equal(found?.trace, traceId);
      assert.match(found?.span ?? '', /^[0-9a-f]{16}$/);
      assert.notEqual(found?.span, parentId);
    }
    assert.notEqual(first?.span, second?.span);
    assert.deepEqual([without, invalid], Array(2).fill({ trace: undefined, span: 'undefined' }));
  });
});

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number };
}

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code: number };
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

const valuesOf = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

async function startCollector(t: TestContext | null, answer: RequestListener): Promise<{ url: string; close(): void }> {
  const collector = createServer(answer).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const address = collector.address();
  assert.ok(typeof address === 'object' && address !== null);
  const close = (): void => {
    collector.close();
    collector.closeAllConnections();
  };
  t?.after(close);
  return { url: `http://127.0.0.1:${address.port}`, close };
}

interface Received {
  readonly path: string;
  readonly type: string;
  readonly body: Export;
}

/** A collector that keeps what it gets. */
const startKeeping = (t: TestContext | null, received: Received[]) =>
  startCollector(t, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Export;
    received.push({ path: request.url ?? '', type: request.headers['content-type'] ?? '', body });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });

const spansIn = (received: readonly Received[]): Span[] =>
  received.flatMap(({ body }) =>
    body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );

describe('a collector', () => {
  const received: Received[] = [];
  let collector: Awaited<ReturnType<typeof startCollector>>;
  let server: TestServer;
  before(async () => {
    collector = await startKeeping(null, received);
    server = await startOneServer({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
  });
  after(() => collector.close());

  it('gets a span of each request, in the caller’s trace, with the ids of the access line', async () => {
    const paths = [
      '/api/v1/faq',
      '/api/v1/docs/no-such-page',
      '/no/such/path',
      '/api/v1/sandbox/faq?simulate=internal_error',
    ];
    for (const path of paths) await server.ask(path);
    await server.ask('/api/v1/faq', { headers: { traceparent, tracestate: 'vendor=1' } });
    // Its caller does not record the trace.
    await server.ask('/api/v1/faq', { headers: { traceparent: `00-${traceId}-${parentId}-00` } });
    await server.close();
    assert.deepEqual(
      new Set(received.map(({ path, type }) => `${path} ${type}`)),
      new Set(['/v1/traces application/json']),
    );
    const [resource] = received.flatMap(({ body }) => body.resourceSpans.map(({ resource: of }) => of));
    assert.deepEqual(
      (({ 'service.name': name, 'telemetry.sdk.name': sdk }) => [name, sdk])(valuesOf(resource?.attributes ?? [])),
      ['colophon', 'opentelemetry'],
    );
    const spans = spansIn(received);
    const lines = server.lines.filter(({ msg }) => msg === 'request');
    assert.deepEqual([lines.length, spans.length], [6, 5]);
    const seen = spans.map(({ name, kind, status, attributes, ...span }) => {
      const values = valuesOf(attributes);
      const line = lines.find(({ request_id }) => request_id === values['colophon.request_id']) ?? {};
      assert.deepEqual([line.trace_id, line.span_id], [span.traceId, span.spanId]);
      assert.ok(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano));
      assert.equal(kind, 2, 'a server’s span');
      return {
        name,
        failed: status.code === 2,
        status: values['http.response.status_code'],
        parent: span.parentSpanId,
      };
    });
    assert.deepEqual(seen, [
      { name: 'GET /api/v1/faq', failed: false, status: 200, parent: undefined },
      { name: 'GET /api/v1/docs/{slug}', failed: false, status: 404, parent: undefined },
      { name: 'GET', failed: false, status: 404, parent: undefined },
      { name: 'GET /api/v1/sandbox/faq', failed: true, status: 500, parent: undefined },
      { name: 'GET /api/v1/faq', failed: false, status: 200, parent: parentId },
    ]);
    assert.deepEqual(valuesOf(spans[4]?.attributes ?? []), {
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'url.path': '/api/v1/faq',
      'url.scheme': 'http',
      'client.address': '127.0.0.1',
      'colophon.request_id': lines[4]?.request_id,
      'colophon.bucket': 'anonymous',
      'http.route': '/api/v1/faq',
    });
    // What is not recorded is continued all the same.
    assert.equal(lines[5]?.trace_id, traceId);
  });

  /** What each span of a request has below it, for a server that is asked by `use`. */
  const childrenAfter = async (
    t: TestContext,
    use: (traced: TestServer) => Promise<unknown>,
    { env, ...options }: TestServerOptions = {},
  ) => {
    const kept: Received[] = [];
    const { url } = await startKeeping(t, kept);
    const traced = await startOneServer({ ...options, env: { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: url } });
    t.after(() => traced.close());
    await use(traced);
    await traced.close();
    const spans = spansIn(kept);
    const parents = spans.filter(({ kind }) => kind === 2);
    const found = parents.map((parent) => {
      const children = spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId);
      const told = children.map(({ name, kind, status, attributes, ...child }) => {
        assert.equal(child.traceId, parent.traceId);
        const [begin, end] = [BigInt(child.startTimeUnixNano), BigInt(child.endTimeUnixNano)];
        assert.ok(begin <= end && begin >= BigInt(parent.startTimeUnixNano) && end <= BigInt(parent.endTimeUnixNano));
        const { 'db.system.name': system, 'db.operation.name': operation, ...rest } = valuesOf(attributes);
        assert.equal(operation, system === undefined ? undefined : name);
        return { name, system, kind: kind === 3 ? 'client' : 'internal', failed: status.code === 2, ...rest };
      });
      return { request: parent.name, children: told };
    });
    assert.equal(spans.length, parents.length + found.flatMap(({ children }) => children).length);
    return found;
  };
  const internal = { kind: 'internal', failed: false };
  const sqlite = { ...internal, system: 'sqlite' };
  const search = { ...internal, name: 'search', system: undefined };

  it('gets a span of each call of the store and each search below the request that waited for it', async (t) => {
    const batch = { operations: ['a', 'b'].map((id) => ({ id, method: 'GET', path: `/search?q=model+${id}` })) };
    const found = await childrenAfter(t, async (traced) => {
      const client = await registerClient(traced);
      const token = await issueToken(traced, client);
      // SQLite has the token at once, and nothing is waited for.
      await traced.ask('/api/v1/faq', { headers: bearer(token) });
      await traced.ask('/api/v1/search?q=model');
      // What is prepared is searched for no more.
      await traced.ask('/api/v1/search?q=model');
      await traced.ask('/api/v1/sandbox/search?q=model');
      await traced.ask('/api/v1/batch', json(batch));
    });
    assert.deepEqual(found, [
      { request: 'POST /oauth/register', children: [{ ...sqlite, name: 'createClient' }] },
      {
        request: 'POST /oauth/token',
        children: [
          { ...sqlite, name: 'findClient' },
          { ...sqlite, name: 'issueToken' },
        ],
      },
      { request: 'GET /api/v1/faq', children: [] },
      { request: 'GET /api/v1/search', children: [search] },
      { request: 'GET /api/v1/search', children: [] },
      { request: 'GET /api/v1/sandbox/search', children: [search] },
      { request: 'POST /api/v1/batch', children: [search, search] },
    ]);
  });

  it('is told which call of the store failed, and not why', async (t) => {
    const down = storeDown(new Error('a cause that nobody is told'));
    const found = await childrenAfter(
      t,
      async (traced) => assert.equal((await traced.ask('/oauth/register', json({}))).status, 503),
      { wrapStore: (store) => ({ ...store, createClient: () => Promise.reject(down) }) },
    );
    const failed = { ...sqlite, name: 'createClient', failed: true, 'error.type': 'upstream_unavailable' };
    assert.deepEqual(found, [{ request: 'POST /oauth/register', children: [failed] }]);
  });

  it('gets what waits for a shared database as a client’s spans, the counting of requests included', async (t) => {
    const postgres = await sharedPostgres();
    if (typeof postgres === 'string') return t.skip(`not run: PostgreSQL: ${postgres}`);
    const env = {
      DATABASE_URL: await postgres.createDatabase(),
      SECRET_KEY: 'a'.repeat(64),
      RATE_LIMIT_ANONYMOUS: '120',
    };
    const found = await childrenAfter(
      t,
      async (traced) => {
        const token = await issueToken(traced, await registerClient(traced));
        await traced.ask('/api/v1/faq', { headers: bearer(token) });
        await traced.ask('/api/v1/faq');
      },
      { env, limitsDeadlineMs: 30_000 },
    );
    const call = (name: string) => ({ name, system: 'postgresql', kind: 'client', failed: false });
    assert.deepEqual(found.slice(2), [
      { request: 'GET /api/v1/faq', children: [call('admit')] },
      { request: 'GET /api/v1/faq', children: [call('take')] },
    ]);
  });

  it('that refuses, or never responds, holds up neither requests nor the end', async (t) => {
    const refusing = await startCollector(t, (_, response) => response.writeHead(400).end());
    const silent = await startCollector(t, () => {});
    for (const [url, warns] of [
      [refusing.url, true],
      [silent.url, false],
    ] as const) {
      const traced = await startOneServer({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: url } });
      for (let sent = 0; sent < 20; sent += 1) assert.equal((await traced.ask('/api/v1/faq')).status, 200);
      await traced.close();
      const warnings = traced.lines.filter(({ msg }) => msg === 'spans cannot be exported and are lost');
      assert.equal(warnings.length, warns ? 1 : 0);
    }
  });

  it('is all that the SDK is loaded for', async (t) => {
    const silent = await startCollector(t, (_, response) => response.end('{}'));
    const watch =
      "import { registerHooks } from 'node:module'; registerHooks({ resolve(name, context, next) { " +
      "if (name.startsWith('@opentelemetry/')) console.error('loaded ' + name); return next(name, context); } });";
    const contentDir = writeContentFolder(t, { 'appcast.xml': feedOf('1.0') });
    const loaded = async (env: Record<string, string>): Promise<boolean> => {
      const command = startColophon(['serve'], {
        env: {
          ...env,
          DATA_DIR: server.dataDir,
          CONTENT_DIR: contentDir,
          NODE_OPTIONS: `--import="data:text/javascript,${encodeURIComponent(watch)}"`,
        },
      });
      t.after(() => command.child.kill('SIGKILL'));
      const [, url = ''] = await command.says(/Colophon serves .* at (http:[^\s"]+)/);
      await fetch(`${url}/api/v1/faq`, { headers: { traceparent } });
      command.child.kill('SIGTERM');
      assert.equal(await command.ended, 0);
      return command.error().includes('loaded @opentelemetry/');
    };
    assert.equal(await loaded({}), false);
    assert.equal(await loaded({ OTEL_EXPORTER_OTLP_ENDPOINT: silent.url }), true);
  });
});
