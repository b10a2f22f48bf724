/** The client credentials grant (RFC 6749 section 4.4): an authenticated client gets a token in its own name. */
import type { Client } from '../store/clients.ts';
import { issueToken, type TokenResponse } from './access-token.ts';
import type { OAuthContext } from './context.ts';
import { invalidClient } from './errors.ts';
import type { Form } from './form.ts';
import { grantScopes } from './scopes.ts';

/** Issues a token. Only clients with a secret can be registered for this grant (RFC 6749 section 4.4.2). */
export async function clientCredentials(context: OAuthContext, client: Client, form: Form): Promise<TokenResponse> {
  const response = await issueToken(context, {
    client,
    scopes: grantScopes(form.get('scope'), client.scopes),
    identityType: client.identityType,
    grantType: 'client_credentials',
    redeem: (token) => context.store.issueToken(token),
  });
  if (response === null) throw invalidClient(context.baseUrl);
  return response;
}
