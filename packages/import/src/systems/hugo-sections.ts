/** Builds the navigation of a Hugo site: sections by weight and title. */
import { posix } from 'node:path';
import { toTitle } from '../blocks.ts';
import { createFolderEntries } from '../folder-entries.ts';
import { isTrue, toText } from '../front-matter.ts';
import type { Entry, SourcePage } from '../site.ts';

/**
 * Returns the path of the folder to which a page belongs as its own page: `a/b` for `a/b.md`, `a/b/index.md` and `a/b/_index.md`,
 * and `.` for the source's root. The folder need not exist.
 */
const getFolder = ({ file }: SourcePage): string =>
  /(?:^|\/)_?index\.[\w.]*(?:md|markdown)$/.test(file) ? posix.dirname(file) : file.replace(/\.\w+$/, '');

/**
 * Returns the menu entries of the pages in the folder `root`, a path in the source, with a group for each folder directly in it.
 * They are sorted by weight (those without one or with 0 last) and then by title; the page of `root` itself is first. Pages with
 * `toc_hide` or `bookHidden` in their front matter are left out.
 */
export function readSections(pages: readonly SourcePage[], root: string): Entry[] {
  const menuPages = pages.filter(
    ({ frontMatter }) => !isTrue(frontMatter.values.toc_hide) && !isTrue(frontMatter.values.bookHidden),
  );
  const byFolder = new Map(menuPages.map((page) => [getFolder(page), page]));
  const folders = new Set(menuPages.map(({ file }) => posix.dirname(file)).flatMap(listWithAncestors));
  const getTitle = (page: SourcePage): string => page.label ?? toText(page.frontMatter.values.title) ?? page.file;
  const getWeight = (page: SourcePage | undefined): number => page?.order || Number.POSITIVE_INFINITY;
  const entries = createFolderEntries(root, menuPages, {
    rank: (page) => (folders.has(getFolder(page)) ? null : getWeight(page)),
    name: getTitle,
    group: (folder) => {
      const page = byFolder.get(folder);
      const name = page === undefined ? toTitle(posix.basename(folder)) : getTitle(page);
      return { title: page === undefined ? name : page.label, file: page?.file ?? null, rank: getWeight(page), name };
    },
  });
  const page = byFolder.get(root);
  return page === undefined ? entries : [{ title: page.label, file: page.file }, ...entries];
}

const listWithAncestors = (folder: string): string[] =>
  folder.split('/').map((_, index, names) => names.slice(0, index + 1).join('/'));
