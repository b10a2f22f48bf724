/** The JWT bearer grant (RFC 7523) with an Identity Assertion JWT Authorization Grant (ID-JAG). */
import type { Client } from '../store/clients.ts';
import { issueToken, type TokenResponse } from './access-token.ts';
import { refuseAssertion } from './assertion-checks.ts';
import { jwtBearerGrant } from './client-metadata.ts';
import type { OAuthContext } from './context.ts';
import type { Form } from './form.ts';
import { grantScopes, readScopes } from './scopes.ts';
import { idJag } from './trusted-issuers.ts';

/**
 * Exchanges an assertion once, for a token of at most the scopes that the assertion, its issuer's entry and the client's
 * registration have in common. Plain JWTs are not accepted here, because nothing in them names the client.
 * @throws `invalid_grant` with a `reason`, `invalid_scope`, or `upstream_unavailable`.
 */
export async function jwtBearer(context: OAuthContext, client: Client, form: Form): Promise<TokenResponse> {
  const { verifyAssertion } = await import('./assertion.ts');
  const assertion = await verifyAssertion(context, {
    token: form.require('assertion'),
    type: idJag,
    clientId: client.id,
  });
  const limits = [assertion.issuer.maxScopes, assertion.scope === null ? undefined : readScopes(assertion.scope).known];
  const allowed = client.scopes.filter((scope) =>
    limits.every((limit) => limit?.some((name) => name === scope) ?? true),
  );
  const response = await issueToken(context, {
    client,
    scopes: grantScopes(form.get('scope'), allowed),
    identityType: 'identity_assertion',
    grantType: jwtBearerGrant,
    redeem: (token) => context.store.redeemAssertion(assertion.use, token),
  });
  if (response === null) throw refuseAssertion(context, 'replay_detected', assertion.issuer);
  return response;
}
