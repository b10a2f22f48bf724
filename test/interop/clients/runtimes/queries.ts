/** Compiled with the installed package: calls as promises, in TanStack Query and with options that may be undefined. */
import { type ClientOptions, createClient, type Doc, type Release } from '@colophon/client';
import { QueryClient, QueryObserver } from '@tanstack/query-core';

declare const maybe: {
  readonly signal?: AbortSignal;
  readonly channel?: string;
  readonly auth?: ClientOptions['auth'];
};

const api = createClient({ baseUrl: 'https://sotto.example', auth: maybe.auth });
const queries = new QueryClient();

/** Requests the newest release, with a channel and a signal that may be undefined; this file only has to compile. */
export const latest = (): Promise<Release> => api.releases.latest({ channel: maybe.channel }, { signal: maybe.signal });

/** Requests a page, or returns null if the request fails, whatever the reason. */
export const page = (slug: string): Promise<Doc | null> =>
  api.docs
    .get(slug)
    .then((doc) => doc)
    .catch(() => null)
    .finally(() => undefined);

/**
 * Requests objects through TanStack Query, which must accept a call as a promise. Returns versions, names and a question of theirs;
 * this file only has to compile.
 */
export async function versions(): Promise<string[]> {
  const release = await queries.fetchQuery({ queryKey: ['latest'], queryFn: () => api.releases.latest() });
  const observer = new QueryObserver(queries, { queryKey: ['faq'], queryFn: () => api.faq.get('refunds') });
  const pages = await queries.fetchInfiniteQuery({
    queryKey: ['releases'],
    queryFn: ({ pageParam }) => api.releases.list({ cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.next_cursor ?? undefined,
    pages: 2,
  });
  const features: string[] = [];
  for await (const { name } of api.features.list()) features.push(name);
  const { question } = observer.getCurrentResult().data ?? { question: '' };
  return [
    release.version,
    question,
    ...features,
    ...pages.pages.flatMap(({ data }) => data.map(({ version }) => version)),
  ];
}
