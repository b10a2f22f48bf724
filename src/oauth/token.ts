/** The token endpoint (RFC 6749 section 3.2): the checks that all grants share, then the grant. */
import type { Client } from '../store/clients.ts';
import type { TokenResponse } from './access-token.ts';
import { authorizationCode } from './authorization-code.ts';
import { authenticateClient, readClientCredentials } from './client-authentication.ts';
import { clientCredentials } from './client-credentials.ts';
import { type GrantType, isGrantType } from './client-metadata.ts';
import type { OAuthContext } from './context.ts';
import { oauthError } from './errors.ts';
import { checkResource, type Form, type FormRequest, readForm } from './form.ts';
import { jwtBearer } from './jwt-bearer.ts';
import { refreshToken } from './refresh-token.ts';

type Grant = (context: OAuthContext, client: Client, form: Form) => Promise<TokenResponse>;

const grants: Record<GrantType, Grant> = {
  client_credentials: clientCredentials,
  authorization_code: authorizationCode,
  refresh_token: refreshToken,
  'urn:ietf:params:oauth:grant-type:jwt-bearer': jwtBearer,
};

/**
 * Exchanges a grant for a token. What is cheap to check is checked before the client is looked up.
 * @throws The errors of RFC 6749 section 5.2.
 */
export async function token(context: OAuthContext, request: FormRequest): Promise<TokenResponse> {
  const form = readForm(request.form);
  const grantType = readGrantType(form);
  checkResource(form, context.baseUrl);
  const credentials = readClientCredentials(request.authorization, form, context.baseUrl);
  const client = await authenticateClient(context, credentials);
  checkRegisteredGrant(client, grantType);
  return grants[grantType](context, client, form);
}

/** RFC 6749 section 5.2, `unsupported_grant_type`. */
function readGrantType(form: Form): GrantType {
  const grantType = form.require('grant_type');
  if (isGrantType(grantType)) return grantType;
  throw oauthError('unsupported_grant_type', `The grant types are ${Object.keys(grants).join(', ')}.`);
}

/** RFC 6749 section 5.2, `unauthorized_client`. A client of the code flow may refresh, whether or not it registered that. */
function checkRegisteredGrant(client: Client, grantType: GrantType): void {
  const required = grantType === 'refresh_token' ? 'authorization_code' : grantType;
  if (client.grantTypes.includes(required)) return;
  const registered = client.grantTypes.join(', ');
  const detail = `This client is registered for ${registered}, not for ${grantType}. Register a client with it in grant_types.`;
  throw oauthError('unauthorized_client', detail);
}
