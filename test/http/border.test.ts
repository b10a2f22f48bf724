/** Pure functions for requests, with random input: Accept, codings, If-None-Match, canonical JSON, client addresses and settings. */
import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { writeCanonicalJson } from '../../src/base/canonical-json.ts';
import { isAmong } from '../../src/base/entity-tag.ts';
import { editDistance, findNearMisses } from '../../src/base/near-miss.ts';
import { ConfigError, readConfig } from '../../src/config/environment.ts';
import { findClientAddress, type ProxyTrust } from '../../src/http/client-address.ts';
import { chooseAccepted, chooseCoding } from '../../src/http/negotiation.ts';

const offers = ['application/json', 'text/markdown'];

describe('The Accept header (RFC 9110 section 12.5.1): not_acceptable', () => {
  const rows: [string, string | null][] = [
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    ['text/*', 'text/markdown'],
    ['text/markdown', 'text/markdown'],
    ['TEXT/Markdown', 'text/markdown'],
    ['text/markdown;q=0.5, application/json;q=0.4', 'text/markdown'],
    ['text/markdown, */*', 'text/markdown'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json'],
    ['text/html', null],
    ['application/json;q=0', null],
    ['application/json;q=0, */*', 'text/markdown'],
    ['*/*;q=0', null],
    ['application/json; charset=utf-8', 'application/json'],
    ['application/json;q=2', null],
    ['nonsense', null],
    [',,,', null],
    ['application/json;q=0.001', 'application/json'],
  ];
  for (const [accept, expected] of rows) {
    it(`"${accept}" selects ${expected ?? 'no media type'}`, () =>
      assert.equal(chooseAccepted(accept, offers), expected));
  }

  it('any text selects an offered media type or none, and as Accept-Encoding a supported coding', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (accept) => {
        const mediaType = chooseAccepted(accept, offers);
        assert.ok(mediaType === null || offers.includes(mediaType));
        assert.ok(['br', 'gzip', 'identity'].includes(chooseCoding(accept)));
      }),
    );
  });

  it('the offered media type with the higher weight is selected', () => {
    const weight = fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000);
    fc.assert(
      fc.property(weight, weight, (json, markdown) => {
        const mediaType = chooseAccepted(`application/json;q=${json}, text/markdown;q=${markdown}`, offers);
        const expected = json === 0 && markdown === 0 ? null : markdown > json ? 'text/markdown' : 'application/json';
        assert.equal(mediaType, expected);
      }),
    );
  });
});

it('Accept-Encoding selects the highest weight, brotli among equals, and identity without a supported coding', () => {
  const rows: [string, string][] = [
    ['', 'identity'],
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['identity, gzip;q=0.5', 'identity'],
    ['deflate', 'identity'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ];
  for (const [header, expected] of rows) assert.equal(chooseCoding(header), expected, header);
});

it('If-None-Match compares entity tags weakly, and may be a list or *', () => {
  const rows: [string, boolean][] = [
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ['"b",W/"a"', true],
    ['*', true],
    ['"b"', false],
    ['a', false],
    ['', false],
    ['"a', false],
    ['"b, a"', false],
  ];
  for (const [header, expected] of rows) assert.equal(isAmong(header, '"a"'), expected, header);
});

describe('Canonical JSON (RFC 8785)', () => {
  it('equal values have the same text, whatever the order of their members is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = writeCanonicalJson(value);
        assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
        assert.equal(writeCanonicalJson(JSON.parse(text)), text);
        assert.equal(writeCanonicalJson(reverseMembers(value)), text);
      }),
    );
  });

  it('different values have different texts, with members sorted by name', () => {
    assert.notEqual(writeCanonicalJson({ a: 1 }), writeCanonicalJson({ a: '1' }));
    assert.notEqual(writeCanonicalJson([1, 2]), writeCanonicalJson([2, 1]));
    assert.equal(writeCanonicalJson({ b: 1, a: [{ d: 1, c: 2 }] }), '{"a":[{"c":2,"d":1}],"b":1}');
  });
});

function reverseMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseMembers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reverseMembers(member)]),
  );
}

it('findNearMisses returns only close words, and editDistance is symmetric and bounded', () => {
  assert.deepEqual(findNearMisses('quikstart', ['quickstart', 'dictation']), ['quickstart']);
  assert.deepEqual(findNearMisses('zzz', ['quickstart', 'dictation']), []);
  assert.deepEqual(findNearMisses('', ['a']), []);
  const word = fc.string({ maxLength: 12 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      const distance = editDistance(a, b, 30);
      assert.equal(distance, editDistance(b, a, 30));
      assert.equal(distance === 0, a === b);
      assert.ok(distance <= Math.max(a.length, b.length));
      assert.ok(editDistance(a, b, 2) === Math.min(distance, 3));
    }),
  );
});

describe('TRUST_PROXY: the client’s address (RFC 7239)', () => {
  const ranges = readConfig({ TRUST_PROXY: '10.0.0.0/8, ::1' }, '/').trustProxy;
  const rows: [string, ProxyTrust, string, Record<string, string>, string][] = [
    ['no trusted proxy', { kind: 'none' }, '10.0.0.1', { 'x-forwarded-for': '192.0.2.1' }, '10.0.0.1'],
    ['a trusted peer', ranges, '10.0.0.1', { 'x-forwarded-for': '192.0.2.1' }, '192.0.2.1'],
    [
      'a trusted peer whose address is IPv4-mapped',
      ranges,
      '::ffff:10.0.0.1',
      { 'x-forwarded-for': '192.0.2.1' },
      '192.0.2.1',
    ],
    ['an untrusted peer', ranges, '198.51.100.9', { 'x-forwarded-for': '192.0.2.1' }, '198.51.100.9'],
    [
      'a chain of trusted proxies',
      ranges,
      '10.0.0.1',
      { 'x-forwarded-for': '6.6.6.6, 192.0.2.1, 10.0.0.2' },
      '192.0.2.1',
    ],
    [
      'an invalid entry in X-Forwarded-For',
      ranges,
      '10.0.0.1',
      { 'x-forwarded-for': '192.0.2.1, 1.1.1.1:99' },
      '10.0.0.1',
    ],
    ['a Forwarded header', ranges, '10.0.0.1', { forwarded: 'for="[2001:db8::1]:47011";proto=https' }, '2001:db8::1'],
    ['a Forwarded header with a port', ranges, '10.0.0.1', { forwarded: 'for=192.0.2.1:99' }, '192.0.2.1'],
    [
      'one trusted hop',
      { kind: 'hops', hops: 1 },
      '198.51.100.9',
      { 'x-forwarded-for': '6.6.6.6, 192.0.2.1' },
      '192.0.2.1',
    ],
    ['a trusted peer that forwards no address', ranges, '10.0.0.1', {}, '10.0.0.1'],
  ];
  for (const [what, trust, peer, headers, expected] of rows) {
    it(`the address with ${what} is ${expected}`, () => {
      const request = new IncomingMessage(Object.defineProperty(new Socket(), 'remoteAddress', { value: peer }));
      Object.assign(request.headers, headers);
      assert.equal(findClientAddress(request, trust), expected);
    });
  }
});

describe('readConfig: defaults and invalid settings', () => {
  it('the configuration without settings has the documented defaults', () => {
    const config = readConfig({}, '/srv');
    assert.equal(config.port, 8080);
    assert.equal(config.host, '127.0.0.1');
    assert.equal(config.baseUrl, null);
    assert.equal(config.dataDir, '/srv/data');
    assert.deepEqual(config.limits, {
      anonymous: 120,
      authenticated: 600,
      sandbox: 60,
      pages: 1200,
      address: 3000,
      registration: 20,
      issue: 60,
      refused: 60,
    });
  });

  it('a ConfigError names every invalid setting with its valid values, and a BASE_URL with a path is invalid', () => {
    const env = {
      PORT: '80x',
      BASE_URL: 'ftp://x',
      LOG_LEVEL: 'loud',
      TRUST_PROXY: '10.0.0.0/99',
      SECRET_KEY: 'short',
      RATE_LIMIT_ANONYMOUS: '0',
    };
    assert.throws(
      () => readConfig(env, '/srv'),
      (error: unknown) => {
        assert.ok(error instanceof ConfigError);
        assert.deepEqual(error.faults.toSorted(), [
          'BASE_URL must be an http or https origin such as https://api.example.com, without a path or a user name; it is "ftp://x".',
          'LOG_LEVEL must be one of trace, debug, info, warn, error, silent; it is "loud".',
          'PORT must be a whole number from 0 to 65535; it is "80x".',
          'RATE_LIMIT_ANONYMOUS must be a whole number from 1 to 1000000; it is "0".',
          'SECRET_KEY must have at least 32 characters; generate one with: openssl rand -hex 32',
          'TRUST_PROXY must be none, a number of hops, or addresses or ranges such as 10.0.0.0/8, separated by commas; it is "10.0.0.0/99".',
        ]);
        return true;
      },
    );
    assert.throws(() => readConfig({ BASE_URL: 'https://a.example/path' }, '/'), /without a path/);
    assert.equal(readConfig({ BASE_URL: 'https://a.example/' }, '/').baseUrl, 'https://a.example');
  });
});
