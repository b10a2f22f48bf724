/** The images and files that pages use, each with a place in assets/. */
import { posix } from 'node:path';
import { decodeUri, isServedFile, limits } from 'colophon/authoring';
import type { SourceTree } from './tree.ts';

/** The files that pages show or link to, as they are copied. */
export interface Assets {
  /** Adds a file of the source and returns its place, such as `assets/images/window.png`, or why it cannot be served. */
  place(path: string): { readonly target: string } | { readonly reason: string };
  /** Adds an image that was fetched, and returns whether it can be served. */
  add(url: string, bytes: Buffer): boolean;
  /** Returns the place of an image that was fetched, or null. */
  fetched(url: string): string | null;
  /** The bytes of each file by its place. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/** Creates an empty collection. `folders` are left out of the places of their files: the public folders, and that of the pages. */
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

/** Returns the extension for the format of an image by its first bytes, or null if pages cannot show it. */
function detectExtension(bytes: Buffer): string | null {
  const start = bytes.toString('latin1', 0, 400);
  if (start.startsWith('\x89PNG')) return '.png';
  if (start.startsWith('\xff\xd8\xff')) return '.jpg';
  if (start.startsWith('GIF8')) return '.gif';
  if (/^RIFF[\s\S]{4}WEBP/.test(start)) return '.webp';
  if (/^[\s\S]{4}ftypavi[fs]/.test(start)) return '.avif';
  return /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*|<!DOCTYPE[^>]*>\s*)*<svg[\s>]/i.test(start) ? '.svg' : null;
}

/** Returns a path of names that need no encoding in an address and that are not hidden. */
const toPlainPath = (path: string): string =>
  path
    .split('/')
    .map((part) => part.replace(/^[._]+/, '').replace(/[^\p{L}\p{N}._@+-]+/gu, '-'))
    .filter((part) => part !== '' && part !== 'assets')
    .join('/');
