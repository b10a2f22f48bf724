/** What the rows of either engine mean: one reading for both, since both have the same columns. */
import type { Job, JobFailure, JobStatus } from './job-store.ts';
import { bytes, integer, list, nullable, oneOf, type Row, text } from './row.ts';
import type {
  AuthorizationCode,
  Client,
  ConsentRecord,
  ConsentTicket,
  IdentityType,
  ListedClient,
  LiveToken,
  RefreshFamily,
  StoreStats,
} from './store.ts';

export function toClient(row: Row): Client {
  return {
    id: text(row, 'id'),
    secretHash: nullable(bytes, row, 'secret_hash'),
    registrationTokenHash: bytes(row, 'registration_token_hash'),
    requestHash: nullable(bytes, row, 'request_hash'),
    epoch: integer(row, 'epoch'),
    issuedAt: integer(row, 'issued_at'),
    revokedAt: nullable(integer, row, 'revoked_at'),
    name: nullable(text, row, 'name'),
    redirectUris: list(row, 'redirect_uris'),
    grantTypes: list(row, 'grant_types'),
    authMethod: text(row, 'auth_method'),
    scopes: list(row, 'scopes'),
    softwareId: nullable(text, row, 'software_id'),
    softwareVersion: nullable(text, row, 'software_version'),
    contacts: list(row, 'contacts'),
    identityType: identityType(row),
    assertionIssuer: nullable(text, row, 'assertion_issuer'),
    assertionSubject: nullable(text, row, 'assertion_subject'),
  };
}

export function toListedClient(row: Row): ListedClient {
  return {
    id: text(row, 'id'),
    name: nullable(text, row, 'name'),
    identityType: identityType(row),
    scopes: list(row, 'scopes'),
    issuedAt: integer(row, 'issued_at'),
    lastTokenAt: nullable(integer, row, 'last_token_at'),
    revokedAt: nullable(integer, row, 'revoked_at'),
  };
}

export function toLiveToken(row: Row): LiveToken {
  return {
    clientId: text(row, 'client_id'),
    scopes: list(row, 'scopes'),
    identityType: identityType(row),
    expiresAt: integer(row, 'expires_at'),
  };
}

export const toRefreshFamily = (row: Row): RefreshFamily => ({
  clientId: text(row, 'client_id'),
  scopes: list(row, 'scopes'),
  identityType: identityType(row),
});

export function toCode(row: Row): AuthorizationCode {
  return { ...toConsentRecord(row), usedAt: nullable(integer, row, 'used_at') };
}

export function toTicket(row: Row): ConsentTicket {
  return { ...toConsentRecord(row), state: nullable(text, row, 'state') };
}

function toConsentRecord(row: Row): ConsentRecord {
  return {
    hash: bytes(row, 'hash'),
    clientId: text(row, 'client_id'),
    epoch: integer(row, 'epoch'),
    redirectUri: text(row, 'redirect_uri'),
    challenge: text(row, 'challenge'),
    scopes: list(row, 'scopes'),
    expiresAt: integer(row, 'expires_at'),
  };
}

/** A job's row, with its artifact's `media_type` and `size` where it has one. */
export function toJob(row: Row): Job {
  const hash = nullable(bytes, row, 'artifact_hash');
  return {
    id: text(row, 'id'),
    clientId: text(row, 'client_id'),
    resource: text(row, 'resource'),
    format: text(row, 'format'),
    status: oneOf(row, 'status', jobStatuses),
    attempts: integer(row, 'attempts'),
    leaseUntil: nullable(integer, row, 'lease_until'),
    revision: nullable(text, row, 'revision'),
    artifact: hash === null ? null : { hash, mediaType: text(row, 'media_type'), size: integer(row, 'size') },
    failure: nullable(failure, row, 'failure'),
    createdAt: integer(row, 'created_at'),
    finishedAt: nullable(integer, row, 'finished_at'),
  };
}

/** Of rows that have a `status`, a `count` of its jobs, and `oldest`, when the first of them was created. */
export const toJobStats = (row: Row): Pick<StoreStats, 'jobs' | 'oldestOpenJobAt'> => ({
  jobs: { queued: integer(row, 'queued'), running: integer(row, 'running') },
  oldestOpenJobAt: nullable(integer, row, 'oldest'),
});

const jobStatuses: readonly JobStatus[] = ['queued', 'running', 'completed', 'failed'];

const identityType = (row: Row): IdentityType => oneOf(row, 'identity_type', ['anonymous', 'identity_assertion']);

/** Written only by failJob and failExhaustedJobs. */
function failure(row: Row, column: string): JobFailure {
  return JSON.parse(text(row, column));
}
