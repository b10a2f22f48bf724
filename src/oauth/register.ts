/** Client registration (RFC 7591 section 3): no person approves it; an assertion may say on whose behalf it is. */
import { timingSafeEqual } from 'node:crypto';
import { ApiError } from '../base/api-error.ts';
import { keyConflict, requestHashOf } from '../store/idempotency.ts';
import type { Client, NewClient } from '../store/store.ts';
import type { VerifiedAssertion } from './assertion.ts';
import { refuseAssertion } from './assertion-refusal.ts';
import { type ClientMetadata, readClientMetadata } from './client-metadata.ts';
import type { OAuthContext } from './context.ts';
import { oauthError } from './oauth-error.ts';
import { type ClientInformation, clientInformation } from './registration.ts';
import { deriveClientId, deriveSecret, hashSecret, newClientId, newSecret } from './secrets.ts';

export interface RegisterInput {
  /** The parsed JSON body. */
  readonly body: unknown;
  /** Who asks, such as `address:192.0.2.1`: keys of different callers do not meet. */
  readonly principal: string;
  readonly idempotencyKey: string | null;
}

export interface RegisterAnswer {
  readonly client: ClientInformation;
  /** The key was used before, and this is the client that it made. */
  readonly replayed: boolean;
}

/**
 * Registers a client. With an Idempotency-Key its id and secrets are derived from the key, so that a repetition within 24
 * hours gives the same client although no secret was stored. Throws the errors of section 3.2.2, `invalid_grant` with a
 * `reason` for an assertion, and `idempotency_conflict`.
 */
export async function register(context: OAuthContext, input: RegisterInput): Promise<RegisterAnswer> {
  const metadata = readClientMetadata(input.body);
  const requestHash = input.idempotencyKey === null ? null : requestHashOf(input.body);
  const candidates = credentialsOf(context, input);
  for (const credentials of candidates) {
    const earlier = requestHash === null ? undefined : await context.store.findClient(credentials.id);
    if (earlier !== undefined && earlier.issuedAt > context.clock.now() - day) {
      return replay(context, earlier, credentials, requestHash);
    }
  }
  const [credentials] = candidates;
  const assertion = await assertionOf(context, metadata);
  const client = toClient(context, metadata, credentials, requestHash, assertion);
  const outcome = await context.store.createClient(client, assertion?.use);
  if (outcome === 'replayed') throw refuseAssertion(context, 'replay_detected', assertion?.issuer);
  if (outcome === 'exists') {
    // The same key came twice at the same time, and the other request was first.
    const earlier = await context.store.findClient(credentials.id);
    if (earlier === undefined) throw new Error('A client id is taken and has no client.');
    return replay(context, earlier, credentials, requestHash);
  }
  const event = { event: 'client.registered', client_id: client.id, identity_type: client.identityType };
  context.log.info(event, 'Registered a client.');
  return { client: clientInformation(context.baseUrl, client, credentials), replayed: false };
}

/** What checks assertions is loaded with the first of them. */
async function assertionOf(context: OAuthContext, { assertion }: ClientMetadata): Promise<VerifiedAssertion | null> {
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
 * Random ones; with a key, those that the key gives today and those that it gave yesterday. The day is part of them so that
 * a key is free again when its 24 hours are over, and cannot bring back the secret of a client long revoked.
 */
function credentialsOf(context: OAuthContext, input: RegisterInput): [Credentials, ...Credentials[]] {
  const { principal, idempotencyKey } = input;
  if (idempotencyKey === null) {
    return [{ id: newClientId(), secret: newSecret('cs'), registrationToken: newSecret('rat') }];
  }
  const today = Math.floor(context.clock.now() / day);
  const derived = (date: number): Credentials => {
    const parts = [principal, '/oauth/register', idempotencyKey, date];
    return {
      id: deriveClientId(context.key, parts),
      secret: deriveSecret('cs', context.key, parts),
      registrationToken: deriveSecret('rat', context.key, parts),
    };
  };
  return [derived(today), derived(today - 1)];
}

function replay(
  context: OAuthContext,
  client: Client,
  credentials: Credentials,
  requestHash: Uint8Array | null,
): RegisterAnswer {
  const same = requestHash !== null && client.requestHash !== null && timingSafeEqual(client.requestHash, requestHash);
  if (!same) throw keyConflict({ did: 'registered a client', thing: 'registration' });
  if (client.revokedAt !== null) throw revoked();
  return { client: clientInformation(context.baseUrl, client, credentials), replayed: true };
}

const revoked = (): ApiError =>
  new ApiError(
    'idempotency_conflict',
    'The client that this Idempotency-Key registered has been revoked. Use a new key for a new registration.',
  );

function toClient(
  context: OAuthContext,
  metadata: ClientMetadata,
  credentials: Credentials,
  requestHash: Uint8Array | null,
  assertion: VerifiedAssertion | null,
): NewClient {
  return {
    id: credentials.id,
    secretHash: metadata.authMethod === 'none' ? null : hashSecret(credentials.secret),
    registrationTokenHash: hashSecret(credentials.registrationToken),
    requestHash,
    issuedAt: context.clock.now(),
    name: metadata.name,
    redirectUris: metadata.redirectUris,
    grantTypes: metadata.grantTypes,
    authMethod: metadata.authMethod,
    scopes: scopesWithin(metadata.scopes, assertion),
    softwareId: metadata.softwareId,
    softwareVersion: metadata.softwareVersion,
    contacts: metadata.contacts,
    identityType: assertion === null ? 'anonymous' : 'identity_assertion',
    assertionIssuer: assertion?.issuer.issuer ?? null,
    assertionSubject: assertion?.subject ?? null,
  };
}

/** The server may register less than was asked for, and says so in its response (RFC 7591 section 3.2.1). */
function scopesWithin(scopes: readonly string[], assertion: VerifiedAssertion | null): readonly string[] {
  const most = assertion?.issuer.maxScopes ?? null;
  const within = scopes.filter((scope) => most === null || most.includes(scope));
  if (within.length > 0) return within;
  throw oauthError(
    'invalid_client_metadata',
    `Assertions of this issuer lead to the scopes ${most?.join(' ')} at most.`,
  );
}
