/** The endpoints of the authorization server: registration, tokens, revocation, consent, and the documents that lead there. */
import { ApiError } from '../../base/api-error.ts';
import { countInSecondLimit, requireFreeLimit } from '../../http/admission.ts';
import { parseJson, readBody, requireMediaType } from '../../http/body.ts';
import type { Endpoint, EndpointHandler, ErrorMapper } from '../../http/endpoints.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Rates } from '../../http/rate.ts';
import { createAddressKey } from '../../limits/address-key.ts';
import { renderAuthGuide } from '../../oauth/auth-guide.ts';
import { createUnauthorized } from '../../oauth/errors.ts';
import { createResourceMetadata, createServerMetadata, protectedResourcePaths } from '../../oauth/metadata.ts';
import { deleteRegistration, readRegistration, register } from '../../oauth/register.ts';
import { revoke } from '../../oauth/revoke.ts';
import { scopeNames } from '../../oauth/scopes.ts';
import { exchangeToken } from '../../oauth/token.ts';
import { describePrincipal } from '../../oauth/verify.ts';
import type { Store } from '../../store/store.ts';
import { getPrincipal, markAsReplay, readIdempotencyKey } from '../api/idempotency.ts';
import { createDocumentEndpoint } from '../site/cached-rendition.ts';
import { createEmptyAnswer, createJsonAnswer, toOAuthFailure } from './answers.ts';
import { createConsentEndpoints } from './consent.ts';
import { createFormHandler, type OAuthOptions } from './form.ts';

/**
 * Creates the endpoints below /oauth, and those of /agent/auth, the metadata documents, the guide /auth.md and the stylesheet of
 * the consent page.
 */
export function createOAuthEndpoints(options: OAuthOptions): Endpoint[] {
  const { baseUrl } = options;
  const mapError: ErrorMapper = (error, _, exchange) => toOAuthFailure(error, exchange);
  return [
    { path: '/oauth/register', methods: { POST: registerHandler(options) }, mapError },
    {
      path: '/oauth/register/:client_id',
      methods: {
        GET: async (exchange, { client_id = '' }) =>
          createJsonAnswer(200, await readRegistration(options, readRegistrationRequest(exchange, client_id))),
        DELETE: async (exchange, { client_id = '' }) => {
          await deleteRegistration(options, readRegistrationRequest(exchange, client_id));
          return createEmptyAnswer(204);
        },
      },
      mapError,
    },
    { path: '/oauth/token', methods: { POST: createTokenHandler(options) }, mapError },
    { path: '/oauth/revoke', methods: { POST: revokeHandler(options) }, mapError },
    ...createConsentEndpoints(options, mapError),
    {
      path: '/agent/auth',
      methods: { GET: createWhoAmIHandler(options) },
      mapError: nameRegistrationEndpoint(baseUrl),
    },
    createDocumentEndpoint('/.well-known/oauth-authorization-server', json, () => createServerMetadata(baseUrl)),
    ...(['', ...protectedResourcePaths] as const).map((path) =>
      createDocumentEndpoint(`/.well-known/oauth-protected-resource${path === '' ? '' : `/${path}`}`, json, (context) =>
        createResourceMetadata(baseUrl, context.catalog.content.product.name, path),
      ),
    ),
    createDocumentEndpoint('/auth.md', 'text/markdown; charset=utf-8', ({ catalog }) =>
      renderAuthGuide({ baseUrl, productName: catalog.content.product.name, limits: options.service.limits }),
    ),
  ];
}

const readRegistrationRequest = (exchange: Exchange, clientId: string) => ({
  clientId,
  authorization: exchange.request.headers.authorization,
});

function registerHandler(options: OAuthOptions): EndpointHandler {
  return async (exchange) => {
    const key = readIdempotencyKey(exchange);
    // A request with a key may repeat a registration, which no limit refuses; for a new one, the limited store checks the limit.
    if (key === null)
      await requireFreeLimit(options.rates, exchange, 'registration', createAddressKey(exchange.address));
    requireMediaType(exchange, 'application/json');
    const body = parseJson(await readBody(exchange));
    const context = { ...options, store: createLimitedStore(options, exchange) };
    const principal = getPrincipal(exchange);
    const { client, replayed } = await register(context, { body, principal, idempotencyKey: key });
    const answer = createJsonAnswer(201, client);
    return replayed ? markAsReplay(answer) : answer;
  };
}

const createTokenHandler = (options: OAuthOptions): EndpointHandler =>
  createFormHandler(options, async (exchange, form) => {
    const { authorization } = exchange.request.headers;
    const context = { ...options, store: createLimitedStore(options, exchange) };
    return createJsonAnswer(200, await exchangeToken(context, { form, authorization }));
  });

/**
 * Creates the handler that revokes a token. It responds with an empty object: RFC 7009 requires no body, but some clients fail
 * without one.
 */
const revokeHandler = (options: OAuthOptions): EndpointHandler =>
  createFormHandler(options, async (exchange, form) => {
    const { authorization } = exchange.request.headers;
    await revoke(options, { form, authorization });
    return createJsonAnswer(200, {});
  });

const createWhoAmIHandler =
  ({ baseUrl, service }: OAuthOptions): EndpointHandler =>
  ({ principal }) => {
    if (principal === null) throw createUnauthorized(baseUrl, scopeNames);
    return createJsonAnswer(200, describePrincipal(principal, service.limits.authenticated));
  };

/**
 * Creates the mapper that adds the registration endpoint to a 405, because in other services agents register with a POST here.
 * Other errors stay as they are.
 */
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
 * Returns the store for one request. Its methods that create a client or a token reject with `rate_limited`, before they change
 * anything, if the address or the client has used up its limit.
 */
function createLimitedStore({ store, rates }: { store: Store; rates: Rates }, exchange: Exchange): Store {
  const createWithinLimit = async <T>(
    policy: 'registration' | 'issue',
    key: string,
    create: () => Promise<T>,
  ): Promise<T> => {
    await countInSecondLimit(rates, exchange, policy, key);
    return create();
  };
  return {
    ...store,
    createClient: (client, assertion) =>
      createWithinLimit('registration', createAddressKey(exchange.address), () =>
        store.createClient(client, assertion),
      ),
    issueToken: (token) => createWithinLimit('issue', token.clientId, () => store.issueToken(token)),
    redeemCode: (hash, token, family) =>
      createWithinLimit('issue', token.clientId, () => store.redeemCode(hash, token, family)),
    redeemRefresh: (use, token) => createWithinLimit('issue', token.clientId, () => store.redeemRefresh(use, token)),
    redeemAssertion: (use, token) =>
      createWithinLimit('issue', token.clientId, () => store.redeemAssertion(use, token)),
  };
}
