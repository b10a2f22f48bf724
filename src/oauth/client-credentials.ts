/** The client credentials grant (RFC 6749 section 4.4): a registered client asks in its own name. */
import type { Client } from '../store/store.ts';
import { issueToken, type TokenAnswer } from './access-token.ts';
import { invalidClient } from './challenge.ts';
import type { OAuthContext } from './context.ts';
import type { Form } from './form.ts';
import { grantScopes } from './scopes.ts';

/** The client is authenticated; only clients with a secret can be registered for this grant. */
export async function clientCredentials(context: OAuthContext, client: Client, form: Form): Promise<TokenAnswer> {
  const answer = await issueToken(context, {
    client,
    scopes: grantScopes(form.get('scope'), client.scopes),
    identityType: client.identityType,
    grantType: 'client_credentials',
    redeem: (token) => context.store.issueToken(token),
  });
  if (answer === null) throw invalidClient(context.baseUrl);
  return answer;
}
