/** The client registration endpoint (RFC 7591 section 3). Nobody approves a registration; an assertion can bind it to a person. */
import { timingSafeEqual } from 'node:crypto';
import { ApiError } from '../base/api-error.ts';
import type { Client, NewClient } from '../store/clients.ts';
import { createKeyConflict, hashRequestBody } from '../store/idempotency.ts';
import type { VerifiedAssertion } from './assertion.ts';
import { refuseAssertion } from './assertion-checks.ts';
import { type ClientMetadata, readClientMetadata } from './client-metadata.ts';
import type { OAuthContext } from './context.ts';
import { oauthError } from './errors.ts';
import { type ClientInformation, clientInformation } from './registration.ts';
import { deriveClientId, deriveSecret, hashSecret, newClientId, newSecret } from './secrets.ts';

export interface RegisterInput {
  /** The parsed JSON body. */
  readonly body: unknown;
  /** The caller, such as `address:192.0.2.1`. Callers do not share Idempotency-Keys. */
  readonly principal: string;
  readonly idempotencyKey: string | null;
}

export interface RegisterResult {
  readonly client: ClientInformation;
  /** Whether the Idempotency-Key had registered this client before. */
  readonly replayed: boolean;
}

/**
 * Registers a client. With an Idempotency-Key its ID and secrets are derived from the key, so that a repetition within 24
 * hours returns the same client although no secret was stored.
 * @throws The errors of RFC 7591 section 3.2.2, `invalid_grant` with a `reason` for an assertion, `idempotency_conflict`.
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
    // Two requests with the same key ran at once, and the other one was first.
    const earlier = await context.store.findClient(credentials.id);
    if (earlier === undefined) throw new Error('A client id is taken and has no client.');
    return replay(context, earlier, credentials, requestHash);
  }
  const event = { event: 'client.registered', client_id: client.id, identity_type: client.identityType };
  context.log.info(event, 'Registered a client.');
  return { client: clientInformation(context.baseUrl, client, credentials), replayed: false };
}

/** The verification is loaded with the first assertion. */
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
 * Creates random credentials or, with an Idempotency-Key, derives today's and yesterday's. The day is part of the derivation:
 * a key is free again after 24 hours, and cannot bring back the secret of a client that was revoked long ago.
 */
function createCredentials(context: OAuthContext, input: RegisterInput): [Credentials, ...Credentials[]] {
  const { principal, idempotencyKey } = input;
  if (idempotencyKey === null) {
    return [{ id: newClientId(), secret: newSecret('cs'), registrationToken: newSecret('rat') }];
  }
  const today = Math.floor(context.clock.now() / day);
  const derive = (date: number): Credentials => {
    const parts = [principal, '/oauth/register', idempotencyKey, date];
    return {
      id: deriveClientId(context.key, parts),
      secret: deriveSecret('cs', context.key, parts),
      registrationToken: deriveSecret('rat', context.key, parts),
    };
  };
  return [derive(today), derive(today - 1)];
}

function replay(
  context: OAuthContext,
  client: Client,
  credentials: Credentials,
  requestHash: Uint8Array | null,
): RegisterResult {
  const isSame =
    requestHash !== null && client.requestHash !== null && timingSafeEqual(client.requestHash, requestHash);
  if (!isSame) throw createKeyConflict({ did: 'registered a client', thing: 'registration' });
  if (client.revokedAt !== null) throw keyOfRevokedClient();
  return { client: clientInformation(context.baseUrl, client, credentials), replayed: true };
}

const keyOfRevokedClient = (): ApiError =>
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

/** RFC 7591 section 3.2.1: the server may register less than was requested, and its response says what. */
function limitScopes(scopes: readonly string[], assertion: VerifiedAssertion | null): readonly string[] {
  const max = assertion?.issuer.maxScopes;
  if (max === undefined) return scopes;
  const allowed = scopes.filter((scope) => max.includes(scope));
  if (allowed.length > 0) return allowed;
  const detail = `Assertions of this issuer lead to the scopes ${max.join(' ')} at most.`;
  throw oauthError('invalid_client_metadata', detail);
}
