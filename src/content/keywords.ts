/** Reads keywords.yaml into keywords by place, and finds the places of keywords.yaml and facts.yaml that the site does not have. */
import { z } from 'zod';
import { writeDidYouMean } from '../base/near-miss.ts';
import { decodeUri } from '../base/uri.ts';
import { getValue } from '../base/value-path.ts';
import { getDocPath, readSlug } from '../markdown/links.ts';
import type { Fault, Suggest } from './fault.ts';
import { object, pattern } from './field-schemas.ts';
import { getFeatureAnchor, getPermissionAnchor, hasPath, requirementsAnchor, type SiteTargets } from './site-paths.ts';
import { listIds, listPaths, type YamlDocument } from './yaml.ts';

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
  'The path of a page, or of a section with its anchor, as the address bar of a browser shows it. A question is `/faq/<id>`, a plan `/pricing#<id>`, a feature `/#feature-<id>`, a permission `/#permission-<id>`.',
);

const keywordLines = pattern(
  new RegExp(`^${line}(\\n${line})*$`),
  `must have lines of at most ${maxKeywordLength} characters`,
  maxTextLength,
).describe('Words, phrases or whole questions that people search for, one on each line.');

/**
 * The schema of keywords.yaml. Keywords are lines of one text: a question mark or a colon means nothing in it, and it is read
 * faster than a list.
 */
export const keywordsSchema = object('Words by which search finds a page or a section that does not contain them.', {
  places: z.record(placeSchema, keywordLines).default({}).describe('The words for each page or section, by its path.'),
});

/** Keywords by the path that a search result leads to, with its anchor, decoded. */
export type Keywords = ReadonlyMap<string, readonly string[]>;

/** Returns the lines of keywords of each place, without blank ones; a place in several spellings has those of all. */
export function readKeywords({ places }: z.output<typeof keywordsSchema>): Keywords {
  const byPlace = new Map<string, string[]>();
  for (const [path, text] of Object.entries(places)) {
    const place = decodeUri(path);
    byPlace.set(place, [...(byPlace.get(place) ?? []), ...text.split('\n').filter((words) => words.trim() !== '')]);
  }
  return byPlace;
}

/** The names, without `.yaml`, of the files that have places such as `/faq/ID`, or refer to them. */
type PlaceName = 'keywords' | 'facts' | 'faq' | 'pricing' | 'features' | 'requirements';
type Documents = Readonly<Record<PlaceName, YamlDocument>>;

/**
 * Returns a fault for each place in keywords.yaml that is no page, no section and no entry of a YAML file, and for each in
 * facts.yaml that is none of these and no other path of the site. For a page that could not be read, any anchor counts.
 */
export function findUnknownPlaces(documents: Documents, targets: SiteTargets, suggest: Suggest): Fault[] {
  const { keywords, facts } = documents;
  const entries = listEntryPlaces(documents);
  const hasPlace = (path: string): boolean => {
    const place = decodeUri(path);
    const [pagePath = '', ...anchor] = place.split('#');
    const slug = readSlug(pagePath) ?? '';
    const page = getDocPath(slug) === pagePath ? targets.pages.get(slug) : undefined;
    if (page === undefined) return entries.has(place);
    return anchor.length === 0 || page.anchors === null || page.anchors.has(anchor.join('#'));
  };
  let places: Set<string> | null = null;
  const hint = (path: string): string => {
    // The places are listed only for a suggestion, because large sites have many; invalid ids, which their own files report, are left out.
    const isValid = (place: string): boolean => placeSchema.safeParse(place).success;
    places ??= new Set([...[...entries].filter(isValid), ...listPagePlaces(targets)]);
    return writeDidYouMean(suggest(decodeUri(path), places));
  };
  const keys = Object.keys(Object(getValue(keywords.value, ['places'])));
  const unknownKeys = keys.filter((key) => key.startsWith('/') && !hasPlace(key));
  return [
    ...unknownKeys.map((key) =>
      keywords.faultAtKey(['places', key], `search finds nothing at \`${key}\`.${hint(key)}`),
    ),
    ...listPaths(facts, ['facts']).flatMap((entry) => {
      const path = [...entry, 'href'];
      const href = getValue(facts.value, path);
      if (typeof href !== 'string' || !href.startsWith('/') || hasPath(targets, href) || hasPlace(href)) return [];
      return [facts.faultAt(path, `nothing is at \`${href}\`.${hint(href)}`)];
    }),
  ];
}

/** Returns the paths of questions, those of plans, features and permissions with their anchors, and always `/#requirements`. */
function listEntryPlaces({ faq, pricing, features, requirements }: Documents): Set<string> {
  return new Set([
    ...[...listIds(faq, 'entries')].map((id) => `/faq/${id}`),
    ...[...listIds(pricing, 'plans')].map((id) => `/pricing#${id}`),
    ...[...listIds(features, 'features')].map((id) => `/#${getFeatureAnchor(id)}`),
    ...[...listIds(requirements, 'permissions')].map((id) => `/#${getPermissionAnchor(id)}`),
    `/#${requirementsAnchor}`,
  ]);
}

/** Returns the paths of pages, and those of their sections with the anchor; a page that could not be read has no sections. */
const listPagePlaces = ({ pages }: SiteTargets): string[] =>
  [...pages].flatMap(([slug, { anchors }]) => [
    getDocPath(slug),
    ...[...(anchors ?? [])].map((anchor) => `${getDocPath(slug)}#${anchor}`),
  ]);
