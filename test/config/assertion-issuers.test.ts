/** Tests the file of trusted identity providers: its valid forms, and each fault with its line and column. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type Config, ConfigError, readConfig } from '../../src/config/environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'colophon-issuers-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function readIssuers(text: string): Config['assertionIssuers'] {
  writeFileSync(join(folder, 'issuers.yaml'), text);
  return readConfig({ ASSERTION_ISSUERS_FILE: 'issuers.yaml' }, folder).assertionIssuers;
}

function listFaults(text: string): readonly string[] {
  try {
    readIssuers(text);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map((fault) => fault.replace(`${folder}/`, ''));
    throw error;
  }
  return [];
}

describe('ASSERTION_ISSUERS_FILE', () => {
  it('the list of issuers is empty if the setting is not set', () => {
    assert.deepEqual(readConfig({}, folder).assertionIssuers, []);
  });

  it('the file may be YAML, as in docs/credentials.md, or JSON', () => {
    const page = readFileSync(new URL('../../docs/credentials.md', import.meta.url), 'utf8');
    const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
    assert.partialDeepStrictEqual(readIssuers(example), [
      {
        issuer: 'https://idp.example.com',
        jwksUri: 'https://idp.example.com/keys',
        assertionTypes: ['urn:ietf:params:oauth:token-type:id-jag'],
        maxScopes: ['read:docs', 'read:faq'],
      },
    ]);
    const keys = { keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y' }] };
    const entry = { issuer: 'a', jwks: keys, algorithms: ['ES256'], client_ids: ['agent'] };
    assert.partialDeepStrictEqual(readIssuers(JSON.stringify({ issuers: [entry] })), [
      { issuer: 'a', jwks: keys, algorithms: ['ES256'], clientIds: ['agent'] },
    ]);
    assert.deepEqual(readIssuers('issuers: []\n'), []);
  });

  const rows: [string, string, RegExp][] = [
    ['no list of issuers', '{}', /^issuers\.yaml:1:1: `issuers` is missing/],
    [
      'a misspelled key',
      'issuers:\n  - issuer: a\n    jwks_url: https://a.example/k\n',
      /^issuers\.yaml:3:5: `jwks_url` is not a key here\. Did you mean `jwks_uri`/,
    ],
    [
      'an unknown scope',
      'issuers:\n  - issuer: a\n    jwks_uri: https://a.example/k\n    max_scopes: [read:doc]\n',
      /^issuers\.yaml:4:18: .*Did you mean `read:docs`\?/,
    ],
    ['neither jwks nor jwks_uri', 'issuers: [{ issuer: a }]\n', /a: give either jwks or jwks_uri/],
    [
      'a jwks_uri over plain http',
      'issuers: [{ issuer: a, jwks_uri: "http://a.example/k" }]\n',
      /a: jwks_uri must be an https URL/,
    ],
    [
      'a symmetric algorithm',
      'issuers: [{ issuer: a, jwks_uri: "https://a.example/k", algorithms: [HS256] }]\n',
      /a: the algorithm HS256 is not allowed/,
    ],
    [
      'the same issuer twice',
      'issuers: [{ issuer: a, jwks_uri: "https://a.example/k" }, { issuer: a, jwks_uri: "https://a.example/k" }]\n',
      /a: is listed twice/,
    ],
    ['invalid YAML', 'issuers: [\n', /^issuers\.yaml:\d+:\d+: /],
  ];
  for (const [name, text, pattern] of rows) {
    it(`a file with ${name} is refused`, () => {
      const faults = listFaults(text);
      assert.equal(faults.length, 1, faults.join('\n'));
      assert.match(faults[0] ?? '', pattern);
    });
  }

  it('a missing file is refused, and the error has the setting and the path', () => {
    assert.throws(
      () => readConfig({ ASSERTION_ISSUERS_FILE: 'nowhere.yaml' }, folder),
      /ASSERTION_ISSUERS_FILE names .*nowhere\.yaml, which cannot be read/,
    );
  });
});
