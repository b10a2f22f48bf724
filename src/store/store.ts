/** The store: what the service remembers between requests, as one interface for both database engines. */

/*
 * Every moment is in milliseconds since 1970 and is an argument: the store reads no clock.
 * Every hash is SHA-256, 32 bytes: secrets, tokens, codes and tickets never reach the store in clear.
 * Every method may reject with the ApiError `upstream_unavailable` when the database cannot be used.
 */
import type { PoolState } from './database.ts';
import type { IdempotencyTable } from './idempotency.ts';
import type { JobStatus, JobStore } from './job-store.ts';

export interface Store extends ClientStore, TokenStore, RefreshStore, ConsentStore, JobStore, IdempotencyTable {
  /** Deletes expired rows, at most `batch` of each table. Call again while `more` is true. */
  sweep(now: number, batch: number): Promise<{ deleted: number; more: boolean }>;
  /** Reports the state of the store for gauges. It rejects if the store cannot be used. */
  stats(): Promise<StoreStats>;
  close(): Promise<void>;
}

export interface StoreStats {
  /** Why the database cannot be written (a full disk, a replica), or null if it can. */
  readonly writeProblem: string | null;
  /** Unfinished jobs among the oldest `maxCountedJobs`, so that the cost of counting does not grow with the queue. */
  readonly jobs: Readonly<Record<Extract<JobStatus, 'queued' | 'running'>, number>>;
  /** When the oldest unfinished job was created, or null if there is none. */
  readonly oldestOpenJobAt: number | null;
  /** The pool of connections, or null if there is only one connection. */
  readonly pool: PoolState | null;
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
  /** Hash of the secret, or null for a public client. */
  readonly secretHash: Uint8Array | null;
  readonly registrationTokenHash: Uint8Array;
  /** Hash of the registration request's body, or null if it had no Idempotency-Key. */
  readonly requestHash: Uint8Array | null;
  /** Starts at 1. Tokens, codes and tickets are valid only while their epoch is the client's. */
  readonly epoch: number;
  readonly issuedAt: number;
  /** When the secret was revoked or the registration deleted, which is final, or null. */
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

/** One use of an assertion: a hash of its issuer and `jti`, stored until the assertion can no longer be accepted. */
export interface AssertionUse {
  readonly hash: Uint8Array;
  readonly expiresAt: number;
}

export interface ClientStore {
  /** Stores a client, or changes nothing if the id is taken (`exists`) or the assertion was used before (`replayed`). */
  createClient(client: NewClient, assertion?: AssertionUse): Promise<'created' | 'exists' | 'replayed'>;
  findClient(id: string): Promise<Client | undefined>;
  findClientBySecret(secretHash: Uint8Array): Promise<Client | undefined>;
  /**
   * Revokes the client and, in the same statement, every token, code and ticket of its epoch. Returns false if it was
   * already revoked. The row stays for `revokedClientLifetime`, so that the id is not used again; `erase` empties what
   * describes the client.
   */
  revokeClient(id: string, now: number, erase: boolean): Promise<boolean>;
}

/** A client as an operator sees it. */
export interface ListedClient
  extends Pick<Client, 'id' | 'name' | 'identityType' | 'scopes' | 'issuedAt' | 'revokedAt'> {
  /** When it last obtained a token, exact to a minute, or null if it never did. */
  readonly lastTokenAt: number | null;
}

export interface NewToken {
  readonly hash: Uint8Array;
  readonly clientId: string;
  readonly epoch: number;
  readonly scopes: readonly string[];
  readonly identityType: IdentityType;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

export type LiveToken = Pick<NewToken, 'clientId' | 'scopes' | 'identityType' | 'expiresAt'>;

/**
 * The outcome of an exchange. `client_gone`: the client is not alive at the token's epoch. `used`: what is exchanged was
 * used before. Both change nothing.
 */
export type Redemption = 'issued' | 'client_gone' | 'used';

export interface TokenStore {
  issueToken(token: NewToken): Promise<Exclude<Redemption, 'used'>>;
  /** Uses the assertion up and stores its token in one step. */
  redeemAssertion(use: AssertionUse, token: NewToken): Promise<Redemption>;
  /** Uses the code up and stores its token in one step; `used` also if the code is expired or unknown. */
  redeemCode(hash: Uint8Array, token: NewToken, family?: NewRefreshFamily): Promise<Redemption>;
  /** Finds a token that has not expired and whose client is alive at its epoch. */
  findToken(hash: Uint8Array, now: number): Promise<LiveToken | undefined>;
  /** Revokes a token, of any client or of `clientId`. Returns the id of its client, or undefined if there was none. */
  revokeToken(hash: Uint8Array, clientId?: string): Promise<string | undefined>;
}

/**
 * A chain of refresh tokens that began with one authorization code. Each refresh raises the generation, and only the
 * newest generation can be used (RFC 9700 section 4.14.2).
 */
export interface NewRefreshFamily {
  /** 16 random bytes. */
  readonly id: Uint8Array;
  readonly expiresAt: number;
}

export type RefreshFamily = Pick<NewToken, 'clientId' | 'scopes' | 'identityType'>;

export interface RefreshUse {
  readonly family: Uint8Array;
  readonly generation: number;
  /** How long the family lasts after this use, in milliseconds. */
  readonly idleMs: number;
  /** How long the generation before the newest counts as a repetition, in milliseconds. */
  readonly graceMs: number;
}

/** `rotated`: the token is stored, and `generation` is the newest. `reused`: the family and its tokens are revoked. */
export type Rotation =
  | { readonly outcome: 'rotated'; readonly generation: number }
  | { readonly outcome: 'reused' | 'unknown' | 'client_gone' };

export interface RefreshStore {
  /** Finds a family that is neither expired nor revoked and whose client is alive. */
  findRefreshFamily(id: Uint8Array, now: number): Promise<RefreshFamily | undefined>;
  /** Rotates the family and stores the token in one step; the token's `issuedAt` is the moment of use. */
  redeemRefresh(use: RefreshUse, token: NewToken): Promise<Rotation>;
  /** Revokes a family and its access tokens, of any client or of `clientId`. Returns its client's id, or undefined. */
  revokeRefreshFamily(id: Uint8Array, now: number, clientId?: string): Promise<string | undefined>;
  /** Revokes every token that the code or its refresh tokens were exchanged for. Returns how many access tokens. */
  revokeTokensOfCode(hash: Uint8Array, now: number): Promise<number>;
}

/** The facts that a consent ticket and the code that it turns into share. */
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

/** A validated authorization request that waits for a person's decision. */
export interface ConsentTicket extends ConsentRecord {
  readonly state: string | null;
}

export interface ConsentStore {
  createTicket(ticket: ConsentTicket): Promise<void>;
  /** Removes the ticket and returns it, once; undefined if it is unknown, taken or expired. */
  takeTicket(hash: Uint8Array, now: number): Promise<ConsentTicket | undefined>;
  /** Stores a code. Returns false if the client is not alive at the code's epoch. */
  createCode(code: ConsentRecord): Promise<boolean>;
  findCode(hash: Uint8Array): Promise<AuthorizationCode | undefined>;
}

/** Maximum number of unfinished jobs that `stats` counts. */
export const maxCountedJobs = 10_000;

const day = 86_400_000;

/** Clients that never obtained a token are deleted after this time, in milliseconds. */
export const unusedClientLifetime = 30 * day;
/** Time that revoked clients stay as tombstones, in milliseconds: longer than the day that a repeated registration looks back. */
export const revokedClientLifetime = 30 * day;
/** Time that codes stay after their expiry, in milliseconds: as long as their tokens can live, so that a second use revokes these. */
export const codeAfterlife = 3_600_000;
