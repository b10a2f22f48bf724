/** Reads a source folder: lists its files once, reads each on demand, and never reads outside the folder. */
import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { compare } from 'colophon/authoring';

/** The files of a source folder. */
export interface SourceTree {
  /** Paths relative to the root, with `/`, sorted. */
  readonly files: readonly string[];
  /** Tells whether there is a file, and no folder, at a path relative to the root. */
  has(path: string): boolean;
  /** Returns the text of a file without a byte order mark and with `\n` only, or null if `bytes` returns null. */
  text(path: string): string | null;
  /** Returns the bytes of a file, or null if there is no such file or it has more than 64 MiB. */
  bytes(path: string): Buffer | null;
}

/** Names of the folders that programs write next to the documentation. */
const toolFiles = new Set(['.git', 'node_modules', '.docusaurus', '.astro', '.jekyll-cache', '.venv', '__pycache__']);
/** Maximum number of files of a folder, and maximum size of a file that is read, in bytes. */
const maxFiles = 200_000;
const maxBytes = 64 * 2 ** 20;

/**
 * Lists the files of a folder, except what has a name of `toolFiles`, such as `.git` or `node_modules`, and links to folders or out
 * of it. Throws an Error if the folder cannot be read or has more than 200,000 files.
 */
export function readTree(directory: string): SourceTree {
  const root = realpathSync(directory);
  const inside = root.endsWith(sep) ? root : root + sep;
  const files: string[] = [];
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (toolFiles.has(entry.name)) continue;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) walk(path);
      else if (isFile(entry, join(root, path), inside)) files.push(path);
      if (files.length > maxFiles)
        throw new Error(`${directory} has more than ${maxFiles} files: name the documentation.`);
    }
  };
  walk('');
  const fileSet = new Set(files);
  const readBytes = (path: string): Buffer | null => {
    const plain = posix.normalize(path);
    return fileSet.has(plain) && statSync(join(root, plain)).size <= maxBytes ? readFileSync(join(root, plain)) : null;
  };
  return {
    files: files.sort(compare),
    has: (path) => fileSet.has(posix.normalize(path)),
    bytes: readBytes,
    text: (path) =>
      readBytes(path)
        ?.toString('utf8')
        .replace(/^\uFEFF/, '')
        .replace(/\r\n?/g, '\n') ?? null,
  };
}

/** The error of a file that its parser rejects; `message` names the file and the reason. */
export class FileFault extends SyntaxError {}

/** Returns what `parse` makes of the text of a file, or null if there is no such file. Throws a FileFault if `parse` throws. */
export function parseFile(tree: SourceTree, file: string, parse: (text: string) => unknown): unknown {
  const text = tree.text(file);
  try {
    return text === null ? null : parse(text);
  } catch (error) {
    // The message of a TomlError has an excerpt of the file after its first line.
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new FileFault(`${file} cannot be read: ${reason}`);
  }
}

/**
 * Returns the number of the first line of a file that contains `phrase`, counted from 1; 1 if none does or there is no such file.
 */
export function findLine(tree: SourceTree, file: string, phrase: string): number {
  const text = tree.text(file) ?? '';
  const offset = text.indexOf(phrase);
  return offset === -1 ? 1 : text.slice(0, offset).split('\n').length;
}

/**
 * Tells whether an entry is a file, or a link to one in the source; `absolute` is its path, and `inside` that of the root with a
 * separator at its end.
 */
function isFile(entry: Dirent, absolute: string, inside: string): boolean {
  if (!entry.isSymbolicLink()) return entry.isFile();
  try {
    return realpathSync(absolute).startsWith(inside) && statSync(absolute).isFile();
  } catch {
    return false;
  }
}
