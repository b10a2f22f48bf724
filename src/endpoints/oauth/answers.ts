/** The responses of the authorization server: never stored, and failures in the words that OAuth clients look for. */
import { ApiError } from '../../base/api-error.ts';
import { type Answer, cacheControl } from '../../http/answer.ts';
import { type Exchange, header } from '../../http/exchange.ts';
import { toErrorDescription } from '../../oauth/errors.ts';

/** RFC 6749 section 5.1. */
const unstored = { 'cache-control': cacheControl.none, pragma: 'no-cache' } as const;

export const jsonAnswer = (status: number, body: object): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...unstored },
  body: JSON.stringify(body),
});

/** `status`: 204, or a redirect with its Location. */
export const emptyAnswer = (status: number, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  headers: { ...unstored, ...headers },
  body: '',
});

/**
 * A failure of an OAuth endpoint, whatever it is: `error` and `error_description` in addition to the problem's own
 * fields. Where the client reads only plain JSON, the same body is sent as application/json; a browser at the consent page does not.
 */
export function asOAuthFailure(error: ApiError, exchange: Exchange): ApiError {
  const { next: _, headers, members, ...options } = error.options;
  return new ApiError(error.code, error.message, {
    ...options,
    headers: {
      pragma: 'no-cache',
      vary: 'Accept',
      ...(exchange.path !== '/oauth/authorize' &&
        readsPlainJson(header(exchange, 'accept')) && { 'content-type': 'application/json; charset=utf-8' }),
      ...headers,
    },
    members: { error: oauthName(error), error_description: toErrorDescription(error.message), ...members },
  });
}

/** Accept names application/json and neither problem documents nor a wildcard: strict OAuth clients read nothing else. */
function readsPlainJson(accept: string): boolean {
  const types = accept.split(',').map((range) => range.split(';')[0]?.trim().toLowerCase() ?? '');
  const others = types.some((type) => type === 'application/problem+json' || type.includes('*'));
  return types.includes('application/json') && !others;
}

/** The names of RFC 6749 sections 4.1.2.1 and 5.2 for what is no matter of OAuth. */
function oauthName({ status }: ApiError): string {
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
}
