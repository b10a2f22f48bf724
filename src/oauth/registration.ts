/** The client configuration endpoint (RFC 7592): reading a registration, without its secret, and deleting it. */
import { timingSafeEqual } from 'node:crypto';
import type { Client, NewClient } from '../store/store.ts';
import { invalidToken } from './challenge.ts';
import type { OAuthContext } from './context.ts';
import { hashSecret, isClientId, isSecret } from './secrets.ts';
import { bearerToken } from './verify.ts';

export interface RegistrationInput {
  /** The last segment of the path. */
  readonly clientId: string;
  /** The Authorization header: `Bearer` and the registration access token. */
  readonly authorization: string | undefined;
}

/** RFC 7591 section 3.2.1. */
export type ClientInformation = Readonly<Record<string, unknown>>;

/** Section 2.1. Throws `invalid_token` for a wrong token, an unknown client and a revoked one alike. */
export async function readRegistration(context: OAuthContext, input: RegistrationInput): Promise<ClientInformation> {
  const { client, registrationToken } = await requireRegistration(context, input);
  if (client.revokedAt !== null) throw refused(context);
  return clientInformation(context.baseUrl, client, { registrationToken });
}

/** Section 2.3: ends the client and its tokens and forgets what describes it. Doing it again is no failure. */
export async function deleteRegistration(context: OAuthContext, input: RegistrationInput): Promise<void> {
  const { client } = await requireRegistration(context, input);
  const revoked = await context.store.revokeClient(client.id, context.clock.now(), true);
  if (!revoked) return;
  context.log.info({ event: 'client.revoked', client_id: client.id }, 'Deleted a client registration and its tokens.');
}

/** The answer to a registration and to reading it. `secret` is given once, at registration. */
export function clientInformation(
  baseUrl: string,
  client: NewClient | Client,
  shown: { secret?: string; registrationToken: string },
): ClientInformation {
  const isConfidential = client.secretHash !== null;
  return {
    client_id: client.id,
    ...(isConfidential && shown.secret !== undefined && { client_secret: shown.secret }),
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
    registration_access_token: shown.registrationToken,
    registration_type: client.identityType === 'anonymous' ? 'anonymous' : 'agent-provider',
    credential_type: 'oauth_client_credentials',
  };
}

async function requireRegistration(
  context: OAuthContext,
  input: RegistrationInput,
): Promise<{ client: Client; registrationToken: string }> {
  const registrationToken = bearerToken(input.authorization, context.baseUrl);
  if (registrationToken === null || !isSecret('rat', registrationToken)) throw refused(context);
  const client = isClientId(input.clientId) ? await context.store.findClient(input.clientId) : undefined;
  const expected = client?.registrationTokenHash ?? Buffer.alloc(32);
  if (!timingSafeEqual(hashSecret(registrationToken), expected) || client === undefined) throw refused(context);
  return { client, registrationToken };
}

const refused = (context: OAuthContext) =>
  invalidToken(
    context.baseUrl,
    'There is no such registration, or the token is not its registration_access_token. Send that token as Authorization: Bearer <token>.',
  );
