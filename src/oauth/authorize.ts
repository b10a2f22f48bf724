/** The authorization endpoint (RFC 6749 section 4.1): a request gets a consent page, whose form leads back to the client. */
import { durationInWords } from '../base/amount-in-words.ts';
import { ApiError } from '../base/api-error.ts';
import type { Client } from '../store/clients.ts';
import type { OAuthContext } from './context.ts';
import { invalidParameter, oauthError } from './errors.ts';
import { checkResource, collectForm, type Form, type Parameters, readForm, repeatedParameter } from './form.ts';
import { codeLifetime, ticketLifetime } from './lifetimes.ts';
import { matchesRedirectUri, redirectHost, redirectOrigin, withParameters } from './redirect-uri.ts';
import { grantScopes, isScope, scopes } from './scopes.ts';
import { hashSecret, isClientId, isSecret, newSecret } from './secrets.ts';

/** What the consent page shows and sends back. Nobody has verified the client's name: escape it and say so. */
export interface Consent {
  readonly kind: 'consent';
  /** Identifies the request in the page's form; works once. */
  readonly ticket: string;
  readonly clientId: string;
  readonly clientName: string | null;
  /** Host and port of the redirect URI, or an application's scheme. */
  readonly redirectHost: string;
  /** The source that the page's `form-action` must allow. */
  readonly redirectOrigin: string;
  readonly scopes: readonly { readonly name: string; readonly description: string }[];
}

export interface Redirect {
  readonly kind: 'redirect';
  readonly location: string;
}

/**
 * Answers an authorization request with a consent page, or with a redirect that carries `error`, `state` and `iss`.
 * @throws `invalid_request` until the client and its redirect URI are known: a browser is never redirected to a URI that
 * the client did not register (RFC 6749 section 4.1.2.1).
 */
export async function authorize(context: OAuthContext, query: Parameters): Promise<Consent | Redirect> {
  const form = collectForm(query);
  const client = await checkClient(context, form);
  const redirectUri = checkRedirectUri(client, form);
  const state = form.get('state') ?? null;
  try {
    for (const check of checks) check(form, client, context);
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
    return redirectWithError(context, redirectUri, state, error);
  }
}

async function checkClient(context: OAuthContext, form: Form): Promise<Client> {
  for (const name of ['client_id', 'redirect_uri']) if (form.repeated.includes(name)) throw repeatedParameter(name);
  const id = form.require('client_id');
  const client = isClientId(id) ? await context.store.findClient(id) : undefined;
  if (client !== undefined && client.revokedAt === null) return client;
  throw invalidParameter('client_id', 'unknown', 'The client_id is unknown or revoked. Register a client first.');
}

/** RFC 9700 section 2.1: the same string as a registered one. RFC 6749 section 3.1.2.3: optional if exactly one is registered. */
function checkRedirectUri(client: Client, form: Form): string {
  const [only, ...others] = client.redirectUris;
  const requested = form.get('redirect_uri') ?? (others.length === 0 ? only : undefined);
  if (requested === undefined) {
    throw invalidParameter('redirect_uri', 'required', 'The parameter redirect_uri is missing. Send a registered one.');
  }
  if (matchesRedirectUri(requested, client.redirectUris)) return requested;
  const detail =
    'The redirect_uri is not one that this client registered. It must be the same, character by character.';
  throw invalidParameter('redirect_uri', 'unknown', detail);
}

/** The checks whose failures are sent to the client by redirect, in this order. */
const checks: readonly ((form: Form, client: Client, context: OAuthContext) => void)[] = [
  checkRepeatedParameters,
  checkRequestObject,
  checkGrantType,
  checkResponseType,
  checkResponseMode,
  checkCodeChallenge,
  (form, _client, { baseUrl }) => checkResource(form, baseUrl),
];

/** RFC 6749 section 3.1. */
function checkRepeatedParameters(form: Form): void {
  if (form.repeated[0] !== undefined) throw repeatedParameter(form.repeated[0]);
}

/** RFC 9101 section 7: the parameters inside a request object would decide, so it cannot be ignored. */
function checkRequestObject(form: Form): void {
  for (const name of ['request', 'request_uri']) {
    if (form.get(name) === undefined) continue;
    const detail = `Request objects are not supported. Send the parameters themselves, without ${name}.`;
    throw invalidParameter(name, 'invalid_value', detail, `${name}_not_supported`);
  }
}

/** RFC 6749 section 4.1.2.1, `unauthorized_client`. */
function checkGrantType(_form: Form, client: Client): void {
  if (client.grantTypes.includes('authorization_code')) return;
  throw oauthError('unauthorized_client', 'This client is not registered for the grant type authorization_code.');
}

/** RFC 6749 section 3.1.1. */
function checkResponseType(form: Form): void {
  if (form.require('response_type') !== 'code') {
    throw oauthError('unsupported_response_type', 'response_type must be code.');
  }
}

/** OAuth 2.0 Multiple Response Type Encoding Practices, section 2.1. */
function checkResponseMode(form: Form): void {
  if ((form.get('response_mode') ?? 'query') === 'query') return;
  throw invalidParameter('response_mode', 'invalid_value', 'response_mode must be query.');
}

/** RFC 7636 section 4.3. A missing method means `plain`, which is refused like any other than S256. */
function checkCodeChallenge(form: Form): void {
  const challenge = form.require('code_challenge');
  if (form.get('code_challenge_method') !== 'S256') {
    throw invalidParameter('code_challenge_method', 'invalid_value', 'code_challenge_method must be S256.');
  }
  if (/^[A-Za-z0-9_-]{43}$/.test(challenge)) return;
  const detail = 'code_challenge must be the base64url form, without padding, of the SHA-256 of the code_verifier.';
  throw invalidParameter('code_challenge', 'malformed', detail);
}

/** Redirects a failure that the client caused (RFC 6749 section 4.1.2.1, RFC 9207) and rethrows any other. */
function redirectWithError(context: OAuthContext, redirectUri: string, state: string | null, error: unknown): Redirect {
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

/** The values of `decision`, one for each button of the consent page. */
export const decisions = ['allow', 'deny'] as const;

/**
 * Answers the consent page's form, `ticket` and `decision` (`allow` or `deny`), with a redirect that carries a code or
 * `access_denied` (RFC 6749 section 4.1.2).
 * @throws `invalid_request` if the ticket is unknown, was used before or is older than ten minutes.
 */
export async function decide(context: OAuthContext, parameters: Parameters): Promise<Redirect> {
  const form = readForm(parameters);
  const presented = form.require('ticket');
  const decision = form.require('decision');
  if (!decisions.some((name) => name === decision)) {
    throw invalidParameter('decision', 'invalid_value', 'decision must be allow or deny.');
  }
  const { store, clock, baseUrl, log } = context;
  const now = clock.now();
  const ticket = isSecret('ct', presented) ? await store.takeTicket(hashSecret(presented), now) : undefined;
  if (ticket === undefined) {
    const detail = `This consent page was already used or is older than ${durationInWords(ticketLifetime)}. Go back to the application and start again.`;
    throw invalidParameter('ticket', 'unknown', detail);
  }
  const { clientId, epoch, redirectUri, challenge, scopes: granted, state } = ticket;
  const redirect = (result: Record<string, string>): Redirect => ({
    kind: 'redirect',
    location: withParameters(redirectUri, { ...result, state, iss: baseUrl }),
  });
  if (decision === 'deny') {
    log.info({ event: 'consent.denied', client_id: clientId }, 'A person refused a client.');
    return redirect({ error: 'access_denied', error_description: 'The person refused the request.' });
  }
  const code = newSecret('ac');
  const request = { clientId, epoch, redirectUri, challenge, scopes: granted };
  const isStored = await store.createCode({ ...request, hash: hashSecret(code), expiresAt: now + codeLifetime });
  if (!isStored) return redirect({ error: 'unauthorized_client', error_description: 'The client has been revoked.' });
  log.info({ event: 'consent.allowed', client_id: clientId, scope: granted.join(' ') }, 'A person allowed a client.');
  return redirect({ code });
}
