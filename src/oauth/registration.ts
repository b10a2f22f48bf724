/** The client configuration endpoint (RFC 7592): returns a registration, without its secret, and deletes it. */
import { timingSafeEqual } from 'node:crypto';
import type { Client, NewClient } from '../store/clients.ts';
import type { OAuthContext } from './context.ts';
import { invalidToken } from './errors.ts';
import { hashSecret, isClientId, isSecret } from './secrets.ts';
import { readBearerToken } from './verify.ts';

export interface RegistrationInput {
  /** The last segment of the path. */
  readonly clientId: string;
  /** The Authorization header: `Bearer` and the registration access token. */
  readonly authorization: string | undefined;
}

/** The client information response (RFC 7591 section 3.2.1). */
export type ClientInformation = Readonly<Record<string, unknown>>;

/**
 * Returns the registration (RFC 7592 section 2.1).
 * @throws `invalid_token`, the same for a wrong token, an unknown client and a revoked one.
 */
export async function readRegistration(context: OAuthContext, input: RegistrationInput): Promise<ClientInformation> {
  const { client, registrationToken } = await checkRegistrationToken(context, input);
  if (client.revokedAt !== null) throw invalidRegistrationToken(context);
  return clientInformation(context.baseUrl, client, { registrationToken });
}

/** Revokes the client and its tokens and deletes its metadata (RFC 7592 section 2.3). A repetition succeeds. */
export async function deleteRegistration(context: OAuthContext, input: RegistrationInput): Promise<void> {
  const { client } = await checkRegistrationToken(context, input);
  const isFirst = await context.store.revokeClient(client.id, context.clock.now(), true);
  if (!isFirst) return;
  context.log.info({ event: 'client.revoked', client_id: client.id }, 'Deleted a client registration and its tokens.');
}

/** Returns the response to a registration and to reading it. Only the former has the secret. */
export function clientInformation(
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

/** RFC 7592 section 3, with the same failure and timing for an unknown client and a wrong token. */
async function checkRegistrationToken(
  context: OAuthContext,
  input: RegistrationInput,
): Promise<{ client: Client; registrationToken: string }> {
  const registrationToken = readBearerToken(input.authorization, context.baseUrl);
  if (registrationToken === null || !isSecret('rat', registrationToken)) throw invalidRegistrationToken(context);
  const client = isClientId(input.clientId) ? await context.store.findClient(input.clientId) : undefined;
  const expected = client?.registrationTokenHash ?? Buffer.alloc(32);
  if (!timingSafeEqual(hashSecret(registrationToken), expected) || client === undefined)
    throw invalidRegistrationToken(context);
  return { client, registrationToken };
}

const invalidRegistrationToken = (context: OAuthContext) =>
  invalidToken(
    context.baseUrl,
    'There is no such registration, or the token is not its registration_access_token. Send that token as Authorization: Bearer <token>.',
  );
