/** Tests MCP with a table of raw requests and the status, ID and error of each response, and the rules of each version. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { apiVersion } from '../../src/base/build.ts';
import { handshakeVersions, sessionlessVersions } from '../../src/mcp/protocol.ts';
import {
  readResult,
  sendHttpRequest,
  sendRpcRequest,
  sendSessionlessRequest,
  sessionlessMeta,
  sessionlessVersion,
} from '../support/mcp.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

interface Row {
  readonly what: string;
  /** Body of the request: text and bytes are sent unchanged, any other value as JSON. */
  readonly body: unknown;
  readonly headers?: Record<string, string>;
  readonly status: number;
  /** Code of the JSON-RPC error, or null for a result; left out if the response has no body. */
  readonly code?: number | null;
  /** ID in the response. @defaultValue 1 */
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
const call = (name: unknown, input?: unknown) =>
  request('tools/call', { name, ...(input !== undefined && { arguments: input }) });
const initialize = (protocolVersion?: unknown) =>
  request('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'a', version: '1' } });
const createSessionlessRequest = (method: string, params: object = {}) =>
  request(method, { ...params, _meta: sessionlessMeta });
const createSessionlessHeaders = (method: string, more: Record<string, string> = {}) => ({
  ...version(sessionlessVersion),
  'mcp-method': method,
  ...more,
});

const rows: readonly Row[] = [
  // Bodies that are not JSON
  { what: 'an empty body', body: '', status: 400, code: -32700, id: null, message: /empty/ },
  { what: 'a body of white space', body: ' \n', status: 400, code: -32700, id: null },
  { what: 'malformed JSON', body: '{"jsonrpc":"2.0",', status: 400, code: -32700, id: null },
  {
    what: 'a body that is not UTF-8',
    body: new Uint8Array([0x7b, 0xff, 0x7d]),
    status: 400,
    code: -32700,
    id: null,
    message: /UTF-8/,
  },
  { what: 'a body of 60,000 brackets', body: '['.repeat(60_000), status: 400, code: -32700, id: null },
  // JSON-RPC messages
  { what: 'an object without members', body: {}, status: 400, code: -32600, id: null },
  { what: 'an object with only an unknown member', body: { foo: 1 }, status: 400, code: -32600, id: null },
  { what: 'a body of null', body: 'null', status: 400, code: -32600, id: null },
  { what: 'a body that is a number', body: '5', status: 400, code: -32600, id: null },
  { what: 'a body that is a string', body: '"ping"', status: 400, code: -32600, id: null },
  { what: 'a JSON-RPC 1.0 request', body: { jsonrpc: '1.0', id: 1, method: 'ping' }, status: 400, code: -32600 },
  { what: 'a request without jsonrpc', body: { id: 1, method: 'ping' }, status: 400, code: -32600 },
  { what: 'a request without a method', body: { jsonrpc: '2.0', id: 1 }, status: 400, code: -32600 },
  { what: 'a method that is a number', body: { jsonrpc: '2.0', id: 1, method: 5 }, status: 400, code: -32600 },
  { what: 'an id that is null', body: request('ping', undefined, null), status: 400, code: -32600, id: null },
  { what: 'an id that is an object', body: request('ping', undefined, {}), status: 400, code: -32600, id: null },
  { what: 'an id with a fraction', body: request('ping', undefined, 1.5), status: 400, code: -32600, id: null },
  {
    what: 'an id above 2^53',
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
  { what: 'a request with an unknown member', body: { ...request('ping'), more: 1 }, status: 200, code: null },
  // Methods
  { what: 'ping without params', body: request('ping'), status: 200, code: null },
  { what: 'tools/list without initialize before it', body: request('tools/list'), status: 200, code: null },
  { what: 'an unknown method', body: request('tools/lst'), status: 200, code: -32601, message: /tools\/list/ },
  { what: 'a method named constructor', body: request('constructor'), status: 200, code: -32601 },
  { what: 'logging/setLevel', body: request('logging/setLevel', { level: 'info' }), status: 200, code: -32601 },
  { what: 'resources/subscribe', body: request('resources/subscribe', { uri: 'x' }), status: 200, code: -32601 },
  { what: 'server/discover without a protocol version', body: request('server/discover'), status: 200, code: -32601 },
  // Notifications and responses
  { what: 'notifications/initialized', body: notification('notifications/initialized'), status: 202 },
  { what: 'an unknown notification', body: notification('notifications/other'), status: 202 },
  { what: 'tools/list as a notification', body: notification('tools/list'), status: 202 },
  { what: 'a JSON-RPC response', body: { jsonrpc: '2.0', id: 5, result: {} }, status: 202 },
  { what: 'a JSON-RPC error response', body: { jsonrpc: '2.0', id: 5, error: { code: 1, message: '' } }, status: 202 },
  {
    what: 'a JSON-RPC response without an id',
    body: { jsonrpc: '2.0', result: {} },
    status: 400,
    code: -32600,
    id: null,
  },
  // Handshake
  { what: 'initialize without protocolVersion', body: initialize(), status: 200, code: -32602 },
  { what: 'initialize with a number as protocolVersion', body: initialize(1), status: 200, code: -32602 },
  {
    what: 'initialize with MCP-Protocol-Version: 2025-11-25',
    body: initialize('2025-11-25'),
    headers: version('2025-11-25'),
    status: 200,
    code: null,
  },
  {
    what: 'initialize with MCP-Protocol-Version: 2026-07-28',
    body: initialize('2025-06-18'),
    headers: version(sessionlessVersion),
    status: 200,
    code: null,
  },
  {
    what: 'initialize without capabilities and clientInfo',
    body: request('initialize', { protocolVersion: '2025-06-18' }),
    status: 200,
    code: null,
  },
  // The header MCP-Protocol-Version
  {
    what: 'ping with MCP-Protocol-Version: 2024-11-05',
    body: request('ping'),
    headers: version('2024-11-05'),
    status: 200,
    code: null,
  },
  {
    what: 'ping with MCP-Protocol-Version: 2025-03-26',
    body: request('ping'),
    headers: version('2025-03-26'),
    status: 200,
    code: null,
  },
  {
    what: 'ping with MCP-Protocol-Version: 2025-06-18',
    body: request('ping'),
    headers: version('2025-06-18'),
    status: 200,
    code: null,
  },
  {
    what: 'ping with MCP-Protocol-Version: 1999-01-01',
    body: request('ping'),
    headers: version('1999-01-01'),
    status: 400,
    code: -32600,
    id: null,
    message: /2025-06-18/,
  },
  {
    what: 'ping with MCP-Protocol-Version: 2025-11-25',
    body: request('ping'),
    headers: version('2025-11-25'),
    status: 400,
    code: -32600,
    id: null,
  },
  {
    what: 'ping with MCP-Protocol-Version: 1.0.0',
    body: request('ping'),
    headers: version('1.0.0'),
    status: 400,
    code: -32600,
    id: null,
  },
  {
    what: 'a notification with MCP-Protocol-Version: 1999-01-01',
    body: notification('notifications/initialized'),
    headers: version('1999-01-01'),
    status: 202,
  },
  // Batches
  { what: 'an empty batch', body: [], status: 400, code: -32600, id: null },
  {
    what: 'a batch of 21 requests',
    body: Array.from({ length: 21 }, () => request('ping')),
    status: 400,
    code: -32600,
    id: null,
  },
  {
    what: 'a batch in protocol version 2025-06-18',
    body: [request('ping')],
    headers: version('2025-06-18'),
    status: 400,
    code: -32600,
    id: null,
  },
  {
    what: 'a batch in protocol version 2024-11-05',
    body: [request('ping')],
    headers: version('2024-11-05'),
    status: 400,
    code: -32600,
    id: null,
  },
  {
    what: 'a batch in protocol version 2026-07-28',
    body: [createSessionlessRequest('tools/list')],
    headers: createSessionlessHeaders('tools/list'),
    status: 400,
    code: -32600,
    id: null,
  },
  { what: 'a batch of notifications', body: [notification('notifications/initialized')], status: 202 },
  // Tools
  { what: 'tools/call without params', body: request('tools/call'), status: 200, code: -32602 },
  { what: 'tools/call with a number as name', body: call(5), status: 200, code: -32602 },
  {
    what: 'tools/call of an unknown tool',
    body: call('serch', {}),
    status: 200,
    code: -32602,
    message: /Did you mean `search`/,
  },
  { what: 'tools/call of a tool named __proto__', body: call('__proto__', {}), status: 200, code: -32602 },
  { what: 'tools/call with text as arguments', body: call('search', 'x'), status: 200, code: -32602 },
  { what: 'tools/call with a list as arguments', body: call('search', []), status: 200, code: -32602 },
  {
    what: 'tools/call with null for a required argument',
    body: call('search', { query: null }),
    status: 200,
    code: -32602,
  },
  {
    what: 'tools/call without a required argument',
    body: call('search', {}),
    status: 200,
    code: -32602,
    message: /query is required/,
  },
  {
    what: 'tools/call with an unknown argument',
    body: call('search', { query: 'key', limt: 1 }),
    status: 200,
    code: -32602,
    message: /limit/,
  },
  {
    what: 'tools/call with two unknown arguments',
    body: call('search', { query: 'key', limt: 1, curser: 'x' }),
    status: 200,
    code: -32602,
    message: /2 parts of the request are invalid: limt, curser\./,
  },
  {
    what: 'tools/call with an argument named __proto__',
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"key","__proto__":{}}}}',
    status: 200,
    code: -32602,
  },
  {
    what: 'tools/call with a number as text',
    body: call('list_releases', { limit: '5' }),
    status: 200,
    code: -32602,
    message: /whole number/,
  },
  {
    what: 'tools/call with a number out of range',
    body: call('list_releases', { limit: 101 }),
    status: 200,
    code: -32602,
    message: /between 1 and 100/,
  },
  {
    what: 'tools/call with an unknown value of an enum',
    body: call('check_compatibility', { os_version: '15', arch: 'intel' }),
    status: 200,
    code: -32602,
    message: /x86_64/,
  },
  { what: 'tools/call without arguments if none is required', body: call('get_release'), status: 200, code: null },
  {
    what: 'tools/call with an unknown member of params',
    body: request('tools/call', { name: 'get_release', task: {} }),
    status: 200,
    code: null,
  },
  // Cursors of lists
  { what: 'tools/list with a number as cursor', body: request('tools/list', { cursor: 1 }), status: 200, code: -32602 },
  {
    what: 'tools/list with an unknown cursor',
    body: request('tools/list', { cursor: 'zzz' }),
    status: 200,
    code: -32602,
    message: /cursor/,
  },
  {
    what: 'prompts/list with an empty cursor',
    body: request('prompts/list', { cursor: '' }),
    status: 200,
    code: -32602,
  },
  // Resources
  { what: 'resources/read without a URI', body: request('resources/read'), status: 200, code: -32602 },
  {
    what: 'resources/read of an unknown URI',
    body: request('resources/read', { uri: 'test://nothing' }),
    status: 200,
    code: -32602,
    message: /not found/,
  },
  {
    what: 'resources/read of a file URI',
    body: request('resources/read', { uri: 'file:///etc/passwd' }),
    status: 200,
    code: -32602,
  },
  {
    what: 'resources/read of a URI with a malformed escape',
    body: request('resources/read', { uri: 'BASE/docs/%zz.md' }),
    status: 200,
    code: -32602,
  },
  // Prompts and completion
  {
    what: 'prompts/get of an unknown prompt',
    body: request('prompts/get', { name: 'troubleshot' }),
    status: 200,
    code: -32602,
    message: /troubleshoot/,
  },
  {
    what: 'prompts/get without a required argument',
    body: request('prompts/get', { name: 'troubleshoot' }),
    status: 200,
    code: -32602,
    message: /symptom is required/,
  },
  {
    what: 'prompts/get with a number as argument',
    body: request('prompts/get', { name: 'troubleshoot', arguments: { symptom: 5 } }),
    status: 200,
    code: -32602,
  },
  {
    what: 'prompts/get with an unknown argument',
    body: request('prompts/get', { name: 'troubleshoot', arguments: { symptom: 'x', sympton: 'y' } }),
    status: 200,
    code: -32602,
  },
  { what: 'completion/complete without params', body: request('completion/complete'), status: 200, code: -32602 },
  {
    what: 'completion/complete with an unknown type of ref',
    body: request('completion/complete', {
      ref: { type: 'ref/tool', name: 'search' },
      argument: { name: 'a', value: '' },
    }),
    status: 200,
    code: -32602,
  },
  // Version 2026-07-28
  {
    what: 'server/discover in 2026-07-28',
    body: createSessionlessRequest('server/discover'),
    headers: createSessionlessHeaders('server/discover'),
    status: 200,
    code: null,
  },
  {
    what: 'tools/list in 2026-07-28',
    body: createSessionlessRequest('tools/list'),
    headers: createSessionlessHeaders('tools/list'),
    status: 200,
    code: null,
  },
  {
    what: 'tools/call in 2026-07-28',
    body: createSessionlessRequest('tools/call', { name: 'get_release' }),
    headers: createSessionlessHeaders('tools/call', { 'mcp-name': 'get_release' }),
    status: 200,
    code: null,
  },
  {
    what: 'tools/call with Mcp-Name in Base64',
    body: createSessionlessRequest('tools/call', { name: 'get_release' }),
    headers: createSessionlessHeaders('tools/call', { 'mcp-name': '=?base64?Z2V0X3JlbGVhc2U=?=' }),
    status: 200,
    code: null,
  },
  {
    what: 'tools/call with Mcp-Name in malformed Base64',
    body: createSessionlessRequest('tools/call', { name: 'get_release' }),
    headers: createSessionlessHeaders('tools/call', { 'mcp-name': '=?base64?Z2V0X3Jlb!!!?=' }),
    status: 400,
    code: -32020,
  },
  {
    what: 'tools/call without Mcp-Name',
    body: createSessionlessRequest('tools/call', { name: 'get_release' }),
    headers: createSessionlessHeaders('tools/call'),
    status: 400,
    code: -32020,
    message: /Mcp-Name/,
  },
  {
    what: 'tools/call with the Mcp-Name of another tool',
    body: createSessionlessRequest('tools/call', { name: 'get_release' }),
    headers: createSessionlessHeaders('tools/call', { 'mcp-name': 'search' }),
    status: 400,
    code: -32020,
  },
  {
    what: 'tools/list without Mcp-Method',
    body: createSessionlessRequest('tools/list'),
    headers: version(sessionlessVersion),
    status: 400,
    code: -32020,
    message: /Mcp-Method/,
  },
  {
    what: 'tools/list with the Mcp-Method of another method',
    body: createSessionlessRequest('tools/list'),
    headers: createSessionlessHeaders('prompts/list'),
    status: 400,
    code: -32020,
  },
  {
    what: 'tools/list with Mcp-Method in capitals',
    body: createSessionlessRequest('tools/list'),
    headers: createSessionlessHeaders('TOOLS/LIST'),
    status: 400,
    code: -32020,
  },
  {
    what: 'tools/list in 2026-07-28 without MCP-Protocol-Version',
    body: createSessionlessRequest('tools/list'),
    headers: { 'mcp-method': 'tools/list' },
    status: 400,
    code: -32020,
    message: /MCP-Protocol-Version/,
  },
  {
    what: 'tools/list in 2026-07-28 with MCP-Protocol-Version: 2025-06-18',
    body: createSessionlessRequest('tools/list'),
    headers: { ...createSessionlessHeaders('tools/list'), ...version('2025-06-18') },
    status: 400,
    code: -32020,
  },
  {
    what: 'tools/list in 2026-07-28 without _meta',
    body: request('tools/list', {}),
    headers: createSessionlessHeaders('tools/list'),
    status: 400,
    code: -32602,
    message: /_meta/,
  },
  {
    what: 'tools/list in 2026-07-28 without clientCapabilities',
    body: request('tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': sessionlessVersion } }),
    headers: createSessionlessHeaders('tools/list'),
    status: 400,
    code: -32602,
    message: /clientCapabilities/,
  },
  {
    what: 'tools/list in the unknown version 2027-01-01',
    body: request('tools/list', {
      _meta: { ...sessionlessMeta, 'io.modelcontextprotocol/protocolVersion': '2027-01-01' },
    }),
    headers: { ...createSessionlessHeaders('tools/list'), ...version('2027-01-01') },
    status: 400,
    code: -32022,
  },
  {
    what: 'tools/list with version 2025-06-18 in _meta',
    body: request('tools/list', {
      _meta: { ...sessionlessMeta, 'io.modelcontextprotocol/protocolVersion': '2025-06-18' },
    }),
    headers: { ...createSessionlessHeaders('tools/list'), ...version('2025-06-18') },
    status: 400,
    code: -32022,
  },
  {
    what: 'an unknown method in 2026-07-28',
    body: createSessionlessRequest('tools/lst'),
    headers: createSessionlessHeaders('tools/lst'),
    status: 404,
    code: -32601,
  },
  {
    what: 'initialize with 2026-07-28 in _meta',
    body: createSessionlessRequest('initialize'),
    headers: createSessionlessHeaders('initialize'),
    status: 404,
    code: -32601,
  },
  {
    what: 'ping in 2026-07-28',
    body: createSessionlessRequest('ping'),
    headers: createSessionlessHeaders('ping'),
    status: 404,
    code: -32601,
  },
  {
    what: 'subscriptions/listen in 2026-07-28',
    body: createSessionlessRequest('subscriptions/listen'),
    headers: createSessionlessHeaders('subscriptions/listen'),
    status: 404,
    code: -32601,
  },
  {
    what: 'tools/call of an unknown tool in 2026-07-28',
    body: createSessionlessRequest('tools/call', { name: 'serch' }),
    headers: createSessionlessHeaders('tools/call', { 'mcp-name': 'serch' }),
    status: 200,
    code: -32602,
  },
  {
    what: 'a notification in 2026-07-28',
    body: notification('notifications/cancelled'),
    headers: version(sessionlessVersion),
    status: 202,
  },
];

const encodeBody = (body: unknown, baseUrl: string): string | Uint8Array<ArrayBuffer> => {
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
    it(`the response to ${row.what} is ${row.status}${row.code ? ` with error ${row.code}` : ''}`, async () => {
      const answer = await sendHttpRequest(server, '/mcp', encodeBody(row.body, server.baseUrl), row.headers);
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

  for (const [requestedVersion, expectedVersion] of [
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-06-18'],
    ['2026-07-28', '2025-06-18'],
    ['2099-01-01', '2025-06-18'],
    ['1.0.0', '2025-06-18'],
    ['', '2025-06-18'],
  ] as const) {
    it(`initialize with protocolVersion ${JSON.stringify(requestedVersion)} returns ${expectedVersion}`, async () => {
      const { result } = (await sendHttpRequest(server, '/mcp/docs', JSON.stringify(initialize(requestedVersion))))
        .json;
      assert.equal(result.protocolVersion, expectedVersion);
      assert.deepEqual(result.capabilities, { tools: {}, resources: {}, prompts: {}, completions: {} });
      assert.deepEqual(result.serverInfo, { name: 'sotto-docs', title: 'Sotto documentation', version: apiVersion });
      assert.ok(result.instructions.length > 0);
    });
  }

  it('a 2025-03-26 batch gets a response for each message that is not a notification or a response', async () => {
    const batch = [
      request('ping', {}, 'a'),
      5,
      notification('notifications/initialized'),
      initialize('2025-03-26'),
      request('nothing', {}, 4),
      { jsonrpc: '2.0', id: 9, result: {} },
    ];
    for (const headers of [{}, version('2025-03-26')]) {
      const { status, json } = await sendHttpRequest(server, '/mcp', JSON.stringify(batch), headers);
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

  it('the error has a code for each invalid argument, and a suggestion for a misspelled one', async () => {
    const { json } = await sendHttpRequest(
      server,
      '/mcp',
      JSON.stringify(call('search', { query: 'a', limit: 0, typ: 'doc' })),
    );
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

  it('invalid arguments return isError in 2026-07-28, and the error -32602 in earlier versions', async () => {
    const params = { name: 'search', arguments: { query: 'a', limit: 0 } };
    const faults = /query must be 2 to 200 characters long.*limit must be between 1 and 50/;
    for (const name of handshakeVersions) {
      const { json } = await sendRpcRequest(server, '/mcp', 'tools/call', params, version(name));
      assert.equal(json.result, undefined, name);
      assert.equal(json.error.code, -32602, name);
      assert.match(json.error.message, faults, name);
    }
    assert.deepEqual(sessionlessVersions, [sessionlessVersion]);
    const result = await readResult(sendSessionlessRequest(server, '/mcp', 'tools/call', params));
    assert.equal(result.isError, true);
    assert.equal(result.structuredContent, undefined);
    assert.match(result.content[0].text, new RegExp(`${faults.source}.*search again`));
  });

  it('each result of 2026-07-28 has resultType: complete, and lists and resources have ttlMs and cacheScope', async () => {
    for (const [method, params] of [
      ['server/discover', {}],
      ['tools/list', {}],
      ['resources/list', {}],
      ['resources/templates/list', {}],
      ['prompts/list', {}],
      ['resources/read', { uri: `${server.baseUrl}/docs/quickstart.md` }],
    ] as const) {
      const result = await readResult(sendSessionlessRequest(server, '/mcp', method, params));
      assert.equal(result.resultType, 'complete');
      assert.equal(result.ttlMs, 300_000);
      assert.equal(result.cacheScope, 'public');
      assert.deepEqual(result._meta, {
        'io.modelcontextprotocol/serverInfo': { name: 'sotto', title: 'Sotto', version: apiVersion },
      });
    }
    const toolResult = await readResult(sendSessionlessRequest(server, '/mcp', 'tools/call', { name: 'get_pricing' }));
    assert.deepEqual(Object.keys(toolResult), ['resultType', 'content', 'structuredContent', '_meta']);
    const { supportedVersions } = await readResult(sendSessionlessRequest(server, '/mcp', 'server/discover'));
    assert.deepEqual(supportedVersions, ['2026-07-28']);
  });

  it('the results of each version before 2026-07-28 have no resultType, ttlMs and cacheScope', async () => {
    for (const headers of [{}, ...handshakeVersions.map(version)]) {
      assert.deepEqual(Object.keys(await readResult(sendRpcRequest(server, '/mcp', 'tools/list', {}, headers))), [
        'tools',
      ]);
      assert.deepEqual(await readResult(sendRpcRequest(server, '/mcp', 'ping', {}, headers)), {});
    }
  });

  it('the error for the unknown version 2027-01-01 lists the supported versions', async () => {
    const meta = { ...sessionlessMeta, 'io.modelcontextprotocol/protocolVersion': '2027-01-01' };
    const { json } = await sendHttpRequest(server, '/mcp', JSON.stringify(request('tools/list', { _meta: meta })), {
      ...createSessionlessHeaders('tools/list'),
      ...version('2027-01-01'),
    });
    assert.deepEqual(json.error.data, { supported: ['2026-07-28'], requested: '2027-01-01' });
  });
});
