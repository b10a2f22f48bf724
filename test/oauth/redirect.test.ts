/** Tests which redirect URIs may be registered, which match a registered one, and how responses are added to their query. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  addParameters,
  findRedirectUriFault,
  getRedirectHost,
  getRedirectOrigin,
  matchesRedirectUri,
} from '../../src/oauth/redirect-uri.ts';

describe('Redirect URIs that may be registered (RFC 8252, RFC 9700 section 2.1)', () => {
  const validUris = [
    'https://client.example/cb',
    'https://client.example:8443/cb?tenant=1',
    'https://client.example',
    'http://127.0.0.1/cb',
    'http://127.0.0.1:49152/cb',
    'http://[::1]:8080/',
    'http://localhost:3000/callback',
    'https://xn--clint-yqa.example/cb',
    'https://[2001:db8::1]:8443/cb',
    'com.example.app:/oauth',
    'com.example.app://oauth/cb',
    `https://client.example/${'a'.repeat(1977)}`,
  ];
  for (const uri of validUris)
    it(`${uri.slice(0, 60)} is accepted`, () => assert.equal(findRedirectUriFault(uri), null));
});

describe('Redirect URIs that are refused: invalid_redirect_uri', () => {
  const invalidUris = [
    '',
    '/cb',
    'client.example/cb',
    'http://client.example/cb',
    'http://127.0.0.1.client.example/',
    'http://127.0.0.1@client.example/',
    'http://localhost.client.example/',
    'http://0x7f.1/cb',
    'http://2130706433/cb',
    'http://[::ffff:127.0.0.1]/cb',
    'https://user@client.example/cb',
    'https://user:password@client.example/cb',
    'https://@client.example/cb',
    'https://client.example/cb#fragment',
    'https://client.example/cb#',
    'https://*.client.example/cb',
    'https://client.example/*',
    'https://a;sandbox/cb',
    'https://a,x/cb',
    "https://a'b/cb",
    'https://my_app.example/cb',
    'https://cli%65nt.example/cb',
    'https://client.example:/cb',
    'https://client.example:0/cb',
    'https://client.example:99999/cb',
    'http://127.0.0.1:0/cb',
    'http://127.0.0.1:65536/cb',
    'https:///cb',
    'https:client.example',
    'https:/client.example',
    'https:\\\\client.example',
    'https://client.example/\ncb',
    'https://client.example/ cb',
    'https://cliënt.example/cb',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ftp://client.example/',
    'myapp:/cb',
    'vbscript:x',
    'blob:https://client.example/x',
    `https://client.example/${'a'.repeat(1978)}`,
  ];
  for (const uri of invalidUris) {
    it(`${JSON.stringify(uri.slice(0, 60))} is refused`, () => assert.notEqual(findRedirectUriFault(uri), null));
  }
});

describe('redirect_uri of an authorization request (RFC 9700 section 2.1, RFC 8252 section 7.3)', () => {
  it('a registered URI matches only itself, character by character', () => {
    const registeredUris = ['https://client.example/cb'];
    assert.equal(matchesRedirectUri('https://client.example/cb', registeredUris), true);
    for (const otherUri of [
      'https://client.example/cb/',
      'https://client.example/CB',
      'https://client.example:443/cb',
    ]) {
      assert.equal(matchesRedirectUri(otherUri, registeredUris), false, otherUri);
    }
    assert.equal(matchesRedirectUri('https://client.example/cb?x=1', registeredUris), false);
  });

  it('an invalid port matches no registered URI', () => {
    for (const registeredUri of ['http://127.0.0.1/cb', 'http://[::1]:8080/cb']) {
      for (const port of ['0', '00', '65536', '99999', '']) {
        const requestedUri = registeredUri.replace(/(:8080)?\/cb/, `:${port}/cb`);
        assert.equal(matchesRedirectUri(requestedUri, [registeredUri]), false, requestedUri);
      }
      assert.equal(matchesRedirectUri(registeredUri.replace(/(:8080)?\/cb/, ':65535/cb'), [registeredUri]), true);
    }
  });

  it('a loopback address matches with any port', () => {
    const registeredUris = [
      'http://127.0.0.1/cb',
      'http://[::1]:1/cb',
      'http://localhost:1/cb',
      'https://127.0.0.1:1/cb',
    ];
    for (const uri of ['http://127.0.0.1:5000/cb', 'http://[::1]:5000/cb', 'http://[::1]/cb']) {
      assert.equal(matchesRedirectUri(uri, registeredUris), true, uri);
    }
    const otherUris = [
      'http://127.0.0.1:5000/cb2',
      'http://localhost:5000/cb',
      'https://127.0.0.1:5000/cb',
      'http://127.0.0.1:5000@client.example/cb',
      'http://127.0.0.1:x/cb',
      'http://127.0.0.1:5000.client.example/cb',
    ];
    for (const uri of otherUris) assert.equal(matchesRedirectUri(uri, registeredUris), false, uri);
  });
});

it('findRedirectUriFault accepts only https, http to a loopback host, and custom schemes with a dot', () => {
  const parts = fc.constantFrom(
    'https:',
    'http:',
    '//',
    '/',
    '@',
    ':',
    '?',
    '#',
    '.',
    'a',
    'localhost',
    '127.0.0.1',
    '\\',
    '8',
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 12 }), (pieces) => {
      const uri = pieces.join('');
      if (findRedirectUriFault(uri) !== null) return;
      const url = new URL(uri);
      const local = ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
      assert.ok(url.protocol === 'https:' || (url.protocol === 'http:' && local) || url.protocol.includes('.'), uri);
      assert.deepEqual([url.username, url.password, url.hash], ['', '', ''], uri);
    }),
  );
});

it('addParameters adds the authorization response to the query of the redirect URI', () => {
  const response = { code: 'a b&c', state: null, iss: 'https://api.example' };
  const query = 'code=a+b%26c&iss=https%3A%2F%2Fapi.example';
  assert.equal(addParameters('https://client.example/cb', response), `https://client.example/cb?${query}`);
  assert.equal(addParameters('https://client.example/cb?x=1', response), `https://client.example/cb?x=1&${query}`);
  assert.equal(addParameters('com.example.app:/cb?', response), `com.example.app:/cb?${query}`);
});

it('getRedirectHost and getRedirectOrigin return the host and the origin, or an application’s custom scheme', () => {
  assert.equal(getRedirectHost('https://client.example:8443/cb'), 'client.example:8443');
  assert.equal(getRedirectHost('com.example.app:/cb'), 'com.example.app:');
  assert.equal(getRedirectOrigin('http://127.0.0.1:5000/cb'), 'http://127.0.0.1:5000');
  assert.equal(getRedirectOrigin('com.example.app://cb/x'), 'com.example.app:');
});
