/** Client metadata (RFC 7591 section 2): the schema of a registration request, and reading a request by it with every fault. */
import { z } from 'zod';
import type { FieldError } from '../base/api-error.ts';
import { writeCodes } from '../base/list-in-words.ts';
import type { Code } from '../base/problem-codes.ts';
import { formatPath } from '../base/value-path.ts';
import { createOAuthError } from './errors.ts';
import { findRedirectUriFault } from './redirect-uri.ts';
import { defaultScopes, describeUnknownScope, readScopes } from './scopes.ts';
import { type AssertionType, assertionTypes } from './trusted-issuers.ts';

/** Values of `token_endpoint_auth_method` (RFC 7591 section 2). */
export const authMethods = ['client_secret_basic', 'client_secret_post', 'none'] as const;

/** The `grant_type` of RFC 7523 section 2.1. */
export const jwtBearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** The grant types of the token endpoint. */
export const grantTypes = ['client_credentials', 'authorization_code', 'refresh_token', jwtBearerGrant] as const;

/** A grant type of the token endpoint. */
export type GrantType = (typeof grantTypes)[number];

/** The grant types that need a client with a secret (RFC 6749 section 4.4.2; the ID-JAG draft on client authentication). */
const confidentialGrantTypes: readonly GrantType[] = ['client_credentials', jwtBearerGrant];

/**
 * Creates the schema of a text of at most `max` code points, without the spaces around it. `findFault` returns the end of a
 * sentence that begins with the field, or null without a fault; by default it finds hidden characters. An empty text is valid
 * unless `findFault` refuses it.
 */
const createTextSchema = (max: number, findFault: (text: string) => string | null = findHidden) =>
  z
    .string()
    .trim()
    .superRefine((text, context) => {
      const isLong = [...text].length > max;
      const fault = text.isWellFormed() ? findFault(text) : 'has half a character';
      const message = isLong ? `may have ${max} characters at most` : fault;
      if (message === null) return;
      context.addIssue({ code: 'custom', message, params: { code: isLong ? 'too_long' : 'malformed' } });
    })
    .meta({ minLength: 1, maxLength: max });

/** The schemas, by name, of the fields that a registration's response repeats. */
export const describedFields = {
  client_name: createTextSchema(200, findNameFault).optional().describe('Shown to people, marked as not verified.'),
  redirect_uris: z
    .array(createTextSchema(2000, findRedirectUriFault))
    .max(10)
    .optional()
    .describe(
      'The redirect URIs for `authorization_code`: https, a private-use scheme, or http to a loopback address.',
    ),
  software_id: createTextSchema(200).optional().describe('Identifies the software across clients.'),
  software_version: createTextSchema(200).optional().describe('Its version.'),
  contacts: z.array(createTextSchema(200)).max(10).optional().describe('Contact addresses.'),
};

/** The published schema of a registration request. It refuses null, which `readClientMetadata` counts as absent. */
export const clientMetadataSchema = z
  .object({
    ...describedFields,
    grant_types: z
      .array(z.enum(grantTypes))
      .min(1)
      .max(10)
      .optional()
      .describe(
        'The grant types; by default `client_credentials`, or `authorization_code` if there are redirect URIs.',
      ),
    token_endpoint_auth_method: z
      .enum(authMethods)
      .optional()
      .describe('The method by which the client authenticates; by default `client_secret_basic`.'),
    scope: z
      .string()
      .max(1000)
      .optional()
      .describe('The scopes, separated by spaces; by default the four read scopes.'),
    type: z
      .enum(['anonymous', 'identity_assertion'])
      .optional()
      .describe('`identity_assertion` ties the client to a person; it requires the next two fields.'),
    assertion_type: z.enum(assertionTypes).optional().describe('The type of the assertion.'),
    assertion: z
      .string()
      .meta({ minLength: 1, maxLength: 8192 })
      .optional()
      .describe('A JWT from a trusted identity provider.'),
    requested_credential_type: z.literal('oauth_client_credentials').optional().describe('The default and only value.'),
  })
  .describe('Client metadata (RFC 7591 section 2). Other fields are ignored.');

const checkedFirst = { requested_credential_type: true, redirect_uris: true } as const;

/** The schema that a request is read by. Its fields are checked in their order; the first fault decides the code of the failure. */
const requestSchema = z.object({
  software_statement: z.never().optional(),
  ...clientMetadataSchema.pick(checkedFirst).shape,
  ...clientMetadataSchema.omit(checkedFirst).shape,
  response_types: z.array(z.literal('code')).max(10).optional(),
});

type Request = z.output<typeof requestSchema>;

/** The problem codes of faults in these fields; in all others it is `invalid_client_metadata`. */
const fieldCodes: Readonly<Record<string, Code>> = {
  software_statement: 'unapproved_software_statement',
  requested_credential_type: 'unsupported_credential_type',
  redirect_uris: 'invalid_redirect_uri',
};

/** The metadata of a registration with defaults. A field without a default is null or an empty array if it was not sent. */
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

/** Collects a fault of a field, which may be a path such as `redirect_uris[0]`: its code and detail, and similar names. */
type AddFault = (field: string, code: string, detail: string, suggestions?: string[]) => void;

/**
 * Returns the metadata in the parsed JSON body of a registration. Unknown fields are ignored (RFC 7591 section 2), and no URL in it
 * is ever fetched. Throws the errors of RFC 7591 section 3.2.2, or `unsupported_credential_type`, with every fault in `errors`,
 * which a body that is no object does not have.
 */
export function readClientMetadata(body: unknown): ClientMetadata {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw createOAuthError('invalid_client_metadata', 'The body must be a JSON object with the client metadata.');
  }
  const errors: FieldError[] = [];
  const suggestions: string[] = [];
  const addFault: AddFault = (field, code, detail, names = []) => {
    // A field that was reported as invalid is not reported as missing too.
    if (code === 'required' && errors.some((error) => error.field.startsWith(field))) return;
    errors.push({ field, code, detail });
    suggestions.push(...names);
  };
  const request = readRequest(body, addFault);
  const metadata: ClientMetadata = {
    name: request.client_name ?? null,
    redirectUris: removeDuplicates(request.redirect_uris),
    authMethod: request.token_endpoint_auth_method ?? 'client_secret_basic',
    grantTypes: readGrantTypes(request, addFault),
    scopes: readScope(request, addFault),
    softwareId: request.software_id ?? null,
    softwareVersion: request.software_version ?? null,
    contacts: removeDuplicates(request.contacts),
    assertion: readAssertion(request, addFault),
  };
  const [first] = errors;
  if (first === undefined) return metadata;
  const code = fieldCodes[first.field.replace(/\[.*/, '')] ?? 'invalid_client_metadata';
  throw createOAuthError(code, first.detail, { errors, suggestions });
}

const removeDuplicates = <T>(items: readonly T[] = []): T[] => [...new Set(items)];

/** Returns the fields that the schema accepts, adds the faults of those that it refuses, and drops unknown ones. */
function readRequest(body: object, addFault: AddFault): Request {
  const fields = Object.entries(body).map(([name, value]) => [name, removeBlanks(value)] as const);
  const result = requestSchema.safeParse(Object.fromEntries(fields));
  if (result.success) return result.data;
  const byField = Map.groupBy(result.error.issues, ({ path: [name] }) => name);
  for (const issues of byField.values()) {
    // If a list itself is at fault, such as one that is too long, the faults of its items are not reported.
    const fieldIssues = issues.filter(({ path }) => path.length === 1);
    for (const issue of fieldIssues.length > 0 ? fieldIssues : issues) addFault(...describeIssue(issue));
  }
  return requestSchema.parse(Object.fromEntries(fields.filter(([name]) => !byField.has(name))));
}

/** Returns undefined for null, a blank text and a list of only blank texts, another list without those, other values unchanged. */
function removeBlanks(value: unknown): unknown {
  if (value === null || (typeof value === 'string' && value.trim() === '')) return undefined;
  if (!Array.isArray(value)) return value;
  const items = value.filter((item) => typeof item !== 'string' || item.trim() !== '');
  return items.length > 0 ? items : undefined;
}

const typesInWords: Readonly<Record<string, string>> = {
  never: 'is not accepted. Register without it',
  array: 'must be an array of strings',
};

/**
 * Returns the field, the code and the detail, a sentence, of an issue that zod found in a field, so that its path is not empty. The
 * field is the whole path, such as `contacts[1]`, but for `invalid_value` issues, such as of an enum, only its first name.
 */
export function describeIssue(issue: z.core.$ZodIssue): [field: string, code: string, detail: string] {
  const field = formatPath(issue.path);
  const topField = String(issue.path[0]);
  switch (issue.code) {
    case 'invalid_value':
      return [topField, 'invalid_value', `${topField} can only be ${writeCodes(issue.values.map(String), 'or')}.`];
    case 'invalid_type':
      return [field, 'invalid_value', `${field} ${typesInWords[issue.expected] ?? 'must be a string'}.`];
    case 'too_big': {
      const max = `${issue.maximum} ${issue.origin === 'array' ? 'items' : 'characters'}`;
      return [field, 'too_long', `${field} may have ${max} at most.`];
    }
    default:
      return [field, (issue.code === 'custom' && issue.params?.code) || 'malformed', `${field} ${issue.message}.`];
  }
}

/**
 * Returns the grants that a client asks for. If it asks for none or only for `refresh_token`, `authorization_code` is added if it
 * has redirect URIs, and otherwise `client_credentials`. Adds a fault for `refresh_token` without `authorization_code`, for
 * `authorization_code` without redirect URIs, and for a grant that needs a secret with the authentication method `none`.
 */
function readGrantTypes(request: Request, addFault: AddFault): GrantType[] {
  const hasRedirectUris = removeDuplicates(request.redirect_uris).length > 0;
  const requestedTypes = removeDuplicates(request.grant_types);
  const standard: GrantType = hasRedirectUris ? 'authorization_code' : 'client_credentials';
  const grantTypes = requestedTypes.some((name) => name !== 'refresh_token')
    ? requestedTypes
    : [standard, ...requestedTypes];
  if (grantTypes.includes('refresh_token') && !grantTypes.includes('authorization_code')) {
    const detail = 'The grant type refresh_token requires authorization_code: no other grant returns a refresh token.';
    addFault('grant_types', 'invalid_value', detail);
  }
  if (grantTypes.includes('authorization_code') && !hasRedirectUris) {
    const detail = 'The grant type authorization_code needs at least one entry in redirect_uris.';
    addFault('redirect_uris', 'required', detail);
  }
  const confidential = grantTypes.find((grantType) => confidentialGrantTypes.includes(grantType));
  if (request.token_endpoint_auth_method === 'none' && confidential !== undefined) {
    const detail = `The grant type ${confidential} needs a client with a secret. Leave out token_endpoint_auth_method.`;
    addFault('token_endpoint_auth_method', 'invalid_value', detail);
  }
  return grantTypes;
}

function readScope(request: Request, addFault: AddFault): readonly string[] {
  const { known, unknown } = readScopes(request.scope ?? '');
  for (const name of unknown) {
    const { detail, suggestions } = describeUnknownScope(name);
    addFault('scope', 'unknown', detail, suggestions);
  }
  return known.length > 0 ? known : defaultScopes;
}

/**
 * Returns the assertion that binds the client to a person at an identity provider, or null for a client that is `anonymous`. Adds a
 * fault and returns null for an assertion of an `anonymous` client, and if the type or the text of the assertion is missing.
 */
function readAssertion(request: Request, addFault: AddFault): ClientMetadata['assertion'] {
  const { assertion, assertion_type: assertionType } = request;
  const type = request.type ?? (assertion === undefined ? 'anonymous' : 'identity_assertion');
  if (type === 'anonymous') {
    const detail = 'An anonymous registration carries no assertion. Register without assertion.';
    if (assertion !== undefined) addFault('assertion', 'invalid_value', detail);
    return null;
  }
  if (assertionType !== undefined && assertion !== undefined) return { type: assertionType, token: assertion.trim() };
  if (assertionType === undefined) {
    const detail = `assertion_type is missing. It must be ${writeCodes(assertionTypes, 'or')}.`;
    addFault('assertion_type', 'required', detail);
  } else addFault('assertion', 'required', 'assertion, the signed JWT, is missing.');
  return null;
}

/** Matches control characters, invisible characters, and characters that change the direction of text. */
const hiddenCharacter = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

function findHidden(text: string): string | null {
  return hiddenCharacter.test(text) ? 'has control characters or invisible characters' : null;
}

/**
 * Returns why a client's name may not be shown, such as `has no visible character`, or null if it may or is ''. People read it on
 * the consent page: it must be visible and must not affect the text around it.
 */
function findNameFault(name: string): string | null {
  if (name === '') return null;
  const fault = findHidden(name.replace(joiner, ''));
  if (fault !== null) return fault;
  // Stacked letters of Tibetan and pointed Hebrew need four marks; dozens of them cover the lines above and below.
  if (/^\p{M}|\p{M}{5}/u.test(name)) return 'has a combining mark without a letter, or more than 4 on one letter';
  // U+2800, the Braille pattern without dots, is a symbol but not visible.
  return /(?!\u2800)[\p{L}\p{N}\p{P}\p{S}]/u.test(name) ? null : 'has no visible character';
}

/**
 * Matches the joiners and variation selectors that spelling needs: between letters of Arabic, Syriac and Mongolian, after an
 * Indic letter with its mark (compare RFC 5892 appendix A), and in an emoji.
 */
const joiner =
  /(?<=[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}]|\p{Lo}\p{M}{1,4})[\u200c\u200d](?=\p{Lo})|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Emoji})[\ufe0e\ufe0f]/gu;
