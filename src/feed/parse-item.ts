/** Parses one item of an appcast into a release by the rules of Sparkle’s updater, or returns why the item is skipped. */
import { compareSparkleVersions } from '../base/sparkle-version.ts';
import type { SystemName } from '../base/systems.ts';
import type { ReleaseSource } from '../content/source-schema.ts';
import { describeFile, findArch, findSystems, getLastSegment } from './file-names.ts';
import { parsePublicationDate } from './publication-date.ts';
import type { FeedRelease, FeedWarning, NotesLink, NotesSource, SourceKind } from './release.ts';
import type { SignaturePolicy } from './signature.ts';
import { isRelative, readSize, resolveWebAddress } from './web-address.ts';
import { findChild, getAttribute, readChildText, type XmlNode } from './xml.ts';

/** The facts in product.yaml about the files of a source, for those that do not have them. */
export interface SourceHints extends Partial<Pick<ReleaseSource, 'os' | 'arch' | 'channel' | 'assets'>> {
  /** The text before the version in the tags of a GitHub repository, '' for none; if it is left out, all tags must begin alike. */
  readonly tagPrefix?: string | undefined;
}

/** The address and the keys of a source, and the facts that its files may lack. */
export interface ItemOptions extends SourceHints {
  /**
   * The URL or path of the source. The system, processor and channel of a list of electron-builder are read from its file name, or
   * from that of `address` if `source` does not end in .yml.
   */
  readonly source?: string;
  /** Public keys, as product.yaml has them, of which any may have signed the files; none if left out. */
  readonly publicKeys?: readonly string[];
  /** Whether a file that is not signed is left out, which only Tauri's files are checked for. @defaultValue off */
  readonly policy?: SignaturePolicy;
  /** The base of relative URLs, or null if nobody knows where the feed is. */
  readonly address: string | null;
  /** Preferred languages of texts in several languages, best first, as BCP 47 tags. */
  readonly languages: readonly string[];
  /** Whether a signature of the feed was verified: then no build is read out of a file name. */
  readonly isVerified: boolean;
}

/** An item as it is in the feed, before its notes are converted. */
export interface ParsedItem {
  readonly kind: 'release';
  readonly release: Omit<FeedRelease, 'notes' | 'notesFormat'>;
  /** The item's own notes, or null. */
  readonly notes: NotesSource | null;
  /** The link to notes that the item does not contain, or null. */
  readonly link: NotesLink | null;
  /** Remarks for its author, each a clause without a full stop, such as `its pubDate cannot be read`. */
  readonly warnings: readonly string[];
}

/** The files that a source lists, as items, and warnings about them and about those that are left out. */
export interface ParsedItems {
  readonly kind: SourceKind;
  /** Items in the feed's order; those of a GitHub repository are by version, newest first. */
  readonly items: readonly ParsedItem[];
  readonly warnings: FeedWarning[];
  /** Whether it is an appcast in which some URLs are relative to its own. */
  readonly hasRelativeUrls: boolean;
}

/** The result of parsing an item: the item, or the clause that says why it is skipped. */
export type Outcome = ParsedItem | { readonly kind: 'skipped'; readonly why: string };

const skipItem = (why: string): Outcome => ({ kind: 'skipped', why });

const sparkleRefuses = 'the application itself refuses a whole feed with such an item';

/** Maximum length of a version, in characters: longer than any that a person wrote. */
const maxVersionLength = 128;

/**
 * Parses one item of an appcast, of which `selectLanguage` has left one element of each name, and whose place in the feed is
 * `index`, from 0. One that the updater does not take, or that cannot be read, is `skipped`. Signatures are not checked.
 */
export function parseItem(item: XmlNode, index: number, options: ItemOptions): Outcome {
  const { address } = options;
  const enclosure = findChild(item, 'enclosure');
  if (getAttribute(enclosure, 'sparkle:deltaFrom') !== null)
    return skipItem('it is a delta update outside sparkle:deltas');
  const warnings: string[] = [];
  const build = readVersion(item, enclosure, 'sparkle:version') ?? readBuildFromFileName(enclosure, options, warnings);
  if (build === null) return skipItem(`it has no sparkle:version; ${sparkleRefuses}`);
  const version = readVersion(item, enclosure, 'sparkle:shortVersionString') ?? build;
  if (Math.max(build.length, version.length) > maxVersionLength)
    return skipItem('its version is longer than 128 characters');
  const channel = readChildText(item, 'sparkle:channel');
  if (channel !== null && !/^[\p{L}\p{N}._-]+$/u.test(channel)) {
    // Sparkle would put the item on the default channel, and a mistyped name is no reason to publish a beta to everyone.
    return skipItem('its sparkle:channel may have only letters, digits, full stops, hyphens and underscores');
  }
  const places = findPlaces(item, enclosure, options);
  if (typeof places === 'string') return skipItem(places);
  const pubDate = readChildText(item, 'pubDate');
  const publishedAtTime = pubDate === null ? null : parsePublicationDate(pubDate);
  if (pubDate !== null && publishedAtTime === null)
    warnings.push('its pubDate cannot be read; write it as "Tue, 27 Oct 2026 09:00:00 +0000"');
  const minimumOsVersion = readChildText(item, 'sparkle:minimumSystemVersion');
  const hardware = parseHardware(readChildText(item, 'sparkle:hardwareRequirements'));
  const notes = findNotes(item);
  if (notes.source?.format === 'html' && looksLikeMarkdown(notes.source.text))
    warnings.push(
      'its description is Markdown and read as HTML, so that it becomes one line; write <description sparkle:format="markdown">',
    );
  const system = findSystem(getAttribute(enclosure, 'sparkle:os'), places.downloadUrl, options.os ?? 'macOS');
  if (system === null) return skipItem('its sparkle:os names a system that is neither macOS, Windows nor Linux');
  const release: ParsedItem['release'] = {
    source: 'appcast',
    version,
    build,
    channel,
    title: readChildText(item, 'title'),
    publishedAtTime,
    notesUrl: resolveWebAddress(readChildText(item, 'sparkle:releaseNotesLink'), address) ?? notes.url,
    fullNotesUrl: resolveWebAddress(readChildText(item, 'sparkle:fullReleaseNotesLink'), address),
    ...places,
    signature: places.isInformational ? null : limitLength(getAttribute(enclosure, 'sparkle:edSignature'), 88),
    sha256: null,
    sha512: null,
    os: system.os,
    arch: system.arch ?? (system.os === 'macOS' && requiresArm64(hardware, minimumOsVersion) ? 'arm64' : null),
    namedArch: findArch(getLastSegment(places.downloadUrl)),
    format: system.format,
    minimumOsVersion,
    maximumOsVersion: readChildText(item, 'sparkle:maximumSystemVersion'),
    hardware,
    critical: readCriticality(item),
    minimumUpdateBuild: limitLength(readChildText(item, 'sparkle:minimumUpdateVersion')),
    minimumAutoupdateBuild: limitLength(readChildText(item, 'sparkle:minimumAutoupdateVersion')),
    phasedRolloutSeconds: readSeconds(readChildText(item, 'sparkle:phasedRolloutInterval')),
    feedIndex: index,
    line: item.line,
  };
  const link = notes.source === null ? findNotesLink(item, release) : null;
  return { kind: 'release', release, notes: notes.source, link, warnings };
}

interface ItemSystem extends Pick<FeedRelease, 'os' | 'arch' | 'format'> {}

/**
 * Returns the system of an item. Sparkle's own items name none or `macos`; WinSparkle's name `windows`, `windows-x64`,
 * `windows-arm64` or `windows-x86`, or none, since the attribute is optional there; NetSparkle looks for the name of a system in
 * it, in any case. The words that count are those of file names, so `darwin` is macOS. An item that names none has the system of
 * its file, and `preset` if that says none or is a zip or tar archive.
 *
 * @returns null if it names another system
 */
function findSystem(systemName: string | null, url: string, preset: SystemName): ItemSystem | null {
  const file = describeFile(url);
  const { os, format } = file === null || file === 'conflict' ? { os: null, format: null } : file;
  if (systemName === null)
    return { os: format === 'zip' || format === 'tar' ? preset : (os ?? preset), arch: null, format };
  const [namedOs] = findSystems(systemName);
  return namedOs === undefined
    ? null
    : { os: namedOs, arch: namedOs === 'macOS' ? null : findArch(systemName), format };
}

/** Returns the link to the notes of this release, or else to those of all releases, which cannot be signed, or null if it has neither. */
function findNotesLink(item: XmlNode, { notesUrl, fullNotesUrl }: ParsedItem['release']): NotesLink | null {
  if (notesUrl === null) return fullNotesUrl === null ? null : { url: fullNotesUrl, signature: null, length: null };
  const element = findChild(item, 'sparkle:releaseNotesLink');
  const signature = limitLength(getAttribute(element, 'sparkle:edSignature'), 88);
  return {
    url: notesUrl,
    signature,
    length: readSize(getAttribute(element, 'sparkle:length') ?? getAttribute(element, 'length')),
  };
}

/**
 * Returns what the item at `index`, from 0, is called in a warning, such as `3 (Larder 2.0)`: its place, from 1, and the first 60
 * characters of its title or else of its build. It is only the place if the item has neither.
 */
export function getLabel(item: XmlNode, index: number): string {
  const name = readChildText(item, 'title') ?? readVersion(item, findChild(item, 'enclosure'), 'sparkle:version');
  return name === null ? `${index + 1}` : `${index + 1} (${name.replace(/[\s\p{C}]+/gu, ' ').slice(0, 60)})`;
}

/** Returns a version of an item, or null. Sparkle looks at the attribute of the enclosure first, then at the element of the item. */
const readVersion = (item: XmlNode, enclosure: XmlNode | null, name: string): string | null =>
  getAttribute(enclosure, name) ?? readChildText(item, name);

/**
 * Returns the build in a file name such as `Larder_2.0.zip`, the part between the last underscore and the extension, and adds a
 * warning, as Sparkle does (SUAppcastItem) where it requires no signed feed. Returns null if the name has none or a signature of
 * the feed was verified.
 */
function readBuildFromFileName(
  enclosure: XmlNode | null,
  { isVerified }: ItemOptions,
  warnings: string[],
): string | null {
  const name = isVerified ? null : (getAttribute(enclosure, 'url') ?? '').split('_').slice(1).at(-1);
  const build = name?.replace(/\.[^./]*$/, '');
  if (!build) return null;
  warnings.push(`it has no sparkle:version; the updater takes ${JSON.stringify(build)} from the name of the file`);
  return build;
}

type Places = Pick<FeedRelease, 'downloadUrl' | 'isInformational' | 'sizeBytes'>;

/** Returns the download of an item, or the link that an informational one has instead, or a clause that says why it has neither. */
function findPlaces(item: XmlNode, enclosure: XmlNode | null, { address }: ItemOptions): Places | string {
  const link = resolveWebAddress(readChildText(item, 'link'), address);
  const enclosureUrl = getAttribute(enclosure, 'url');
  const archive = resolveWebAddress(enclosureUrl, address);
  if (enclosureUrl !== null && archive === null) {
    return isRelative(enclosureUrl)
      ? 'its enclosure’s URL is relative, and nothing says to what: write the feed’s own URL as feed.base_url in product.yaml'
      : `its enclosure has no http or https URL; ${sparkleRefuses}`;
  }
  if (link !== null && (archive === null || isInformationalForAll(item)))
    return { downloadUrl: link, isInformational: true, sizeBytes: null };
  if (archive !== null)
    return { downloadUrl: archive, isInformational: false, sizeBytes: readSize(getAttribute(enclosure, 'length')) };
  const what = enclosure === null ? 'it has neither an enclosure nor a link' : 'its enclosure has no URL';
  return `${what}; ${sparkleRefuses}`;
}

/**
 * Returns whether an item has `sparkle:informationalUpdate` without versions: it is then informational for all who are offered it.
 */
function isInformationalForAll(item: XmlNode): boolean {
  const element = findChild(item, 'sparkle:informationalUpdate');
  return element?.children.every(({ name }) => name !== 'sparkle:version' && name !== 'sparkle:belowVersion') ?? false;
}

/** Returns the whole number, its first nine digits at most, that the text begins with, or null if it is not above 0. */
function readSeconds(text: string | null): number | null {
  const number = Number(/^\+?(\d{1,9})/.exec(text ?? '')?.[1] ?? 0);
  return number > 0 ? number : null;
}

/** Returns a text, or null if it is null or longer than `maxLength` characters, as no version or signature is. */
const limitLength = (text: string | null, maxLength = maxVersionLength): string | null =>
  text === null || text.length > maxLength ? null : text;

const maxHardware = 32;

function parseHardware(text: string | null): string[] {
  const names = (text ?? '').toLowerCase().split(/[\s,]+/);
  return [...new Set(names.filter((name) => name !== '' && name.length <= 64))].slice(0, maxHardware);
}

/**
 * Returns whether a file needs Apple silicon. macOS 27 and later run on nothing else, so Sparkle reads such a minimum as the
 * requirement.
 */
const requiresArm64 = (hardware: readonly string[], minimumOsVersion: string | null): boolean =>
  hardware.includes('arm64') || (minimumOsVersion !== null && compareSparkleVersions(minimumOsVersion, '27.0') >= 0);

function readCriticality(item: XmlNode): FeedRelease['critical'] {
  const element = findChild(item, 'sparkle:criticalUpdate');
  if (element !== null) return { belowBuild: limitLength(getAttribute(element, 'sparkle:version')) };
  const tags = findChild(item, 'sparkle:tags');
  return tags !== null && findChild(tags, 'sparkle:criticalUpdate') !== null ? { belowBuild: null } : null;
}

/** Returns whether a text without any tag has lines that begin as headings or items of lists do in Markdown. */
const looksLikeMarkdown = (text: string): boolean =>
  !/<[a-z/!]/i.test(text) && /^[ \t]*(?:#{1,6}|[-*+]|\d{1,3}\.) +\S/m.test(text);

/**
 * Returns the notes of an item's description, or the URL of the notes if the description is nothing but a URL; both are null if the
 * description is missing or blank.
 */
function findNotes(item: XmlNode): { source: NotesSource | null; url: string | null } {
  const description = findChild(item, 'description');
  const text = description?.text.trim() ?? '';
  if (description === null || text === '') return { source: null, url: null };
  const url = /^https?:\/\/\S+$/i.test(text) ? resolveWebAddress(text, null) : null;
  if (url !== null) return { source: null, url };
  const format = getAttribute(description, 'sparkle:format')?.toLowerCase();
  const source: NotesSource = {
    text: description.text,
    format: format === 'markdown' || format === 'plain-text' ? format : 'html',
  };
  return { source, url: null };
}
