/** Redirects stable addresses of downloads and of the newest release by the computer that the query describes, never by User-Agent. */
import type { z } from 'zod';
import { ApiError } from '../../base/api-error.ts';
import type { Release } from '../../catalog/catalog.ts';
import { getReleasePath } from '../../catalog/release-ids.ts';
import type { Endpoint, EndpointHandler } from '../../http/endpoints.ts';
import type { Context } from '../../operations/context.ts';
import { parseInput } from '../../operations/input.ts';
import { latestDownloadInput, offerRelease, releaseDownloadInput, selectRelease } from '../../operations/releases.ts';
import { readQueryInput } from '../api/input.ts';

/** The endpoints that redirect (302) to the file of a release, or to the page of the newest one. */
export const downloadEndpoints: readonly Endpoint[] = [
  { path: '/download/latest', methods: { GET: redirectTo(latestDownloadInput, offerRelease, findDownload) } },
  { path: '/download/:version', methods: { GET: redirectTo(releaseDownloadInput, selectRelease, findDownload) } },
  { path: '/releases/latest', methods: { GET: redirectTo(latestDownloadInput, offerRelease, findPage) } },
];

/** Returns the URL of a release's file. Throws `not_found` if it has none. */
function findDownload({ version, isInformational, downloadUrl }: Release): string {
  if (!isInformational) return downloadUrl;
  throw new ApiError(
    'not_found',
    `Release ${version} is an announcement without a download. Read about it at ${downloadUrl}`,
  );
}

function findPage(release: Release, { siteRoot }: Context): string {
  return siteRoot + getReleasePath(release);
}

/**
 * Creates the handler that redirects (302) to the URL that `locate` returns for the release that `find` returns. The handler throws
 * `invalid_request` if query and path parameters do not fit `input`, and what `find` and `locate` throw.
 */
function redirectTo<I extends z.ZodObject>(
  input: I,
  find: (context: Context, input: z.output<I>) => Release,
  locate: (release: Release, context: Context) => string,
): EndpointHandler {
  return (exchange, parameters, { production }) => {
    const release = find(production, parseInput(input, readQueryInput({ input }, parameters, exchange.query)));
    const url = locate(release, production);
    const isStale = production.feedStatus().state === 'stale';
    return {
      status: 302,
      headers: {
        location: url,
        'content-type': 'text/plain; charset=utf-8',
        ...(isStale && { 'cache-status': '"feed"; hit; detail=stale' }),
      },
      cache: 'content',
      // The body contains the address, so that the entity tag changes with it.
      body: `${url}\n`,
    };
  };
}
