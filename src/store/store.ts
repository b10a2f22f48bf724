/** What the service remembers between requests: one interface, whichever database stands behind it. */

/*
 * Every moment is in milliseconds since 1970 and comes in as an argument: no implementation reads a clock.
 * Every hash is SHA-256, 32 bytes: secrets, tokens, codes and tickets never reach the store in clear.
 * Every method may throw the ApiError `upstream_unavailable` when the database cannot be used.
 */
import type { IdempotencyTable } from './idempotency.ts';
import type { JobStatus, JobStore } from './job-store.ts';

export interface Store extends ClientStore, TokenStore, ConsentStore, JobStore, IdempotencyTable {
  /** Deletes what has expired, at most `batch` rows of each table. Call again while `more` is true. */
  sweep(now: number, batch: number): Promise<{ deleted: number; more: boolean }>;
  /** For gauges. That it answers says that the store can be used. */
  stats(): Promise<StoreStats>;
  close(): Promise<void>;
}

export interface StoreStats {
  /** Why the database cannot be written (a full disk, a replica), or null if it can. */
  readonly writeProblem: string | null;
  /** Unfinished jobs, of the oldest `mostCountedJobs`: what it costs to ask does not grow with what is stored. */
  readonly jobs: Readonly<Record<Extract<JobStatus, 'queued' | 'running'>, number>>;
  /** When the oldest of them was created; null when there is none. */
  readonly oldestOpenJobAt: number | null;
  /** Connections to the database, those at work, and who waits for one; null where there is only one connection. */
  readonly pool: { readonly open: number; readonly busy: number; readonly waiting: number } | null;
}

/** Why a store refuses to open. The message names the fix; the process should end with it. */
export class StoreUnusable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreUnusable';
  }
}

export type IdentityType = 'anonymous' | 'identity_assertion';

/** A registered OAuth client (RFC 7591). */
export interface Client {
  readonly id: string;
  /** null: a public client. */
  readonly secretHash: Uint8Array | null;
  readonly registrationTokenHash: Uint8Array;
  /** Hash of the registration request's body, when it carried an Idempotency-Key. */
  readonly requestHash: Uint8Array | null;
  /** Starts at 1. Tokens, codes and tickets count only while their epoch is the client's. */
  readonly epoch: number;
  readonly issuedAt: number;
  /** Set for ever once the secret is revoked or the registration deleted. */
  readonly revokedAt: number | null;
  readonly name: string | null;
  readonly redirectUris: readonly string[];
  readonly grantTypes: readonly string[];
  readonly authMethod: string;
  readonly scopes: readonly string[];
  readonly softwareId: string | null;
  readonly softwareVersion: string | null;
  readonly contacts: readonly string[];
  readonly identityType: IdentityType;
  readonly assertionIssuer: string | null;
  readonly assertionSubject: string | null;
}

export type NewClient = Omit<Client, 'epoch' | 'revokedAt'>;

/** One use of an assertion: a hash of its issuer and `jti`, remembered until it could not be accepted any more. */
export interface AssertionUse {
  readonly hash: Uint8Array;
  readonly expiresAt: number;
}

export interface ClientStore {
  /** `exists`: the id is taken, nothing was changed. `replayed`: the assertion was used before, nothing was changed. */
  createClient(client: NewClient, assertion?: AssertionUse): Promise<'created' | 'exists' | 'replayed'>;
  findClient(id: string): Promise<Client | undefined>;
  findClientBySecret(secretHash: Uint8Array): Promise<Client | undefined>;
  /**
   * Ends the client and, in the same statement, every token, code and ticket of its epoch. False when it was already revoked.
   * The row stays for `revokedClientLifetime`, so that nothing can bring the id back; `erase` empties what describes it.
   */
  revokeClient(id: string, now: number, erase: boolean): Promise<boolean>;
}

/** A client as an operator sees it. */
export interface ListedClient {
  readonly id: string;
  readonly name: string | null;
  readonly identityType: IdentityType;
  readonly scopes: readonly string[];
  /** Milliseconds since 1970, as all moments here. */
  readonly issuedAt: number;
  /** null: it never obtained a token. */
  readonly lastTokenAt: number | null;
  readonly revokedAt: number | null;
}

export interface NewToken {
  readonly hash: Uint8Array;
  readonly clientId: string;
  readonly epoch: number;
  readonly scopes: readonly string[];
  readonly identityType: IdentityType;
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** How many live tokens the client may have, this one included. */
  readonly most: number;
}

export interface LiveToken {
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly identityType: IdentityType;
  readonly expiresAt: number;
}

/**
 * A chain of refresh tokens that began with one authorization code. Each refresh raises the generation, and only the
 * newest one can be used (RFC 9700 section 4.14.2).
 */
export interface NewRefreshFamily {
  /** 16 random bytes. */
  readonly id: Uint8Array;
  readonly expiresAt: number;
}

export interface RefreshFamily {
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly identityType: IdentityType;
}

export interface RefreshUse {
  readonly family: Uint8Array;
  readonly generation: number;
  /** The family lasts this much longer once it was used. */
  readonly idleMs: number;
  /** For this long, the generation before the newest one still counts as a repeat. */
  readonly graceMs: number;
}

/** `rotated`: the token is stored, and `generation` is the newest now. `reused`: the family and its tokens are ended. */
export type Rotation =
  | { readonly outcome: 'rotated'; readonly generation: number }
  | { readonly outcome: 'reused' | 'unknown' | 'client_gone' | 'too_many' };

/** What a consent ticket and the code that it turns into have in common; all of a code that is new. */
export interface ConsentRecord {
  readonly hash: Uint8Array;
  readonly clientId: string;
  readonly epoch: number;
  readonly redirectUri: string;
  /** The S256 code challenge. */
  readonly challenge: string;
  readonly scopes: readonly string[];
  readonly expiresAt: number;
}

export interface AuthorizationCode extends ConsentRecord {
  readonly usedAt: number | null;
}

/**
 * Nothing is stored, and nothing used up, but for `issued`. `client_gone`: the client is not alive at the token's epoch.
 * `too_many`: it has as many live tokens as it may have. No token ever ends for another one.
 */
export type Redemption = 'issued' | 'client_gone' | 'used' | 'too_many';

export interface TokenStore {
  /** Stores a token. */
  issueToken(token: NewToken): Promise<Exclude<Redemption, 'used'>>;
  /** When the first of a client's live tokens expires; undefined when it has none. */
  firstExpiry(clientId: string, now: number): Promise<number | undefined>;
  /** Uses the assertion up and stores its token in one step; `used` when it was used before. */
  redeemAssertion(use: AssertionUse, token: NewToken): Promise<Redemption>;
  /** The token, when it has not expired and its client is alive at its epoch: at once where only this process can end it. */
  findToken(hash: Uint8Array, now: number): LiveToken | undefined | Promise<LiveToken | undefined>;
  /** Ends one token, of any client or of the one named. Its client's id, or undefined when there was none. */
  revokeToken(hash: Uint8Array, clientId?: string): Promise<string | undefined>;
  findCode(hash: Uint8Array): Promise<AuthorizationCode | undefined>;
  /** Uses the code up and stores its token in one step; `used` when the code is used, expired or unknown. */
  redeemCode(hash: Uint8Array, token: NewToken, family?: NewRefreshFamily): Promise<Redemption>;
  /** Undefined when it is unknown, expired, ended, or its client is gone. */
  findRefreshFamily(id: Uint8Array, now: number): Promise<RefreshFamily | undefined>;
  /** Rotates the family and stores the token in one step; the token's `issuedAt` is the moment of use. */
  redeemRefresh(use: RefreshUse, token: NewToken): Promise<Rotation>;
  /** Ends a family and its access tokens, of any client or of the one named. Its client's id; undefined when there was none. */
  revokeRefreshFamily(id: Uint8Array, now: number, clientId?: string): Promise<string | undefined>;
  /** Ends every token that the code was exchanged for, and those of its refresh tokens; how many access tokens. */
  revokeTokensOfCode(hash: Uint8Array, now: number): Promise<number>;
}

/** A validated authorization request that waits for a person's decision. */
export interface ConsentTicket extends ConsentRecord {
  readonly state: string | null;
}

export interface ConsentStore {
  createTicket(ticket: ConsentTicket): Promise<void>;
  /** Removes the ticket and returns it, once; undefined when it is unknown, taken or expired. */
  takeTicket(hash: Uint8Array, now: number): Promise<ConsentTicket | undefined>;
  /** False when the client is not alive at the code's epoch. */
  createCode(code: ConsentRecord): Promise<boolean>;
}

export const mostCountedJobs = 10_000;

const day = 86_400_000;

/** Clients that never obtained a token are swept after this time. */
export const unusedClientLifetime = 30 * day;
/** Revoked clients stay this long as tombstones, well past the day that a repeated registration can look back. */
export const revokedClientLifetime = 30 * day;
/** Used and expired codes stay as long as their tokens could live, so that a second use still ends these. */
export const codeAfterlife = 3_600_000;
