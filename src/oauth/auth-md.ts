/** The text of `/auth.md`: what an agent does, step by step, to get a credential, use it and give it back. */
import { assertionTypes, idJag, jwt } from './assertion-types.ts';
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

Reading needs no credential. A credential does two things: it raises the limit from ${limits.anonymous} to ${limits.authenticated} requests a minute, and it unlocks the scope \`export:docs\`. There are no accounts, and no person approves anything: you register an OAuth 2.0 client, get a token that lasts an hour, and send it in the \`Authorization\` header.

The commands below need curl and sed. Run them in order, in one shell.`;

const discover = ({ baseUrl }: AuthGuide): string => `## Discover

A request without a token to the protected entry answers 401. Its \`WWW-Authenticate\` header names the resource metadata, which names the authorization server.

\`\`\`sh
curl -sS -o /dev/null -D - ${baseUrl}/agent/auth
curl -sS ${baseUrl}/.well-known/oauth-protected-resource
curl -sS ${baseUrl}/.well-known/oauth-authorization-server
\`\`\``;

const pick = ({ baseUrl }: AuthGuide): string => `## Pick a method

| method | when | what you send to ${baseUrl}/oauth/register |
|---|---|---|
| \`anonymous\` | the credential is nobody's in particular | client metadata alone |
| \`identity_assertion\` | the credential is a person's, and an identity provider that this server trusts says so | the same, with \`type\`, \`assertion_type\` and \`assertion\` |

Both give an OAuth client: \`client_id\` and \`client_secret\` (credential type \`oauth_client_credentials\`). For an application that acts for a person in a browser, register \`redirect_uris\` and use the authorization code flow at \`${baseUrl}/oauth/authorize\`, with PKCE and \`S256\`.

The scopes:

| scope | grants |
|---|---|
${scopeNames.map((name) => `| \`${name}\` | ${scopes[name]} |`).join('\n')}

Without \`scope\` a client gets the four that read. Ask for \`export:docs\` by name.`;

const register = ({ baseUrl, limits }: AuthGuide): string => `## Register

\`\`\`sh
registration=$(curl -sS ${baseUrl}/oauth/register \\
  -H 'Content-Type: application/json' \\
  -d '{"client_name":"my-agent","grant_types":["client_credentials"],"token_endpoint_auth_method":"client_secret_basic","scope":"${scopeNames.join(' ')}"}')
client_id=$(printf '%s' "$registration" | sed -n 's/.*"client_id": *"\\([^"]*\\)".*/\\1/p')
client_secret=$(printf '%s' "$registration" | sed -n 's/.*"client_secret": *"\\([^"]*\\)".*/\\1/p')
echo "$client_id"
\`\`\`

Keep both values. The secret is shown once and cannot be had again; when it is lost, register again. One address may register ${limits.registrations} clients an hour. A client that never gets a token is deleted after 30 days.

A registration may carry an \`Idempotency-Key\`. The same key and body give the same client for 24 hours, so that a request whose answer was lost can be sent again. Choose a long random key: whoever repeats it from your address is given your client.

For \`identity_assertion\` add three members to the body: \`"type":"identity_assertion"\`, \`"assertion_type"\` (\`${assertionTypes.join('` or `')}\`) and \`"assertion"\`, a JWT signed by the provider:

- \`iss\`, \`sub\`, \`aud\`, \`exp\`, \`iat\` and \`jti\` are required; \`aud\` is \`${baseUrl}\` and nothing else.
- \`${idJag}\`: the header \`typ\` is \`oauth-id-jag+jwt\`, and \`client_id\` is your name at the provider.
- \`${jwt}\`: \`typ\` is \`JWT\` or absent.
- It was issued in the last 10 minutes, lives an hour at most, and works once.`;

const claim = ({ baseUrl, limits }: AuthGuide): string => `## Claim

The client turns into a token at the token endpoint. Nobody has to confirm it.

\`\`\`sh
token=$(curl -sS ${baseUrl}/oauth/token \\
  -u "$client_id:$client_secret" \\
  -d grant_type=client_credentials \\
  --data-urlencode 'scope=${scopeNames.join(' ')}' | sed -n 's/.*"access_token": *"\\([^"]*\\)".*/\\1/p')
\`\`\`

The credentials may also go into the form, as \`client_id\` and \`client_secret\`. A token lasts 3600 seconds. There is no refresh token with this grant: run the same command again. A client may ask for ${limits.tokens} tokens a minute and keeps its newest 100; use one token for many requests.

Only the authorization code flow, in which a person allows a client, gives a \`refresh_token\`. Send it with \`grant_type=refresh_token\` for the next access token and keep the new \`refresh_token\` from the response: each use replaces it. It lasts 30 days from its last use and ends with its revocation, with the client's secret, or when an older one of the same grant is used again. For 60 seconds the one just replaced still gets the same successor, in case a response was lost.

A confidential client that is registered for \`urn:ietf:params:oauth:grant-type:jwt-bearer\` sends that \`grant_type\` and an ID-JAG as \`assertion\`; the assertion's \`client_id\` is then the registered client's.`;

const use = ({ baseUrl, limits }: AuthGuide): string => `## Use

\`\`\`sh
curl -sS ${baseUrl}/agent/auth -H "Authorization: Bearer $token"
\`\`\`

Only the \`Authorization\` header carries a token; query parameters and cookies do not. With a token the limit is ${limits.authenticated} requests a minute, counted for the client.

An export runs in the background. Start one, then ask for it until it is \`completed\`; \`result.url\` is the file.

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

Every failure is a problem document. Branch on \`code\`; failures of OAuth carry the same name as \`error\`. All codes are at ${baseUrl}/developers/errors.

| status | \`code\` | what to do |
|---|---|---|
| 400 | \`invalid_client_metadata\`, \`invalid_redirect_uri\` | correct the member that \`errors\` names |
| 400 | \`invalid_grant\` | get a new code or assertion; \`reason\` says what was wrong with an assertion |
| 400 | \`invalid_scope\` | ask for scopes that the client was registered with |
| 400 | \`unauthorized_client\` | register a client with that grant type |
| 401 | \`unauthorized\` | send a token |
| 401 | \`invalid_token\` | the token is expired, malformed or revoked: get a new one |
| 401 | \`invalid_client\` | the id or the secret is wrong, or the client is revoked: register again |
| 403 | \`insufficient_scope\` | get a token with the scope that \`WWW-Authenticate\` names |
| 429 | \`rate_limited\` | wait for the seconds in \`Retry-After\` |
| 503 | \`upstream_unavailable\`, \`overloaded\` | wait for the seconds in \`Retry-After\`, then send it again |`;

const revoke = ({ baseUrl }: AuthGuide): string => `## Revocation

End a token when you are done with it. The answer is 200 whether or not there was such a token, and the token is refused from then on.

\`\`\`sh
curl -sS ${baseUrl}/oauth/revoke -u "$client_id:$client_secret" --data-urlencode "token=$token"
\`\`\`

Revoking the client's secret ends the client and every token of it at once. It cannot be undone.

\`\`\`sh
curl -sS ${baseUrl}/oauth/revoke -u "$client_id:$client_secret" --data-urlencode "token=$client_secret"
\`\`\`

A token or secret that leaked can be ended by whoever holds it: send it as \`token\` without any credentials. \`DELETE\` on \`registration_client_uri\`, with the \`registration_access_token\`, ends the client too and deletes what describes it.`;
