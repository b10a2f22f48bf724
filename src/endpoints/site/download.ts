/** `/download/latest` and `/download/{version}`: a stable address for the archive, which redirects to the enclosure of the adopted feed. */
import { ApiError } from '../../base/api-error.ts';
import type { Answer } from '../../http/answer.ts';
import type { Endpoint, EndpointHandler } from '../../http/endpoints.ts';
import type { State } from '../../http/state.ts';
import { call } from '../../operations/call.ts';
import type { Operation } from '../../operations/operation.ts';
import { getLatestRelease, getRelease } from '../../operations/releases.ts';
import { queryInput } from '../api/input.ts';

/** The same parameters and failures as the operations of the API that they follow. */
export const downloadEndpoints: readonly Endpoint[] = [
  { path: '/download/latest', methods: { GET: redirectTo(getLatestRelease) } },
  { path: '/download/:version', methods: { GET: redirectTo(getRelease) } },
];

function redirectTo(operation: Operation): EndpointHandler {
  return async (exchange, parameters, state) => {
    const input = queryInput(operation, parameters, exchange.query);
    const { body } = await call(operation, state.production, input);
    const url = String(body.download_url);
    if (body.informational === true) {
      throw new ApiError(
        'not_found',
        `Release ${String(body.version)} is an announcement without a download. Read about it at ${url}`,
      );
    }
    return redirect(url, state);
  };
}

/** The body has the address, so that the entity tag changes with it. */
const redirect = (url: string, { production }: State): Answer => ({
  status: 302,
  headers: {
    location: url,
    'content-type': 'text/plain; charset=utf-8',
    ...(production.feedStatus().state === 'stale' && { 'cache-status': '"feed"; hit; detail=stale' }),
  },
  cache: 'content',
  body: `${url}\n`,
});
