/** What every endpoint of the authorization server is given. */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Store } from '../store/store.ts';
import type { TrustedIssuers } from './trusted-issuers.ts';

export interface OAuthContext {
  readonly store: Store;
  readonly clock: Clock;
  /** Takes the audit events; no secret is ever given to it. */
  readonly log: Log;
  /** The origin without a slash at its end: issuer, resource and the root of every URL. */
  readonly baseUrl: string;
  /** The server's own key, at least 32 bytes: registrations with an Idempotency-Key are derived from it. */
  readonly key: Uint8Array;
  readonly issuers: TrustedIssuers;
  /** Of one client at a time. */
  readonly mostLiveTokens: number;
}
