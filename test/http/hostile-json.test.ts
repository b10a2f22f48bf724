/** Broken JSON of every kind for every endpoint that reads JSON: each body is read or rejected with 400. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { scaleCaseCount } from '../support/cases.ts';
import { sendRaw } from '../support/raw.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const validBody = '{"operations":[{"id":"a","method":"GET","path":"/docs?limit=1"}]}';

const invalidBodies: Record<string, string | Buffer> = {
  nothing: '',
  'white space': ' \r\n\t',
  'an open brace': '{',
  'a trailing comma': '{"operations":[],}',
  'trailing junk': `${validBody} x`,
  'two values': `${validBody}${validBody}`,
  'a comment': `/* x */${validBody}`,
  'single quotes': "{'operations':[]}",
  'a name without quotes': '{operations:[]}',
  'two byte order marks': `\ufeff\ufeff${validBody}`,
  'a byte order mark alone': '\ufeff',
  'a byte order mark of UTF-16': Buffer.from([0xff, 0xfe, 0x7b, 0x7d]),
  'UTF-16': Buffer.from(validBody, 'utf16le'),
  'big-endian UTF-16': Buffer.from(validBody, 'utf16le').swap16(),
  'bytes that are not UTF-8': Buffer.from(validBody.replace('docs', 'd\xffcs'), 'latin1'),
  'a surrogate in UTF-8': Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
  'an overlong slash': Buffer.from([0x22, 0xc0, 0xaf, 0x22]),
  'a NUL': `${validBody}\0`,
  'a raw line break in a string': '{"operations":"a\nb"}',
  'a bad escape': '{"operations":"\\x41"}',
  'an incomplete escape': '{"operations":"\\u12"}',
  'a leading zero': '{"operations":01}',
  'a plus sign': '{"operations":+1}',
  'a lone minus sign': '{"operations":-}',
  'a hexadecimal number': '{"operations":0x10}',
  NaN: '{"operations":NaN}',
  'an infinite number': '{"operations":1e400}',
  'minus zero': '{"operations":-0}',
  '32,000 open brackets': '['.repeat(32_000),
  '10,000 nested arrays': `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  '8,000 nested objects': `${'{"a":'.repeat(8000)}1${'}'.repeat(8000)}`,
  '33 levels': `${'['.repeat(33)}${']'.repeat(33)}`,
  '6,000 members': `{${Array.from({ length: 6000 }, (_, index) => `"k${index}":1`).join(',')}}`,
  'only true': 'true',
  'only null': 'null',
  'only a string': '"operations"',
  'only an array': '[]',
  'only a long number': '9'.repeat(60_000),
  'only a long string': `"${'a'.repeat(60_000)}"`,
};

describe('Hostile JSON in a body: invalid_request', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const send = (path: string, body: string | Buffer, contentType = 'application/json') => {
    const bytes = Buffer.from(body);
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${contentType}\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${bytes.length}\r\n\r\n`;
    return sendRaw(server.listenUrl, Buffer.concat([Buffer.from(head), bytes]));
  };

  for (const [name, body] of Object.entries(invalidBodies)) {
    it(`a body with ${name} gets 400 invalid_request from batches and exports`, async () => {
      for (const path of ['/api/v1/batch', '/api/v1/sandbox/batch', '/api/v1/sandbox/exports']) {
        const response = await send(path, body);
        assert.equal(response.status, 400, `${path}: ${response.body.slice(0, 200)}`);
        assert.equal(response.headers['content-type'], 'application/problem+json');
        const { code, errors } = JSON.parse(response.body);
        assert.deepEqual([code, errors.length > 0], ['invalid_request', true]);
      }
      const registration = await send('/oauth/register', body);
      // All members of a registration are optional, so an object with only unknown ones may register a client.
      const mayPass = name === '6,000 members' || /^(an infinite|minus)/.test(name);
      assert.ok(
        registration.status === 400 || (mayPass && registration.status === 201),
        registration.body.slice(0, 200),
      );
      const message = await send('/mcp', body);
      assert.ok(message.status >= 200 && message.status < 500, `/mcp: ${message.status}`);
      assert.doesNotMatch(message.body, /RangeError|call stack|at .*\.ts:/);
    });
  }

  it('a body that begins with a byte order mark is accepted', async () => {
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const rows: [string, string, number][] = [
      ['/api/v1/batch', validBody, 200],
      ['/api/v1/sandbox/exports', '{"resource":"docs","format":"json"}', 202],
      ['/oauth/register', '{"client_name":"a"}', 201],
      ['/mcp', ping, 200],
    ];
    for (const [path, body, status] of rows) {
      const response = await send(path, `\ufeff${body}`);
      assert.equal(response.status, status, `${path}: ${response.body}`);
    }
  });

  it('a body may have 32 levels, and a deeper one is rejected by /mcp, /mcp/docs and POST /api/v1/batch', async () => {
    const nested = (levels: number): string => '{"a":'.repeat(levels) + 1 + '}'.repeat(levels);
    const ping = (levels: number): string => `{"jsonrpc":"2.0","id":1,"method":"ping","params":${nested(levels - 1)}}`;
    assert.deepEqual(JSON.parse((await send('/mcp', ping(32))).body), { jsonrpc: '2.0', id: 1, result: {} });
    const brackets = await send('/mcp', ping(2).replace('"params"', `"x":"${'['.repeat(99)}\\"{","params"`));
    assert.equal(brackets.status, 200, 'brackets in a string do not count as levels');
    for (const levels of [33, 10_000]) {
      for (const path of ['/mcp', '/mcp/docs']) {
        const response = await send(path, ping(levels));
        assert.equal(response.status, 400);
        assert.deepEqual(JSON.parse(response.body), {
          jsonrpc: '2.0',
          id: null,
          error: { code: -32700, message: 'Parse error: the body is nested more than 32 levels deep.' },
        });
      }
      const batch = JSON.parse((await send('/api/v1/batch', nested(levels))).body);
      assert.deepEqual(batch.errors, [
        { field: 'body', code: 'malformed', detail: 'The body is nested more than 32 levels deep.' },
      ]);
    }
  });

  it('the last of two members with one name counts, and half a surrogate pair gets a response in valid UTF-8', async () => {
    const response = await send('/api/v1/batch', validBody.replace('{"operations"', '{"operations":[],"operations"'));
    assert.equal(response.status, 200);
    const halfPair = await send('/api/v1/batch', validBody.replace('"a"', '"\\ud83e"'));
    assert.ok(halfPair.status === 200 || halfPair.status === 400, halfPair.body);
    assert.equal(Buffer.from(halfPair.body).toString(), halfPair.body, 'the response contains no half of a pair');
  });

  it('any body gets a status below 500, and a response that is empty or JSON', async () => {
    const cut = fc
      .tuple(fc.nat(validBody.length), fc.string())
      .map(([index, insertion]) => validBody.slice(0, index) + insertion + validBody.slice(index));
    const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
    const value = fc.json({ maxDepth: 8 });
    const member = fc.json({ maxDepth: 3 }).map((text) => `{"operations":[${text}]}`);
    await fc.assert(
      fc.asyncProperty(fc.oneof(cut, bytes, value, member), async (body) => {
        for (const path of ['/api/v1/batch', '/api/v1/sandbox/exports', '/oauth/register', '/mcp']) {
          const response = await send(path, body);
          assert.ok(response.status < 500 && response.status !== 413, `${path}: ${response.status}`);
          if (response.body !== '') JSON.parse(response.body);
        }
      }),
      { numRuns: scaleCaseCount(100) },
    );
  });
});
