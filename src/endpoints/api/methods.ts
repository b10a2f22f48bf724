/** Methods: what a path answers, as OPTIONS and Allow say it. */
import { ApiError } from '../../base/api-error.ts';
import type { Answer } from '../../http/answer.ts';
import { preflightHeaders } from '../../http/common-headers.ts';

/** The answer to OPTIONS. `methods`: those that have a handler. */
export function optionsAnswer(methods: readonly string[]): Answer {
  return {
    status: 204,
    headers: { allow: allowOf(methods), 'cache-control': 'no-store', ...preflightHeaders },
    body: '',
  };
}

export function methodNotAllowed(method: string, methods: readonly string[]): ApiError {
  const allow = allowOf(methods);
  return new ApiError(
    'method_not_allowed',
    `This path does not support ${method.slice(0, 20)}. Use one of: ${allow}.`,
    {
      headers: { allow },
    },
  );
}

/** Every method that a path answers, with those that come of themselves. */
const allowOf = (methods: readonly string[]): string =>
  [...new Set([...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'])].join(', ');
