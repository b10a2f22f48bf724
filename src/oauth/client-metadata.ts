/** Client metadata as a registration request brings it (RFC 7591 section 2), checked field by field. */
import type { FieldError } from '../base/api-error.ts';
import type { Code } from '../base/problem-codes.ts';
import { type AssertionType, assertionTypes, isAssertionType } from './assertion-types.ts';
import { hidden, nameFault } from './client-name.ts';
import { confidentialGrantTypes, type GrantType, grantTypes, isGrantType } from './grant-types.ts';
import { oauthError } from './oauth-error.ts';
import { redirectUriFault } from './redirect-uri.ts';
import { defaultScopes, readScopes, unknownScope } from './scopes.ts';

export const authMethods = ['client_secret_basic', 'client_secret_post', 'none'] as const;

export interface ClientMetadata {
  readonly name: string | null;
  readonly redirectUris: readonly string[];
  readonly grantTypes: readonly GrantType[];
  readonly authMethod: (typeof authMethods)[number];
  readonly scopes: readonly string[];
  readonly softwareId: string | null;
  readonly softwareVersion: string | null;
  readonly contacts: readonly string[];
  /** null: registration as `anonymous`. */
  readonly assertion: { readonly type: AssertionType; readonly token: string } | null;
}

/**
 * Reads the body; fields that this server does not know are ignored, and no URL in it is ever fetched. Throws the errors
 * of RFC 7591 section 3.2.2, with every fault in `errors`.
 */
export function readClientMetadata(body: unknown): ClientMetadata {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw oauthError('invalid_client_metadata', 'The body must be a JSON object with the client metadata.');
  }
  const reader = createReader(new Map(Object.entries(body)));
  reader.refuse('software_statement', 'unapproved_software_statement', 'Software statements are not accepted.');
  const credential = reader.text('requested_credential_type', 200);
  if (credential !== null && credential !== 'oauth_client_credentials') {
    const detail = 'requested_credential_type must be oauth_client_credentials, which is also what you get without it.';
    reader.fault('requested_credential_type', 'invalid_value', detail, 'unsupported_credential_type');
  }
  const redirectUris = reader.texts('redirect_uris', 10, 2000, 'invalid_redirect_uri');
  const authMethod = readAuthMethod(reader);
  const metadata: ClientMetadata = {
    name: readName(reader),
    redirectUris: readRedirectUris(reader, redirectUris),
    authMethod,
    grantTypes: readGrantTypes(reader, redirectUris, authMethod),
    scopes: readScope(reader),
    softwareId: reader.text('software_id', 200),
    softwareVersion: reader.text('software_version', 200),
    contacts: reader.texts('contacts', 10, 200),
    assertion: readAssertion(reader),
  };
  requireCodeResponse(reader);
  reader.finish();
  return metadata;
}

interface Reader {
  /** A trimmed text without `hidden` characters; null when absent, null or empty. */
  text(member: string, most: number, textFault?: (text: string) => string | null): string | null;
  texts(member: string, mostItems: number, mostCharacters: number, code?: Code): string[];
  has(member: string): boolean;
  refuse(member: string, code: Code, detail: string): void;
  fault(field: string, fieldCode: string, detail: string, code?: Code, suggestions?: string[]): void;
  /** Throws when there was a fault: the first one's code and words, all of them in `errors`. */
  finish(): void;
}

function createReader(members: ReadonlyMap<string, unknown>): Reader {
  const errors: FieldError[] = [];
  const found: { code: Code; detail: string; suggestions: string[] }[] = [];

  const fault: Reader['fault'] = (field, fieldCode, detail, code = 'invalid_client_metadata', suggestions = []) => {
    errors.push({ field, code: fieldCode, detail });
    found.push({ code, detail, suggestions });
  };

  function checked(field: string, value: unknown, most: number, code?: Code, textFault = plainFault): string | null {
    if (typeof value !== 'string') fault(field, 'invalid_value', `${field} must be a string.`, code);
    else if ([...value].length > most) fault(field, 'too_long', `${field} may have ${most} characters at most.`, code);
    else {
      const trimmed = value.trim();
      const wrong = value.isWellFormed() ? textFault(trimmed) : 'has half a character';
      if (wrong === null) return trimmed || null;
      fault(field, 'malformed', `${field} ${wrong}.`, code);
    }
    return null;
  }

  const has = (member: string): boolean => members.get(member) !== undefined && members.get(member) !== null;

  return {
    has,
    fault,
    text: (member, most, textFault) =>
      has(member) ? checked(member, members.get(member), most, undefined, textFault) : null,
    texts(member, mostItems, mostCharacters, code) {
      if (!has(member)) return [];
      const value = members.get(member);
      if (!Array.isArray(value)) {
        fault(member, 'invalid_value', `${member} must be an array of strings.`, code);
        return [];
      }
      if (value.length > mostItems) {
        fault(member, 'too_long', `${member} may have ${mostItems} items at most.`, code);
        return [];
      }
      const items = value.map((item: unknown, index) => checked(`${member}[${index}]`, item, mostCharacters, code));
      return [...new Set(items.filter((item) => item !== null))];
    },
    refuse(member, code, detail) {
      if (has(member)) fault(member, 'invalid_value', `${detail} Register without ${member}.`, code);
    },
    finish() {
      const [first] = found;
      if (first === undefined) return;
      throw oauthError(first.code, first.detail, { errors, suggestions: first.suggestions });
    },
  };
}

const plainFault = (text: string): string | null =>
  hidden.test(text) ? 'has control characters or invisible characters' : null;

/** Empty is no name; one that only looks empty is refused. */
const readName = (reader: Reader): string | null =>
  reader.text('client_name', 200, (name) => (name === '' ? null : nameFault(name)));

function readRedirectUris(reader: Reader, uris: readonly string[]): readonly string[] {
  uris.forEach((uri, index) => {
    const fault = redirectUriFault(uri);
    if (fault === null) return;
    const detail = `redirect_uris[${index}] ${fault}. Use https, a private-use scheme, or http to a loopback address.`;
    reader.fault(`redirect_uris[${index}]`, 'malformed', detail, 'invalid_redirect_uri');
  });
  return uris;
}

function readAuthMethod(reader: Reader): ClientMetadata['authMethod'] {
  const name = reader.text('token_endpoint_auth_method', 200) ?? 'client_secret_basic';
  const method = authMethods.find((candidate) => candidate === name);
  if (method !== undefined) return method;
  const detail = `token_endpoint_auth_method must be one of ${authMethods.join(', ')}.`;
  reader.fault('token_endpoint_auth_method', 'invalid_value', detail);
  return 'client_secret_basic';
}

/** `refresh_token` goes with `authorization_code`; named by itself it adds nothing to the default. */
function readGrantTypes(reader: Reader, redirectUris: readonly string[], authMethod: string): GrantType[] {
  const named = reader.texts('grant_types', 10, 200);
  const unknown = named.find((name) => !isGrantType(name));
  if (unknown !== undefined) {
    reader.fault('grant_types', 'invalid_value', `grant_types may hold ${grantTypes.join(', ')}.`);
  }
  const known = named.filter(isGrantType);
  const standard: GrantType = redirectUris.length > 0 ? 'authorization_code' : 'client_credentials';
  const chosen = known.some((name) => name !== 'refresh_token') ? known : [standard, ...known];
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

function readScope(reader: Reader): readonly string[] {
  const { known, unknown } = readScopes(reader.text('scope', 1000) ?? '');
  for (const name of unknown) {
    const { detail, suggestions } = unknownScope(name);
    reader.fault('scope', 'unknown', detail, 'invalid_client_metadata', suggestions);
  }
  return known.length > 0 ? known : defaultScopes;
}

function requireCodeResponse(reader: Reader): void {
  if (reader.texts('response_types', 10, 200).every((name) => name === 'code')) return;
  reader.fault('response_types', 'invalid_value', 'response_types can contain only code.');
}

/** `identity_assertion` binds the client to a person at an identity provider; anything else is `anonymous`. */
function readAssertion(reader: Reader): ClientMetadata['assertion'] {
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
