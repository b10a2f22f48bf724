/** What each surrogate key stands for, as a hash: where two revisions differ, the key is purged. */
import { setImmediate } from 'node:timers/promises';
import { sha256Hex } from '../base/hash.ts';
import { inSlices } from '../base/slices.ts';
import { assetKey, pageKey, resourceKey, surrogateKeys } from '../base/surrogate-keys.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Asset, Page } from '../content/content.ts';

export type Fingerprints = Readonly<Record<string, string>>;

/** `facts`: what every response is made from in addition to the catalog, such as the build and the rate limits. */
export async function fingerprintsOf(catalog: Catalog, facts: unknown): Promise<Fingerprints> {
  const { content, feedFile, releases } = catalog;
  const { product, words, pages, faq, navigation, redirects } = content;
  const { assets } = content;
  const made: Record<string, string> = {};
  const feed = hashed([feedFile?.revision ?? null, [...content.releaseNotes]]);
  for (const asset of assets.values()) made[assetKey(asset.path)] = ofAsset(asset);
  await setImmediate();
  const pageHashes = await inSlices(pages, (page) => [pageKey(page.slug), ofPage(page, assets)] as const, 50);
  const of = (value: unknown): string => withAssets(JSON.stringify(value), assets);
  return Object.assign(made, Object.fromEntries(pageHashes), {
    [surrogateKeys.all]: hashed(facts),
    // The menus show what there is.
    [surrogateKeys.content]: of([product, words, pages.length > 0, faq.length > 0, releases === null]),
    [surrogateKeys.feed]: feed,
    [surrogateKeys.menu]: hashed([navigation, pages.map(({ slug, title }) => [slug, title])]),
    [surrogateKeys.mixed]: hashed([content.revision, feed]),
    [resourceKey('docs')]: hashed(pages.map(({ source, markdown, links, headings, sections, ...entry }) => entry)),
    [resourceKey('redirects')]: hashed([redirects, catalog.slugs, catalog.faqIds, [...assets.keys()]]),
    [resourceKey('faq')]: of(faq),
    [resourceKey('pricing')]: of(content.pricing),
    [resourceKey('features')]: of(content.features),
    [resourceKey('requirements')]: of(content.requirements),
    [resourceKey('releases')]: feed,
  });
}

/** The keys that differ, those that only one of the two has included. */
export function changedKeys(before: Fingerprints, after: Fingerprints): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => before[key] !== after[key]);
}

const hashed = (value: unknown): string => sha256Hex(JSON.stringify(value)).slice(0, 16);

/** A picture's size is in the page that shows it. */
function withAssets(text: string, assets: ReadonlyMap<string, Asset>): string {
  const named = new Set([...text.matchAll(/\bassets\/[\w%./+~-]+/g)].map(([path]) => decoded(path)));
  const shown = [...named].flatMap((path) => assets.get(path) ?? []);
  return hashed([text, shown.map(ofAsset)]);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const ofPage = ({ file, slug, title, description, order, updated, source }: Page, assets: ReadonlyMap<string, Asset>) =>
  withAssets(JSON.stringify([file, slug, title, description, order, updated, source]), assets);

const assetHashes = new WeakMap<Asset, string>();

function ofAsset(asset: Asset): string {
  const known = assetHashes.get(asset);
  if (known !== undefined) return known;
  const made = sha256Hex(asset.bytes).slice(0, 16);
  assetHashes.set(asset, made);
  return made;
}
