/** The token endpoint (RFC 6749 section 3.2): one request form, four grants. */
import type { Client } from '../store/store.ts';
import type { TokenAnswer } from './access-token.ts';
import { authorizationCode } from './authorization-code.ts';
import { authenticateClient, readPresentedClient } from './client-authentication.ts';
import { clientCredentials } from './client-credentials.ts';
import type { OAuthContext } from './context.ts';
import { type Form, type Parameters, readForm, requireOwnResource } from './form.ts';
import { type GrantType, isGrantType } from './grant-types.ts';
import { jwtBearer } from './jwt-bearer.ts';
import { oauthError } from './oauth-error.ts';
import { refreshToken } from './refresh-token.ts';

export interface TokenInput {
  readonly form: Parameters;
  /** The Authorization header. */
  readonly authorization: string | undefined;
}

type Grant = (context: OAuthContext, client: Client, form: Form) => Promise<TokenAnswer>;

const grants: Record<GrantType, Grant> = {
  client_credentials: clientCredentials,
  authorization_code: authorizationCode,
  refresh_token: refreshToken,
  'urn:ietf:params:oauth:grant-type:jwt-bearer': jwtBearer,
};

/** What is cheap to refuse is refused before the client is looked up. Throws the OAuth errors of section 5.2. */
export async function token(context: OAuthContext, input: TokenInput): Promise<TokenAnswer> {
  const form = readForm(input.form);
  const grantType = form.require('grant_type');
  if (!isGrantType(grantType)) {
    throw oauthError('unsupported_grant_type', `The grant types are ${Object.keys(grants).join(', ')}.`);
  }
  requireOwnResource(form, context.baseUrl);
  const client = await authenticateClient(context, readPresentedClient(input.authorization, form, context.baseUrl));
  // Whoever may exchange a code gets a refresh token with it, whether or not the word was registered.
  const needed = grantType === 'refresh_token' ? 'authorization_code' : grantType;
  if (!client.grantTypes.includes(needed)) {
    const registered = client.grantTypes.join(', ');
    throw oauthError(
      'unauthorized_client',
      `This client is registered for ${registered}, not for ${grantType}. Register a client with it in grant_types.`,
    );
  }
  return grants[grantType](context, client, form);
}
