/** Finds the images and files that pages use, and assigns each a path in assets/. */
import { posix } from 'node:path';
import { decodeUri, isServedFile, limits } from 'colophon/authoring';
import type { SourceTree } from './tree.ts';

/** The files that pages show or link to, with their paths in the content folder that they are copied to. */
export interface Assets {
  /**
   * Adds the file at a path of the source, and returns its path in the content folder, such as `assets/images/window.png`. If it
   * cannot be served, it is not added, and `reason` says why in a clause such as `it cannot be read`.
   */
  place(path: string): { readonly target: string } | { readonly reason: string };
  /** Adds an image that was fetched from a URL, or returns false if its bytes have no format that pages can show. */
  add(url: string, bytes: Buffer): boolean;
  /** Returns the path in the content folder of the image that `add` added from a URL, or null if it added none. */
  fetched(url: string): string | null;
  /** The bytes of each file by its path in the content folder. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/**
 * Creates an empty collection for files of `tree`. The new path of a file below assets/ is its path in the innermost of `folders`,
 * the public folders and that of the pages, that contains it, or in the source if none does; if other bytes have that path already,
 * the name gets `-2` and so on.
 */
export function createAssets(tree: SourceTree, folders: readonly string[]): Assets {
  const files = new Map<string, Buffer>();
  const images = new Map<string, string>();
  const longest = [...folders].filter((folder) => folder !== '').sort((a, b) => b.length - a.length);

  const place = (path: string): { target: string } | { reason: string } => {
    if (!isServedFile(path)) return { reason: 'files of this kind are not served' };
    const bytes = tree.bytes(path);
    if (bytes === null) return { reason: 'it cannot be read' };
    if (bytes.length > limits.fileBytes) return { reason: `it has more than ${limits.fileBytes} bytes` };
    const folder = longest.find((name) => path.startsWith(`${name}/`));
    return { target: store(folder === undefined ? path : path.slice(folder.length + 1), bytes) };
  };
  const store = (path: string, bytes: Buffer): string => {
    const preferredPath = `assets/${toPlainPath(path)}`;
    const extension = posix.extname(preferredPath);
    let target = preferredPath;
    for (let count = 2; files.has(target) && files.get(target)?.equals(bytes) !== true; count += 1) {
      target = `${preferredPath.slice(0, -extension.length)}-${count}${extension}`;
    }
    files.set(target, bytes);
    return target;
  };
  const add = (url: string, bytes: Buffer): boolean => {
    const extension = detectExtension(bytes);
    if (extension === null) return false;
    const { hostname = '', pathname = '' } = URL.parse(url, 'https://old.invalid') ?? {};
    const name = decodeUri(pathname).replace(/\.(?:png|jpe?g|gif|webp|avif|svg)$/i, '');
    images.set(url, store(`${hostname}${name}${extension}`, bytes));
    return true;
  };
  return { files, place, add, fetched: (url) => images.get(url) ?? null };
}

/**
 * Returns the extension for the format of an image by its first bytes: `.png`, `.jpg`, `.gif`, `.webp`, `.avif` or `.svg`, or null
 * for any other format, which pages cannot show.
 */
function detectExtension(bytes: Buffer): string | null {
  const start = bytes.toString('latin1', 0, 400);
  if (start.startsWith('\x89PNG')) return '.png';
  if (start.startsWith('\xff\xd8\xff')) return '.jpg';
  if (start.startsWith('GIF8')) return '.gif';
  if (/^RIFF[\s\S]{4}WEBP/.test(start)) return '.webp';
  if (/^[\s\S]{4}ftypavi[fs]/.test(start)) return '.avif';
  return /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*|<!DOCTYPE[^>]*>\s*)*<svg[\s>]/i.test(start) ? '.svg' : null;
}

/**
 * Returns a path without `.` and `_` at the beginning of its names, and without names that are then empty or `assets`. A hyphen
 * replaces each run of characters other than letters, digits and `._@+-`.
 */
const toPlainPath = (path: string): string =>
  path
    .split('/')
    .map((part) => part.replace(/^[._]+/, '').replace(/[^\p{L}\p{N}._@+-]+/gu, '-'))
    .filter((part) => part !== '' && part !== 'assets')
    .join('/');
