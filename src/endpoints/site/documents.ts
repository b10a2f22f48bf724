/** A document that is made from the content and then given to everybody, until the content changes. */

import { cacheControl, vary } from '../../http/answer.ts';
import type { Endpoint, EndpointHandler } from '../../http/endpoints.ts';
import { bucketOf } from '../../http/rate.ts';
import { createRendition } from '../../http/renditions.ts';
import type { Context } from '../../operations/context.ts';
import { encodedText } from '../../operations/representation.ts';

/** `type`: the Content-Type. An object that is made goes out as JSON. */
export function documentEndpoint(path: string, type: string, make: (context: Context) => object | string): Endpoint {
  const GET: EndpointHandler = (_, __, state) => {
    const held = state.renditions.get(`document ${path}`);
    if (held !== undefined) return held;
    const made = make(state.production);
    const rendition = createRendition({
      encoded: encodedText(typeof made === 'string' ? made : `${JSON.stringify(made, null, 2)}\n`),
      headers: {
        'content-type': type,
        'cache-control': cacheControl.content,
        vary: bucketOf(path) === 'pages' ? vary.file : vary.document,
      },
      route: path,
    });
    state.renditions.set(`document ${path}`, rendition);
    return rendition;
  };
  return { path, methods: { GET } };
}
