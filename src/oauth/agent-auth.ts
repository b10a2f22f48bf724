/** What `/agent/auth` tells the holder of a valid token about itself. */
import type { Principal } from './verify.ts';

export interface WhoAmI {
  readonly client_id: string;
  /** Space-separated. */
  readonly scope: string;
  /** Seconds since 1970, like `client_secret_expires_at`. */
  readonly expires_at: number;
  readonly rate_limit: { readonly policy: string; readonly limit: number; readonly window: number };
  readonly identity_type: string;
}

/** `requestsPerMinute`: the limit of the bucket `authenticated`. */
export const whoAmI = (principal: Principal, requestsPerMinute: number): WhoAmI => ({
  client_id: principal.clientId,
  scope: principal.scopes.join(' '),
  expires_at: Math.floor(principal.expiresAt / 1000),
  rate_limit: { policy: 'authenticated', limit: requestsPerMinute, window: 60 },
  identity_type: principal.identityType,
});
