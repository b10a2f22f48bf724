/** The link preview of each page, drawn when somebody first asks for it. */
import { ApiError } from '../../base/api-error.ts';
import { vary } from '../../http/answer.ts';
import type { Endpoint } from '../../http/endpoints.ts';
import { createRendition, type Rendition } from '../../http/renditions.ts';
import type { State } from '../../http/state.ts';
import { encodedBytes } from '../../operations/representation.ts';
import { previewAddress, previewsPath } from '../../pages/preview.ts';
import type { PageRoute, Site } from '../../pages/site.ts';
import { routeWithEnd, withoutExtension } from './site-pages.ts';

/** At the page's own path below /previews; under the address that the page names, it never changes. */
export function previewEndpoint(siteOf: (state: State) => Site, route: PageRoute): Endpoint {
  const path = previewsPath + routeWithEnd(route.path, 'png');
  return {
    path,
    methods: {
      GET: (exchange, parameters, state) => {
        const site = siteOf(state);
        const make = async (): Promise<Rendition> => {
          const page = await route.make(site, withoutExtension(parameters), new URLSearchParams());
          if (page.preview === undefined || page.preview === null)
            throw new ApiError('not_found', 'No picture is drawn for this page.');
          const isFixed = previewAddress(page.path, page.preview) === `${exchange.path}?${exchange.query}`;
          const rendition = createRendition({
            encoded: await encodedBytes(await site.drawer.draw(page.preview)),
            headers: {
              'content-type': 'image/png',
              vary: vary.file,
            },
            cache: isFixed ? 'immutable' : 'content',
            route: path,
            needsFeed: route.needsFeed === true,
          });
          if (isFixed) state.renditions.set(`preview ${exchange.path}?${exchange.query}`, rendition);
          return rendition;
        };
        return state.renditions.get(`preview ${exchange.path}?${exchange.query}`) ?? make();
      },
    },
  };
}
