/** keywords.yaml: its schema and its keywords by place; and the places of it and of facts.yaml that the site does not have. */
import { z } from 'zod';
import { didYouMean } from '../base/near-miss.ts';
import { decodeUri } from '../base/uri.ts';
import { valueAt } from '../base/value-path.ts';
import { docPath, slugIn } from '../markdown/links.ts';
import type { Fault, Suggest } from './fault.ts';
import { object, pattern } from './field-schemas.ts';
import { featureAnchor, hasPath, permissionAnchor, requirementsAnchor, type SiteTargets } from './site-paths.ts';
import { listIds, type YamlDocument } from './yaml.ts';

/** Maximum length of one keyword, in UTF-16 code units: longer ones are sentences. */
export const maxKeywordLength = 100;
/** Maximum length of the keywords of one place, in UTF-16 code units. */
const maxTextLength = 5000;
const line = `[^\\n]{0,${maxKeywordLength}}`;

/** The schema of a path of the site with an optional anchor. */
export const placeSchema = pattern(
  /^\/(?!\/)[^\s?]*$/,
  'must be a path of the site, such as `/docs/quickstart#install`',
  500,
).describe(
  'What search should find: a page, or a section of it with its anchor, as the address bar shows it. A question is `/faq/<id>`, a plan `/pricing#<id>`, a feature `/#feature-<id>`, a permission `/#permission-<id>`.',
);

const keywordLines = pattern(
  new RegExp(`^${line}(\\n${line})*$`),
  `must have lines of at most ${maxKeywordLength} characters`,
  maxTextLength,
).describe('Words, phrases or whole questions that people type, one a line.');

/** The schema of keywords.yaml. Keywords are lines of one text: a question mark or a colon means nothing in it, and it is read faster than a list. */
export const keywordsSchema = object(
  'What people type when they look for a place, where the place itself does not say it.',
  { places: z.record(placeSchema, keywordLines).default({}) },
);

/** Keywords by the path that a search result leads to, with its anchor, decoded. */
export type Keywords = ReadonlyMap<string, readonly string[]>;

/** Splits the keywords of each place into lines. */
export function readKeywords({ places }: z.output<typeof keywordsSchema>): Keywords {
  const byPlace = new Map<string, string[]>();
  for (const [path, text] of Object.entries(places)) {
    const place = decodeUri(path);
    byPlace.set(place, [...(byPlace.get(place) ?? []), ...text.split('\n').filter((words) => words.trim() !== '')]);
  }
  return byPlace;
}

/** Returns a fault for each place that keywords.yaml or facts.yaml names and the folder does not have. */
export function findUnknownPlaces(
  {
    keywords,
    facts,
    faq,
    pricing,
    features,
    requirements,
  }: Readonly<Record<'keywords' | 'facts' | 'faq' | 'pricing' | 'features' | 'requirements', YamlDocument>>,
  targets: SiteTargets,
  suggest: Suggest,
): Fault[] {
  const { pages } = targets;
  const entries = new Set([
    ...[...listIds(faq, 'entries')].map((id) => `/faq/${id}`),
    ...[...listIds(pricing, 'plans')].map((id) => `/pricing#${id}`),
    ...[...listIds(features, 'features')].map((id) => `/#${featureAnchor(id)}`),
    ...[...listIds(requirements, 'permissions')].map((id) => `/#${permissionAnchor(id)}`),
    `/#${requirementsAnchor}`,
  ]);
  const isInPage = (place: string): boolean => {
    const [path = '', ...anchor] = place.split('#');
    const slug = slugIn(path) ?? '';
    const page = docPath(slug) === path ? pages.get(slug) : undefined;
    if (page === undefined) return false;
    return anchor.length === 0 || page.anchors === null || page.anchors.has(anchor.join('#'));
  };
  /** Lists every place, only to suggest one: thousands of pages have ten times as many places. */
  const listPlaces = (): Set<string> =>
    new Set([
      ...entries,
      ...[...pages].flatMap(([slug, { anchors }]) => [
        docPath(slug),
        ...[...(anchors ?? [])].map((anchor) => `${docPath(slug)}#${anchor}`),
      ]),
    ]);
  let all: Set<string> | null = null;
  /** Returns the end of a message that suggests a place, or null if the site has the place. */
  const findHint = (path: string): string | null => {
    const place = decodeUri(path);
    if (!path.startsWith('/') || entries.has(place) || isInPage(place)) return null;
    all ??= listPlaces();
    return didYouMean(suggest(place, all));
  };
  const places = valueAt(keywords.value, ['places']);
  const factList = valueAt(facts.value, ['facts']);
  return [
    ...Object.keys(typeof places === 'object' && places !== null ? places : {}).flatMap((key) => {
      const hint = findHint(key);
      return hint === null ? [] : [keywords.faultAtKey(['places', key], `search finds nothing at \`${key}\`.${hint}`)];
    }),
    ...(Array.isArray(factList) ? factList : []).flatMap((_, index) => {
      const path = ['facts', index, 'href'];
      const href = valueAt(facts.value, path);
      const hint = typeof href !== 'string' || hasPath(targets, href) ? null : findHint(href);
      return hint === null ? [] : [facts.faultAt(path, `nothing is at \`${href}\`.${hint}`)];
    }),
  ];
}
