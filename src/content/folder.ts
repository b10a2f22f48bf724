/** Lists the files of a content folder, without following a link out of it. */
import type { Dirent } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { didYouMean, nearMisses } from '../base/near-miss.ts';
import type { Fault } from './content.ts';
import { compare, fileFault } from './fault.ts';

export const yamlFiles = ['product.yaml', 'faq.yaml', 'pricing.yaml', 'features.yaml', 'requirements.yaml'] as const;
const folders = ['docs', 'releases', 'prompts', 'assets'];

export const limits = {
  files: 50_000,
  /** Of a markdown file. */
  pageBytes: 2 ** 20,
  fileBytes: 8 * 2 ** 20,
  allBytes: 512 * 2 ** 20,
} as const;

export interface FolderFile {
  /** Relative to the content folder, with `/`. */
  readonly path: string;
  readonly absolute: string;
}

export interface Folder {
  /** The content folder with every link followed. */
  readonly root: string;
  /** Sorted by path. */
  readonly files: readonly FolderFile[];
  /** Everything directly in the folder. */
  readonly names: readonly string[];
  /** False when it is not there, or is more than is read. */
  readonly isReadable: boolean;
  readonly faults: readonly Fault[];
}

/** Lists the five YAML files and everything in docs/, releases/, prompts/ and assets/; other names are left alone. */
export async function listFolder(directory: string): Promise<Folder> {
  const faults: Fault[] = [];
  const files: FolderFile[] = [];
  let root: string;
  let entries: Dirent[];
  try {
    root = await realpath(directory);
    entries = await readdir(root, { withFileTypes: true });
  } catch (error) {
    const fault = fileFault('.', `the content folder ${directory} cannot be read (${reasonOf(error)}).`);
    return { root: directory, files, names: [], isReadable: false, faults: [fault] };
  }
  const names = entries.map(({ name }) => name).sort(compare);
  let seen = 0;
  let bytes = 0;

  /** `above` holds the real paths of the folders that this one is in. */
  const walk = async (path: string, above: readonly string[]): Promise<void> => {
    if (seen >= limits.files) return;
    seen += 1;
    if (seen === limits.files) {
      faults.push(
        fileFault('.', `the folder has more than ${limits.files} files: move what is not content out of it.`),
      );
      return;
    }
    const found = await resolveInside(root, path);
    if (typeof found === 'string') {
      faults.push(fileFault(path, found));
      return;
    }
    const wanted = path.includes('/') ? null : folders.includes(path) ? 'folder' : 'file';
    if (found.isFolder) {
      if (wanted === 'file') faults.push(fileFault(path, 'this must be a file, not a folder.'));
      else if (above.includes(found.real)) faults.push(fileFault(path, 'this link leads to a folder that it is in.'));
      else
        for (const name of await namesIn(found.real, path, faults))
          await walk(`${path}/${name}`, [...above, found.real]);
      return;
    }
    if (wanted === 'folder') {
      faults.push(fileFault(path, 'this must be a folder, not a file.'));
      return;
    }
    const most = path.endsWith('.md') ? limits.pageBytes : limits.fileBytes;
    if (found.size > most) {
      faults.push(fileFault(path, `the file has ${found.size} bytes; at most ${most} are read.`));
      return;
    }
    bytes += found.size;
    if (bytes > limits.allBytes && bytes - found.size <= limits.allBytes) {
      faults.push(fileFault('.', `the files have more than ${limits.allBytes} bytes together.`));
    }
    if (bytes <= limits.allBytes) files.push({ path, absolute: found.real });
  };

  for (const name of yamlFiles) {
    if (names.includes(name)) await walk(name, [root]);
    else {
      const others = nearMisses(
        name,
        names.filter((other) => !yamlFiles.some((known) => known === other)),
      );
      faults.push(fileFault(name, `the file is missing; every content folder has one.${didYouMean(others)}`));
    }
  }
  for (const name of folders) if (names.includes(name)) await walk(name, [root]);
  const isReadable = seen < limits.files && bytes <= limits.allBytes;
  return { root, files: files.sort((a, b) => compare(a.path, b.path)), names, isReadable, faults };
}

/** What a path in the folder is once links are followed, or a sentence that says why it cannot be read. */
export async function resolveInside(
  root: string,
  path: string,
): Promise<{ real: string; isFolder: boolean; size: number } | string> {
  try {
    const real = await realpath(join(root, path));
    if (!real.startsWith(root.endsWith(sep) ? root : root + sep)) {
      return 'this is a link out of the content folder; put a copy here instead.';
    }
    const found = await stat(real);
    if (!found.isFile() && !found.isDirectory()) return 'this is neither a file nor a folder.';
    return { real, isFolder: found.isDirectory(), size: found.size };
  } catch (error) {
    return `this cannot be read (${reasonOf(error)}).`;
  }
}

/** The file's bytes, or a sentence that says why they cannot be read. */
export async function readBytes(file: FolderFile): Promise<Buffer | string> {
  try {
    return await readFile(file.absolute);
  } catch (error) {
    return `the file cannot be read (${reasonOf(error)}).`;
  }
}

/** What editors and systems leave beside the files that they work on. */
export const isIgnored = (name: string): boolean => /^\.|~$|\.sw[op]$|^#.*#$/.test(name);

async function namesIn(real: string, path: string, faults: Fault[]): Promise<string[]> {
  try {
    return (await readdir(real)).filter((name) => !isIgnored(name)).sort(compare);
  } catch (error) {
    faults.push(fileFault(path, `the folder cannot be read (${reasonOf(error)}).`));
    return [];
  }
}

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
