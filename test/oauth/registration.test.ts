/** Tests client registration and its management (RFC 7591, RFC 7592), without HTTP. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Code } from '../../src/base/problem-codes.ts';
import { deleteRegistration, readRegistration, register } from '../../src/oauth/register.ts';
import { isClientId, isSecret } from '../../src/oauth/secrets.ts';
import { exchangeToken } from '../../src/oauth/token.ts';
import {
  assertError,
  baseUrl,
  basic,
  catchError,
  createSetup,
  parameters,
  readStoreFiles,
  registerClient,
  type Setup,
  start,
} from './setup.ts';

const day = 86_400_000;
const principal = 'address:192.0.2.1';
let setup: Setup;
before(async () => {
  setup = await createSetup();
});
after(() => setup.close());

const registerBody = (body: unknown) => register(setup.context, { body, principal, idempotencyKey: null });

describe('POST /oauth/register (RFC 7591): invalid_client_metadata, invalid_redirect_uri, unapproved_software_statement, unsupported_credential_type', () => {
  it('the response has the contract’s fields (RFC 7591 section 3.2.1)', async () => {
    const { client, replayed } = await registerBody({
      client_name: 'My agent 🦉',
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'client_secret_basic',
      scope: 'export:docs read:docs',
      software_id: 'agent',
      contacts: ['someone@client.example'],
      logo_uri: 'http://169.254.169.254/',
    });
    assert.equal(replayed, false);
    const { client_id, client_secret, registration_access_token, ...rest } = client;
    assert.ok(isClientId(String(client_id)));
    assert.ok(isSecret('cs', String(client_secret)));
    assert.ok(isSecret('rat', String(registration_access_token)));
    assert.deepEqual(rest, {
      client_id_issued_at: start / 1000,
      client_secret_expires_at: 0,
      client_name: 'My agent 🦉',
      grant_types: ['client_credentials'],
      response_types: [],
      token_endpoint_auth_method: 'client_secret_basic',
      scope: 'read:docs export:docs',
      software_id: 'agent',
      contacts: ['someone@client.example'],
      registration_client_uri: `${baseUrl}/oauth/register/${client_id}`,
      registration_type: 'anonymous',
      credential_type: 'oauth_client_credentials',
    });
  });

  const scope = 'read:releases read:docs read:pricing read:faq';
  const redirects = { redirect_uris: ['https://client.example/cb'] };
  /** Returns ten different texts of `size` characters each, which begin with `prefix`. */
  const createTexts = (prefix: string, size: number): string[] =>
    Array.from({ length: 10 }, (_, index) => prefix.padEnd(size, String(index)));
  const defaults: [string, Record<string, unknown>, Record<string, unknown>][] = [
    ['an empty body', {}, { grant_types: ['client_credentials'], scope }],
    ['the type anonymous', { type: 'anonymous' }, { registration_type: 'anonymous', scope }],
    ['redirect URIs', redirects, { grant_types: ['authorization_code'], response_types: ['code'] }],
    ['null members', { client_name: null, scope: null, contacts: null }, { client_name: undefined, scope }],
    ['a name of spaces', { client_name: '\u2003\u00a0' }, { client_name: undefined }],
    ...[
      'Ação é',
      'می\u200cخواهم',
      'क्\u200dष',
      '👩\u200d💻 dev',
      '❤\ufe0f reader',
      'בְּרֵאשִׁית',
      'Việt',
      '1\ufe0f\u20e3',
      '...',
    ].map((name): [string, Record<string, unknown>, Record<string, unknown>] => [
      `the name ${name}`,
      { client_name: name },
      { client_name: name },
    ]),
    ['empty strings', { client_name: ' ', scope: '' }, { client_name: undefined, scope }],
    [
      'refresh_token with the code flow',
      { ...redirects, grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
      { grant_types: ['authorization_code', 'refresh_token'] },
    ],
    [
      'refresh_token alone, to which authorization_code is added',
      { ...redirects, grant_types: ['refresh_token'] },
      { grant_types: ['authorization_code', 'refresh_token'] },
    ],
    [
      'token_endpoint_auth_method none, for a client without a secret',
      { ...redirects, token_endpoint_auth_method: 'none' },
      { client_secret: undefined, client_secret_expires_at: undefined, token_endpoint_auth_method: 'none' },
    ],
    ['the supported credential type', { requested_credential_type: 'oauth_client_credentials' }, { scope }],
    ['a name of 200 characters', { client_name: '🦉'.repeat(200) }, { client_name: '🦉'.repeat(200) }],
    [
      'a software ID and version of 200 characters',
      { software_id: 'i'.repeat(200), software_version: 'v'.repeat(200) },
      { software_id: 'i'.repeat(200), software_version: 'v'.repeat(200) },
    ],
    ['ten contacts of 200 characters', { contacts: createTexts('c', 200) }, { contacts: createTexts('c', 200) }],
    [
      'ten redirect URIs of 2,000 characters',
      { redirect_uris: createTexts('https://client.example/', 2000) },
      { redirect_uris: createTexts('https://client.example/', 2000) },
    ],
    ['a repeated scope', { scope: 'read:faq  read:faq' }, { scope: 'read:faq' }],
  ];
  for (const [name, body, expected] of defaults) {
    it(`the request may have ${name}`, async () => {
      const { client } = await registerBody(body);
      for (const [member, value] of Object.entries(expected)) assert.deepEqual(client[member], value, member);
    });
  }

  const faults: [string, unknown, Code, string?][] = [
    ['an array as body', ['client'], 'invalid_client_metadata'],
    [
      'refresh_token without the code flow',
      { grant_types: ['client_credentials', 'refresh_token'] },
      'invalid_client_metadata',
      'grant_types',
    ],
    ['null as body', null, 'invalid_client_metadata'],
    ['a name that is not a string', { client_name: 7 }, 'invalid_client_metadata', 'client_name'],
    ['a name of 201 characters', { client_name: '🦉'.repeat(201) }, 'invalid_client_metadata', 'client_name'],
    ['a name that contains control characters', { client_name: 'a\u0007b' }, 'invalid_client_metadata', 'client_name'],
    [
      'a name that contains a right-to-left override',
      { client_name: 'a\u202eb' },
      'invalid_client_metadata',
      'client_name',
    ],
    ...Object.entries({
      'a Hangul filler': '\u3164',
      'zero-width spaces': '\u200b\u200b',
      'a Braille blank': '\u2800',
      'a Hangul leading filler': '\u115f',
      'a soft hyphen': '\u00ad',
      'a grapheme joiner': '\u034f',
      'tag characters': '\u{e0041}\u{e0042}',
      'a musical control': '\u{1d173}',
      'a variation selector after a letter': 'a\ufe0f',
      'an invisible character between letters': 'Go\u200bogle',
      'a joiner between Latin letters': 'Go\u200dogle',
      '190 combining marks': `a${'\u0301'.repeat(190)}`,
      'five combining marks': `a${'\u0301'.repeat(5)}`,
      'a leading combining mark': '\u0336Agent',
      'a blank and a combining mark': '\u2800\u0301',
    }).map(([what, name]): [string, object, Code, string] => [
      `a name that contains ${what}`,
      { client_name: name },
      'invalid_client_metadata',
      'client_name',
    ]),
    [
      'a software ID that contains an invisible character',
      { software_id: 'a\u200bb' },
      'invalid_client_metadata',
      'software_id',
    ],
    ['a name that contains a lone surrogate', { client_name: 'a\ud83e' }, 'invalid_client_metadata', 'client_name'],
    ['contacts that are not an array', { contacts: 'me' }, 'invalid_client_metadata', 'contacts'],
    ['eleven contacts', { contacts: Array(11).fill('me') }, 'invalid_client_metadata', 'contacts'],
    ['a contact of 201 characters', { contacts: ['me', 'c'.repeat(201)] }, 'invalid_client_metadata', 'contacts[1]'],
    ['a software ID of 201 characters', { software_id: 'i'.repeat(201) }, 'invalid_client_metadata', 'software_id'],
    [
      'a software version of 201 characters',
      { software_version: 'v'.repeat(201) },
      'invalid_client_metadata',
      'software_version',
    ],
    [
      'a redirect URI of 2,001 characters',
      { redirect_uris: ['https://client.example/'.padEnd(2001, 'p')] },
      'invalid_redirect_uri',
      'redirect_uris[0]',
    ],
    ['an unknown scope', { scope: 'read:doc' }, 'invalid_client_metadata', 'scope'],
    ['an unknown grant type', { grant_types: ['password'] }, 'invalid_client_metadata', 'grant_types'],
    ['the implicit grant', { response_types: ['token'] }, 'invalid_client_metadata', 'response_types'],
    [
      'an unknown authentication method',
      { token_endpoint_auth_method: 'private_key_jwt' },
      'invalid_client_metadata',
      'token_endpoint_auth_method',
    ],
    [
      'client_credentials and the authentication method none',
      { token_endpoint_auth_method: 'none' },
      'invalid_client_metadata',
      'token_endpoint_auth_method',
    ],
    [
      'authorization_code and no redirect URI',
      { grant_types: ['authorization_code'] },
      'invalid_redirect_uri',
      'redirect_uris',
    ],
    ['a redirect URI that is not a string', { redirect_uris: [7] }, 'invalid_redirect_uri', 'redirect_uris[0]'],
    ['eleven redirect URIs', { redirect_uris: Array(11).fill('a') }, 'invalid_redirect_uri', 'redirect_uris'],
    ['a software statement', { software_statement: 'x.y.z' }, 'unapproved_software_statement', 'software_statement'],
    [
      'an unsupported credential type',
      { requested_credential_type: 'api_key' },
      'unsupported_credential_type',
      'requested_credential_type',
    ],
    ['an unknown type', { type: 'human' }, 'invalid_client_metadata', 'type'],
    [
      'an assertion and the type anonymous',
      { type: 'anonymous', assertion: 'x' },
      'invalid_client_metadata',
      'assertion',
    ],
    ['an assertion without assertion_type', { assertion: 'a.b.c' }, 'invalid_client_metadata', 'assertion_type'],
    [
      'the type identity_assertion without an assertion',
      { type: 'identity_assertion', assertion_type: 'urn:ietf:params:oauth:token-type:jwt' },
      'invalid_client_metadata',
      'assertion',
    ],
  ];
  for (const [name, body, code, field] of faults) {
    it(`a request with ${name} gets ${code}`, async () => {
      const error = await assertError(registerBody(body), code);
      assert.deepEqual(
        error.options.errors?.map((fault) => fault.field),
        field === undefined ? undefined : [field],
      );
    });
  }

  it('the problem document lists every fault and suggests scopes with similar names', async () => {
    const error = await assertError(registerBody({ scope: 'read:doc', contacts: 1 }), 'invalid_client_metadata');
    assert.equal(error.options.errors?.length, 2);
    assert.deepEqual(error.options.suggestions, ['read:docs']);
  });
});

describe('POST /oauth/register with an Idempotency-Key: idempotency_conflict', () => {
  const body = { client_name: 'Agent', scope: 'read:docs' };
  const registerWithKey = (idempotencyKey: string, metadata: unknown = body, caller = principal) =>
    register(setup.context, { body: metadata, principal: caller, idempotencyKey });

  it('50 requests at once and a later one within 24 hours get the same client, and no secret is stored', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => registerWithKey('key-1')));
    assert.equal(answers.filter(({ replayed }) => !replayed).length, 1);
    assert.equal(new Set(answers.map(({ client }) => JSON.stringify(client))).size, 1);
    await setup.clock.advance(day - 1);
    const repetition = await registerWithKey('key-1');
    assert.deepEqual([repetition.replayed, repetition.client], [true, answers[0]?.client]);
    const { client_id, client_secret, registration_access_token } = repetition.client;
    const files = readStoreFiles(setup);
    assert.ok(files.some((content) => content.includes(String(client_id))));
    for (const secret of [client_secret, registration_access_token]) {
      const [, text = ''] = /^[a-z]+_(.{43})$/.exec(String(secret)) ?? [];
      const bytes = Buffer.from(text, 'base64url').toString('latin1');
      assert.equal(bytes.length, 32);
      for (const content of files) assert.ok(!content.includes(text) && !content.includes(bytes));
    }
  });

  it('the fields may be in any order, and another body gets idempotency_conflict', async () => {
    await registerWithKey('key-2');
    assert.equal((await registerWithKey('key-2', { scope: 'read:docs', client_name: 'Agent' })).replayed, true);
    assert.equal(
      (await catchError(registerWithKey('key-2', { ...body, client_name: 'Other' }))).code,
      'idempotency_conflict',
    );
    assert.equal((await catchError(registerWithKey('key-2', {}))).code, 'idempotency_conflict');
  });

  it('the key is free again after 24 hours, and another caller has separate keys', async () => {
    const registration = await registerWithKey('key-3');
    const otherRegistration = await registerWithKey('key-3', body, 'address:192.0.2.2');
    await setup.clock.advance(day);
    const laterRegistration = await registerWithKey('key-3', { client_name: 'Another body' });
    const ids = [registration, otherRegistration, laterRegistration].map(({ client }) => client.client_id);
    assert.equal(new Set(ids).size, 3);
    assert.equal(laterRegistration.replayed, false);
  });

  it('a refused request does not use the key', async () => {
    await assertError(registerWithKey('key-4', { scope: 'nonsense' }), 'invalid_client_metadata');
    assert.equal((await registerWithKey('key-4')).replayed, false);
  });

  it('the key of a deleted client gets idempotency_conflict, and after 24 hours another client', async () => {
    const { client } = await registerWithKey('key-5');
    const authorization = `Bearer ${client.registration_access_token}`;
    await deleteRegistration(setup.context, { clientId: String(client.client_id), authorization });
    assert.equal((await catchError(registerWithKey('key-5'))).code, 'idempotency_conflict');
    await setup.clock.advance(day);
    const laterRegistration = await registerWithKey('key-5');
    assert.notEqual(laterRegistration.client.client_secret, client.client_secret);
    await setup.clock.advance(31 * day);
    while ((await setup.context.store.sweep(setup.clock.now(), 500)).more) assert.ok(true);
    assert.notEqual((await registerWithKey('key-5')).client.client_secret, client.client_secret);
  });
});

describe('GET and DELETE /oauth/register/{client_id} (RFC 7592): invalid_token', () => {
  it('GET returns the registration without its secret (RFC 7592 section 2.1)', async () => {
    const { client } = await registerBody({ client_name: 'Agent' });
    const { client_secret, ...rest } = client;
    const authorization = `Bearer ${client.registration_access_token}`;
    assert.ok(client_secret);
    assert.deepEqual(
      await readRegistration(setup.context, { clientId: String(client.client_id), authorization }),
      rest,
    );
  });

  it('a wrong token and an unknown client get the same failure', async () => {
    const client = await registerClient(setup.context);
    const otherClient = await registerClient(setup.context);
    const attempts: [string, string | undefined][] = [
      [client.id, undefined],
      [client.id, `Bearer ${otherClient.registrationToken}`],
      [client.id, `Bearer ${client.secret}`],
      ['cl_0000000000000000', `Bearer ${client.registrationToken}`],
      ["'; --", `Bearer ${client.registrationToken}`],
    ];
    const messages = new Set<string>();
    for (const [clientId, authorization] of attempts) {
      const error = await assertError(readRegistration(setup.context, { clientId, authorization }), 'invalid_token');
      assert.match(error.options.headers?.['www-authenticate'] ?? '', /^Bearer error="invalid_token"/);
      messages.add(error.message);
    }
    assert.equal(messages.size, 1);
    const authorization = basic(client.id, client.secret);
    await assertError(readRegistration(setup.context, { clientId: client.id, authorization }), 'invalid_token');
  });

  it('DELETE revokes the client, deletes its metadata, and succeeds again (RFC 7592 section 2.3)', async () => {
    const { id, secret, registrationToken } = await registerClient(setup.context, { contacts: ['me@client.example'] });
    const input = { clientId: id, authorization: `Bearer ${registrationToken}` };
    await deleteRegistration(setup.context, input);
    await deleteRegistration(setup.context, input);
    await assertError(readRegistration(setup.context, input), 'invalid_token');
    const form = parameters({ grant_type: 'client_credentials' });
    await assertError(exchangeToken(setup.context, { form, authorization: basic(id, secret) }), 'invalid_client');
    const tombstone = await setup.context.store.findClient(id);
    assert.deepEqual([tombstone?.name, tombstone?.contacts], [null, []]);
  });
});
