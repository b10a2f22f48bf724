/** Creates the responses of the authorization server: never cached, and failures with the fields that OAuth clients read. */
import { ApiError } from '../../base/api-error.ts';
import type { Answer } from '../../http/answer.ts';
import { type Exchange, readHeader } from '../../http/exchange.ts';
import { toErrorDescription } from '../../oauth/errors.ts';

/** The header that RFC 6749 section 5.1 requires in addition to Cache-Control, which `cache: 'none'` gives. */
const uncachedHeaders = { pragma: 'no-cache' } as const;

/** Creates a response with a JSON body that no cache may keep. */
export const createJsonAnswer = (status: number, body: object): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...uncachedHeaders },
  cache: 'none',
  body: JSON.stringify(body),
});

/** Creates a response without a body: 204, or a redirect with its Location. */
export const createEmptyAnswer = (status: number, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  headers: { ...uncachedHeaders, ...headers },
  cache: 'none',
  body: '',
});

/**
 * Returns a copy of a failure of an OAuth endpoint with `error` and `error_description`, unless it has its own, with the headers
 * Pragma and Vary, and without `next`. For a client that accepts only JSON, the same body is labeled application/json, because
 * strict OAuth clients read nothing else; /oauth/authorize has no such clients.
 */
export function toOAuthFailure(error: ApiError, exchange: Exchange): ApiError {
  const { next: _, headers, members, ...options } = error.options;
  return new ApiError(error.code, error.message, {
    ...options,
    headers: {
      pragma: 'no-cache',
      vary: 'Accept',
      ...(exchange.path !== '/oauth/authorize' &&
        acceptsOnlyJson(readHeader(exchange, 'accept')) && { 'content-type': 'application/json; charset=utf-8' }),
      ...headers,
    },
    members: { error: toOAuthError(error), error_description: toErrorDescription(error.message), ...members },
  });
}

/** Returns whether Accept names application/json and neither problem documents nor a wildcard. */
function acceptsOnlyJson(accept: string): boolean {
  const types = accept.split(',').map((range) => range.split(';')[0]?.trim().toLowerCase() ?? '');
  const others = types.some((type) => type === 'application/problem+json' || type.includes('*'));
  return types.includes('application/json') && !others;
}

/** Returns the name of RFC 6749 sections 4.1.2.1 and 5.2 that is nearest to a failure without an OAuth name. */
function toOAuthError({ status }: ApiError): string {
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
}
