/** The authorization endpoint (RFC 6749 section 4.1): a request gets a consent page, whose form leads back to the client. */
import { z } from 'zod';
import { writeDuration } from '../base/amount-in-words.ts';
import { ApiError } from '../base/api-error.ts';
import type { Client } from '../store/clients.ts';
import type { OAuthContext } from './context.ts';
import { createInvalidParameter, createOAuthError } from './errors.ts';
import { checkResource, collectForm, type Form, type Parameters, readForm } from './form.ts';
import { codeLifetime, ticketLifetime } from './lifetimes.ts';
import { addParameters, getRedirectHost, getRedirectOrigin, matchesRedirectUri } from './redirect-uri.ts';
import { authorizationRequestSchema, consentDecisionSchema } from './requests.ts';
import { grantScopes, isScope, scopes } from './scopes.ts';
import { createSecret, hashSecret, isClientId, isSecret } from './secrets.ts';

/**
 * The content of the consent page, and the ticket that its form sends back. Nobody has verified the client's name: escape it and
 * say so.
 */
export interface Consent {
  readonly kind: 'consent';
  /** Identifies the request in the page's form; works once. */
  readonly ticket: string;
  readonly clientId: string;
  /** The registered name, or null if the client has none. */
  readonly clientName: string | null;
  /** Host and port of the redirect URI, or an application's scheme with its colon. */
  readonly redirectHost: string;
  /** The source that the page's `form-action` must allow. */
  readonly redirectOrigin: string;
  readonly scopes: readonly { readonly name: string; readonly description: string }[];
}

/** A redirect of the browser to the client. */
export interface Redirect {
  readonly kind: 'redirect';
  /** The redirect URI with the parameters of the response. */
  readonly location: string;
}

/** The published parameters, and `response_mode` (OAuth 2.0 Multiple Response Type Encoding Practices, section 2.1). */
const fields = { ...authorizationRequestSchema.shape, response_mode: z.literal('query') };
type AuthorizationForm = Form<typeof fields>;

/**
 * Answers an authorization request with a consent page, or a faulty one with a redirect that carries `error`, `error_description`,
 * `state` and `iss`.
 * @throws `invalid_request` until the client and its redirect URI are known: a browser is never redirected to a URI that the client
 * did not register (RFC 6749 section 4.1.2.1).
 */
export async function authorize(context: OAuthContext, query: Parameters): Promise<Consent | Redirect> {
  const form = collectForm(fields, query);
  const client = await checkClient(context, form);
  const redirectUri = checkRedirectUri(client, form);
  const state = form.text('state') ?? null;
  const redirect = createRedirect(context, redirectUri, state);
  try {
    form.refuseRepeated();
    checkRequestObject(form);
    checkGrantType(client);
    // RFC 6749 section 3.1.1 requires `response_type`.
    form.require('response_type');
    form.get('response_mode');
    const challenge = form.require('code_challenge');
    // A missing method means `plain` (RFC 7636 section 4.3), which is refused like any method other than S256.
    form.require('code_challenge_method');
    checkResource(form, context.baseUrl);
    const grantedScopes = grantScopes(form.get('scope'), client.scopes);
    const ticket = createSecret('ct');
    await context.store.createTicket({
      hash: hashSecret(ticket),
      clientId: client.id,
      epoch: client.epoch,
      redirectUri,
      challenge,
      scopes: grantedScopes,
      state,
      expiresAt: context.clock.now() + ticketLifetime,
    });
    return {
      kind: 'consent',
      ticket,
      clientId: client.id,
      clientName: client.name,
      redirectHost: getRedirectHost(redirectUri),
      redirectOrigin: getRedirectOrigin(redirectUri),
      scopes: grantedScopes.filter(isScope).map((name) => ({ name, description: scopes[name] })),
    };
  } catch (error) {
    // Only failures that the client caused redirect the browser to the client (RFC 6749 section 4.1.2.1).
    const failure = error instanceof ApiError && error.status === 400 ? error.options.members : undefined;
    if (failure === undefined) throw error;
    return redirect({ error: String(failure.error), error_description: String(failure.error_description) });
  }
}

async function checkClient(context: OAuthContext, form: AuthorizationForm): Promise<Client> {
  form.refuseRepeated(['client_id', 'redirect_uri']);
  const id = form.require('client_id');
  const client = isClientId(id) ? await context.store.findClient(id) : undefined;
  if (client !== undefined && client.revokedAt === null) return client;
  throw createInvalidParameter('client_id', 'unknown', 'The client_id is unknown or revoked. Register a client first.');
}

/**
 * Returns the redirect URI: one that `matchesRedirectUri` accepts (RFC 9700 section 2.1), or the only registered one if the request
 * has none (RFC 6749 section 3.1.2.3). Throws `invalid_request` for any other, and for a missing one unless exactly one is
 * registered.
 */
function checkRedirectUri(client: Client, form: AuthorizationForm): string {
  const [only, ...others] = client.redirectUris;
  const requestedUri = form.get('redirect_uri') ?? (others.length === 0 ? only : undefined);
  if (requestedUri === undefined) {
    throw createInvalidParameter(
      'redirect_uri',
      'required',
      'The parameter redirect_uri is missing. Send a registered one.',
    );
  }
  if (matchesRedirectUri(requestedUri, client.redirectUris)) return requestedUri;
  const detail =
    'The redirect_uri is not one that this client registered. It must be the same, character by character.';
  throw createInvalidParameter('redirect_uri', 'unknown', detail);
}

/**
 * Throws `invalid_request`, OAuth's `request_not_supported` or `request_uri_not_supported`, for a request object in `request` or
 * `request_uri`: the parameters inside it would decide, so that it cannot be ignored (RFC 9101 section 7).
 */
function checkRequestObject(form: AuthorizationForm): void {
  const name = ['request', 'request_uri'].find((parameter) => form.text(parameter) !== undefined);
  if (name === undefined) return;
  const detail = `Request objects are not supported. Send the parameters themselves, without ${name}.`;
  throw createInvalidParameter(name, 'invalid_value', detail, `${name}_not_supported`);
}

/** Throws `unauthorized_client` for a client that is not registered for the code flow (RFC 6749 section 4.1.2.1). */
function checkGrantType(client: Client): void {
  if (client.grantTypes.includes('authorization_code')) return;
  throw createOAuthError('unauthorized_client', 'This client is not registered for the grant type authorization_code.');
}

/**
 * Creates the function that returns the redirect to the client with the parameters of a result, the state if there is one, and the
 * issuer (RFC 9207).
 */
const createRedirect =
  ({ baseUrl }: OAuthContext, redirectUri: string, state: string | null) =>
  (result: Record<string, string>): Redirect => ({
    kind: 'redirect',
    location: addParameters(redirectUri, { ...result, state, iss: baseUrl }),
  });

/**
 * Answers the consent page's form, `ticket` and `decision` (`allow` or `deny`), with a redirect that carries a code,
 * `access_denied`, or `unauthorized_client` if the client was revoked in the meantime (RFC 6749 section 4.1.2).
 * @throws `invalid_request` if the ticket is unknown, was used before or is older than ten minutes, and for a missing field or
 * another decision, which leave the ticket usable.
 */
export async function decide(context: OAuthContext, parameters: Parameters): Promise<Redirect> {
  const form = readForm(consentDecisionSchema, parameters);
  const ticketText = form.require('ticket');
  const decision = form.require('decision');
  const { store, clock, log } = context;
  const now = clock.now();
  const ticket = isSecret('ct', ticketText) ? await store.takeTicket(hashSecret(ticketText), now) : undefined;
  if (ticket === undefined) {
    const detail = `This consent page was already used or is older than ${writeDuration(ticketLifetime)}. Go back to the application and start again.`;
    throw createInvalidParameter('ticket', 'unknown', detail);
  }
  const { clientId, redirectUri, scopes: granted, state } = ticket;
  const redirect = createRedirect(context, redirectUri, state);
  if (decision === 'deny') {
    log.info({ event: 'consent.denied', client_id: clientId }, 'A person refused a client.');
    return redirect({ error: 'access_denied', error_description: 'The person refused the request.' });
  }
  const code = createSecret('ac');
  const isStored = await store.createCode({ ...ticket, hash: hashSecret(code), expiresAt: now + codeLifetime });
  if (!isStored) return redirect({ error: 'unauthorized_client', error_description: 'The client has been revoked.' });
  log.info({ event: 'consent.allowed', client_id: clientId, scope: granted.join(' ') }, 'A person allowed a client.');
  return redirect({ code });
}
