/** keywords.yaml: its shape, and its words by place. */
import { z } from 'zod';
import { decodeUri } from '../base/uri.ts';

/** In characters. */
export const mostKeywordLength = 100;
const mostTextLength = 5000;
const line = `[^\\n]{0,${mostKeywordLength}}`;

/** Keywords are lines of one text: a question mark or a colon means nothing in it, and it is read faster than a list. */
export const keywordsSchema = z
  .strictObject({
    places: z
      .record(
        z
          .string()
          .regex(/^\/(?!\/)[^\s?]*$/, 'must be a path of the site, such as `/docs/quickstart#install`')
          .max(500)
          .describe(
            'What search should find: a page, or a section of it with its anchor, as the address bar shows it. A question is `/faq/<id>`, a plan `/pricing#<id>`, a feature `/#feature-<id>`, a permission `/#permission-<id>`.',
          ),
        z
          .string()
          .regex(new RegExp(`^${line}(\\n${line})*$`), `must have lines of at most ${mostKeywordLength} characters`)
          .max(mostTextLength)
          .describe('Words, phrases or whole questions that people type, one a line.'),
      )
      .default({}),
  })
  .describe('What people type when they look for a place, where the place itself does not say it.');

/** By the path that a search result leads to, with its anchor, decoded. */
export type Keywords = ReadonlyMap<string, readonly string[]>;

export function keywordsOf({ places }: z.output<typeof keywordsSchema>): Keywords {
  const byPlace = new Map<string, string[]>();
  for (const [at, text] of Object.entries(places)) {
    const place = decodeUri(at);
    byPlace.set(place, [...(byPlace.get(place) ?? []), ...text.split('\n').filter((words) => words.trim() !== '')]);
  }
  return byPlace;
}
