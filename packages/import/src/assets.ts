/** The images and files that pages use, each with a place in assets/. */
import { posix } from 'node:path';
import { isServedFile, limits } from 'colophon/authoring';
import type { SourceTree } from './tree.ts';

export interface Assets {
  /** The place of a file of the source, such as `assets/images/window.png`; a reason where it has none. */
  place(path: string): { readonly target: string } | { readonly reason: string };
  /** By place. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/** `folders` are those whose names say nothing of a file: the public folders, and those of the pages. */
export function createAssets(tree: SourceTree, folders: readonly string[]): Assets {
  const files = new Map<string, Buffer>();
  const longest = [...folders].filter((folder) => folder !== '').sort((a, b) => b.length - a.length);

  const place = (path: string): { target: string } | { reason: string } => {
    if (!isServedFile(path)) return { reason: 'files of this kind are not served' };
    const bytes = tree.bytes(path);
    if (bytes === null) return { reason: 'it cannot be read' };
    if (bytes.length > limits.fileBytes) return { reason: `it has more than ${limits.fileBytes} bytes` };
    const folder = longest.find((name) => path.startsWith(`${name}/`));
    const wanted = `assets/${plainPath(folder === undefined ? path : path.slice(folder.length + 1))}`;
    const extension = posix.extname(wanted);
    let target = wanted;
    for (let count = 2; files.has(target) && files.get(target)?.equals(bytes) !== true; count += 1) {
      target = `${wanted.slice(0, -extension.length)}-${count}${extension}`;
    }
    files.set(target, bytes);
    return { target };
  };
  return { files, place };
}

/** Names that need no encoding in an address, and that no system hides. */
const plainPath = (path: string): string =>
  path
    .split('/')
    .map((part) => part.replace(/^[._]+/, '').replace(/[^\p{L}\p{N}._@+-]+/gu, '-'))
    .filter((part) => part !== '' && part !== 'assets')
    .join('/');
