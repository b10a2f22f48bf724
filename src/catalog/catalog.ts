/** The read model: one revision of content and feed, with everything that is looked up in them. Immutable. */
import { sha256Hex } from '../base/hash.ts';
import { compareOsVersions, parseOsVersion } from '../base/os-version.ts';
import type { Content, Page } from '../content/content.ts';
import type { FeedSnapshot } from '../feed/release.ts';
import { searchDocumentsOf } from '../search/documents.ts';
import { createSearchIndex, type SearchIndex } from '../search/search.ts';
import { type Compatibility, type CompatibilityInput, checkCompatibility, type Minimums } from './compatibility.ts';
import { latestOf, type Release, type ReleaseSource, releasesFrom } from './releases.ts';

export type { Release } from './releases.ts';

export interface Catalog {
  /** SHA-256 (hex) of the content's revision and the feed's. */
  readonly revision: string;
  readonly content: Content;
  /** Every channel's, in the order of listings; null when no feed was ever had. */
  readonly releases: readonly Release[] | null;
  /** What the updater would offer, or null when the default channel is empty. */
  readonly latest: Release | null;
  /** The default channel's releases, with those of the named channel where one is given. */
  releasesOf(channel: string | null): readonly Release[];
  /** By its exact version, on any channel; of several the first in the order of listings. */
  release(version: string): Release | undefined;
  page(slug: string): Page | undefined;
  faqEntry(id: string): Content['faq'][number] | undefined;
  /** The named channels that have releases, sorted. */
  readonly channels: readonly string[];
  readonly slugs: readonly string[];
  readonly faqIds: readonly string[];
  /** In the order of listings, each once. */
  readonly versions: readonly string[];
  readonly search: SearchIndex;
  /** By the stricter of product.yaml's minimums and the latest release's own. Throws as `checkCompatibility` does. */
  compatibility(input: CompatibilityInput): Compatibility;
  /** What the operator should know about content and feed together, one sentence each. */
  readonly warnings: readonly string[];
}

/** Builds the read model. `previous`'s search index is shared when the content is the same. */
export function createCatalog(content: Content, feed: FeedSnapshot | null, previous?: Catalog): Catalog {
  const warnings: string[] = [];
  const sources = feed === null ? null : releasesFrom(feed.releases, content, warnings);
  const releases = sources?.map(({ release }) => release) ?? null;
  const latest = latestOf(sources ?? []);
  const minimums = minimumsOf(content, latest, warnings);

  const all = releases ?? [];
  const channels = [...new Set(all.flatMap(({ channel }) => channel ?? []))].sort();
  const ofDefault = all.filter(({ channel }) => channel === null);
  const byChannel = new Map(
    channels.map((name) => [name, all.filter(({ channel }) => channel === null || channel === name)]),
  );
  const byVersion = new Map(all.toReversed().map((release) => [release.version, release]));
  const pages = new Map(content.pages.map((page) => [page.slug, page]));
  const faq = new Map(content.faq.map((entry) => [entry.id, entry]));
  const shared = previous?.content.revision === content.revision ? previous.search : undefined;

  return {
    revision: sha256Hex(`${content.revision} ${feed?.sha256 ?? 'without a feed'}`),
    content,
    releases,
    latest: latest?.release ?? null,
    releasesOf: (channel) => (channel === null ? ofDefault : (byChannel.get(channel) ?? ofDefault)),
    release: (version) => byVersion.get(version),
    page: (slug) => pages.get(slug),
    faqEntry: (id) => faq.get(id),
    channels,
    slugs: [...pages.keys()],
    faqIds: [...faq.keys()],
    versions: [...new Set(all.map(({ version }) => version))],
    search: shared ?? createSearchIndex(searchDocumentsOf(content)),
    compatibility: (input) => checkCompatibility(input, minimums),
    warnings,
  };
}

function minimumsOf({ product }: Content, latest: ReleaseSource | null, warnings: string[]): Minimums {
  const { os_version: osVersion, arch } = product.minimums;
  const minimums: Minimums = {
    osName: product.platform.os,
    osVersion,
    archs: arch,
    testedUpTo: product.platform.tested_up_to ?? null,
  };
  if (latest === null) return minimums;
  const { release: newest, item } = latest;
  const ofLatest = newest.platform.minVersion;
  const order = compareOsVersions(parseOsVersion(ofLatest) ?? [], parseOsVersion(osVersion) ?? []);
  if (order !== 0) {
    warnings.push(
      `product.yaml says that ${osVersion} is the oldest OS version; the latest release, ${newest.version}, says ${ofLatest}. The stricter one, ${order > 0 ? ofLatest : osVersion}, is used.`,
    );
  }
  if (item.requiresArm64 && arch.includes('x86_64')) {
    warnings.push(
      `product.yaml says that x86_64 runs the application; the latest release, ${newest.version}, requires arm64, which is used.`,
    );
  }
  return {
    ...minimums,
    osVersion: order > 0 ? ofLatest : osVersion,
    archs: item.requiresArm64 ? ['arm64'] : arch,
    maximumOsVersion: item.maximumOsVersion,
  };
}
