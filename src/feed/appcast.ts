/** Reads an appcast's bytes into releases, item by item: a bad one is skipped with a warning. */
import { compareSparkleVersions } from '../base/sparkle-version.ts';
import { FeedFault } from './fault.ts';
import type { NotesReader } from './notes.ts';
import { publicationDate } from './publication-date.ts';
import type { FeedRelease, NotesSource } from './release.ts';
import { readXml, type XmlNode } from './xml.ts';

export interface Appcast {
  /** In the feed's order. */
  readonly releases: readonly FeedRelease[];
  readonly warnings: readonly string[];
}

const mostItems = 5000;
const mostWarnings = 50;

/**
 * `content` is the signed part of the feed; `address` the URL it came from, against which relative ones are resolved
 * (null for a file). Throws a FeedFault (`refused`) when it is no appcast at all.
 */
export async function readAppcast(content: Uint8Array, address: string | null, notes: NotesReader): Promise<Appcast> {
  const root = readXml(content);
  if (root.name !== 'rss')
    throw new FeedFault('refused', `The feed is not an appcast: its root is <${root.name}>, not <rss>.`);
  const items = named(root, 'channel').flatMap((channel) => named(channel, 'item'));
  if (items.length > mostItems) {
    throw new FeedFault('refused', `The feed has ${items.length} items and at most ${mostItems} are read.`);
  }
  const warnings: string[] = [];
  const drafts: Draft[] = [];
  let foreign = 0;
  for (const [index, item] of items.entries()) {
    const outcome = readItem(item, index, address);
    if (outcome.kind === 'foreign') foreign += 1;
    else if (outcome.kind === 'skipped') warnings.push(`Item ${labelOf(item, index)} is skipped: ${outcome.why}.`);
    else {
      drafts.push(outcome);
      warnings.push(...outcome.oddities.map((oddity) => `Item ${labelOf(item, index)}: ${oddity}.`));
    }
  }
  if (foreign > 0) warnings.push(`${counted(foreign)} for another operating system and left out.`);
  const insecure = drafts.filter(({ release }) => release.downloadUrl?.startsWith('http:')).length;
  if (insecure > 0) warnings.push(`${counted(insecure)} downloaded over plain http.`);
  const converted = await notes.read(drafts.map((draft) => draft.notes));
  const releases = drafts.map(({ release }, position): FeedRelease => {
    const { markdown, format, warning } = converted[position] ?? { markdown: '', format: 'none', warning: null };
    if (warning !== null) warnings.push(`Release ${release.version}: ${warning}.`);
    return { ...release, notes: markdown, notesFormat: format };
  });
  return { releases, warnings: shortened(warnings) };
}

const counted = (count: number): string => (count === 1 ? '1 item is' : `${count} items are`);

function shortened(warnings: readonly string[]): string[] {
  if (warnings.length <= mostWarnings) return [...warnings];
  return [...warnings.slice(0, mostWarnings), `… and ${warnings.length - mostWarnings} more.`];
}

/** A release but for its notes, which are converted for all items at once. */
interface Draft {
  readonly kind: 'release';
  readonly release: Omit<FeedRelease, 'notes' | 'notesFormat'>;
  readonly notes: NotesSource | null;
  readonly oddities: readonly string[];
}

type Outcome = Draft | { readonly kind: 'skipped'; readonly why: string } | { readonly kind: 'foreign' };

const skipped = (why: string): Outcome => ({ kind: 'skipped', why });

const sparkleRefuses = 'the application itself refuses a whole feed with such an item';

/** Long enough for any version that a person wrote. */
const longestVersion = 128;

function readItem(item: XmlNode, index: number, address: string | null): Outcome {
  const enclosure = child(item, 'enclosure');
  const os = attribute(enclosure, 'sparkle:os');
  if (os !== null && os !== 'macos') return { kind: 'foreign' };
  if (attribute(enclosure, 'sparkle:deltaFrom') !== null) return skipped('it is a delta update outside sparkle:deltas');
  const build = versionText(item, enclosure, 'sparkle:version');
  if (build === null) return skipped(`it has no sparkle:version; ${sparkleRefuses}`);
  const version = versionText(item, enclosure, 'sparkle:shortVersionString') ?? build;
  if (Math.max(build.length, version.length) > longestVersion)
    return skipped('its version is longer than 128 characters');
  const channel = text(item, 'sparkle:channel');
  if (channel !== null && !/^[\p{L}\p{N}._-]+$/u.test(channel)) {
    // Sparkle would put it on the default channel; a mistyped name is no reason to publish a beta to everyone.
    return skipped('its sparkle:channel may have only letters, digits, full stops, hyphens and underscores');
  }
  const link = webAddress(text(item, 'link'), address);
  const enclosureUrl = webAddress(attribute(enclosure, 'url'), address);
  if (enclosure !== null && enclosureUrl === null)
    return skipped(`its enclosure has no http or https URL; ${sparkleRefuses}`);
  if (enclosure === null && link === null) return skipped(`it has neither an enclosure nor a link; ${sparkleRefuses}`);

  const oddities: string[] = [];
  const pubDate = text(item, 'pubDate');
  const publishedAt = pubDate === null ? null : publicationDate(pubDate);
  if (pubDate !== null && publishedAt === null)
    oddities.push('its pubDate cannot be read; write it as "Tue, 27 Oct 2026 09:00:00 +0000"');
  const minimumOsVersion = text(item, 'sparkle:minimumSystemVersion');
  const release: Draft['release'] = {
    version,
    build,
    channel,
    title: text(item, 'title'),
    publishedAt,
    notesUrl: webAddress(text(item, 'sparkle:releaseNotesLink'), address),
    downloadUrl: enclosureUrl ?? link,
    sizeBytes: size(attribute(enclosure, 'length')),
    signature: attribute(enclosure, 'sparkle:edSignature'),
    minimumOsVersion,
    maximumOsVersion: text(item, 'sparkle:maximumSystemVersion'),
    requiresArm64: requiresArm64(text(item, 'sparkle:hardwareRequirements'), minimumOsVersion),
    critical: criticality(item),
    index,
  };
  return { kind: 'release', release, notes: notesOf(item), oddities };
}

const named = (node: XmlNode, name: string): XmlNode[] => node.children.filter((candidate) => candidate.name === name);

/** Of several elements of one name (one for each xml:lang) the English one, else the first. No xml:lang means English. */
function child(node: XmlNode, name: string): XmlNode | null {
  const candidates = named(node, name);
  const english = candidates.find((candidate) => /^en(?:-|$)/i.test(candidate.attributes.get('xml:lang') ?? 'en'));
  return english ?? candidates[0] ?? null;
}

function text(node: XmlNode, name: string): string | null {
  return child(node, name)?.text.trim() || null;
}

function attribute(node: XmlNode | null, name: string): string | null {
  return node?.attributes.get(name)?.trim() || null;
}

/** Sparkle looks at the enclosure first, then at the item. */
const versionText = (item: XmlNode, enclosure: XmlNode | null, name: string): string | null =>
  attribute(enclosure, name) ?? text(item, name);

/** Absolute, or null when it is not http or https. */
function webAddress(written: string | null, base: string | null): string | null {
  if (written === null) return null;
  const escaped = written.replaceAll(' ', '%20');
  const url = base === null ? URL.parse(escaped) : URL.parse(escaped, base);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
}

function size(written: string | null): number | null {
  const bytes = /^\d{1,15}$/.test(written ?? '') ? Number(written) : 0;
  return bytes > 0 ? bytes : null;
}

/** macOS 27 and later run on Apple silicon alone, so Sparkle reads such a minimum as the requirement. */
function requiresArm64(hardware: string | null, minimumOsVersion: string | null): boolean {
  if (
    (hardware ?? '')
      .toLowerCase()
      .split(/[\s,]+/)
      .includes('arm64')
  )
    return true;
  return minimumOsVersion !== null && compareSparkleVersions(minimumOsVersion, '27.0') >= 0;
}

function criticality(item: XmlNode): FeedRelease['critical'] {
  const element = child(item, 'sparkle:criticalUpdate');
  if (element !== null) return { belowBuild: attribute(element, 'sparkle:version') };
  const tags = child(item, 'sparkle:tags');
  return tags !== null && child(tags, 'sparkle:criticalUpdate') !== null ? { belowBuild: null } : null;
}

function notesOf(item: XmlNode): NotesSource | null {
  const description = child(item, 'description');
  if (description === null || description.text.trim() === '') return null;
  const format = attribute(description, 'sparkle:format')?.toLowerCase();
  return { text: description.text, format: format === 'markdown' || format === 'plain-text' ? format : 'html' };
}

/** The item's place, from 1, and what it calls itself. */
function labelOf(item: XmlNode, index: number): string {
  const name = text(item, 'title') ?? versionText(item, child(item, 'enclosure'), 'sparkle:version');
  return name === null ? `${index + 1}` : `${index + 1} (${name.replace(/[\s\p{C}]+/gu, ' ').slice(0, 60)})`;
}
