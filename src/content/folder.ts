/** Lists and reads the files of a content folder, without following a link out of it. */
import { type Dirent, readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { didYouMean, nearMisses } from '../base/near-miss.ts';
import type { Fault } from './fault.ts';
import { compare, fileFault } from './fault.ts';
import { yamlFiles } from './schemas.ts';

const folders = ['docs', 'releases', 'prompts', 'assets'];

/** Limits of a folder. */
export const limits = {
  files: 50_000,
  /** Maximum size of a Markdown file, in bytes. */
  pageBytes: 2 ** 20,
  /** Maximum size of a YAML file, in bytes. */
  yamlBytes: 2 * 2 ** 20,
  fileBytes: 8 * 2 ** 20,
  allBytes: 512 * 2 ** 20,
} as const;

/** A file of the folder. */
export interface FolderFile {
  /** Path relative to the content folder, with `/`. */
  readonly path: string;
  readonly absolute: string;
  /** A text that differs once the file was written, or another was put in its place. */
  readonly stamp: string;
}

/** The listing of a folder. */
export interface Folder {
  /** The content folder with every link followed. */
  readonly root: string;
  /** All files, sorted by path. */
  readonly files: readonly FolderFile[];
  /** Names of everything directly in the folder. */
  readonly names: readonly string[];
  /** False if the folder does not exist or exceeds the limits. */
  readonly isReadable: boolean;
  readonly faults: readonly Fault[];
}

/** Lists the YAML files and everything in docs/, releases/, prompts/ and assets/; other names are ignored. */
export function listFolder(directory: string): Folder {
  const faults: Fault[] = [];
  const files: FolderFile[] = [];
  let root: string;
  let names: string[];
  try {
    root = realpathSync(directory);
    names = readdirSync(root).sort(compare);
  } catch (error) {
    const fault = fileFault('.', `the content folder ${directory} cannot be read (${reasonOf(error)}).`);
    return { root: directory, files, names: [], isReadable: false, faults: [fault] };
  }
  let count = 0;
  let bytes = 0;

  const addFile = (path: string, absolute: string, stats: Stats) => {
    const { size } = stats;
    const maxSize = getMaxBytes(path);
    if (size > maxSize) faults.push(fileFault(path, `the file has ${size} bytes; at most ${maxSize} are read.`));
    bytes += size;
    if (size <= maxSize) files.push({ path, absolute, stamp: createStamp(stats) });
  };
  /** `above` holds the real paths of the folders that this one is in, itself included. */
  const walk = (path: string, above: readonly string[]): void => {
    const real = above.at(-1) ?? root;
    let entries: Dirent[];
    try {
      entries = readdirSync(real, { withFileTypes: true });
    } catch (error) {
      faults.push(fileFault(path, `the folder cannot be read (${reasonOf(error)}).`));
      return;
    }
    const children = entries.filter(({ name }) => !isIgnored(name)).sort((a, b) => compare(a.name, b.name));
    count += children.length;
    if (count > limits.files) return;
    for (const entry of children) {
      if (entry.isFile()) addPlainFile(`${path}/${entry.name}`, join(real, entry.name));
      else add(`${path}/${entry.name}`, above);
    }
  };
  /** A plain file in a folder that is inside the root is inside it too: nothing needs to be followed. */
  const addPlainFile = (path: string, absolute: string): void => {
    try {
      addFile(path, absolute, statSync(absolute));
    } catch (error) {
      faults.push(fileFault(path, `this cannot be read (${reasonOf(error)}).`));
    }
  };
  const add = (path: string, above: readonly string[], wanted?: 'file' | 'folder'): void => {
    const target = resolveInside(root, path);
    if (typeof target === 'string') faults.push(fileFault(path, target));
    else if (target.isFolder && wanted === 'file') faults.push(fileFault(path, 'this must be a file, not a folder.'));
    else if (!target.isFolder && wanted === 'folder')
      faults.push(fileFault(path, 'this must be a folder, not a file.'));
    else if (!target.isFolder) addFile(path, target.real, target.stats);
    else if (above.includes(target.real)) faults.push(fileFault(path, 'this link leads to a folder that it is in.'));
    else walk(path, [...above, target.real]);
  };

  const expected = new Map(Object.entries(yamlFiles).map(([name, { absent }]) => [`${name}.yaml`, absent]));
  for (const [name, absent] of expected) {
    if (names.includes(name)) add(name, [root], 'file');
    else if (absent === null) {
      const others = names.filter((other) => !expected.has(other));
      const hint = didYouMean(nearMisses(name, others));
      faults.push(fileFault(name, `the file is missing; every content folder has one.${hint}`));
    }
  }
  for (const name of folders) if (names.includes(name)) add(name, [root], 'folder');
  if (count > limits.files) {
    faults.push(fileFault('.', `the folder has more than ${limits.files} files: move what is not content out of it.`));
  }
  if (bytes > limits.allBytes) {
    faults.push(fileFault('.', `the files have more than ${limits.allBytes} bytes together.`));
  }
  const isReadable = count <= limits.files && bytes <= limits.allBytes;
  return { root, files: files.sort((a, b) => compare(a.path, b.path)), names, isReadable, faults };
}

/** Follows the links of a path in the folder. Returns its target, or a sentence that says why it cannot be read. */
export function resolveInside(root: string, path: string): { real: string; isFolder: boolean; stats: Stats } | string {
  try {
    const real = realpathSync(join(root, path));
    if (!real.startsWith(root.endsWith(sep) ? root : root + sep)) {
      return 'this is a link out of the content folder; put a copy here instead.';
    }
    const stats = statSync(real);
    if (!stats.isFile() && !stats.isDirectory()) return 'this is neither a file nor a folder.';
    return { real, isFolder: stats.isDirectory(), stats };
  } catch (error) {
    return `this cannot be read (${reasonOf(error)}).`;
  }
}

/** Tells whether two listings have the same files with the same bytes. */
export const isSameListing = (one: Folder, other: Folder): boolean =>
  one.root === other.root &&
  one.files.length === other.files.length &&
  one.files.every(({ absolute, stamp }, index) => {
    const twin = other.files[index];
    return absolute === twin?.absolute && stamp === twin.stamp;
  });

const createStamp = ({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string =>
  `${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}`;

/** Returns the bytes of a file, or a sentence that says why they cannot be read. */
export function readBytes(file: FolderFile): Buffer | string {
  try {
    return readFileSync(file.absolute);
  } catch (error) {
    return `the file cannot be read (${reasonOf(error)}).`;
  }
}

/** Returns the maximum size of a file, in bytes. */
const getMaxBytes = (path: string): number =>
  path.endsWith('.md') ? limits.pageBytes : path.endsWith('.yaml') ? limits.yamlBytes : limits.fileBytes;

/** Tells whether a name is one that editors and systems leave beside the files that they work on. */
export const isIgnored = (name: string): boolean => /^\.|~$|\.sw[op]$|^#.*#$/.test(name);

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  ENOTDIR: 'it is not a folder',
  ELOOP: 'its links lead in a circle',
};

function reasonOf(error: unknown): string {
  const code = error instanceof Error ? String(Reflect.get(error, 'code') ?? error.message) : String(error);
  return reasons[code] ?? code;
}
