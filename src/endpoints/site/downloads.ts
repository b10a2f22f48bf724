/** Stable addresses of the downloads: each redirects to the file for the computer that its query describes, never by User-Agent. */
import type { z } from 'zod';
import { ApiError } from '../../base/api-error.ts';
import type { Release } from '../../catalog/catalog.ts';
import type { Endpoint, EndpointHandler } from '../../http/endpoints.ts';
import type { Context } from '../../operations/context.ts';
import { parseInput } from '../../operations/input.ts';
import { latestDownloadInput, offerRelease, releaseDownloadInput, selectRelease } from '../../operations/releases.ts';
import { queryInput } from '../api/input.ts';

/** The endpoints of the downloads. */
export const downloadEndpoints: readonly Endpoint[] = [
  { path: '/download/latest', methods: { GET: redirectTo(latestDownloadInput, offerRelease) } },
  { path: '/download/:version', methods: { GET: redirectTo(releaseDownloadInput, selectRelease) } },
];

/** Creates the handler that redirects to the file of the release that `find` returns. */
function redirectTo<I extends z.ZodObject>(
  input: I,
  find: (context: Context, input: z.output<I>) => Release,
): EndpointHandler {
  return (exchange, parameters, { production }) => {
    const { version, isInformational, downloadUrl } = find(
      production,
      parseInput(input, queryInput({ input }, parameters, exchange.query)),
    );
    if (isInformational) {
      throw new ApiError(
        'not_found',
        `Release ${version} is an announcement without a download. Read about it at ${downloadUrl}`,
      );
    }
    const isStale = production.feedStatus().state === 'stale';
    return {
      status: 302,
      headers: {
        location: downloadUrl,
        'content-type': 'text/plain; charset=utf-8',
        ...(isStale && { 'cache-status': '"feed"; hit; detail=stale' }),
      },
      cache: 'content',
      // The body contains the address, so that the entity tag changes with it.
      body: `${downloadUrl}\n`,
    };
  };
}
