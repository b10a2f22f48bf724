/** Builds the navigation of systems that order pages by their folders. */
import { posix } from 'node:path';
import { compare } from 'colophon/authoring';
import { toTitle } from './blocks.ts';
import type { Entry, SourcePage } from './site.ts';

/** How a system orders and names the entries of a folder. */
export interface FolderRules {
  /** Returns the place of a page in its folder: lower ones first, equal ones by `name`. Null leaves the page out. */
  rank(page: SourcePage, folder: string): number | null;
  /** Returns what pages of one rank are sorted by; by default their file. */
  name?(page: SourcePage): string;
  /**
   * Returns the group for a folder, without its entries; `pages` are those in the folder and below it. The group is sorted among
   * the pages next to it by `rank` and then by `name`, which is the folder's path by default.
   */
  group(
    folder: string,
    pages: readonly SourcePage[],
  ): Omit<Entry, 'entries'> & { readonly rank: number; readonly name?: string };
}

/**
 * Returns the entries of the pages in a folder, with a group for each folder directly in it that contains pages, in the order of
 * `rules`. The title of a page is its label. A group stays, without entries, if all of its pages are left out. `folder` is a path
 * in the source, empty for its root.
 */
export function createFolderEntries(folder: string, pages: readonly SourcePage[], rules: FolderRules): Entry[] {
  const prefix = folder === '' ? '' : `${folder}/`;
  const inside = pages.filter(({ file }) => file.startsWith(prefix));
  const items = inside.flatMap((page) => {
    const rank = getFolder(page.file) === folder ? rules.rank(page, folder) : null;
    const entry: Entry = { title: page.label, file: page.file };
    return rank === null ? [] : [{ rank, name: rules.name?.(page) ?? page.file, entry }];
  });
  for (const name of listSubfolders(inside, prefix)) {
    const path = `${prefix}${name}`;
    const below = inside.filter(({ file }) => file.startsWith(`${path}/`));
    const { rank, name: groupName = path, ...group } = rules.group(path, below);
    items.push({ rank, name: groupName, entry: { ...group, entries: createFolderEntries(path, below, rules) } });
  }
  // The difference of two infinite ranks is NaN, which `||` treats like 0, so that the names decide.
  return items.sort((a, b) => a.rank - b.rank || compare(a.name, b.name)).map(({ entry }) => entry);
}

/** Returns the folder of a file, empty for the root. */
const getFolder = (file: string): string => posix.dirname(file).replace(/^\.$/, '');

/**
 * Returns the names of the folders directly below the one with the path `prefix` that contain pages. `prefix` ends with `/`, or is
 * empty for the root; all `pages` are below it.
 */
const listSubfolders = (pages: readonly SourcePage[], prefix: string): Set<string> =>
  new Set(
    pages.flatMap(({ file }) => {
      const [name = '', ...rest] = file.slice(prefix.length).split('/');
      return rest.length > 0 ? [name] : [];
    }),
  );

const indexFile = /(?:^|\/)(?:index|readme)\.(?:md|mdx|markdown)$/i;

/**
 * The rules for a folder whose order no configuration defines: its index, its pages by their `order`, those without one by file,
 * then its folders by path. An index with an `order` is sorted by that. A folder's title is made from its name.
 */
export const plainFolderRules: FolderRules = {
  rank: ({ file, order }) => order ?? (indexFile.test(file) ? -1 : 10_000),
  group: (folder) => ({ title: toTitle(posix.basename(folder)), rank: 20_000 }),
};
