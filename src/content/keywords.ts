/** Places of keywords.yaml that are not there. */
import { didYouMean } from '../base/near-miss.ts';
import { valueAt } from '../base/value-path.ts';
import type { Fault } from './content.ts';
import { placeKey } from './keywords-schema.ts';
import { featureAnchor, permissionAnchor, requirementsAnchor } from './site-paths.ts';
import { docPath } from './slugs.ts';
import type { Suggest } from './suggestions.ts';
import type { YamlDocument } from './yaml-document.ts';

export interface KeywordTargets {
  /** By slug, its anchors; null where its text could not be read. */
  readonly pages: ReadonlyMap<string, ReadonlySet<string> | null>;
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
  const known = new Set([
    ...[...targets.questions].map((id) => `/faq/${id}`),
    ...[...targets.plans].map((id) => `/pricing#${id}`),
    ...[...targets.features].map((id) => `/#${featureAnchor(id)}`),
    ...[...targets.permissions].map((id) => `/#${permissionAnchor(id)}`),
    `/#${requirementsAnchor}`,
    ...[...targets.pages].flatMap(([slug, anchors]) => [
      docPath(slug),
      ...[...(anchors ?? [])].map((anchor) => `${docPath(slug)}#${anchor}`),
    ]),
  ]);
  const unread = [...targets.pages].flatMap(([slug, anchors]) => (anchors === null ? [`${docPath(slug)}#`] : []));
  return Object.keys(places).flatMap((at) => {
    const place = placeKey(at);
    if (!at.startsWith('/') || known.has(place) || unread.some((page) => place.startsWith(page))) return [];
    const message = `search finds nothing at \`${at}\`.${didYouMean(suggest(place, known))}`;
    return [{ file: document.file, ...document.atKey(['places', at]), message }];
  });
}
