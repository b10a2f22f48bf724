/** The protocol as a table: raw requests, and the exact response to each. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { apiVersion } from '../../src/base/build.ts';
import { ask, askSessionless, fetchResult, send, sessionless, sessionlessMeta } from '../support/mcp.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

interface Row {
  readonly what: string;
  /** Sent as it is when it is text or bytes, else as JSON. */
  readonly body: unknown;
  readonly headers?: Record<string, string>;
  readonly status: number;
  /** The code of the error; null for a result, absent when the response has no body. */
  readonly code?: number | null;
  /** The id that comes back; 1 unless said. */
  readonly id?: unknown;
  readonly message?: RegExp;
}

const request = (method: string, params?: unknown, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params !== undefined && { params }),
});
const notification = (method: string) => ({ jsonrpc: '2.0', method, params: {} });
const version = (value: string) => ({ 'mcp-protocol-version': value });
const call = (name: unknown, sent?: unknown) =>
  request('tools/call', { name, ...(sent !== undefined && { arguments: sent }) });
const initialize = (protocolVersion?: unknown) =>
  request('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'a', version: '1' } });
const later = (method: string, params: object = {}) => request(method, { ...params, _meta: sessionlessMeta });
const laterHeaders = (method: string, more: Record<string, string> = {}) => ({
  ...version(sessionless),
  'mcp-method': method,
  ...more,
});

const rows: readonly Row[] = [
  // JSON
  { what: 'no body', body: '', status: 400, code: -32700, id: null, message: /empty/ },
  { what: 'white space', body: ' \n', status: 400, code: -32700, id: null },
  { what: 'broken JSON', body: '{"jsonrpc":"2.0",', status: 400, code: -32700, id: null },
  {
    what: 'a body that is not UTF-8',
    body: new Uint8Array([0x7b, 0xff, 0x7d]),
    status: 400,
    code: -32700,
    id: null,
    message: /UTF-8/,
  },
  { what: 'sixty thousand brackets', body: '['.repeat(60_000), status: 400, code: -32700, id: null },
  // JSON-RPC
  { what: 'an object without members', body: {}, status: 400, code: -32600, id: null },
  { what: 'an unknown member alone', body: { foo: 1 }, status: 400, code: -32600, id: null },
  { what: 'null', body: 'null', status: 400, code: -32600, id: null },
  { what: 'a number', body: '5', status: 400, code: -32600, id: null },
  { what: 'a string', body: '"ping"', status: 400, code: -32600, id: null },
  { what: 'JSON-RPC 1.0', body: { jsonrpc: '1.0', id: 1, method: 'ping' }, status: 400, code: -32600 },
  { what: 'no jsonrpc', body: { id: 1, method: 'ping' }, status: 400, code: -32600 },
  { what: 'no method', body: { jsonrpc: '2.0', id: 1 }, status: 400, code: -32600 },
  { what: 'a method that is a number', body: { jsonrpc: '2.0', id: 1, method: 5 }, status: 400, code: -32600 },
  { what: 'an id that is null', body: request('ping', undefined, null), status: 400, code: -32600, id: null },
  { what: 'an id that is an object', body: request('ping', undefined, {}), status: 400, code: -32600, id: null },
  { what: 'an id with a fraction', body: request('ping', undefined, 1.5), status: 400, code: -32600, id: null },
  {
    what: 'an id past 2^53',
    body: '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}',
    status: 400,
    code: -32600,
    id: null,
  },
  { what: 'params in an array', body: request('ping', []), status: 400, code: -32600 },
  { what: 'params that are null', body: request('ping', null), status: 400, code: -32600 },
  {
    what: 'an id that is text',
    body: request('ping', {}, 'a "b" \u2028'),
    status: 200,
    code: null,
    id: 'a "b" \u2028',
  },
  { what: 'an empty id', body: request('ping', {}, ''), status: 200, code: null, id: '' },
  { what: 'an id of 0', body: request('ping', {}, 0), status: 200, code: null, id: 0 },
  { what: 'a negative id', body: request('ping', {}, -7), status: 200, code: null, id: -7 },
  { what: 'unknown members beside', body: { ...request('ping'), more: 1 }, status: 200, code: null },
  // Methods
  { what: 'ping without params', body: request('ping'), status: 200, code: null },
  { what: 'a listing without a handshake before it', body: request('tools/list'), status: 200, code: null },
  { what: 'an unknown method', body: request('tools/lst'), status: 200, code: -32601, message: /tools\/list/ },
  { what: 'a method of Object', body: request('constructor'), status: 200, code: -32601 },
  { what: 'logging', body: request('logging/setLevel', { level: 'info' }), status: 200, code: -32601 },
  { what: 'a subscription', body: request('resources/subscribe', { uri: 'x' }), status: 200, code: -32601 },
  { what: 'discovery without its version', body: request('server/discover'), status: 200, code: -32601 },
  // Notifications and responses
  { what: 'initialized', body: notification('notifications/initialized'), status: 202 },
  { what: 'an unknown notification', body: notification('notifications/other'), status: 202 },
  { what: 'a method as a notification', body: notification('tools/list'), status: 202 },
  { what: 'a response', body: { jsonrpc: '2.0', id: 5, result: {} }, status: 202 },
  { what: 'an error response', body: { jsonrpc: '2.0', id: 5, error: { code: 1, message: '' } }, status: 202 },
  { what: 'a response without an id', body: { jsonrpc: '2.0', result: {} }, status: 400, code: -32600, id: null },
  // Handshake
  { what: 'a handshake without a version', body: initialize(), status: 200, code: -32602 },
  { what: 'a handshake whose version is a number', body: initialize(1), status: 200, code: -32602 },
  {
    what: 'a handshake under an unknown version header',
    body: initialize('2025-11-25'),
    headers: version('2025-11-25'),
    status: 200,
    code: null,
  },
  {
    what: 'a handshake under a later version header',
    body: initialize('2025-06-18'),
    headers: version(sessionless),
    status: 200,
    code: null,
  },
  {
    what: 'a handshake without client facts',
    body: request('initialize', { protocolVersion: '2025-06-18' }),
    status: 200,
    code: null,
  },
  // Version header
  { what: '2024-11-05', body: request('ping'), headers: version('2024-11-05'), status: 200, code: null },
  { what: '2025-03-26', body: request('ping'), headers: version('2025-03-26'), status: 200, code: null },
  { what: '2025-06-18', body: request('ping'), headers: version('2025-06-18'), status: 200, code: null },
  {
    what: 'a version that never was',
    body: request('ping'),
    headers: version('1999-01-01'),
    status: 400,
    code: -32600,
    id: null,
    message: /2025-06-18/,
  },
  {
    what: 'a version that was not agreed',
    body: request('ping'),
    headers: version('2025-11-25'),
    status: 400,
    code: -32600,
    id: null,
  },
  {
    what: 'nonsense for a version',
    body: request('ping'),
    headers: version('1.0.0'),
    status: 400,
    code: -32600,
    id: null,
  },
  {
    what: 'a notification of a version that never was',
    body: notification('notifications/initialized'),
    headers: version('1999-01-01'),
    status: 202,
  },
  // Batches
  { what: 'an empty batch', body: [], status: 400, code: -32600, id: null },
  {
    what: 'a batch of 21',
    body: Array.from({ length: 21 }, () => request('ping')),
    status: 400,
    code: -32600,
    id: null,
  },
  {
    what: 'a batch in 2025-06-18',
    body: [request('ping')],
    headers: version('2025-06-18'),
    status: 400,
    code: -32600,
    id: null,
  },
  {
    what: 'a batch in 2024-11-05',
    body: [request('ping')],
    headers: version('2024-11-05'),
    status: 400,
    code: -32600,
    id: null,
  },
  {
    what: 'a batch in 2026-07-28',
    body: [later('tools/list')],
    headers: laterHeaders('tools/list'),
    status: 400,
    code: -32600,
    id: null,
  },
  { what: 'a batch of notifications', body: [notification('notifications/initialized')], status: 202 },
  // Tools
  { what: 'a call without params', body: request('tools/call'), status: 200, code: -32602 },
  { what: 'a name that is a number', body: call(5), status: 200, code: -32602 },
  { what: 'an unknown tool', body: call('serch', {}), status: 200, code: -32602, message: /Did you mean `search`/ },
  { what: 'a tool of Object', body: call('__proto__', {}), status: 200, code: -32602 },
  { what: 'arguments that are text', body: call('search', 'x'), status: 200, code: -32602 },
  { what: 'arguments that are a list', body: call('search', []), status: 200, code: -32602 },
  { what: 'null for a required argument', body: call('search', { query: null }), status: 200, code: -32602 },
  { what: 'a missing argument', body: call('search', {}), status: 200, code: -32602, message: /query is required/ },
  {
    what: 'an unknown argument',
    body: call('search', { query: 'key', limt: 1 }),
    status: 200,
    code: -32602,
    message: /limit/,
  },
  {
    what: 'two unknown arguments',
    body: call('search', { query: 'key', limt: 1, curser: 'x' }),
    status: 200,
    code: -32602,
    message: /2 parts of the request are invalid: limt, curser\./,
  },
  {
    what: 'an argument named __proto__',
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"key","__proto__":{}}}}',
    status: 200,
    code: -32602,
  },
  {
    what: 'a number as text',
    body: call('list_releases', { limit: '5' }),
    status: 200,
    code: -32602,
    message: /whole number/,
  },
  {
    what: 'a number out of range',
    body: call('list_releases', { limit: 101 }),
    status: 200,
    code: -32602,
    message: /between 1 and 100/,
  },
  {
    what: 'an unknown value',
    body: call('check_compatibility', { os_version: '15', arch: 'intel' }),
    status: 200,
    code: -32602,
    message: /x86_64/,
  },
  { what: 'no arguments where none are needed', body: call('get_release'), status: 200, code: null },
  {
    what: 'unknown members of params',
    body: request('tools/call', { name: 'get_release', task: {} }),
    status: 200,
    code: null,
  },
  // Listings
  { what: 'a cursor that is a number', body: request('tools/list', { cursor: 1 }), status: 200, code: -32602 },
  {
    what: 'a cursor made up',
    body: request('tools/list', { cursor: 'zzz' }),
    status: 200,
    code: -32602,
    message: /cursor/,
  },
  { what: 'a cursor for prompts made up', body: request('prompts/list', { cursor: '' }), status: 200, code: -32602 },
  // Resources
  { what: 'a resource without a URI', body: request('resources/read'), status: 200, code: -32602 },
  {
    what: 'an unknown resource',
    body: request('resources/read', { uri: 'test://nothing' }),
    status: 200,
    code: -32602,
    message: /not found/,
  },
  { what: 'a file', body: request('resources/read', { uri: 'file:///etc/passwd' }), status: 200, code: -32602 },
  {
    what: 'a URI with broken escapes',
    body: request('resources/read', { uri: 'BASE/docs/%zz.md' }),
    status: 200,
    code: -32602,
  },
  // Prompts and completion
  {
    what: 'an unknown prompt',
    body: request('prompts/get', { name: 'troubleshot' }),
    status: 200,
    code: -32602,
    message: /troubleshoot/,
  },
  {
    what: 'a prompt without its argument',
    body: request('prompts/get', { name: 'troubleshoot' }),
    status: 200,
    code: -32602,
    message: /symptom is required/,
  },
  {
    what: 'a prompt argument that is a number',
    body: request('prompts/get', { name: 'troubleshoot', arguments: { symptom: 5 } }),
    status: 200,
    code: -32602,
  },
  {
    what: 'an unknown prompt argument',
    body: request('prompts/get', { name: 'troubleshoot', arguments: { symptom: 'x', sympton: 'y' } }),
    status: 200,
    code: -32602,
  },
  { what: 'a completion of nothing', body: request('completion/complete'), status: 200, code: -32602 },
  {
    what: 'a completion of an unknown kind',
    body: request('completion/complete', {
      ref: { type: 'ref/tool', name: 'search' },
      argument: { name: 'a', value: '' },
    }),
    status: 200,
    code: -32602,
  },
  // 2026-07-28
  {
    what: 'discovery',
    body: later('server/discover'),
    headers: laterHeaders('server/discover'),
    status: 200,
    code: null,
  },
  { what: 'a listing', body: later('tools/list'), headers: laterHeaders('tools/list'), status: 200, code: null },
  {
    what: 'a call',
    body: later('tools/call', { name: 'get_release' }),
    headers: laterHeaders('tools/call', { 'mcp-name': 'get_release' }),
    status: 200,
    code: null,
  },
  {
    what: 'a call with its name in Base64',
    body: later('tools/call', { name: 'get_release' }),
    headers: laterHeaders('tools/call', { 'mcp-name': '=?base64?Z2V0X3JlbGVhc2U=?=' }),
    status: 200,
    code: null,
  },
  {
    what: 'a name in broken Base64',
    body: later('tools/call', { name: 'get_release' }),
    headers: laterHeaders('tools/call', { 'mcp-name': '=?base64?Z2V0X3Jlb!!!?=' }),
    status: 400,
    code: -32020,
  },
  {
    what: 'a call without Mcp-Name',
    body: later('tools/call', { name: 'get_release' }),
    headers: laterHeaders('tools/call'),
    status: 400,
    code: -32020,
    message: /Mcp-Name/,
  },
  {
    what: 'another Mcp-Name',
    body: later('tools/call', { name: 'get_release' }),
    headers: laterHeaders('tools/call', { 'mcp-name': 'search' }),
    status: 400,
    code: -32020,
  },
  {
    what: 'no Mcp-Method',
    body: later('tools/list'),
    headers: version(sessionless),
    status: 400,
    code: -32020,
    message: /Mcp-Method/,
  },
  {
    what: 'another Mcp-Method',
    body: later('tools/list'),
    headers: laterHeaders('prompts/list'),
    status: 400,
    code: -32020,
  },
  {
    what: 'Mcp-Method in capitals',
    body: later('tools/list'),
    headers: laterHeaders('TOOLS/LIST'),
    status: 400,
    code: -32020,
  },
  {
    what: 'no version header',
    body: later('tools/list'),
    headers: { 'mcp-method': 'tools/list' },
    status: 400,
    code: -32020,
    message: /MCP-Protocol-Version/,
  },
  {
    what: 'another version header',
    body: later('tools/list'),
    headers: { ...laterHeaders('tools/list'), ...version('2025-06-18') },
    status: 400,
    code: -32020,
  },
  {
    what: 'no metadata',
    body: request('tools/list', {}),
    headers: laterHeaders('tools/list'),
    status: 400,
    code: -32602,
    message: /_meta/,
  },
  {
    what: 'no capabilities',
    body: request('tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': sessionless } }),
    headers: laterHeaders('tools/list'),
    status: 400,
    code: -32602,
    message: /clientCapabilities/,
  },
  {
    what: 'an unknown later version',
    body: request('tools/list', {
      _meta: { ...sessionlessMeta, 'io.modelcontextprotocol/protocolVersion': '2027-01-01' },
    }),
    headers: { ...laterHeaders('tools/list'), ...version('2027-01-01') },
    status: 400,
    code: -32022,
  },
  {
    what: 'an earlier version in metadata',
    body: request('tools/list', {
      _meta: { ...sessionlessMeta, 'io.modelcontextprotocol/protocolVersion': '2025-06-18' },
    }),
    headers: { ...laterHeaders('tools/list'), ...version('2025-06-18') },
    status: 400,
    code: -32022,
  },
  {
    what: 'an unknown method later',
    body: later('tools/lst'),
    headers: laterHeaders('tools/lst'),
    status: 404,
    code: -32601,
  },
  {
    what: 'a handshake later',
    body: later('initialize'),
    headers: laterHeaders('initialize'),
    status: 404,
    code: -32601,
  },
  { what: 'ping later', body: later('ping'), headers: laterHeaders('ping'), status: 404, code: -32601 },
  {
    what: 'subscriptions later',
    body: later('subscriptions/listen'),
    headers: laterHeaders('subscriptions/listen'),
    status: 404,
    code: -32601,
  },
  {
    what: 'an unknown tool later',
    body: later('tools/call', { name: 'serch' }),
    headers: laterHeaders('tools/call', { 'mcp-name': 'serch' }),
    status: 200,
    code: -32602,
  },
  {
    what: 'a notification later',
    body: notification('notifications/cancelled'),
    headers: version(sessionless),
    status: 202,
  },
];

const listBytes = (body: unknown, baseUrl: string): string | Uint8Array<ArrayBuffer> => {
  if (body instanceof Uint8Array) return Uint8Array.from(body);
  return (typeof body === 'string' ? body : JSON.stringify(body)).replace('BASE', baseUrl);
};

describe('POST /mcp: the messages of each protocol version', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  for (const row of rows) {
    it(`answers ${row.what}`, async () => {
      const answer = await send(server, '/mcp', listBytes(row.body, server.baseUrl), row.headers);
      assert.equal(answer.status, row.status, answer.text);
      if (row.code === undefined) {
        assert.equal(answer.text, '');
        return;
      }
      const { jsonrpc, id, result, error } = answer.json;
      assert.equal(jsonrpc, '2.0');
      assert.deepEqual(id, 'id' in row ? row.id : 1);
      assert.equal(error?.code ?? null, row.code, answer.text);
      assert.equal(result === undefined, row.code !== null);
      if (row.message !== undefined) assert.match(error.message, row.message);
      const isProblem = answer.headers.get('content-type') === 'application/problem+json';
      if (!isProblem) assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.equal(answer.headers.get('mcp-session-id'), null);
    });
  }

  for (const [asked, answered] of [
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-06-18'],
    ['2026-07-28', '2025-06-18'],
    ['2099-01-01', '2025-06-18'],
    ['1.0.0', '2025-06-18'],
    ['', '2025-06-18'],
  ] as const) {
    it(`agrees on ${answered} with who asks for ${JSON.stringify(asked)}`, async () => {
      const { result } = (await send(server, '/mcp/docs', JSON.stringify(initialize(asked)))).json;
      assert.equal(result.protocolVersion, answered);
      assert.deepEqual(result.capabilities, { tools: {}, resources: {}, prompts: {}, completions: {} });
      assert.deepEqual(result.serverInfo, { name: 'sotto-docs', title: 'Sotto documentation', version: apiVersion });
      assert.ok(result.instructions.length > 0);
    });
  }

  it('responds to each message of a 2025-03-26 batch', async () => {
    const batch = [
      request('ping', {}, 'a'),
      5,
      notification('notifications/initialized'),
      initialize('2025-03-26'),
      request('nothing', {}, 4),
      { jsonrpc: '2.0', id: 9, result: {} },
    ];
    for (const headers of [{}, version('2025-03-26')]) {
      const { status, json } = await send(server, '/mcp', JSON.stringify(batch), headers);
      assert.equal(status, 200);
      assert.deepEqual(
        json.map(({ id, result, error }: { id: unknown; result?: unknown; error?: { code: number } }) => [
          id,
          result ?? error?.code,
        ]),
        [
          ['a', {}],
          [null, -32600],
          [1, -32600],
          [4, -32601],
        ],
      );
    }
  });

  it('names what is wrong with each argument', async () => {
    const { json } = await send(server, '/mcp', JSON.stringify(call('search', { query: 'a', limit: 0, typ: 'doc' })));
    assert.deepEqual(
      json.error.data.errors.map(({ field, code }: { field: string; code: string }) => [field, code]),
      [
        ['query', 'out_of_range'],
        ['limit', 'out_of_range'],
        ['typ', 'unknown'],
      ],
    );
    assert.deepEqual(json.error.data.suggestions, ['type']);
  });

  it('reports invalid arguments to the model from 2025-11-25 on', async () => {
    const sent = { name: 'search', arguments: { query: 'a', limit: 0 } };
    const result = await fetchResult(askSessionless(server, '/mcp', 'tools/call', sent));
    assert.equal(result.isError, true);
    assert.equal(result.structuredContent, undefined);
    assert.match(
      result.content[0].text,
      /query must be 2 to 200 characters long.*limit must be between 1 and 50.*search again/,
    );
  });

  it('marks every result of 2026-07-28 as complete, and listings with how long they hold', async () => {
    for (const [method, params] of [
      ['server/discover', {}],
      ['tools/list', {}],
      ['resources/list', {}],
      ['resources/templates/list', {}],
      ['prompts/list', {}],
      ['resources/read', { uri: `${server.baseUrl}/docs/quickstart.md` }],
    ] as const) {
      const result = await fetchResult(askSessionless(server, '/mcp', method, params));
      assert.equal(result.resultType, 'complete');
      assert.equal(result.ttlMs, 300_000);
      assert.equal(result.cacheScope, 'public');
      assert.deepEqual(result._meta, {
        'io.modelcontextprotocol/serverInfo': { name: 'sotto', title: 'Sotto', version: apiVersion },
      });
    }
    const called = await fetchResult(askSessionless(server, '/mcp', 'tools/call', { name: 'get_pricing' }));
    assert.deepEqual(Object.keys(called), ['resultType', 'content', 'structuredContent', '_meta']);
    const { supportedVersions } = await fetchResult(askSessionless(server, '/mcp', 'server/discover'));
    assert.deepEqual(supportedVersions, ['2026-07-28']);
  });

  it('says nothing of the kind before 2026-07-28', async () => {
    assert.deepEqual(Object.keys(await fetchResult(ask(server, '/mcp', 'tools/list'))), ['tools']);
    assert.deepEqual(await fetchResult(ask(server, '/mcp', 'ping')), {});
  });

  it('lists what it supports when a later version is unknown', async () => {
    const meta = { ...sessionlessMeta, 'io.modelcontextprotocol/protocolVersion': '2027-01-01' };
    const { json } = await send(server, '/mcp', JSON.stringify(request('tools/list', { _meta: meta })), {
      ...laterHeaders('tools/list'),
      ...version('2027-01-01'),
    });
    assert.deepEqual(json.error.data, { supported: ['2026-07-28'], requested: '2027-01-01' });
  });
});
