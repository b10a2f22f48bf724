/** Reads the items of an appcast, all but their notes: a pure function, so that a thread can read a large one. */
import { FeedFault } from './fault.ts';
import { type Draft, type ItemOptions, isRelative, labelOf, readItem } from './item.ts';
import type { FeedWarning } from './release.ts';
import { attribute, named, readXml, type XmlNode } from './xml.ts';

export interface Drafts {
  /** In the feed's order. */
  readonly drafts: readonly Draft[];
  readonly warnings: FeedWarning[];
  /** Whether some of its URLs are relative to the feed's own. */
  readonly hasRelativeUrls: boolean;
}

const mostItems = 5000;

/** `content` is the signed part of the feed. Throws a FeedFault (`refused`) when it is no appcast at all. */
export function draftsIn(content: Uint8Array, options: ItemOptions): Drafts {
  const root = readXml(content);
  if (root.name !== 'rss')
    throw new FeedFault('refused', `The feed is not an appcast: its root is <${root.name}>, not <rss>.`);
  const items = named(root, 'channel').flatMap((channel) => named(channel, 'item'));
  if (items.length > mostItems) {
    throw new FeedFault('refused', `The feed has ${items.length} items and at most ${mostItems} are read.`);
  }
  const warnings: FeedWarning[] = [];
  const drafts = draftsOf(items, options, warnings);
  return { drafts, warnings, hasRelativeUrls: items.some(hasRelativeUrls) };
}

function draftsOf(items: readonly XmlNode[], options: ItemOptions, warnings: FeedWarning[]): Draft[] {
  const drafts: Draft[] = [];
  /** Items for other systems, and those of them whose `sparkle:os` says so. */
  let otherSystems = 0;
  let declared = 0;
  for (const [index, item] of items.entries()) {
    const outcome = readItem(item, index, options);
    const { line } = item;
    const label = `Item ${labelOf(item, index, options.languages)}`;
    if (outcome.kind === 'otherSystem') {
      otherSystems += 1;
      if (outcome.file === null) declared += 1;
      else warnings.push({ line, message: `${label} is left out: its ${outcome.file} file is not for macOS.` });
    } else if (outcome.kind === 'skipped') warnings.push({ line, message: `${label} is skipped: ${outcome.why}.` });
    else {
      drafts.push(outcome);
      warnings.push(...outcome.oddities.map((oddity) => ({ line, message: `${label}: ${oddity}.` })));
    }
  }
  if (otherSystems > 0 && otherSystems === items.length) throw new FeedFault('refused', noneForMacos(otherSystems));
  if (declared > 0)
    warnings.push({ line: null, message: `${counted(declared)} for another operating system and left out.` });
  const insecure = drafts.filter(({ release }) => release.downloadUrl.startsWith('http:'));
  const [first] = insecure;
  if (first !== undefined)
    warnings.push({ line: first.release.line, message: `${counted(insecure.length)} downloaded over plain http.` });
  return drafts;
}

const noneForMacos = (count: number): string =>
  `The feed has no release for macOS: ${counted(count)} for another operating system, such as Windows. Only feeds of applications for macOS can be published.`;

const counted = (count: number): string => (count === 1 ? '1 item is' : `${count} items are`);

const linkNames = ['link', 'sparkle:releaseNotesLink', 'sparkle:fullReleaseNotesLink'];

function hasRelativeUrls(item: XmlNode): boolean {
  const enclosures = [item, ...named(item, 'sparkle:deltas')].flatMap((parent) => named(parent, 'enclosure'));
  const written = [
    ...enclosures.map((enclosure) => attribute(enclosure, 'url')),
    ...linkNames.flatMap((name) => named(item, name).map((link) => link.text.trim())),
  ];
  return written.some((url) => url && isRelative(url));
}
