/** Gets the releases of a GitHub repository from its API, page by page: all of them or none. */
import { isLoopback } from '../base/loopback.ts';
import { FeedFault } from './fault.ts';
import { type Fetched, type FetchOptions, fetchFeed } from './fetch.ts';
import { type GithubRelease, readGithubReleases } from './github.ts';
import { recognizeSource } from './recognition.ts';

/** Minimum time between two checks, in seconds. Without a token, GitHub allows an address 60 requests an hour. */
export const minGithubSeconds = 900;

/** Maximum number of pages of 100 releases. */
const maxPages = 10;
/** Maximum size of all releases together, reduced to what is read of them, in bytes. */
const maxBytes = 8 * 1024 * 1024;

/**
 * Fetches the releases as one JSON list, the `bytes` of the result, reduced by `readGithubReleases`. Only the first page is
 * conditional, since a new release is always on it: if it is unchanged, `bytes` is null. Of a long list, the first 1,000 releases
 * are read.
 *
 * @param api the URL of the releases in the API, such as `https://api.github.com/repos/acme/larder/releases`
 * @param token is sent to GitHub, and to an API on this machine, and nowhere else; null for none
 * @throws FeedFault (`failed`) if a page cannot be fetched, the next page is on another host or the list is too large, (`refused`)
 * if a page is no list of releases
 */
export async function fetchGithub(api: string, token: string | null, options: FetchOptions): Promise<Fetched> {
  const withHeaders: FetchOptions = { ...options, headers: (url) => createHeaders(url, token) };
  const first = await fetchPage(`${api}?per_page=100`, withHeaders, token);
  if (first.bytes === null) return first;
  const releases: GithubRelease[] = readPage(first.bytes);
  let page = first;
  for (let count = 1; count < maxPages; count += 1) {
    const next = /<([^<>]+)>\s*;\s*rel="?next"?/i.exec(page.link ?? '')?.[1];
    if (next === undefined) break;
    if (URL.parse(next)?.origin !== URL.parse(first.url ?? api)?.origin)
      throw new FeedFault('failed', 'GitHub’s next page of releases is on another host, which is not followed.');
    page = await fetchPage(next, { ...withHeaders, validators: null }, token);
    if (page.bytes !== null) releases.push(...readPage(page.bytes));
  }
  const bytes = Buffer.from(JSON.stringify(releases));
  if (bytes.length > maxBytes) throw new FeedFault('failed', `The releases are larger than ${maxBytes} bytes.`);
  return { ...first, bytes };
}

function createHeaders(url: URL, token: string | null): Record<string, string> {
  const isTrusted = url.origin === 'https://api.github.com' || isLoopback(url.hostname);
  return {
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    ...(token !== null && isTrusted && { authorization: `Bearer ${token}` }),
  };
}

async function fetchPage(url: string, options: FetchOptions, token: string | null): Promise<Fetched> {
  try {
    return await fetchFeed(url, options);
  } catch (error) {
    const advice = error instanceof FeedFault && error.status !== null ? explain(error.status, token) : null;
    if (!(error instanceof FeedFault) || advice === null) throw error;
    const { kind, message, retryAfterSeconds, status } = error;
    throw new FeedFault(kind, `${message} ${advice}`, { retryAfterSeconds, status, cause: error });
  }
}

function explain(status: number, token: string | null): string | null {
  if (status === 401) return 'GITHUB_TOKEN is not valid.';
  if (status === 404) return 'The repository does not exist, or it is private: only public ones are read.';
  if (status !== 403 && status !== 429) return null;
  return token === null
    ? 'Without a token, GitHub allows an address 60 requests an hour: set GITHUB_TOKEN.'
    : 'GitHub’s limit for GITHUB_TOKEN is used up, or the token may not read the repository.';
}

function readPage(bytes: Buffer): GithubRelease[] {
  const recognition = recognizeSource(bytes);
  if (recognition.kind !== 'github') throw new FeedFault('refused', 'GitHub’s API returned no list of releases.');
  return readGithubReleases(recognition.value);
}
