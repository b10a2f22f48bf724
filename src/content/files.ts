/** Reads the files of docs/, releases/, prompts/ and assets/, each on its own. */

import { posix } from 'node:path';
import { sha256Hex } from '../base/hash.ts';
import { docPath } from '../markdown/links.ts';
import type { Asset, Prompt } from './content.ts';
import type { Fault } from './fault.ts';
import { compare, fileFault } from './fault.ts';
import { type Folder, readBytes } from './folder.ts';
import { type MarkdownReading, readMarkdown, unreadMarkdown } from './markdown-file.ts';
import type { PageReading, PlacedLink } from './pages.ts';
import { decodeText } from './text.ts';

export interface FileReadings {
  /** By slug. */
  readonly pages: Map<string, PageReading>;
  readonly prompts: Prompt[];
  /** By version. */
  readonly releaseNotes: Map<string, string>;
  readonly releaseLinks: { links: readonly PlacedLink[]; anchors: ReadonlySet<string> }[];
  /** By path. */
  readonly assets: Map<string, Asset>;
  /** SHA-256 of each file's bytes, by path. */
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
  const pages: PageReading[] = [];
  for (const file of folder.files) {
    const { path } = file;
    if (path === feedFile || !path.includes('/')) continue;
    const fault = placeFault(path);
    const bytes = fault ?? readBytes(file);
    if (fault !== null) readings.faults.push(fault);
    else if (typeof bytes === 'string') readings.faults.push(fileFault(path, bytes));
    else if (Buffer.isBuffer(bytes)) {
      readings.digests.set(path, sha256Hex(bytes));
      if (path.startsWith('assets/')) readings.assets.set(path, { path, mediaType: mediaTypeOf(path) ?? '', bytes });
      else {
        onFile(path);
        const reading = readText(path, bytes);
        if (reading.kind === 'page') pages.push(reading.page);
        else addOther(reading, readings);
      }
    }
  }
  addPages(pages, readings);
  return readings;
}

/** In the order of their files, so that of two for one address it is always the same that is in the way. */
function addPages(pages: readonly PageReading[], readings: FileReadings): void {
  for (const page of [...pages].sort((a, b) => compare(a.file, b.file))) {
    const taken = readings.pages.get(page.slug);
    readings.faults.push(...page.faults);
    if (taken === undefined) readings.pages.set(page.slug, page);
    else {
      const message = `${docPath(page.slug)} is the address of ${taken.file} already: rename one of them, or remove it.`;
      readings.faults.push(fileFault(page.file, message));
    }
  }
}

function readText(path: string, bytes: Buffer): MarkdownReading {
  const decoded = decodeText(path, bytes);
  return 'fault' in decoded ? unreadMarkdown(path, decoded.fault) : readMarkdown(path, decoded.text);
}

function addOther(reading: Exclude<MarkdownReading, { kind: 'page' }>, readings: FileReadings): void {
  readings.faults.push(...reading.faults);
  if (reading.kind === 'prompt') {
    if (reading.prompt !== null) readings.prompts.push(reading.prompt);
    return;
  }
  const { version, notes, links, anchors } = reading;
  readings.releaseNotes.set(version, notes);
  readings.releaseLinks.push({ links, anchors });
}

/** A file that does not belong where it is. */
function placeFault(path: string): Fault | null {
  const [folder = '', ...rest] = path.split('/');
  if (folder === 'assets') {
    return mediaTypeOf(path) === null
      ? fileFault(path, `this kind of file is not served; assets/ takes ${assetExtensions}.`)
      : null;
  }
  if (!path.endsWith('.md')) {
    const advice = mediaTypeOf(path) === null ? 'rename it, or remove it' : 'rename it, or move it to assets/';
    return fileFault(path, `files in ${folder}/ end in \`.md\`: ${advice}.`);
  }
  if (folder === 'docs') return null;
  if (rest.length > 1) return fileFault(path, `files in ${folder}/ are not nested: move this one up.`);
  if (folder === 'releases' && !/^[0-9A-Za-z][0-9A-Za-z.+_-]*\.md$/.test(rest[0] ?? '')) {
    return fileFault(path, "the file's name must be a version and `.md`, such as `1.4.0.md`.");
  }
  return null;
}

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

/** `.svg, .png, …`, for messages. */
const assetExtensions: string = [...mediaTypes.keys()].join(', ');

/** By the file's extension, or null for a kind that is not served. */
const mediaTypeOf = (path: string): string | null => mediaTypes.get(posix.extname(path).toLowerCase()) ?? null;

/** Whether assets/ takes such a file. */
export const isServedFile = (path: string): boolean => mediaTypeOf(path) !== null;
