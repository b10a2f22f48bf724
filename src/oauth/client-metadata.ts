/** Reads the client metadata of a registration request (RFC 7591 section 2), field by field, and reports every fault. */

import { oauthError } from './errors.ts';
import { createMetadataReader, findNameFault, type MetadataReader } from './metadata-reader.ts';
import { redirectUriFault } from './redirect-uri.ts';
import { defaultScopes, readScopes, unknownScope } from './scopes.ts';
import { type AssertionType, assertionTypes, isAssertionType } from './trusted-issuers.ts';

/** Values of `token_endpoint_auth_method` (RFC 7591 section 2). */
export const authMethods = ['client_secret_basic', 'client_secret_post', 'none'] as const;

/** The `grant_type` of RFC 7523 section 2.1. */
export const jwtBearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** The grant types of the token endpoint. */
export const grantTypes = ['client_credentials', 'authorization_code', 'refresh_token', jwtBearerGrant] as const;

export type GrantType = (typeof grantTypes)[number];

/** Returns whether the text is a grant type that this server supports. */
export const isGrantType = (name: string): name is GrantType => grantTypes.some((grantType) => grantType === name);

/** The grant types that need a client with a secret (RFC 6749 section 4.4.2; the ID-JAG draft on client authentication). */
const confidentialGrantTypes: readonly GrantType[] = ['client_credentials', jwtBearerGrant];

export interface ClientMetadata {
  readonly name: string | null;
  readonly redirectUris: readonly string[];
  readonly grantTypes: readonly GrantType[];
  readonly authMethod: (typeof authMethods)[number];
  readonly scopes: readonly string[];
  readonly softwareId: string | null;
  readonly softwareVersion: string | null;
  readonly contacts: readonly string[];
  /** The identity assertion, or null for a registration as `anonymous`. */
  readonly assertion: { readonly type: AssertionType; readonly token: string } | null;
}

/**
 * Reads the body. Unknown fields are ignored (RFC 7591 section 2), and no URL in it is ever fetched.
 * @throws The errors of RFC 7591 section 3.2.2, with every fault in `errors`.
 */
export function readClientMetadata(body: unknown): ClientMetadata {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw oauthError('invalid_client_metadata', 'The body must be a JSON object with the client metadata.');
  }
  const reader = createMetadataReader(new Map(Object.entries(body)));
  reader.refuse('software_statement', 'unapproved_software_statement', 'Software statements are not accepted.');
  const credential = reader.text('requested_credential_type', 200);
  if (credential !== null && credential !== 'oauth_client_credentials') {
    const detail = 'requested_credential_type must be oauth_client_credentials, which is also what you get without it.';
    reader.fault('requested_credential_type', 'invalid_value', detail, 'unsupported_credential_type');
  }
  const redirectUris = reader.texts('redirect_uris', 10, 2000, 'invalid_redirect_uri');
  const authMethod = readAuthMethod(reader);
  const metadata: ClientMetadata = {
    name: reader.text('client_name', 200, findNameFault),
    redirectUris: readRedirectUris(reader, redirectUris),
    authMethod,
    grantTypes: readGrantTypes(reader, redirectUris, authMethod),
    scopes: readScope(reader),
    softwareId: reader.text('software_id', 200),
    softwareVersion: reader.text('software_version', 200),
    contacts: reader.texts('contacts', 10, 200),
    assertion: readAssertion(reader),
  };
  checkResponseTypes(reader);
  reader.finish();
  return metadata;
}

function readRedirectUris(reader: MetadataReader, uris: readonly string[]): readonly string[] {
  uris.forEach((uri, index) => {
    const fault = redirectUriFault(uri);
    if (fault === null) return;
    const detail = `redirect_uris[${index}] ${fault}. Use https, a private-use scheme, or http to a loopback address.`;
    reader.fault(`redirect_uris[${index}]`, 'malformed', detail, 'invalid_redirect_uri');
  });
  return uris;
}

function readAuthMethod(reader: MetadataReader): ClientMetadata['authMethod'] {
  const name = reader.text('token_endpoint_auth_method', 200) ?? 'client_secret_basic';
  const method = authMethods.find((candidate) => candidate === name);
  if (method !== undefined) return method;
  const detail = `token_endpoint_auth_method must be one of ${authMethods.join(', ')}.`;
  reader.fault('token_endpoint_auth_method', 'invalid_value', detail);
  return 'client_secret_basic';
}

/** `refresh_token` belongs to `authorization_code`; by itself it adds nothing to the default. */
function readGrantTypes(reader: MetadataReader, redirectUris: readonly string[], authMethod: string): GrantType[] {
  const names = reader.texts('grant_types', 10, 200);
  if (!names.every(isGrantType)) {
    reader.fault('grant_types', 'invalid_value', `grant_types may hold ${grantTypes.join(', ')}.`);
  }
  const requested = names.filter(isGrantType);
  const standard: GrantType = redirectUris.length > 0 ? 'authorization_code' : 'client_credentials';
  const chosen = requested.some((name) => name !== 'refresh_token') ? requested : [standard, ...requested];
  if (chosen.includes('refresh_token') && !chosen.includes('authorization_code')) {
    const detail = 'The grant type refresh_token requires authorization_code: no other grant returns a refresh token.';
    reader.fault('grant_types', 'invalid_value', detail);
  }
  if (chosen.includes('authorization_code') && redirectUris.length === 0) {
    const detail = 'The grant type authorization_code needs at least one entry in redirect_uris.';
    reader.fault('redirect_uris', 'required', detail, 'invalid_redirect_uri');
  }
  const confidential = chosen.find((grantType) => confidentialGrantTypes.includes(grantType));
  if (authMethod === 'none' && confidential !== undefined) {
    const detail = `The grant type ${confidential} needs a client with a secret. Leave out token_endpoint_auth_method.`;
    reader.fault('token_endpoint_auth_method', 'invalid_value', detail);
  }
  return chosen;
}

function readScope(reader: MetadataReader): readonly string[] {
  const { known, unknown } = readScopes(reader.text('scope', 1000) ?? '');
  for (const name of unknown) {
    const { detail, suggestions } = unknownScope(name);
    reader.fault('scope', 'unknown', detail, 'invalid_client_metadata', suggestions);
  }
  return known.length > 0 ? known : defaultScopes;
}

function checkResponseTypes(reader: MetadataReader): void {
  if (reader.texts('response_types', 10, 200).every((name) => name === 'code')) return;
  reader.fault('response_types', 'invalid_value', 'response_types can contain only code.');
}

/** `identity_assertion` binds the client to a person at an identity provider; anything else is `anonymous`. */
function readAssertion(reader: MetadataReader): ClientMetadata['assertion'] {
  const type = reader.text('type', 200) ?? (reader.has('assertion') ? 'identity_assertion' : 'anonymous');
  if (type === 'anonymous') {
    reader.refuse('assertion', 'invalid_client_metadata', 'An anonymous registration carries no assertion.');
    return null;
  }
  if (type !== 'identity_assertion') {
    reader.fault('type', 'invalid_value', 'type must be anonymous or identity_assertion.');
    return null;
  }
  const assertionType = reader.text('assertion_type', 200);
  const token = reader.text('assertion', 65_536);
  if (!isAssertionType(assertionType)) {
    reader.fault('assertion_type', 'invalid_value', `assertion_type must be one of ${assertionTypes.join(', ')}.`);
    return null;
  }
  if (token !== null) return { type: assertionType, token };
  if (!reader.has('assertion')) reader.fault('assertion', 'required', 'assertion, the signed JWT, is missing.');
  return null;
}
