/** Makes a rendition once for each state, also for requests at the same time, and serves it from the state's cache. */
import { vary } from '../../http/answer.ts';
import type { Endpoint } from '../../http/endpoints.ts';
import { bucketOf } from '../../http/rate.ts';
import { createRendition, type Rendition } from '../../http/renditions.ts';
import type { State } from '../../http/state.ts';
import type { Context } from '../../operations/context.ts';
import { encodedText } from '../../operations/representation.ts';

const pending = new WeakMap<State, Map<string, Promise<Rendition>>>();

/** Returns the rendition that the state caches under `key`, and otherwise what `make` resolves with. */
export function cachedRendition(
  state: State,
  key: string,
  make: () => Promise<Rendition>,
): Rendition | Promise<Rendition> {
  const cached = state.renditions.get(key);
  if (cached !== undefined) return cached;
  const ofState = pending.get(state) ?? new Map<string, Promise<Rendition>>();
  pending.set(state, ofState);
  const known = ofState.get(key);
  if (known !== undefined) return known;
  const making = make()
    .then((rendition) => {
      state.renditions.set(key, rendition);
      return rendition;
    })
    .finally(() => ofState.delete(key));
  ofState.set(key, making);
  return making;
}

/** The headers of a file or document that is the same for everybody until the content changes. */
export const contentHeaders = (path: string, type: string): Record<string, string> => ({
  'content-type': type,
  vary: bucketOf(path) === 'pages' ? vary.file : vary.document,
});

/** Creates the endpoint of a document that `make` derives from the content: a text of the Content-Type `type`, or an object that is sent as JSON. */
export const documentEndpoint = (
  path: string,
  type: string,
  make: (context: Context) => object | string,
): Endpoint => ({
  path,
  methods: {
    GET: (_, __, state) =>
      cachedRendition(state, `document ${path}`, async () => {
        const content = make(state.production);
        const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`;
        return createRendition({ encoded: encodedText(text), headers: contentHeaders(path, type), route: path });
      }),
  },
});
