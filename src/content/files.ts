/** Reads the files of docs/, releases/, prompts/ and assets/, each on its own. */
import { posix } from 'node:path';
import { sha256Hex } from '../base/hash.ts';
import { docPath } from '../markdown/links.ts';
import { parseMarkdown } from '../markdown/markdown.ts';
import type { Asset, Prompt } from './content.ts';
import { type Fault, fileFault } from './fault.ts';
import { type Folder, readBytes } from './folder.ts';
import { type PageReading, type PlacedLink, placeLinks, readPage, readPrompt, unreadPage } from './pages.ts';
import { decodeText } from './text.ts';

/** Everything that was read from the files of a folder, with or without faults. */
export interface FileReadings {
  /** Pages by slug. */
  readonly pages: Map<string, PageReading>;
  readonly prompts: Prompt[];
  /** Release notes (Markdown) by version. */
  readonly releaseNotes: Map<string, string>;
  /** Links and anchors of each file of release notes. */
  readonly releaseLinks: { links: readonly PlacedLink[]; anchors: ReadonlySet<string> }[];
  /** Assets by path. */
  readonly assets: Map<string, Asset>;
  /** SHA-256 (hex) of each file's bytes, by path. */
  readonly digests: Map<string, string>;
  readonly faults: Fault[];
}

/** Reads everything but the YAML files and the feed's own file. Calls `onFile` before each file that may take long. */
export function readFiles(folder: Folder, feedFile: string | null, onFile: (path: string) => void): FileReadings {
  const readings: FileReadings = {
    pages: new Map(),
    prompts: [],
    releaseNotes: new Map(),
    releaseLinks: [],
    assets: new Map(),
    digests: new Map(),
    faults: [],
  };
  for (const file of folder.files) {
    const { path } = file;
    if (path === feedFile || !path.includes('/')) continue;
    const fault = findPlaceFault(path);
    const bytes = fault === null ? readBytes(file) : '';
    if (fault !== null) readings.faults.push(fault);
    else if (typeof bytes === 'string') readings.faults.push(fileFault(path, bytes));
    else {
      readings.digests.set(path, sha256Hex(bytes));
      if (path.startsWith('assets/')) readings.assets.set(path, { path, mediaType: getMediaType(path) ?? '', bytes });
      else {
        onFile(path);
        addMarkdown(path, bytes, readings);
      }
    }
  }
  return readings;
}

function addMarkdown(path: string, bytes: Buffer, readings: FileReadings): void {
  const decoded = decodeText(path, bytes);
  if (path.startsWith('docs/')) {
    addPage('fault' in decoded ? unreadPage(path, decoded.fault) : readPage(path, decoded.text), readings);
  } else if ('fault' in decoded) readings.faults.push(decoded.fault);
  else if (path.startsWith('prompts/')) {
    const { prompt, faults } = readPrompt(path, decoded.text);
    if (prompt !== null) readings.prompts.push(prompt);
    readings.faults.push(...faults);
  } else addReleaseNotes(path, decoded.text, readings);
}

function addPage(page: PageReading, { pages, faults }: FileReadings): void {
  const taken = pages.get(page.slug);
  faults.push(...page.faults);
  if (taken === undefined) pages.set(page.slug, page);
  else {
    const message = `${docPath(page.slug)} is the address of ${taken.file} already: rename one of them, or remove it.`;
    faults.push(fileFault(page.file, message));
  }
}

function addReleaseNotes(path: string, text: string, { releaseNotes, releaseLinks, faults }: FileReadings): void {
  const { links, headings } = parseMarkdown(text);
  releaseNotes.set(path.slice('releases/'.length, -'.md'.length), text.trim());
  releaseLinks.push({ links: placeLinks(path, links), anchors: new Set(headings.map(({ anchor }) => anchor)) });
  if (text.trim() === '') faults.push(fileFault(path, 'the notes are empty: write them, or remove the file.'));
}

/** Returns the fault of a file that does not belong where it is, or null. */
function findPlaceFault(path: string): Fault | null {
  const [folder = '', ...rest] = path.split('/');
  if (folder === 'assets') {
    return getMediaType(path) === null
      ? fileFault(path, `this kind of file is not served; assets/ takes ${assetExtensions}.`)
      : null;
  }
  if (!path.endsWith('.md')) {
    const advice = getMediaType(path) === null ? 'rename it, or remove it' : 'rename it, or move it to assets/';
    return fileFault(path, `files in ${folder}/ end in \`.md\`: ${advice}.`);
  }
  if (folder === 'docs') return null;
  if (rest.length > 1) return fileFault(path, `files in ${folder}/ are not nested: move this one up.`);
  if (folder === 'releases' && !/^[0-9A-Za-z][0-9A-Za-z.+_-]*\.md$/.test(rest[0] ?? '')) {
    return fileFault(path, "the file's name must be a version and `.md`, such as `1.4.0.md`.");
  }
  return null;
}

/** Media types of the files that are served, by extension. */
const mediaTypes: ReadonlyMap<string, string> = new Map([
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
  ['.webp', 'image/webp'],
  ['.gif', 'image/gif'],
  ['.avif', 'image/avif'],
  ['.mp4', 'video/mp4'],
  ['.webm', 'video/webm'],
  ['.ico', 'image/x-icon'],
  ['.pdf', 'application/pdf'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
]);

/** The extensions of served files, for messages. */
const assetExtensions: string = [...mediaTypes.keys()].join(', ');

/** Returns the media type of a file by its extension, or null for a kind that is not served. */
const getMediaType = (path: string): string | null => mediaTypes.get(posix.extname(path).toLowerCase()) ?? null;

/** Tells whether assets/ may contain such a file. */
export const isServedFile = (path: string): boolean => getMediaType(path) !== null;
