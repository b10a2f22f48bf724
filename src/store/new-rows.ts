/** What a new row holds in either engine: its columns, and its values in the same order. What is stored is read in rows.ts. */
import { jobLifetime, type NewJob } from './job-store.ts';
import type { ConsentRecord, ConsentTicket, NewClient, NewRefreshFamily, NewToken } from './store.ts';

type Values = (string | number | Uint8Array | null)[];

export const clientColumns = `id, secret_hash, registration_token_hash, request_hash, issued_at, name, redirect_uris,
  grant_types, auth_method, scopes, software_id, software_version, contacts, identity_type, assertion_issuer,
  assertion_subject`;

export const clientValues = (client: NewClient): Values => [
  client.id,
  client.secretHash,
  client.registrationTokenHash,
  client.requestHash,
  client.issuedAt,
  client.name,
  JSON.stringify(client.redirectUris),
  JSON.stringify(client.grantTypes),
  client.authMethod,
  JSON.stringify(client.scopes),
  client.softwareId,
  client.softwareVersion,
  JSON.stringify(client.contacts),
  client.identityType,
  client.assertionIssuer,
  client.assertionSubject,
];

export const codeColumns = 'hash, client_id, epoch, redirect_uri, challenge, scopes, expires_at';

export const codeValues = (code: ConsentRecord): Values => [
  code.hash,
  code.clientId,
  code.epoch,
  code.redirectUri,
  code.challenge,
  JSON.stringify(code.scopes),
  code.expiresAt,
];

/** A ticket has the columns of the code that it turns into, and one more. */
export const ticketColumns = `${codeColumns}, state`;

export const ticketValues = (ticket: ConsentTicket): Values => [...codeValues(ticket), ticket.state];

export const tokenColumns = 'hash, client_id, epoch, scopes, identity_type, code_hash, issued_at, expires_at';

/** `codeHash`: of the code that the token was exchanged for, if it was. */
export const tokenValues = (token: NewToken, codeHash: Uint8Array | null): Values => [
  token.hash,
  token.clientId,
  token.epoch,
  JSON.stringify(token.scopes),
  token.identityType,
  codeHash,
  token.issuedAt,
  token.expiresAt,
];

export const familyColumns = 'id, client_id, epoch, code_hash, scopes, identity_type, rotated_at, expires_at';

/** The scopes are those of the first token; a refresh may ask for fewer, never for more. */
export const familyValues = (family: NewRefreshFamily, codeHash: Uint8Array, token: NewToken): Values => [
  family.id,
  token.clientId,
  token.epoch,
  codeHash,
  JSON.stringify(token.scopes),
  token.identityType,
  token.issuedAt,
  family.expiresAt,
];

export const jobColumns = 'id, client_id, resource, format, created_at, expires_at';

export const jobValues = (job: NewJob): Values => [
  job.id,
  job.clientId,
  job.resource,
  job.format,
  job.createdAt,
  job.createdAt + jobLifetime,
];
