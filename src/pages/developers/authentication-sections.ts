/** What the page about authentication says, before and after its walkthrough. */
import { durationInWords, grouped } from '../../base/amount-in-words.ts';
import { codeLifetime, refreshGrace, refreshIdle, tokenLifetime } from '../../oauth/lifetimes.ts';
import { defaultScopes, scopes } from '../../oauth/scopes.ts';
import { table } from '../../operations/markdown.ts';
import { unusedClientLifetime } from '../../store/store.ts';
import type { GuideSite } from '../site.ts';
import { clientIn } from './client-module.ts';
import { fence } from './fence.ts';

export const beforeWalkthrough = (site: GuideSite): string[] => purpose(site);

export const afterWalkthrough = (site: GuideSite): string[] => [
  ...inProgram(site),
  ...scopeTable(),
  ...forPerson(site),
  ...refresh(site),
  ...assertions(site),
  ...revocation(site),
  ...failures(site),
  ...forAgents(site),
];

function purpose({ production }: GuideSite): string[] {
  const { anonymous, authenticated } = production.service.limits;
  return [
    'Get a token, use it, refresh it and revoke it. Reading needs none.',
    '## What a credential is for',
    table(
      ['Access', 'Without a token', 'With a token'],
      [
        ['Read anything, also over MCP', 'yes', 'yes'],
        ['Requests per minute', `${grouped(anonymous)} for each address`, `${grouped(authenticated)} for each client`],
        ['Start and poll exports', 'only in the sandbox', 'with the scope `export:docs`'],
      ],
    ),
    'Public reads need no scope; a token only raises the rate limit.',
    'There are no accounts and no approval, and it costs nothing. You register an OAuth 2.0 client, exchange its ID and secret for an access token, and send the token in the `Authorization` header.',
  ];
}

function inProgram({ baseUrl }: GuideSite): string[] {
  return [
    '## Get a token in a program',
    fence(
      'js',
      `${clientIn(baseUrl)}
const { client_id, client_secret } = await api.register({
  client_name: 'my-program',
  grant_types: ['client_credentials'],
  scope: 'read:releases read:docs',
});

const mine = createClient({
  baseUrl: '${baseUrl}',
  auth: { clientId: client_id, clientSecret: client_secret, scope: 'read:releases' },
});
const { status, headers } = await mine.releases.latest().withResponse();
console.log(status, headers.get('RateLimit-Policy'));`,
    ),
    `Register once and keep \`client_secret\`: it is shown only once and cannot be retrieved later. A client that never gets a token is deleted after ${durationInWords(unusedClientLifetime)}.`,
    `A token is valid for ${durationInWords(tokenLifetime)} and is accepted only in the \`Authorization\` header, not in query parameters or cookies. Use one token for many requests. The client gets its token with the first request, and a new one before it expires.`,
  ];
}

const scopeTable = (): string[] => [
  '## Scopes',
  'Public reads need no scope; a token only raises the rate limit. Only exports check the scope.',
  table(
    ['Scope', 'What it grants'],
    Object.entries(scopes).map(([name, grants]) => [`\`${name}\``, grants]),
  ),
  `Without \`scope\`, a client gets ${defaultScopes.map((name) => `\`${name}\``).join(', ')}. Request \`export:docs\` by name, at registration and for the token.`,
];

function forPerson({ baseUrl }: GuideSite): string[] {
  return [
    '## Act for a person',
    'An application that acts for a person in a browser uses the authorization code flow with PKCE. There is no account to sign in to: the person sees which application asks for which scopes, and decides.',
    [
      `1. Register with \`redirect_uris\` and the grant types \`authorization_code\` and \`refresh_token\`.`,
      `2. Open \`${baseUrl}/oauth/authorize\` in the browser with \`response_type=code\`, \`client_id\`, \`redirect_uri\`, \`scope\`, \`state\`, \`code_challenge\` and \`code_challenge_method=S256\`.`,
      `3. The browser comes back to your redirect URI with a \`code\`, which is valid for ${durationInWords(codeLifetime)} and works once.`,
      `4. Send it to \`${baseUrl}/oauth/token\` with \`grant_type=authorization_code\`, \`code_verifier\` and \`redirect_uri\`. The response has an access token and a refresh token.`,
    ].join('\n'),
    `The method \`plain\` is refused. The [reference](${baseUrl}/developers/reference/authentication#requestAuthorization) lists every parameter.`,
  ];
}

function refresh({ baseUrl }: GuideSite): string[] {
  return [
    '## Refresh tokens',
    'Only the authorization code flow returns a refresh token: with `client_credentials`, request a new token instead. Use a refresh token once and keep the one in the response, which replaces it.',
    fence(
      'sh',
      `curl -sS ${baseUrl}/oauth/token -u "$client_id:$client_secret" \\
  -d grant_type=refresh_token --data-urlencode "refresh_token=$refresh_token"`,
    ),
    `For ${durationInWords(refreshGrace)}, the token that was just replaced still gets the same successor, in case a response was lost. Any older one revokes the whole grant, because somebody else may have a copy. A refresh token expires ${durationInWords(refreshIdle)} after its last use.`,
  ];
}

function assertions({ baseUrl }: GuideSite): string[] {
  return [
    '## Identity assertions',
    `If an identity provider that this server trusts vouches for the person behind a client, register with \`type\`, \`assertion_type\` and \`assertion\`, or exchange an ID-JAG with the JWT bearer grant. [auth.md](${baseUrl}/auth.md) lists the required claims.`,
  ];
}

function revocation({ baseUrl }: GuideSite): string[] {
  return [
    '## Revocation',
    'Revoke what you no longer need. The response is 200 whether or not the token existed, and the token is rejected from then on.',
    table(
      ['Send as `token`', 'What is revoked'],
      [
        ['an access token', 'that token'],
        ['a refresh token', 'the grant: its refresh tokens and access tokens'],
        ['a client secret', 'the client and all its tokens; this cannot be undone'],
      ],
    ),
    `A leaked token can be revoked by anyone who has it: send it to [\`/oauth/revoke\`](${baseUrl}/developers/reference/authentication#revokeToken) without client credentials. [\`DELETE\`](${baseUrl}/developers/reference/authentication#deleteRegistration) on \`registration_client_uri\` also deletes the client's metadata.`,
  ];
}

function failures({ baseUrl }: GuideSite): string[] {
  const code = (name: string) => `[\`${name}\`](${baseUrl}/developers/errors#${name})`;
  return [
    '## When a token is rejected',
    table(
      ['Status', 'Code', 'What to do'],
      [
        ['401', code('unauthorized'), 'send a token'],
        ['401', code('invalid_token'), 'the token is expired, malformed or revoked: request a new one'],
        ['401', code('invalid_client'), 'the ID or the secret is wrong, or the client was revoked: register again'],
        ['403', code('insufficient_scope'), 'request a token with the scope in `WWW-Authenticate`'],
        ['400', code('invalid_grant'), 'start the flow again'],
        ['400', code('invalid_scope'), 'request only scopes that the client was registered with'],
      ],
    ),
    'Errors of the OAuth endpoints are problem documents like all others, with the same value as `code` and as `error`.',
  ];
}

function forAgents({ baseUrl }: GuideSite): string[] {
  return [
    '## For agents',
    `[auth.md](${baseUrl}/auth.md) is this page for agents: commands only, in the order in which to run them. The metadata is in [RFC 9728](${baseUrl}/.well-known/oauth-protected-resource) and [RFC 8414](${baseUrl}/.well-known/oauth-authorization-server) documents, and the [reference](${baseUrl}/developers/reference/authentication) has every endpoint.`,
  ];
}
