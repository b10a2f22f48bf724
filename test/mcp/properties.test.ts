/** Tests with random input that an MCP server responds with JSON-RPC or a problem document, and never with a failure of its own. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { scaleCaseCount } from '../support/cases.ts';
import { sendHttpRequest, sessionlessMeta, sessionlessVersion } from '../support/mcp.ts';
import { startTestServer, type TestResponse, type TestServer } from '../support/server.ts';

const methods = [
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'notifications/initialized',
  'toString',
];

const names = [
  'search',
  'fetch',
  'list_docs',
  'get_release',
  'list_releases',
  'check_compatibility',
  'get_pricing',
  'check-my-mac',
  'troubleshoot',
  '__proto__',
];

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>('doc:quickstart', 'arm64', '15', 1, 500),
);
const members = (keys: string[]) =>
  fc.dictionary(fc.oneof(fc.constantFrom(...keys), fc.string()), value, { maxKeys: 5, noNullPrototype: true });

const params = fc.oneof(
  value,
  fc.record(
    {
      name: fc.oneof(fc.constantFrom<unknown>(...names), value),
      arguments: fc.oneof(
        members([
          'query',
          'type',
          'limit',
          'cursor',
          'id',
          'offset',
          'max_chars',
          'version',
          'os_version',
          'arch',
          'symptom',
        ]),
        value,
      ),
      uri: fc.oneof(fc.webUrl(), value),
      cursor: value,
      protocolVersion: fc.oneof(fc.constantFrom<unknown>('2024-11-05', '2025-06-18', '2026-07-28'), value),
      ref: fc.oneof(fc.record({ type: fc.constantFrom('ref/prompt', 'ref/resource'), name: value, uri: value }), value),
      argument: fc.oneof(fc.record({ name: value, value: value }), value),
      _meta: fc.oneof(fc.constant<unknown>(sessionlessMeta), members(Object.keys(sessionlessMeta)), value),
    },
    { requiredKeys: [] },
  ),
);

const message = fc.oneof(
  { weight: 1, arbitrary: value },
  {
    weight: 6,
    arbitrary: fc.record(
      {
        jsonrpc: fc.oneof({ weight: 8, arbitrary: fc.constant<unknown>('2.0') }, { weight: 1, arbitrary: value }),
        id: fc.oneof(fc.integer(), fc.string(), value),
        method: fc.oneof(
          { weight: 8, arbitrary: fc.constantFrom<unknown>(...methods) },
          { weight: 1, arbitrary: value },
        ),
        params,
        result: value,
      },
      { requiredKeys: ['jsonrpc', 'method'] },
    ),
  },
);

const headers = fc.record(
  {
    'mcp-protocol-version': fc.constantFrom(
      '2024-11-05',
      '2025-03-26',
      '2025-06-18',
      '2025-11-25',
      sessionlessVersion,
      '2027-01-01',
      'x',
    ),
    'mcp-method': fc.constantFrom(...methods),
    'mcp-name': fc.constantFrom(...names, '=?base64?!?='),
    accept: fc.constantFrom('*/*', 'text/event-stream', 'application/json', 'text/html'),
  },
  { requiredKeys: [] },
);

describe('POST /mcp and POST /mcp/docs with random messages', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const path = fc.constantFrom('/mcp', '/mcp/docs');

  it('any JSON value gets a JSON-RPC response or a problem document, never a 5xx', async () => {
    const body = fc.oneof(
      { weight: 5, arbitrary: message },
      { weight: 1, arbitrary: fc.array(message, { maxLength: 5 }) },
    );
    await fc.assert(
      fc.asyncProperty(path, body, headers, async (endpoint, json, messageHeaders) => {
        assertResponse(await sendHttpRequest(server, endpoint, JSON.stringify(json) ?? '', messageHeaders));
      }),
      { numRuns: scaleCaseCount(400) },
    );
    assert.deepEqual(
      server.logLines.filter(({ level }) => level === 'error'),
      [],
    );
  });

  it('any bytes get a JSON-RPC response or a problem document, never a 5xx', async () => {
    await fc.assert(
      fc.asyncProperty(path, fc.uint8Array({ maxLength: 200 }), async (endpoint, bytes) => {
        assertResponse(await sendHttpRequest(server, endpoint, Uint8Array.from(bytes)));
      }),
      { numRuns: scaleCaseCount(100) },
    );
  });
});

function assertResponse({ status, headers: responseHeaders, text }: TestResponse): void {
  assert.ok(status < 500, text);
  if (status === 202) {
    assert.equal(text, '');
    return;
  }
  const type = responseHeaders.get('content-type') ?? '';
  if (type === 'application/problem+json') {
    assert.ok([400, 405, 406, 413, 415, 429].includes(status), text);
    return;
  }
  const json = JSON.parse(type === 'text/event-stream' ? text.replace(/^event: message\ndata: /, '') : text);
  for (const answer of Array.isArray(json) ? json : [json]) {
    assert.equal(answer.jsonrpc, '2.0');
    assert.ok(answer.id === null || typeof answer.id === 'string' || Number.isSafeInteger(answer.id));
    assert.notEqual(answer.result === undefined, answer.error === undefined);
    if (answer.error !== undefined) {
      assert.ok([-32700, -32600, -32601, -32602, -32020, -32022].includes(answer.error.code), text);
      assert.ok(answer.error.message.length > 0);
    }
  }
}
