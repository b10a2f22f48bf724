/** The text of `/auth.md`: what an agent does, step by step, to get, use and revoke a credential. */
import { durationInWords, grouped } from '../base/amount-in-words.ts';
import { idempotencyLifetime } from '../store/idempotency.ts';
import { unusedClientLifetime } from '../store/store.ts';
import { assertionTypes, idJag, jwt } from './assertion-types.ts';
import {
  mostAssertionAge,
  mostAssertionLifetime,
  mostLiveTokens,
  refreshGrace,
  refreshIdle,
  tokenLifetime,
} from './lifetimes.ts';
import { scopeNames, scopes } from './scopes.ts';

export interface AuthGuide {
  /** The origin, without a slash at its end. */
  readonly baseUrl: string;
  readonly productName: string;
  readonly limits: {
    /** Requests a minute. */
    readonly anonymous: number;
    readonly authenticated: number;
    /** An hour, for one address. */
    readonly registrations: number;
    /** A minute, for one client. */
    readonly tokens: number;
  };
}

/**
 * Markdown. The commands in its `sh` fences run as they stand, in order, in one POSIX shell with curl and sed; the last
 * ones revoke what the first ones made.
 */
export const authMarkdown = (guide: AuthGuide): string =>
  [
    opening(guide),
    discover(guide),
    pick(guide),
    register(guide),
    claim(guide),
    use(guide),
    errors(guide),
    revoke(guide),
  ]
    .join('\n\n')
    .concat('\n');

const opening = ({ productName, limits }: AuthGuide): string => `# auth.md: credentials for the ${productName} API

Reading needs no credential. A credential does two things: it raises the rate limit from ${limits.anonymous} to ${limits.authenticated} requests per minute, and it unlocks the scope \`export:docs\`. There are no accounts and no approval: register an OAuth 2.0 client, get a token that is valid for ${durationInWords(tokenLifetime)}, and send it in the \`Authorization\` header.

The commands below need curl and sed. Run them in order, in one shell.`;

const discover = ({ baseUrl }: AuthGuide): string => `## Discover

Without a token, the protected entry point returns 401. Its \`WWW-Authenticate\` header links to the resource metadata, which lists the authorization server.

\`\`\`sh
curl -sS -o /dev/null -D - ${baseUrl}/agent/auth
curl -sS ${baseUrl}/.well-known/oauth-protected-resource
curl -sS ${baseUrl}/.well-known/oauth-authorization-server
\`\`\``;

const pick = ({ baseUrl }: AuthGuide): string => `## Pick a method

| method | when | what you send to ${baseUrl}/oauth/register |
|---|---|---|
| \`anonymous\` | the credential does not belong to a person | only the client metadata |
| \`identity_assertion\` | the credential belongs to a person, as asserted by an identity provider that this server trusts | the same, plus \`type\`, \`assertion_type\` and \`assertion\` |

Both return an OAuth client: \`client_id\` and \`client_secret\` (credential type \`oauth_client_credentials\`). For an application that acts for a person in a browser, register \`redirect_uris\` and use the authorization code flow at \`${baseUrl}/oauth/authorize\`, with PKCE and \`S256\`.

The scopes:

| scope | grants |
|---|---|
${scopeNames.map((name) => `| \`${name}\` | ${scopes[name]} |`).join('\n')}

Without \`scope\`, a client gets the four read scopes. Request \`export:docs\` by name.`;

const register = ({ baseUrl, limits }: AuthGuide): string => `## Register

\`\`\`sh
registration=$(curl -sS ${baseUrl}/oauth/register \\
  -H 'Content-Type: application/json' \\
  -d '{"client_name":"my-agent","grant_types":["client_credentials"],"token_endpoint_auth_method":"client_secret_basic","scope":"${scopeNames.join(' ')}"}')
client_id=$(printf '%s' "$registration" | sed -n 's/.*"client_id": *"\\([^"]*\\)".*/\\1/p')
client_secret=$(printf '%s' "$registration" | sed -n 's/.*"client_secret": *"\\([^"]*\\)".*/\\1/p')
echo "$client_id"
\`\`\`

Keep both values. The secret is shown once and cannot be retrieved later; if you lose it, register again. One address can register ${limits.registrations} clients per hour. A client that never gets a token is deleted after ${durationInWords(unusedClientLifetime)}.

A registration accepts an \`Idempotency-Key\`. For ${durationInWords(idempotencyLifetime)}, the same key and body return the same client, so you can safely repeat a request whose response was lost. Choose a long random key: anyone who repeats it from your address gets your client.

For \`identity_assertion\`, add three fields to the body: \`"type":"identity_assertion"\`, \`"assertion_type"\` (\`${assertionTypes.join('` or `')}\`) and \`"assertion"\`, a JWT signed by the provider:

- \`iss\`, \`sub\`, \`aud\`, \`exp\`, \`iat\` and \`jti\` are required; \`aud\` is exactly \`${baseUrl}\`.
- \`${idJag}\`: the header \`typ\` is \`oauth-id-jag+jwt\`, and \`client_id\` is your name at the provider.
- \`${jwt}\`: \`typ\` is \`JWT\` or absent.
- The assertion was issued in the last ${durationInWords(mostAssertionAge)}, is valid for at most ${durationInWords(mostAssertionLifetime)}, and works once.`;

const claim = ({ baseUrl, limits }: AuthGuide): string => `## Claim

Exchange the client's credentials for a token at the token endpoint. Nobody has to confirm it.

\`\`\`sh
token=$(curl -sS ${baseUrl}/oauth/token \\
  -u "$client_id:$client_secret" \\
  -d grant_type=client_credentials \\
  --data-urlencode 'scope=${scopeNames.join(' ')}' | sed -n 's/.*"access_token": *"\\([^"]*\\)".*/\\1/p')
\`\`\`

You can also send the credentials in the form, as \`client_id\` and \`client_secret\`. A token is valid for ${tokenLifetime / 1000} seconds. This grant has no refresh token: run the same command again. A client can request ${limits.tokens} tokens per minute and have ${grouped(mostLiveTokens(limits.tokens))} valid at the same time; use one token for many requests. A new token never ends another one. Above either limit, the response is 429 with \`Retry-After\`.

Only the authorization code flow, in which a person approves a client, returns a \`refresh_token\`. Send it with \`grant_type=refresh_token\` to get the next access token, and keep the new \`refresh_token\` from the response: each use replaces it. It expires ${durationInWords(refreshIdle)} after its last use, when it or the client's secret is revoked, or when an older one of the same grant is used again. For ${durationInWords(refreshGrace)} the one just replaced still gets the same successor, in case a response was lost.

A confidential client that is registered for \`urn:ietf:params:oauth:grant-type:jwt-bearer\` sends that \`grant_type\` and an ID-JAG as \`assertion\`; the assertion's \`client_id\` is then the registered client's.`;

const use = ({ baseUrl, limits }: AuthGuide): string => `## Use

\`\`\`sh
curl -sS ${baseUrl}/agent/auth -H "Authorization: Bearer $token"
\`\`\`

A token is accepted only in the \`Authorization\` header, not in query parameters or cookies. With a token, the limit is ${limits.authenticated} requests per minute for the client.

An export runs in the background. Start one and poll it until it is \`completed\`; \`result.url\` is the file.

\`\`\`sh
job=$(curl -sS ${baseUrl}/api/v1/exports \\
  -H "Authorization: Bearer $token" \\
  -H 'Content-Type: application/json' \\
  -d '{"resource":"docs","format":"markdown"}')
poll_url=$(printf '%s' "$job" | sed -n 's/.*"poll_url": *"\\([^"]*\\)".*/\\1/p')
while printf '%s' "$job" | grep -Eq '"status": *"(queued|running)"'; do
  sleep 1
  job=$(curl -sS "$poll_url" -H "Authorization: Bearer $token")
done
export_url=$(printf '%s' "$job" | sed -n 's/.*"result": *{[^}]*"url": *"\\([^"]*\\)".*/\\1/p')
curl -sS "$export_url" | sed -n 1,5p
\`\`\``;

const errors = ({ baseUrl }: AuthGuide): string => `## Errors

Every error is a problem document. Branch on \`code\`; OAuth errors carry the same value as \`error\`. All codes are listed at ${baseUrl}/developers/errors.

| status | \`code\` | what to do |
|---|---|---|
| 400 | \`invalid_client_metadata\`, \`invalid_redirect_uri\` | correct the field named in \`errors\` |
| 400 | \`invalid_grant\` | get a new code or assertion; \`reason\` explains what is wrong with an assertion |
| 400 | \`invalid_scope\` | request only scopes that the client was registered with |
| 400 | \`unauthorized_client\` | register a client with that grant type |
| 401 | \`unauthorized\` | send a token |
| 401 | \`invalid_token\` | the token is expired, malformed or revoked: get a new one |
| 401 | \`invalid_client\` | the ID or the secret is wrong, or the client was revoked: register again |
| 403 | \`insufficient_scope\` | get a token with the scope in \`WWW-Authenticate\` |
| 429 | \`rate_limited\` | wait the number of seconds in \`Retry-After\` |
| 503 | \`upstream_unavailable\`, \`overloaded\` | wait the number of seconds in \`Retry-After\`, then retry |`;

const revoke = ({ baseUrl }: AuthGuide): string => `## Revocation

Revoke a token when you are done with it. The response is 200 whether or not the token existed, and the token is rejected from then on.

\`\`\`sh
curl -sS ${baseUrl}/oauth/revoke -u "$client_id:$client_secret" --data-urlencode "token=$token"
\`\`\`

Revoking the client's secret revokes the client and all its tokens at once. This cannot be undone.

\`\`\`sh
curl -sS ${baseUrl}/oauth/revoke -u "$client_id:$client_secret" --data-urlencode "token=$client_secret"
\`\`\`

Anyone who holds a leaked token or secret can revoke it: send it as \`token\` without credentials. \`DELETE\` on \`registration_client_uri\`, with the \`registration_access_token\`, also revokes the client and deletes its metadata.`;
