/** The response to a refused assertion. */
import type { ApiError } from '../base/api-error.ts';
import { type Reason, reasons } from './assertion-checks.ts';
import type { OAuthContext } from './context.ts';
import { oauthError } from './oauth-error.ts';
import type { TrustedIssuer } from './trusted-issuers.ts';

/** Logs and makes the failure. Only a trusted issuer's name is logged: the rest is whatever somebody sent. */
export function refuseAssertion(context: OAuthContext, reason: Reason, issuer: TrustedIssuer | undefined): ApiError {
  context.log.warn({ event: 'assertion.refused', reason, issuer: issuer?.issuer }, 'Refused an identity assertion.');
  return oauthError('invalid_grant', reasons[reason], { reason });
}
