/** Lists and reads the files of a content folder, without following a link out of it. */
import { isUtf8 } from 'node:buffer';
import { readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { sha256Hex } from '../base/hash.ts';
import { createLineMap } from '../base/line-map.ts';
import { findNearMisses, writeDidYouMean } from '../base/near-miss.ts';
import { compare, createFileFault, type Fault } from './fault.ts';
import { yamlFiles } from './schemas.ts';

/** The folders that are read with everything in them. */
const folders = ['docs', 'releases', 'prompts', 'assets'];

/** Limits of a folder. */
export const limits = {
  /** Maximum number of files and folders. */
  files: 50_000,
  /** Maximum size of a Markdown file, in bytes. */
  pageBytes: 2 ** 20,
  /** Maximum size of a YAML file, in bytes. */
  yamlBytes: 2 * 2 ** 20,
  /** Maximum size of another file, in bytes. */
  fileBytes: 8 * 2 ** 20,
  /** Maximum size of all files together, in bytes. */
  allBytes: 512 * 2 ** 20,
} as const;

/** A file of the folder. */
export interface FolderFile {
  /** Path relative to the content folder, with `/`. */
  readonly path: string;
  /** Absolute path with every link followed. */
  readonly absolute: string;
  /** A text that differs once the file was written, or another was put in its place. */
  readonly stamp: string;
}

/** The listing of a folder. */
export interface Folder {
  /** The content folder with every link followed, or as it was given if it cannot be read. */
  readonly root: string;
  /** The files that are read, sorted by path: known YAML files, and what is in docs/, releases/, prompts/ and assets/. */
  readonly files: readonly FolderFile[];
  /** Names of everything directly in the folder. */
  readonly names: readonly string[];
  /** False if the folder cannot be read, or has more files or more bytes in all than the limits allow. */
  readonly isReadable: boolean;
  readonly faults: readonly Fault[];
}

/**
 * Lists the known YAML files, and the files at every depth of docs/, releases/, prompts/ and assets/, except names such as
 * `.DS_Store` that `isIgnored` recognizes. Does not throw: a YAML file that is missing although every folder has it, and what is
 * too large or cannot be read, is in `faults`, and not in `files`.
 */
export function listFolder(directory: string): Folder {
  const faults: Fault[] = [];
  const files: FolderFile[] = [];
  let root: string;
  let names: string[];
  try {
    root = realpathSync.native(directory);
    names = readdirSync(root).sort();
  } catch (error) {
    const fault = createFileFault('.', `the content folder ${directory} cannot be read (${describeError(error)}).`);
    return { root: directory, files, names: [], isReadable: false, faults: [fault] };
  }
  const report = (path: string, message: string) => void faults.push(createFileFault(path, message));
  let count = 0;
  let bytes = 0;

  /**
   * Adds a file, or everything in a folder. `parents` are the real paths of the folders that contain it; `expectedKind` is null if
   * it may be either.
   */
  const add = (path: string, parents: readonly string[], expectedKind: 'file' | 'folder' | null): void => {
    const target = resolveInside(root, path);
    if (typeof target === 'string') {
      report(path, target);
      return;
    }
    const { real, kind, stats } = target;
    if (kind !== (expectedKind ?? kind)) report(path, `this must be a ${expectedKind}, not a ${kind}.`);
    else if (kind === 'file') addFile(path, real, stats);
    else if (parents.includes(real)) report(path, 'this link leads to a folder that it is in.');
    else addFolder(path, [...parents, real]);
  };
  const addFile = (path: string, absolute: string, stats: Stats): void => {
    const { dev, ino, size, mtimeMs, ctimeMs } = stats;
    bytes += size;
    const maxSize = getMaxBytes(path);
    if (size > maxSize) report(path, `the file has ${size} bytes; at most ${maxSize} are read.`);
    else files.push({ path, absolute, stamp: `${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}` });
  };
  const addFolder = (path: string, parents: readonly string[]): void => {
    let children: string[] = [];
    try {
      children = readdirSync(parents.at(-1) ?? root).filter((name) => !isIgnored(name));
    } catch (error) {
      report(path, `the folder cannot be read (${describeError(error)}).`);
    }
    count += children.length;
    if (count <= limits.files) for (const name of children.sort()) add(`${path}/${name}`, parents, null);
  };

  const yamlPaths = new Map(Object.entries(yamlFiles).map(([name, { absent }]) => [`${name}.yaml`, absent]));
  for (const [name, absent] of yamlPaths) {
    if (names.includes(name)) add(name, [root], 'file');
    else if (absent === null) {
      const others = names.filter((other) => !yamlPaths.has(other));
      report(
        name,
        `the file is missing; every content folder has one.${writeDidYouMean(findNearMisses(name, others))}`,
      );
    }
  }
  for (const name of folders) if (names.includes(name)) add(name, [root], 'folder');
  const isTooMany = count > limits.files;
  const isTooLarge = bytes > limits.allBytes;
  if (isTooMany) report('.', `the folder has more than ${limits.files} files: move what is not content out of it.`);
  if (isTooLarge) report('.', `the files have more than ${limits.allBytes} bytes together.`);
  const sortedFiles = files.sort((a, b) => compare(a.path, b.path));
  return { root, files: sortedFiles, names, isReadable: !isTooMany && !isTooLarge, faults };
}

/** The file or folder that a path leads to. */
interface Target {
  /** The path with every link followed. */
  readonly real: string;
  readonly kind: 'file' | 'folder';
  readonly stats: Stats;
}

/**
 * Follows the links of a path in the folder `root`, whose own links have been followed. Returns its target, or a sentence that says
 * why it cannot be read.
 */
export function resolveInside(root: string, path: string): Target | string {
  try {
    const real = realpathSync.native(join(root, path));
    if (!real.startsWith(root.endsWith(sep) ? root : root + sep)) {
      return 'this is a link out of the content folder; put a copy here instead.';
    }
    const stats = statSync(real);
    if (!stats.isFile() && !stats.isDirectory()) return 'this is neither a file nor a folder.';
    return { real, kind: stats.isFile() ? 'file' : 'folder', stats };
  } catch (error) {
    return `this cannot be read (${describeError(error)}).`;
  }
}

/** Reads a file and adds the SHA-256 (hex) of its bytes to `digests`, by its path. Returns a fault if it cannot be read. */
export function readBytes(
  { path, absolute }: FolderFile,
  digests: Map<string, string>,
): { bytes: Buffer } | { fault: Fault } {
  try {
    const bytes = readFileSync(absolute);
    digests.set(path, sha256Hex(bytes));
    return { bytes };
  } catch (error) {
    return { fault: createFileFault(path, `the file cannot be read (${describeError(error)}).`) };
  }
}

/**
 * Reads a UTF-8 file like `readBytes`; bytes that are not UTF-8, and a NUL, are faults. The text has no byte order mark, and lines
 * end in `\n`.
 */
export function readText(file: FolderFile, digests: Map<string, string>): { text: string } | { fault: Fault } {
  const content = readBytes(file, digests);
  if ('fault' in content) return content;
  const text = normalizeText(content.bytes.toString('utf8'));
  const createFault = (offset: number, message: string) => ({
    fault: { file: file.path, ...createLineMap(text)(offset), message },
  });
  if (!isUtf8(content.bytes)) {
    const { length } = normalizeText(content.bytes.subarray(0, findInvalidByte(content.bytes)).toString('utf8'));
    return createFault(length, 'this is not UTF-8: save the file as UTF-8.');
  }
  const nul = text.indexOf('\0');
  return nul === -1 ? { text } : createFault(nul, 'there is a NUL character here: remove it.');
}

const normalizeText = (text: string): string => text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');

/**
 * Returns the offset of the first byte that is not UTF-8, or -1: decoding replaces it, so that encoding again gives other bytes
 * from there on.
 */
function findInvalidByte(bytes: Buffer): number {
  const validBytes = Buffer.from(bytes.toString('utf8'));
  return bytes.findIndex((byte, index) => byte !== validBytes[index]);
}

/** Returns the maximum size of a file by its extension, in bytes. */
const getMaxBytes = (path: string): number =>
  path.endsWith('.md') ? limits.pageBytes : path.endsWith('.yaml') ? limits.yamlBytes : limits.fileBytes;

/** Returns whether a name is ignored: one that begins with `.`, or that of an editor's temporary file, such as `a~` or `#a#`. */
export const isIgnored = (name: string): boolean => /^\.|~$|\.sw[op]$|^#.*#$/.test(name);

/** The errors of the file system in words, by code. */
const reasons: Record<string, string> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  ENOTDIR: 'it is not a folder',
  ELOOP: 'its links lead in a circle',
};

function describeError(error: unknown): string {
  const code = error instanceof Error ? String(Reflect.get(error, 'code') ?? error.message) : String(error);
  return reasons[code] ?? code;
}
