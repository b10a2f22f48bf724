/** The endpoints of the authorization server: registration, tokens, revocation, consent, and the documents that lead there. */
import { ApiError } from '../../base/api-error.ts';
import { countFurther, requireRoom } from '../../http/admission.ts';
import { parseJson, readBody, requireMediaType } from '../../http/body.ts';
import type { Endpoint, EndpointHandler, ErrorMapper } from '../../http/endpoints.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Rates } from '../../http/rate.ts';
import { addressKey } from '../../limits/address-key.ts';
import { renderAuthGuide } from '../../oauth/auth-guide.ts';
import { unauthorized } from '../../oauth/errors.ts';
import {
  authorizationServerMetadata,
  protectedResourceMetadata,
  protectedResourcePaths,
} from '../../oauth/metadata.ts';
import { deleteRegistration, readRegistration, register } from '../../oauth/register.ts';
import { revoke } from '../../oauth/revoke.ts';
import { scopeNames } from '../../oauth/scopes.ts';
import { token } from '../../oauth/token.ts';
import { describePrincipal } from '../../oauth/verify.ts';
import type { Store } from '../../store/store.ts';
import { asReplay, getPrincipal, idempotencyKey } from '../api/idempotency.ts';
import { documentEndpoint } from '../site/cached-rendition.ts';
import { emptyAnswer, jsonAnswer, toOAuthFailure } from './answers.ts';
import { consentEndpoints } from './consent.ts';
import { formHandler, type OAuthOptions } from './form.ts';

/** Creates the endpoints below /oauth, /agent/auth and of the metadata documents. */
export function oauthEndpoints(options: OAuthOptions): Endpoint[] {
  const { baseUrl } = options;
  const mapError: ErrorMapper = (error, _, exchange) => toOAuthFailure(error, exchange);
  return [
    { path: '/oauth/register', methods: { POST: registerHandler(options) }, mapError },
    {
      path: '/oauth/register/:client_id',
      methods: {
        GET: async (exchange, { client_id = '' }) =>
          jsonAnswer(200, await readRegistration(options, registrationRequest(exchange, client_id))),
        DELETE: async (exchange, { client_id = '' }) => {
          await deleteRegistration(options, registrationRequest(exchange, client_id));
          return emptyAnswer(204);
        },
      },
      mapError,
    },
    { path: '/oauth/token', methods: { POST: tokenHandler(options) }, mapError },
    { path: '/oauth/revoke', methods: { POST: revokeHandler(options) }, mapError },
    ...consentEndpoints(options, mapError),
    { path: '/agent/auth', methods: { GET: whoAmIHandler(options) }, mapError: nameRegistrationEndpoint(baseUrl) },
    documentEndpoint('/.well-known/oauth-authorization-server', json, () => authorizationServerMetadata(baseUrl)),
    ...(['', ...protectedResourcePaths] as const).map((path) =>
      documentEndpoint(`/.well-known/oauth-protected-resource${path === '' ? '' : `/${path}`}`, json, (context) =>
        protectedResourceMetadata(baseUrl, context.catalog.content.product.name, path),
      ),
    ),
    documentEndpoint('/auth.md', 'text/markdown; charset=utf-8', ({ catalog }) =>
      renderAuthGuide({ baseUrl, productName: catalog.content.product.name, limits: options.service.limits }),
    ),
  ];
}

const registrationRequest = (exchange: Exchange, clientId: string) => ({
  clientId,
  authorization: exchange.request.headers.authorization,
});

function registerHandler(options: OAuthOptions): EndpointHandler {
  return async (exchange) => {
    const key = idempotencyKey(exchange);
    // A request with a key may repeat a registration; if it does not, the limited store counts it.
    if (key === null) await requireRoom(options.rates, exchange, 'registration', addressKey(exchange.address));
    requireMediaType(exchange, 'application/json');
    const body = parseJson(await readBody(exchange));
    const context = { ...options, store: createLimitedStore(options, exchange) };
    const principal = getPrincipal(exchange);
    const { client, replayed } = await register(context, { body, principal, idempotencyKey: key });
    const answer = jsonAnswer(201, client);
    return replayed ? asReplay(answer) : answer;
  };
}

const tokenHandler = (options: OAuthOptions): EndpointHandler =>
  formHandler(options, async (exchange, form) => {
    const { authorization } = exchange.request.headers;
    const context = { ...options, store: createLimitedStore(options, exchange) };
    return jsonAnswer(200, await token(context, { form, authorization }));
  });

/** Responds with an empty object: RFC 7009 requires no body, but some clients fail without one. */
const revokeHandler = (options: OAuthOptions): EndpointHandler =>
  formHandler(options, async (exchange, form) => {
    const { authorization } = exchange.request.headers;
    await revoke(options, { form, authorization });
    return jsonAnswer(200, {});
  });

const whoAmIHandler =
  ({ baseUrl, service }: OAuthOptions): EndpointHandler =>
  ({ principal }) => {
    if (principal === null) throw unauthorized(baseUrl, scopeNames);
    return jsonAnswer(200, describePrincipal(principal, service.limits.authenticated));
  };

/** Adds the registration endpoint to a 405: in other services, agents register with a POST here. */
const nameRegistrationEndpoint =
  (baseUrl: string): ErrorMapper =>
  (error) =>
    error.code === 'method_not_allowed'
      ? new ApiError(
          error.code,
          `${error.message} To register a client, POST to ${baseUrl}/oauth/register.`,
          error.options,
        )
      : error;

const json = 'application/json; charset=utf-8';

/**
 * Returns the store for one request. Its methods that create a client or a token throw `rate_limited`, before they change
 * anything, if the address or the client has used up its limit.
 */
function createLimitedStore({ store, rates }: { store: Store; rates: Rates }, exchange: Exchange): Store {
  const limit = async <T>(policy: 'registration' | 'issue', key: string, create: () => Promise<T>): Promise<T> => {
    await countFurther(rates, exchange, policy, key);
    return create();
  };
  return {
    ...store,
    createClient: (client, assertion) =>
      limit('registration', addressKey(exchange.address), () => store.createClient(client, assertion)),
    issueToken: (token) => limit('issue', token.clientId, () => store.issueToken(token)),
    redeemCode: (hash, token, family) => limit('issue', token.clientId, () => store.redeemCode(hash, token, family)),
    redeemRefresh: (use, token) => limit('issue', token.clientId, () => store.redeemRefresh(use, token)),
    redeemAssertion: (use, token) => limit('issue', token.clientId, () => store.redeemAssertion(use, token)),
  };
}
