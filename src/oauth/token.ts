/** The token endpoint (RFC 6749 section 3.2): the checks that all grants share, then the grant. Two grants have a file of their own. */
import type { Client } from '../store/clients.ts';
import { issueToken, type TokenResponse } from './access-token.ts';
import { refuseAssertion } from './assertion-checks.ts';
import { redeemAuthorizationCode } from './authorization-code.ts';
import { authenticateClient, readClientCredentials } from './client-authentication.ts';
import { type GrantType, jwtBearerGrant } from './client-metadata.ts';
import type { OAuthContext } from './context.ts';
import { createInvalidClient, createOAuthError } from './errors.ts';
import { checkResource, type FormRequest, readForm } from './form.ts';
import { redeemRefreshToken } from './refresh-token.ts';
import { type TokenForm, tokenRequestSchema } from './requests.ts';
import { grantScopes, readScopes } from './scopes.ts';
import { idJag } from './trusted-issuers.ts';

const grants: Record<GrantType, (context: OAuthContext, client: Client, form: TokenForm) => Promise<TokenResponse>> = {
  client_credentials: grantClientCredentials,
  authorization_code: redeemAuthorizationCode,
  refresh_token: redeemRefreshToken,
  [jwtBearerGrant]: grantJwtBearer,
};

/**
 * Exchanges a grant for a token. What is cheap to check is checked before the client is looked up.
 * @throws The errors of RFC 6749 section 5.2, `invalid_target` (RFC 8707 section 2), and `upstream_unavailable` if the keys of an
 * assertion's issuer cannot be fetched.
 */
export async function exchangeToken(context: OAuthContext, request: FormRequest): Promise<TokenResponse> {
  const form = readForm(tokenRequestSchema, request.form);
  const grantType = form.require('grant_type');
  checkResource(form, context.baseUrl);
  const credentials = readClientCredentials(request.authorization, form, context.baseUrl);
  const client = await authenticateClient(context, credentials);
  checkRegisteredGrant(client, grantType);
  return grants[grantType](context, client, form);
}

/**
 * Throws `unauthorized_client` for a grant that the client did not register (RFC 6749 section 5.2). A client of the code flow may
 * always refresh.
 */
function checkRegisteredGrant(client: Client, grantType: GrantType): void {
  const requiredType = grantType === 'refresh_token' ? 'authorization_code' : grantType;
  if (client.grantTypes.includes(requiredType)) return;
  const registeredTypes = client.grantTypes.join(', ');
  const detail = `This client is registered for ${registeredTypes}, not for ${grantType}. Register a client with it in grant_types.`;
  throw createOAuthError('unauthorized_client', detail);
}

/**
 * Issues a token in the client's own name: the client credentials grant (RFC 6749 section 4.4). Only clients with a secret can be
 * registered for this grant (RFC 6749 section 4.4.2). Throws `invalid_scope`, and `invalid_client` if the client was revoked in the
 * meantime.
 */
async function grantClientCredentials(context: OAuthContext, client: Client, form: TokenForm): Promise<TokenResponse> {
  const response = await issueToken(context, {
    client,
    scopes: grantScopes(form.get('scope'), client.scopes),
    identityType: client.identityType,
    grantType: 'client_credentials',
    redeem: (token) => context.store.issueToken(token),
  });
  if (response === null) throw createInvalidClient(context.baseUrl);
  return response;
}

/**
 * Issues a token for an Identity Assertion JWT Authorization Grant (ID-JAG), which can be exchanged once: the JWT bearer grant (RFC
 * 7523). Its scopes are at most those that the assertion, its issuer's entry and the client's registration have in common; an
 * assertion without `scope` and an entry without `maxScopes` limit nothing. Plain JWTs are not accepted here, because nothing in
 * them names the client.
 *
 * @throws `invalid_request` without an assertion, `invalid_grant` with a `reason`, `invalid_scope`, `invalid_client` if the client
 * was revoked in the meantime, or `upstream_unavailable`.
 */
async function grantJwtBearer(context: OAuthContext, client: Client, form: TokenForm): Promise<TokenResponse> {
  const { verifyAssertion } = await import('./assertion.ts');
  const assertion = await verifyAssertion(context, {
    token: form.require('assertion'),
    type: idJag,
    clientId: client.id,
  });
  const { maxScopes = client.scopes } = assertion.issuer;
  const assertedScopes: readonly string[] =
    assertion.scope === null ? client.scopes : readScopes(assertion.scope).known;
  const allowedScopes = client.scopes.filter((scope) => maxScopes.includes(scope) && assertedScopes.includes(scope));
  const response = await issueToken(context, {
    client,
    scopes: grantScopes(form.get('scope'), allowedScopes),
    identityType: 'identity_assertion',
    grantType: jwtBearerGrant,
    redeem: (token) => context.store.redeemAssertion(assertion.use, token),
  });
  if (response === null) throw refuseAssertion(context, 'replay_detected', assertion.issuer);
  return response;
}
