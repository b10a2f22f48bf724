/** Reads an appcast's bytes into releases, item by item: a bad one is skipped with a warning. */
import type { Workers } from '../worker/pool.ts';
import { readDrafts } from './drafts.ts';
import type { Draft } from './item.ts';
import { type LinkedNotes, linkKey } from './linked-notes.ts';
import type { NotesReader } from './notes.ts';
import type { FeedRelease, FeedWarning, NotesLink, NotesSource } from './release.ts';
import type { Languages } from './xml.ts';

export interface Appcast {
  /** In the feed's order. */
  readonly releases: readonly FeedRelease[];
  readonly warnings: readonly FeedWarning[];
  /** Whether some of its URLs are relative to the feed's own. */
  readonly hasRelativeUrls: boolean;
  /** The notes links of items that have no notes in the feed, each once. */
  readonly notesLinks: readonly NotesLink[];
}

export interface AppcastOptions {
  /** The URL that the feed is at, against which relative ones are resolved; null when nobody knows it. */
  readonly address: string | null;
  /** Of texts in several languages, the one that is wanted. */
  readonly languages: Languages;
  /** Whether a signature of the feed was verified. */
  readonly isVerified: boolean;
  readonly notes: NotesReader;
  readonly workers: Pick<Workers, 'run'>;
  /** What was fetched of the notes that items only link to. */
  linkedNotes?(links: readonly NotesLink[]): LinkedNotes;
}

const mostWarnings = 50;

/** `content` is the signed part of the feed. Throws a FeedFault (`refused`) when it is no appcast at all. */
export async function readAppcast(content: Uint8Array, options: AppcastOptions): Promise<Appcast> {
  const { address, languages, isVerified } = options;
  const { drafts, warnings, hasRelativeUrls } = await readDrafts(
    content,
    { address, languages, isVerified },
    options.workers,
  );
  const notesLinks = linksOf(drafts);
  const fetched: LinkedNotes = options.linkedNotes?.(notesLinks) ?? new Map();
  const sources = drafts.map(({ notes, link, release }): NotesSource | null => {
    if (notes === null) return link === null ? null : (fetched.get(linkKey(link)) ?? null);
    return { ...notes, url: release.notesUrl ?? release.fullNotesUrl ?? options.address };
  });
  const converted = await options.notes.read(sources);
  const releases = drafts.map(({ release }, position): FeedRelease => {
    const { markdown, format, warning } = converted[position] ?? { markdown: '', format: 'none', warning: null };
    if (warning !== null) warnings.push({ line: release.line, message: `Release ${release.version}: ${warning}.` });
    return { ...release, notes: markdown, notesFormat: format };
  });
  return { releases, warnings: shortened(warnings), hasRelativeUrls, notesLinks };
}

/** A page that several versions share is a history: it is linked to, and not published with each of them. */
function linksOf(drafts: readonly Draft[]): NotesLink[] {
  const byKey = Map.groupBy(
    drafts.flatMap((draft) => (draft.link === null ? [] : [{ draft, link: draft.link }])),
    ({ link }) => linkKey(link),
  );
  return [...byKey.values()].flatMap((uses) => {
    const [first] = uses;
    if (first === undefined) return [];
    const isHistory = new Set(uses.map(({ draft }) => draft.release.version)).size > 1;
    return isHistory ? [] : [first.link];
  });
}

function shortened(warnings: readonly FeedWarning[]): FeedWarning[] {
  if (warnings.length <= mostWarnings) return [...warnings];
  const more = { line: null, message: `… and ${warnings.length - mostWarnings} more.` };
  return [...warnings.slice(0, mostWarnings), more];
}
