/** Places of keywords.yaml that are not there. */
import { didYouMean } from '../base/near-miss.ts';
import { decodeUri } from '../base/uri.ts';
import { valueAt } from '../base/value-path.ts';
import { docPath, slugIn } from '../markdown/links.ts';
import type { Fault } from './content.ts';
import { featureAnchor, permissionAnchor, requirementsAnchor } from './site-paths.ts';
import type { Suggest } from './suggestions.ts';
import type { YamlDocument } from './yaml.ts';

export interface KeywordTargets {
  /** By slug; the anchors are null where the text could not be read. */
  readonly pages: ReadonlyMap<string, { readonly anchors: ReadonlySet<string> | null }>;
  /** The ids of faq.yaml, pricing.yaml, features.yaml and requirements.yaml. */
  readonly questions: Iterable<string>;
  readonly plans: Iterable<string>;
  readonly features: Iterable<string>;
  readonly permissions: Iterable<string>;
}

/** Places that search cannot find, since the folder does not have them. */
export function keywordFaults(document: YamlDocument, targets: KeywordTargets, suggest: Suggest): Fault[] {
  const places = valueAt(document.value, ['places']);
  if (typeof places !== 'object' || places === null) return [];
  const shared = new Set([
    ...[...targets.questions].map((id) => `/faq/${id}`),
    ...[...targets.plans].map((id) => `/pricing#${id}`),
    ...[...targets.features].map((id) => `/#${featureAnchor(id)}`),
    ...[...targets.permissions].map((id) => `/#${permissionAnchor(id)}`),
    `/#${requirementsAnchor}`,
  ]);
  const isInPage = (place: string): boolean => {
    const [path = '', ...anchor] = place.split('#');
    const slug = slugIn(path) ?? '';
    const page = docPath(slug) === path ? targets.pages.get(slug) : undefined;
    if (page === undefined) return false;
    return anchor.length === 0 || page.anchors === null || page.anchors.has(anchor.join('#'));
  };
  /** Only to suggest one: thousands of pages have ten times as many places. */
  const all = (): Set<string> =>
    new Set([
      ...shared,
      ...[...targets.pages].flatMap(([slug, { anchors }]) => [
        docPath(slug),
        ...[...(anchors ?? [])].map((anchor) => `${docPath(slug)}#${anchor}`),
      ]),
    ]);
  let known: Set<string> | null = null;
  return Object.keys(places).flatMap((at) => {
    const place = decodeUri(at);
    if (!at.startsWith('/') || shared.has(place) || isInPage(place)) return [];
    known ??= all();
    const message = `search finds nothing at \`${at}\`.${didYouMean(suggest(place, known))}`;
    return [{ file: document.file, ...document.atKey(['places', at]), message }];
  });
}
