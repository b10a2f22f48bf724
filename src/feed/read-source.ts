/** Reads the bytes of a source into releases, file by file; a file that cannot be read is skipped with a warning. */
import type { Workers } from '../worker/pool.ts';
import { createLinkKey, type LinkedNotes } from './linked-notes.ts';
import type { NotesReader } from './notes.ts';
import type { ItemOptions, ParsedItem } from './parse-item.ts';
import { parseItemsApart } from './parse-items.ts';
import type { FeedRelease, FeedWarning, NotesLink, NotesSource, SourceKind } from './release.ts';

/** The releases of a source, with their notes converted. */
export interface SourceContent {
  readonly kind: SourceKind;
  /** Releases in the order of `ParsedItems`. */
  readonly releases: readonly FeedRelease[];
  /** The warnings about the source, at most 50, and then one with the number of those that are left out. */
  readonly warnings: readonly FeedWarning[];
  /** Whether it is an appcast in which some URLs are relative to its own. */
  readonly hasRelativeUrls: boolean;
  /** The notes links of items that have no notes in the feed, each once, without a page that several versions share. */
  readonly notesLinks: readonly NotesLink[];
}

/** The options of parsing, and what notes are converted with. */
export interface SourceOptions extends ItemOptions {
  readonly notes: NotesReader;
  readonly workers: Pick<Workers, 'run'>;
  /**
   * Returns the notes behind `links` that were fetched, by the `createLinkKey` of their link. Absent where no notes are fetched.
   */
  linkedNotes?(links: readonly NotesLink[]): LinkedNotes;
}

const maxWarnings = 50;

/**
 * Reads a source into releases, an item that cannot be read into a warning; `content` is its bytes without its signature block.
 * Rejects with a FeedFault (`refused`) if the source is not known or not valid or takes too long, and with an error of the workers
 * that is no WorkerError.
 */
export async function readSource(content: Uint8Array, options: SourceOptions): Promise<SourceContent> {
  const { notes: reader, workers, linkedNotes, ...itemOptions } = options;
  const { kind, items, warnings, hasRelativeUrls } = await parseItemsApart(content, itemOptions, workers);
  const notesLinks = listNotesLinks(items);
  const fetchedNotes: LinkedNotes = linkedNotes?.(notesLinks) ?? new Map();
  const sources = items.map(({ notes, link, release }): NotesSource | null => {
    if (notes === null) return link === null ? null : (fetchedNotes.get(createLinkKey(link)) ?? null);
    return { ...notes, url: release.notesUrl ?? release.fullNotesUrl ?? options.address };
  });
  const convertedNotes = await reader.read(sources);
  const releases = items.map(({ release }, position): FeedRelease => {
    const { markdown, format, warning } = convertedNotes[position] ?? { markdown: '', format: 'none', warning: null };
    if (warning !== null) warnings.push({ line: release.line, message: `Release ${release.version}: ${warning}.` });
    return { ...release, notes: markdown, notesFormat: format };
  });
  return { kind, releases, warnings: shortenWarnings(warnings), hasRelativeUrls, notesLinks };
}

/**
 * Returns the links of the items that have one, which have no notes of their own, each once. A page that several versions share is
 * left out: it is a history, and is linked to, not published with each of them.
 */
function listNotesLinks(items: readonly ParsedItem[]): NotesLink[] {
  const byKey = Map.groupBy(
    items.flatMap((item) => (item.link === null ? [] : [{ item, link: item.link }])),
    ({ link }) => createLinkKey(link),
  );
  return [...byKey.values()].flatMap((uses) => {
    const [first] = uses;
    if (first === undefined) return [];
    const isHistory = new Set(uses.map(({ item }) => item.release.version)).size > 1;
    return isHistory ? [] : [first.link];
  });
}

function shortenWarnings(warnings: readonly FeedWarning[]): FeedWarning[] {
  if (warnings.length <= maxWarnings) return [...warnings];
  const more = { line: null, message: `… and ${warnings.length - maxWarnings} more.` };
  return [...warnings.slice(0, maxWarnings), more];
}
