/** Client registration (RFC 7591 section 3), without approval or bound to a person by an assertion, and its management (RFC 7592). */
import { timingSafeEqual } from 'node:crypto';
import { ApiError } from '../base/api-error.ts';
import type { Client, NewClient } from '../store/clients.ts';
import { createKeyConflict, hashRequestBody } from '../store/idempotency.ts';
import type { VerifiedAssertion } from './assertion.ts';
import { refuseAssertion } from './assertion-checks.ts';
import { type ClientMetadata, readClientMetadata } from './client-metadata.ts';
import type { OAuthContext } from './context.ts';
import { createInvalidToken, createOAuthError } from './errors.ts';
import {
  createClientId,
  createSecret,
  deriveClientId,
  deriveSecret,
  hashSecret,
  isClientId,
  isSecret,
} from './secrets.ts';
import { readBearerToken } from './verify.ts';

/** A registration request: its JSON body, who sent it, and its Idempotency-Key or null. */
export interface RegisterInput {
  /** The parsed JSON body. */
  readonly body: unknown;
  /** The caller, such as `address:192.0.2.1`. Callers do not share Idempotency-Keys. */
  readonly principal: string;
  readonly idempotencyKey: string | null;
}

/** The outcome of a registration. */
export interface RegisterResult {
  readonly client: ClientInformation;
  /** Whether the Idempotency-Key had registered this client before. */
  readonly replayed: boolean;
}

/**
 * Registers a client. With an Idempotency-Key its ID and secrets are derived from the key, so that a repetition within 24 hours
 * returns the same client although no secret was stored.
 * @throws The errors of `readClientMetadata`, `invalid_grant` with a `reason` for an assertion, `upstream_unavailable` if the keys
 * of its issuer cannot be fetched, and `idempotency_conflict` for a key with another body or of a revoked client.
 */
export async function register(context: OAuthContext, input: RegisterInput): Promise<RegisterResult> {
  const metadata = readClientMetadata(input.body);
  const requestHash = input.idempotencyKey === null ? null : hashRequestBody(input.body);
  const candidates = createCredentials(context, input);
  for (const credentials of candidates) {
    const earlier = requestHash === null ? undefined : await context.store.findClient(credentials.id);
    if (earlier !== undefined && earlier.issuedAt > context.clock.now() - day) {
      return replay(context, earlier, credentials, requestHash);
    }
  }
  const [credentials] = candidates;
  const assertion = await readAssertion(context, metadata);
  const client = toClient(context, metadata, credentials, requestHash, assertion);
  const outcome = await context.store.createClient(client, assertion?.use);
  if (outcome === 'replayed') throw refuseAssertion(context, 'replay_detected', assertion?.issuer);
  if (outcome === 'exists') {
    // Two requests with the same key ran at once, and the other request stored its client first.
    const earlier = await context.store.findClient(credentials.id);
    if (earlier === undefined) throw new Error('A client id is taken and has no client.');
    return replay(context, earlier, credentials, requestHash);
  }
  const event = { event: 'client.registered', client_id: client.id, identity_type: client.identityType };
  context.log.info(event, 'Registered a client.');
  return { client: describeClient(context.baseUrl, client, credentials), replayed: false };
}

/**
 * Returns the verified assertion of a registration, or null if it has none. Rejects with `invalid_grant` and a `reason`, or with
 * `upstream_unavailable`. The code of `verifyAssertion` is loaded with the first assertion.
 */
async function readAssertion(context: OAuthContext, { assertion }: ClientMetadata): Promise<VerifiedAssertion | null> {
  if (assertion === null) return null;
  const { verifyAssertion } = await import('./assertion.ts');
  return verifyAssertion(context, { ...assertion, clientId: null });
}

const day = 86_400_000;

interface Credentials {
  readonly id: string;
  readonly secret: string;
  readonly registrationToken: string;
}

/**
 * Returns random credentials or, with an Idempotency-Key, those derived for today and yesterday, with the previous secret key as
 * well; the first are those of a new client. The day is part of the derivation: a key is free again after 24 hours, and cannot
 * bring back the secret of a client that was revoked long ago.
 */
function createCredentials(context: OAuthContext, input: RegisterInput): [Credentials, ...Credentials[]] {
  const { principal, idempotencyKey } = input;
  if (idempotencyKey === null) {
    return [{ id: createClientId(), secret: createSecret('cs'), registrationToken: createSecret('rat') }];
  }
  const { key, previousKey } = context;
  const today = Math.floor(context.clock.now() / day);
  const derive = (date: number, by = key): Credentials => {
    const parts = [principal, '/oauth/register', idempotencyKey, date];
    return {
      id: deriveClientId(by, parts),
      secret: deriveSecret('cs', by, parts),
      registrationToken: deriveSecret('rat', by, parts),
    };
  };
  const current: [Credentials, Credentials] = [derive(today), derive(today - 1)];
  if (previousKey === undefined) return current;
  return [...current, derive(today, previousKey), derive(today - 1, previousKey)];
}

function replay(context: OAuthContext, client: Client, credentials: Credentials, hash: Uint8Array | null) {
  const isSame = hash !== null && client.requestHash !== null && timingSafeEqual(client.requestHash, hash);
  if (!isSame) throw createKeyConflict({ did: 'registered a client', thing: 'registration' });
  if (client.revokedAt !== null) {
    const detail =
      'The client that this Idempotency-Key registered has been revoked. Use a new key for a new registration.';
    throw new ApiError('idempotency_conflict', detail);
  }
  return { client: describeClient(context.baseUrl, client, credentials), replayed: true };
}

function toClient(
  context: OAuthContext,
  metadata: ClientMetadata,
  credentials: Credentials,
  requestHash: Uint8Array | null,
  assertion: VerifiedAssertion | null,
): NewClient {
  const { assertion: _, ...described } = metadata;
  return {
    ...described,
    scopes: limitScopes(metadata.scopes, assertion),
    id: credentials.id,
    secretHash: metadata.authMethod === 'none' ? null : hashSecret(credentials.secret),
    registrationTokenHash: hashSecret(credentials.registrationToken),
    requestHash,
    issuedAt: context.clock.now(),
    identityType: assertion === null ? 'anonymous' : 'identity_assertion',
    assertionIssuer: assertion?.issuer.issuer ?? null,
    assertionSubject: assertion?.subject ?? null,
  };
}

/**
 * Returns the scopes that are registered, which the response names (RFC 7591 section 3.2.1): those of `scopes` that are among the
 * `maxScopes` of the assertion's issuer, or all of them without an assertion or without `maxScopes`. Throws
 * `invalid_client_metadata` if none is left.
 */
function limitScopes(scopes: readonly string[], assertion: VerifiedAssertion | null): readonly string[] {
  const max = assertion?.issuer.maxScopes;
  if (max === undefined) return scopes;
  const allowedScopes = scopes.filter((scope) => max.includes(scope));
  if (allowedScopes.length > 0) return allowedScopes;
  const detail = `Assertions of this issuer lead to the scopes ${max.join(' ')} at most.`;
  throw createOAuthError('invalid_client_metadata', detail);
}

/** A request for an existing registration, with the header that should carry its registration access token. */
export interface RegistrationInput {
  /** The last segment of the path. */
  readonly clientId: string;
  /** The Authorization header: `Bearer` and the registration access token. */
  readonly authorization: string | undefined;
}

/** The client information response (RFC 7591 section 3.2.1), as the object whose JSON is sent. */
export type ClientInformation = Readonly<Record<string, unknown>>;

/**
 * Returns the registration (RFC 7592 section 2.1).
 * @throws `invalid_token`, also for a missing token; the same for a wrong token, an unknown client and a revoked one.
 */
export async function readRegistration(context: OAuthContext, input: RegistrationInput): Promise<ClientInformation> {
  const { client, registrationToken } = await checkRegistrationToken(context, input);
  if (client.revokedAt !== null) throw createInvalidRegistrationToken(context);
  return describeClient(context.baseUrl, client, { registrationToken });
}

/**
 * Revokes the client and its tokens and deletes its metadata (RFC 7592 section 2.3). A repetition succeeds. Rejects with
 * `invalid_token` for a missing or wrong token and for an unknown client.
 */
export async function deleteRegistration(context: OAuthContext, input: RegistrationInput): Promise<void> {
  const { client } = await checkRegistrationToken(context, input);
  const isFirst = await context.store.revokeClient(client.id, context.clock.now(), true);
  if (!isFirst) return;
  context.log.info({ event: 'client.revoked', client_id: client.id }, 'Deleted a client registration and its tokens.');
}

/** Returns the response to a registration and to reading it. Only the former has the secret, and only if the client is not public. */
function describeClient(
  baseUrl: string,
  client: NewClient | Client,
  credentials: { secret?: string; registrationToken: string },
): ClientInformation {
  const isConfidential = client.secretHash !== null;
  return {
    client_id: client.id,
    ...(isConfidential && credentials.secret !== undefined && { client_secret: credentials.secret }),
    client_id_issued_at: Math.floor(client.issuedAt / 1000),
    ...(isConfidential && { client_secret_expires_at: 0 }),
    ...(client.name !== null && { client_name: client.name }),
    ...(client.redirectUris.length > 0 && { redirect_uris: client.redirectUris }),
    grant_types: client.grantTypes,
    response_types: client.grantTypes.includes('authorization_code') ? ['code'] : [],
    token_endpoint_auth_method: client.authMethod,
    scope: client.scopes.join(' '),
    ...(client.softwareId !== null && { software_id: client.softwareId }),
    ...(client.softwareVersion !== null && { software_version: client.softwareVersion }),
    ...(client.contacts.length > 0 && { contacts: client.contacts }),
    registration_client_uri: `${baseUrl}/oauth/register/${client.id}`,
    registration_access_token: credentials.registrationToken,
    registration_type: client.identityType === 'anonymous' ? 'anonymous' : 'agent-provider',
    credential_type: 'oauth_client_credentials',
  };
}

/**
 * Returns the client, revoked or not, and its registration access token (RFC 7592 section 3). Rejects with `invalid_token`, the
 * same and after the same time for an unknown client and a wrong token, and also without a token.
 */
async function checkRegistrationToken(
  context: OAuthContext,
  input: RegistrationInput,
): Promise<{ client: Client; registrationToken: string }> {
  const registrationToken = readBearerToken(input.authorization, context.baseUrl);
  if (registrationToken === null || !isSecret('rat', registrationToken)) throw createInvalidRegistrationToken(context);
  const client = isClientId(input.clientId) ? await context.store.findClient(input.clientId) : undefined;
  const expectedHash = client?.registrationTokenHash ?? Buffer.alloc(32);
  if (!timingSafeEqual(hashSecret(registrationToken), expectedHash) || client === undefined)
    throw createInvalidRegistrationToken(context);
  return { client, registrationToken };
}

const createInvalidRegistrationToken = (context: OAuthContext) =>
  createInvalidToken(
    context.baseUrl,
    'There is no such registration, or the token is not its registration_access_token. Send that token as Authorization: Bearer <token>.',
  );
