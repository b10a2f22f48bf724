/** Creates the renditions of files and documents, each once for a state, and serves them from the state's cache. */
import { vary } from '../../http/answer.ts';
import type { Endpoint } from '../../http/endpoints.ts';
import { findBucket } from '../../http/rate.ts';
import { createRendition, type Rendition } from '../../http/renditions.ts';
import type { State } from '../../http/state.ts';
import type { Context } from '../../operations/context.ts';
import { encodeLargeText } from '../../operations/representation.ts';

/**
 * Returns the rendition that the state has in its cache under `key`. Without one, calls `create`, once for requests at the same
 * time, and resolves with its result, which is put into the cache unless it is too large for it. Rejects with what `create` rejects
 * with, which is not cached.
 */
export const getCachedRendition = (
  { renditions }: State,
  key: string,
  create: () => Promise<Rendition>,
): Rendition | Promise<Rendition> => renditions.get(key) ?? renditions.forceFetch(key, { context: create });

/** A file that is the same for everybody until the content changes. */
export interface File {
  /** Its Content-Type. */
  readonly type: string;
  /** The body: text in UTF-8, bytes, or an object that is sent as indented JSON. */
  readonly content: string | Buffer | object;
  /** Further headers, by lower-case names; each replaces a usual one of the same name. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Creates the response to requests for a file: its bytes, which are compressed when a coding is first used, its ETag and its headers.
 * `route` is the template of its path for the log and the metrics, and determines Vary. `needsFeed` is false and `cache` is `content`
 * by default.
 */
export async function createFileRendition(
  { type, content, headers }: File,
  route: string,
  options: { needsFeed?: boolean; cache?: 'content' | 'immutable' } = {},
): Promise<Rendition> {
  const isBytes = typeof content === 'string' || Buffer.isBuffer(content);
  return createRendition({
    encoded: await encodeLargeText(isBytes ? content : `${JSON.stringify(content, null, 2)}\n`),
    headers: {
      'content-type': type,
      vary: findBucket(route) === 'pages' ? vary.file : vary.document,
      ...headers,
    },
    route,
    ...options,
  });
}

/**
 * Creates the endpoint (GET) at `path` that sends what `make` returns for the production context, with the media type `type`; an
 * object is sent as indented JSON. The result is put into the cache of the state.
 */
export const createDocumentEndpoint = (
  path: string,
  type: string,
  make: (context: Context) => object | string,
): Endpoint => ({
  path,
  methods: {
    GET: (_, __, state) =>
      getCachedRendition(state, `document ${path}`, async () =>
        createFileRendition({ type, content: make(state.production) }, path),
      ),
  },
});
