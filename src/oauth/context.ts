/** The context of every endpoint of the authorization server: store, clock, log, names and keys. */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Store } from '../store/store.ts';
import type { TrustedIssuers } from './trusted-issuers.ts';

/** The parts that the authorization server consists of. */
export interface OAuthContext {
  readonly store: Store;
  readonly clock: Clock;
  /** Receives the audit events, never a secret. */
  readonly log: Log;
  /** The origin without a trailing slash: issuer, resource and the root of every URL. */
  readonly baseUrl: string;
  /** The server's secret key, at least 32 bytes. Refresh tokens, and registrations with an Idempotency-Key, derive from it. */
  readonly key: Uint8Array;
  /** The secret key before it was replaced, if it ever was: what it made is still accepted. */
  readonly previousKey?: Uint8Array | undefined;
  readonly issuers: TrustedIssuers;
}
