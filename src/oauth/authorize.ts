/** The authorization endpoint (RFC 6749 section 4.1.1): from a request to a consent page, or back with an error. */
import { ApiError } from '../base/api-error.ts';
import type { Client } from '../store/store.ts';
import type { OAuthContext } from './context.ts';
import { collectForm, type Form, type Parameters, repeatedParameter, requireOwnResource } from './form.ts';
import { ticketLifetime } from './lifetimes.ts';
import { invalidParameter, oauthError } from './oauth-error.ts';
import { matchesRedirectUri, redirectHost, redirectOrigin, withParameters } from './redirect-uri.ts';
import { grantScopes, isScope, scopes } from './scopes.ts';
import { hashSecret, isClientId, newSecret } from './secrets.ts';

/** What the consent page shows and sends back. Client data is the client's own claim: escape it, call it unverified. */
export interface Consent {
  readonly kind: 'consent';
  /** Goes back in the form, once. */
  readonly ticket: string;
  readonly clientId: string;
  readonly clientName: string | null;
  /** Host and port, or an application's scheme. */
  readonly redirectHost: string;
  /** For the page's `form-action`. */
  readonly redirectOrigin: string;
  readonly scopes: readonly { readonly name: string; readonly description: string }[];
}

export interface Redirect {
  readonly kind: 'redirect';
  readonly location: string;
}

/**
 * Throws while it is not certain where the browser may be sent (section 4.1.2.1: an unknown client or redirect URI is
 * never redirected); every later fault is a redirect with `error`, `state` and `iss` (RFC 9207).
 */
export async function authorize(context: OAuthContext, query: Parameters): Promise<Consent | Redirect> {
  const form = collectForm(query);
  const client = await requireClient(context, form);
  const redirectUri = requireRedirectUri(client, form);
  const state = form.get('state') ?? null;
  try {
    for (const check of checks) check(context, client, form);
    const granted = grantScopes(form.get('scope'), client.scopes);
    const ticket = newSecret('ct');
    await context.store.createTicket({
      hash: hashSecret(ticket),
      clientId: client.id,
      epoch: client.epoch,
      redirectUri,
      challenge: form.require('code_challenge'),
      scopes: granted,
      state,
      expiresAt: context.clock.now() + ticketLifetime,
    });
    return {
      kind: 'consent',
      ticket,
      clientId: client.id,
      clientName: client.name,
      redirectHost: redirectHost(redirectUri),
      redirectOrigin: redirectOrigin(redirectUri),
      scopes: granted.filter(isScope).map((name) => ({ name, description: scopes[name] })),
    };
  } catch (error) {
    return errorRedirect(context, redirectUri, state, error);
  }
}

async function requireClient(context: OAuthContext, form: Form): Promise<Client> {
  for (const name of ['client_id', 'redirect_uri']) if (form.repeated.includes(name)) throw repeatedParameter(name);
  const id = form.require('client_id');
  const client = isClientId(id) ? await context.store.findClient(id) : undefined;
  if (client !== undefined && client.revokedAt === null) return client;
  throw invalidParameter('client_id', 'unknown', 'The client_id is unknown or revoked. Register a client first.');
}

/** RFC 9700 section 2.1: the same string as a registered one. It may be left out when there is exactly one. */
function requireRedirectUri(client: Client, form: Form): string {
  const requested = form.get('redirect_uri');
  const [only, ...others] = client.redirectUris;
  if (requested === undefined && only !== undefined && others.length === 0) return only;
  if (requested === undefined) {
    throw invalidParameter('redirect_uri', 'required', 'The parameter redirect_uri is missing. Send a registered one.');
  }
  if (matchesRedirectUri(requested, client.redirectUris)) return requested;
  const detail =
    'The redirect_uri is not one that this client registered. It must be the same, character by character.';
  throw invalidParameter('redirect_uri', 'unknown', detail);
}

type Check = (context: OAuthContext, client: Client, form: Form) => void;

const checks: readonly Check[] = [
  requireSingle,
  requireNoRequestObject,
  requireCodeGrant,
  requireResponseType,
  requireQueryMode,
  requireChallenge,
  (context, _client, form) => requireOwnResource(form, context.baseUrl),
];

/** RFC 6749 section 3.1. */
function requireSingle(_context: OAuthContext, _client: Client, form: Form): void {
  if (form.repeated[0] !== undefined) throw repeatedParameter(form.repeated[0]);
}

/** RFC 9101 section 7: the parameters inside a request object would decide, so it cannot be ignored. */
function requireNoRequestObject(_context: OAuthContext, _client: Client, form: Form): void {
  for (const name of ['request', 'request_uri']) {
    if (form.get(name) === undefined) continue;
    const detail = `Request objects are not supported. Send the parameters themselves, without ${name}.`;
    throw invalidParameter(name, 'invalid_value', detail, `${name}_not_supported`);
  }
}

function requireCodeGrant(_context: OAuthContext, client: Client): void {
  if (client.grantTypes.includes('authorization_code')) return;
  throw oauthError('unauthorized_client', 'This client is not registered for the grant type authorization_code.');
}

/** Section 3.1.1. */
function requireResponseType(_context: OAuthContext, _client: Client, form: Form): void {
  if (form.require('response_type') !== 'code') {
    throw oauthError('unsupported_response_type', 'response_type must be code.');
  }
}

function requireQueryMode(_context: OAuthContext, _client: Client, form: Form): void {
  if ((form.get('response_mode') ?? 'query') === 'query') return;
  throw invalidParameter('response_mode', 'invalid_value', 'response_mode must be query.');
}

/** RFC 7636 section 4.3. A missing method means `plain` there, which is refused like any other than S256. */
function requireChallenge(_context: OAuthContext, _client: Client, form: Form): void {
  const challenge = form.require('code_challenge');
  if (form.get('code_challenge_method') !== 'S256') {
    throw invalidParameter('code_challenge_method', 'invalid_value', 'code_challenge_method must be S256.');
  }
  if (/^[A-Za-z0-9_-]{43}$/.test(challenge)) return;
  const detail = 'code_challenge must be the base64url form, without padding, of the SHA-256 of the code_verifier.';
  throw invalidParameter('code_challenge', 'malformed', detail);
}

/** Failures of the store and of the code are not the client's: they stay problem documents. */
function errorRedirect(context: OAuthContext, redirectUri: string, state: string | null, error: unknown): Redirect {
  const failure = error instanceof ApiError && error.status === 400 ? error.options.members : undefined;
  if (failure === undefined) throw error;
  const location = withParameters(redirectUri, {
    error: String(failure.error),
    error_description: String(failure.error_description),
    state,
    iss: context.baseUrl,
  });
  return { kind: 'redirect', location };
}
