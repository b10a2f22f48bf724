/** Tests the documents of the authorization server, its challenges, the format of its credentials, and /auth.md. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { ApiError } from '../../src/base/api-error.ts';
import { fillTemplate } from '../../src/base/template.ts';
import { renderAuthGuide } from '../../src/oauth/auth-guide.ts';
import {
  createInsufficientScope,
  createInvalidClient,
  createInvalidToken,
  createOAuthError,
  createUnauthorized,
} from '../../src/oauth/errors.ts';
import { createResourceMetadata, createServerMetadata, protectedResourcePaths } from '../../src/oauth/metadata.ts';
import { readScopes, scopeNames } from '../../src/oauth/scopes.ts';
import {
  createClientId,
  createSecret,
  deriveClientId,
  deriveSecret,
  isClientId,
  isSecret,
} from '../../src/oauth/secrets.ts';
import { baseUrl } from './setup.ts';

const scope = 'read:releases read:docs read:pricing read:faq export:docs';

describe('GET /.well-known/oauth-authorization-server (RFC 8414) and oauth-protected-resource (RFC 9728)', () => {
  it('the authorization server metadata has exactly the members of the contract, including agent_auth', () => {
    const credentialTypes = ['oauth_client_credentials'];
    assert.deepEqual(createServerMetadata(baseUrl), {
      issuer: baseUrl,
      authorization_endpoint: `${baseUrl}/oauth/authorize`,
      token_endpoint: `${baseUrl}/oauth/token`,
      registration_endpoint: `${baseUrl}/oauth/register`,
      revocation_endpoint: `${baseUrl}/oauth/revoke`,
      scopes_supported: scope.split(' '),
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: [
        'client_credentials',
        'authorization_code',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:jwt-bearer',
      ],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
      service_documentation: `${baseUrl}/auth.md`,
      agent_auth: {
        skill: `${baseUrl}/auth.md`,
        register_uri: `${baseUrl}/oauth/register`,
        claim_uri: `${baseUrl}/oauth/token`,
        revocation_uri: `${baseUrl}/oauth/revoke`,
        identity_types_supported: ['anonymous', 'identity_assertion'],
        anonymous: { credential_types_supported: credentialTypes },
        identity_assertion: {
          assertion_types_supported: [
            'urn:ietf:params:oauth:token-type:id-jag',
            'urn:ietf:params:oauth:token-type:jwt',
          ],
          credential_types_supported: credentialTypes,
        },
      },
    });
  });

  it('the protected resource metadata is one document for the service and one for each path', () => {
    const metadata = createResourceMetadata(baseUrl, 'Sotto');
    assert.deepEqual(metadata, {
      resource: baseUrl,
      authorization_servers: [baseUrl],
      scopes_supported: scope.split(' '),
      bearer_methods_supported: ['header'],
      resource_name: 'Sotto API',
      resource_documentation: `${baseUrl}/auth.md`,
    });
    for (const path of protectedResourcePaths) {
      assert.deepEqual(createResourceMetadata(baseUrl, 'Sotto', path), { ...metadata, resource: `${baseUrl}/${path}` });
    }
  });
});

describe('WWW-Authenticate (RFC 6750 section 3): unauthorized, invalid_token, insufficient_scope, invalid_client', () => {
  const metadata = `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource"`;
  it('the challenges equal the contract’s table, with quotes and line breaks in a description replaced', () => {
    const getChallenge = (error: ApiError) => error.options.headers?.['www-authenticate'];
    assert.equal(
      getChallenge(createUnauthorized(baseUrl, scopeNames)),
      `Bearer realm="${baseUrl}", ${metadata}, scope="${scope}"`,
    );
    assert.equal(
      getChallenge(createInsufficientScope(baseUrl, 'export:docs')),
      `Bearer error="insufficient_scope", scope="export:docs", ${metadata}`,
    );
    assert.equal(
      getChallenge(createInvalidToken(baseUrl, 'It is "old"\r\nX-Evil: 1 \\')),
      `Bearer error="invalid_token", error_description="It is 'old'??X-Evil: 1 ?", ${metadata}`,
    );
    assert.match(getChallenge(createInvalidClient(baseUrl)) ?? '', /^Basic realm="[^"]+", error="invalid_client", /);
  });

  it('descriptions contain only the characters that OAuth and a header allow', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { message, options } = createOAuthError('invalid_request', text);
        assert.match(message, /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/);
        assert.deepEqual(options.members, { error: 'invalid_request', error_description: message });
      }),
    );
  });
});

describe('createSecret, deriveSecret, createClientId and deriveClientId: format of credentials', () => {
  it('a secret is recognized only with its own prefix and exact format, and all secrets are different', () => {
    const kinds = ['cs', 'at', 'ac', 'rat', 'ct'] as const;
    const secrets = new Set<string>();
    for (const kind of kinds) {
      for (let count = 0; count < 100; count += 1) secrets.add(createSecret(kind));
      for (const otherKind of kinds) assert.equal(isSecret(otherKind, createSecret(kind)), kind === otherKind);
      assert.match(createSecret(kind), new RegExp(`^${kind}_[A-Za-z0-9_-]{43}$`));
    }
    assert.equal(secrets.size, 500);
    assert.ok(isClientId(createClientId()));
    const body = 'a'.repeat(43);
    for (const text of [
      `at_${body}a`,
      `at_${body.slice(1)}`,
      `at_${body.slice(1)}=`,
      `at_${body}\n`,
      `at${body}`,
      ` at_${body}`,
    ]) {
      assert.equal(isSecret('at', text), false, text);
    }
    for (const text of ['cl_', `cl_${'a'.repeat(15)}`, `cl_${'a'.repeat(15)}.`, `cl_${'a'.repeat(17)}`]) {
      assert.equal(isClientId(text), false, text);
    }
  });

  it('a derived secret depends on the key, the kind and every part', () => {
    const key = Buffer.alloc(32, 1);
    const secret = deriveSecret('cs', key, ['a', 'b']);
    assert.ok(isSecret('cs', secret));
    assert.equal(deriveSecret('cs', key, ['a', 'b']), secret);
    const otherSecrets = [
      deriveSecret('cs', Buffer.alloc(32, 2), ['a', 'b']),
      deriveSecret('cs', key, ['ab', '']),
      deriveSecret('cs', key, ['a', 'b', '']),
      deriveSecret('rat', key, ['a', 'b']).replace('rat', 'cs'),
    ];
    assert.equal(new Set([secret, ...otherSecrets].map((text) => text.slice(3, 40))).size, 5);
    assert.ok(isClientId(deriveClientId(key, ['a'])));
  });
});

it('readScopes ignores extra spaces and duplicates, sorts the scopes and is case-sensitive (RFC 6749 section 3.3)', () => {
  const names = fc.subarray(scopeNames);
  fc.assert(
    fc.property(names, fc.constantFrom(' ', '  '), (scopes, space) => {
      const { known, unknown } = readScopes(` ${[...scopes, ...scopes].reverse().join(space)}`);
      assert.deepEqual(known, scopes);
      assert.deepEqual(unknown, []);
    }),
  );
  assert.deepEqual(readScopes('READ:DOCS constructor').unknown, ['READ:DOCS', 'constructor']);
});

describe('GET /auth.md', () => {
  const text = renderAuthGuide({
    baseUrl,
    productName: 'Sotto',
    limits: { anonymous: 120, authenticated: 600, registration: 20, issue: 60 },
  });

  it('the text has its seven sections in order, and contains every scope and limit', () => {
    assert.match(text, /^# auth\.md/);
    assert.deepEqual(
      [...text.matchAll(/^## (.+)$/gm)].map(([, name]) => name),
      ['Discover', 'Pick a method', 'Register', 'Claim', 'Use', 'Errors', 'Revocation'],
    );
    for (const fact of ['120', '600', '20 clients per hour', '60 tokens per minute', '30 days', ...scopeNames]) {
      assert.ok(text.includes(fact), fact);
    }
  });

  it('no placeholder remains in the text, and fillTemplate throws for a placeholder without a value', () => {
    assert.doesNotMatch(text, /\{\{|\}\}|undefined|NaN/);
    assert.equal(fillTemplate('{{a}} {{b}}{{a}}', { a: '$&', b: 2 }), '$& 2$&');
    for (const name of ['unknown', 'A', ' a', '', 'toString']) {
      assert.throws(() => fillTemplate(`{{${name}}}`, { a: 1 }), /placeholder without a value/);
    }
  });

  it('the commands have valid POSIX shell syntax', {
    skip: process.platform === 'win32' && 'not run: needs sh',
  }, () => {
    const commands = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, command]) => command).join('');
    assert.ok(commands.split('curl ').length > 8);
    const { status, stderr } = spawnSync('sh', ['-n'], { input: commands, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  });
});
