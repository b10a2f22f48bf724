/** Release notes that the feed only links to: fetched once for each release, in the background, and kept with the feed's copy. */
import type { Clock } from '../base/clock.ts';
import { sha256Hex } from '../base/hash.ts';
import type { Log } from '../base/log.ts';
import { getMessage } from '../base/thrown.ts';
import { fetchLinked } from './fetch.ts';
import { maxSourceLength } from './notes-text.ts';
import type { NotesLink, NotesSource } from './release.ts';
import { isSignedBy, type SignaturePolicy } from './signature.ts';

/** Fetched notes by the key of their link. */
export type LinkedNotes = ReadonlyMap<string, NotesSource>;

/** Fetched notes as they are stored: `key` is that of their link. */
export type StoredNotes = NotesSource & {
  readonly key: string;
  /** The URL in the link, or null if the notes had none. */
  readonly url: string | null;
  /** The URL that they came from after redirects, or null if the notes had none. */
  readonly base: string | null;
};

/** Returns the key of a link to notes, a SHA-256 in hexadecimal digits: with another signature or length it is another text. */
export const createLinkKey = ({ url, signature, length }: NotesLink): string =>
  sha256Hex(JSON.stringify([url, signature, length]));

/** How notes behind links are fetched and verified. */
export interface LinkedNotesOptions {
  readonly publicKeys: readonly string[];
  readonly policy: SignaturePolicy;
  readonly clock: Clock;
  readonly log: Log;
  /** Aborted when nobody wants the notes any more. */
  readonly signal: AbortSignal;
}

const deadlineMs = 15_000;
/** The number of fetched notes in a batch; each batch makes a new revision of the catalog. */
const batchSize = 25;
/** A link that failed is tried again with a later check of the feed, after this time. */
const retryMs = 3_600_000;
/** The number of links in a row that may fail until the next check, since their host may be down. */
const maxFailuresInARow = 3;
/** UTF-16 units of all notes together: they are held in memory and saved with the feed. */
const maxStored = 16 * 1024 * 1024;

/**
 * Creates the store of the notes behind the links of a feed, empty at first: `fetch` gets those that are missing, `find` and
 * `listStored` return fetched ones, and `restore` adds saved ones. Only `fetch` can reject, and only if its callback does.
 */
export function createLinkedNotes(options: LinkedNotesOptions) {
  const { clock, log, signal } = options;
  const storedNotes = new Map<string, NotesSource>();
  const retryAt = new Map<string, number>();

  const isDue = (link: NotesLink): boolean =>
    !storedNotes.has(createLinkKey(link)) && (retryAt.get(createLinkKey(link)) ?? 0) <= clock.monotonic();

  async function attempt(link: NotesLink, source: string | null): Promise<boolean> {
    const key = createLinkKey(link);
    try {
      storedNotes.set(key, await fetchNotes(link, source, options));
      return true;
    } catch (thrown) {
      retryAt.set(key, clock.monotonic() + retryMs);
      if (!signal.aborted) log.warn({ url: link.url }, `notes of a release: ${getMessage(thrown)}`);
      return false;
    }
  }

  /** Returns the notes of these links that were fetched, in the order of the links: the revision of the feed depends on it. */
  const find = (links: readonly NotesLink[]): LinkedNotes => {
    const entries = links.map(createLinkKey).map((key) => [key, storedNotes.get(key)] as const);
    return new Map(entries.filter((entry): entry is readonly [string, NotesSource] => entry[1] !== undefined));
  };

  return {
    find,
    /** Lists the fetched notes of these links as they are stored. */
    listStored: (links: readonly NotesLink[]): StoredNotes[] =>
      [...find(links)].map(([key, notes]) => ({ key, url: null, base: null, ...notes })),
    /** Adds notes that an earlier process fetched and stored, so that they are not fetched again. */
    restore(notes: readonly StoredNotes[]): void {
      for (const { key, ...source } of notes) storedNotes.set(key, source);
    },
    /**
     * Fetches the notes of these links that are missing, one after the other until `maxFailuresInARow` fail, `maxStored` is
     * exceeded or `signal` is aborted, and calls `onNew` after each batch and at the end if there is something new. `source` is the
     * feed's own URL, or null for a file. Rejects only if `onNew` does: a link that fails is logged, and tried again an hour later
     * at the earliest.
     */
    async fetch(links: readonly NotesLink[], source: string | null, onNew: () => Promise<void>): Promise<void> {
      let fresh = 0;
      let failures = 0;
      for (const link of links.filter(isDue)) {
        const total = [...storedNotes.values()].reduce((sum, { text }) => sum + text.length, 0);
        if (signal.aborted || failures === maxFailuresInARow || total > maxStored) break;
        const hasSucceeded = await attempt(link, source);
        failures = hasSucceeded ? 0 : failures + 1;
        if (hasSucceeded) fresh += 1;
        if (fresh === batchSize) {
          await onNew();
          fresh = 0;
        }
      }
      if (fresh > 0 && !signal.aborted) await onNew();
    },
  };
}

/**
 * Fetches the notes behind a link, of long ones the beginning; `source` is the feed's URL, null for one from a file. Throws an
 * Error that says what is wrong: they cannot be fetched, or the length or signature of the whole file is not the one that the link
 * states. A signature is not checked with the policy `off` or without keys, and may be missing unless the policy is `required`.
 */
async function fetchNotes(
  link: NotesLink,
  source: string | null,
  { publicKeys, policy, signal, clock }: LinkedNotesOptions,
): Promise<NotesSource> {
  if (policy === 'required' && link.signature === null)
    throw new Error('the link has no sparkle:edSignature, and the feed has to be signed');
  const { bytes, url, contentType } = await fetchLinked(link.url, source, { deadlineMs, signal, now: clock.now() });
  if (link.length !== null && link.length !== bytes.length)
    throw new Error(`they have ${bytes.length} bytes, and the feed says ${link.length}`);
  const { signature } = link;
  if (signature !== null && publicKeys.length > 0 && policy !== 'off') {
    const isGood = publicKeys.some((key) => isSignedBy(bytes, Buffer.from(signature, 'base64'), key));
    if (!isGood) throw new Error('their signature does not match');
  }
  const format = findFormat(url, contentType);
  const text = decodeNotes(bytes, contentType).slice(0, maxSourceLength + 1);
  return { format, base: url, url: link.url, text: format === 'markdown' ? text.replace(signWarning, '') : text };
}

/** Sparkle's tools put it before notes that they sign. */
const signWarning = /^\s*<!-- sparkle-sign-warning:[\s\S]*?-->\n?/;

/**
 * Returns the format of fetched notes by the media type or the extension in `url`: Markdown, plain text (by `.txt` only if the
 * media type is not HTML), and otherwise HTML, Sparkle's default.
 */
function findFormat(url: string, contentType: string): NotesSource['format'] {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  const { pathname } = new URL(url);
  if (/^text\/(?:x-)?markdown$/.test(type) || /\.(?:md|markdown)$/i.test(pathname)) return 'markdown';
  if (type === 'text/plain' || (!type.includes('html') && /\.txt$/i.test(pathname))) return 'plain-text';
  return 'html';
}

function decodeNotes(bytes: Buffer, contentType: string): string {
  const charset = /charset="?([\w-]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
