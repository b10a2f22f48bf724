/** Reads the files of docs/, releases/, prompts/ and assets/, each on its own. */
import { posix } from 'node:path';
import { getDocPath } from '../markdown/links.ts';
import type { Asset, FolderRelease, Prompt } from './content.ts';
import { createFileFault, type Fault } from './fault.ts';
import { type Folder, readBytes, readText } from './folder.ts';
import { createUnreadPage, type LinkedText, type ParsedPage, readPage, readPrompt, readRelease } from './pages.ts';

/** Everything that was read from the files of a folder, with or without faults. */
export interface ParsedFiles {
  /** Pages by slug. */
  readonly pages: Map<string, ParsedPage>;
  readonly prompts: Prompt[];
  /** Release notes (Markdown) by version. */
  readonly releaseNotes: Map<string, string>;
  /** The releases that have a date and downloads. */
  readonly releases: FolderRelease[];
  /** The links of each file of release notes. */
  readonly releaseTexts: LinkedText[];
  /** Assets by path: the files of assets/, and the images and videos of docs/. */
  readonly assets: Map<string, Asset>;
  readonly faults: Fault[];
}

/**
 * Reads every listed file of docs/, releases/, prompts/ and assets/ that is not among `feedFiles`, and adds the SHA-256 (hex) of
 * each to `digests`, by path. A file that does not belong where it is, or whose bytes cannot be read, is a fault and has no digest.
 * Does not throw.
 *
 * @param onFile is called with the path of each Markdown file, before it is read
 */
export function readFiles(
  folder: Folder,
  feedFiles: readonly string[],
  digests: Map<string, string>,
  onFile: (path: string) => void,
): ParsedFiles {
  const files: ParsedFiles = {
    pages: new Map(),
    prompts: [],
    releaseNotes: new Map(),
    releases: [],
    releaseTexts: [],
    assets: new Map(),
    faults: [],
  };
  for (const file of folder.files) {
    const { path } = file;
    if (feedFiles.includes(path) || !path.includes('/')) continue;
    const problem = findMisplacement(path);
    if (problem !== null) files.faults.push(createFileFault(path, problem));
    else if (path.startsWith('assets/') || isPicture(path)) addAsset(path, readBytes(file, digests), files);
    else {
      onFile(path);
      addMarkdown(path, readText(file, digests), files);
    }
  }
  return files;
}

function addAsset(path: string, read: ReturnType<typeof readBytes>, { assets, faults }: ParsedFiles): void {
  if ('fault' in read) faults.push(read.fault);
  else assets.set(path, { path, mediaType: getMediaType(path) ?? '', bytes: read.bytes });
}

function addMarkdown(path: string, read: ReturnType<typeof readText>, files: ParsedFiles): void {
  if (path.startsWith('docs/')) {
    addPage('fault' in read ? createUnreadPage(path, read.fault) : readPage(path, read.text), files);
  } else if ('fault' in read) files.faults.push(read.fault);
  else if (path.startsWith('prompts/')) {
    const { prompt, faults } = readPrompt(path, read.text);
    if (prompt !== null) files.prompts.push(prompt);
    files.faults.push(...faults);
  } else addRelease(path, read.text, files);
}

function addPage(page: ParsedPage, { pages, faults }: ParsedFiles): void {
  faults.push(...page.faults);
  const { file, slug } = page;
  const earlier = pages.get(slug)?.file;
  if (earlier === undefined) pages.set(slug, page);
  else {
    const message = `${getDocPath(slug)} is the address of ${earlier} already: rename one of them, or remove it.`;
    faults.push(createFileFault(file, message));
  }
}

function addRelease(path: string, text: string, { releases, releaseNotes, releaseTexts, faults }: ParsedFiles): void {
  const version = path.slice('releases/'.length, -'.md'.length);
  const releaseFile = readRelease(path, text);
  const { release, notes } = releaseFile;
  faults.push(...releaseFile.faults);
  if (release !== null) releases.push({ version, ...release });
  if (notes.trim() !== '') releaseNotes.set(version, notes.trim());
  releaseTexts.push(releaseFile);
}

/** Returns why a file does not belong where it is, or null if it does. */
function findMisplacement(path: string): string | null {
  const [folder = '', name = '', ...nested] = path.split('/');
  const isServed = isServedFile(path);
  if (folder === 'assets') {
    return isServed ? null : `this kind of file is not served; assets/ takes ${[...mediaTypes.keys()].join(', ')}.`;
  }
  if (folder === 'docs' && isPicture(path)) return null;
  if (!path.endsWith('.md')) {
    return `files in ${folder}/ end in \`.md\`: rename it, or ${isServed ? 'move it to assets/' : 'remove it'}.`;
  }
  if (folder === 'docs') return null;
  if (nested.length > 0) return `files in ${folder}/ are not nested: move this one up.`;
  return folder !== 'releases' || /^[0-9A-Za-z][0-9A-Za-z.+_-]*\.md$/.test(name)
    ? null
    : "the file's name must be a version and `.md`, such as `1.4.0.md`.";
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

/** Returns the media type of a file by its extension, or null for a kind that is not served. */
const getMediaType = (path: string): string | null => mediaTypes.get(posix.extname(path).toLowerCase()) ?? null;

/** Returns whether assets/ may contain a file of this kind, by the extension of its path. */
export const isServedFile = (path: string): boolean => getMediaType(path) !== null;

/** Extensions, without the full stop, of images and videos, which may also be next to the pages in docs/. */
export const pictureExtensions: readonly string[] = [...mediaTypes].flatMap(([extension, type]) =>
  /^(?:image|video)\//.test(type) ? [extension.slice(1)] : [],
);

const isPicture = (path: string): boolean => pictureExtensions.includes(posix.extname(path).slice(1).toLowerCase());
