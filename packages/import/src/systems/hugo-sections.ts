/** The navigation of a Hugo site: sections by weight and title. */
import { posix } from 'node:path';
import { titleOfName } from '../blocks.ts';
import { folderEntries } from '../folder-entries.ts';
import { isTrue, textOf } from '../front-matter.ts';
import type { Entry, SourcePage } from '../site.ts';

/** Returns the folder that a page is the page of: `a/b` for `a/b.md`, `a/b/index.md` and `a/b/_index.md`. */
const folderOf = ({ file }: SourcePage): string =>
  /(?:^|\/)_?index\.[\w.]*(?:md|markdown)$/.test(file) ? posix.dirname(file) : file.replace(/\.\w+$/, '');

/** Returns the entries of a folder, by weight (those without one last) and then by title; the folder's page is first. */
export function readSections(pages: readonly SourcePage[], root: string): Entry[] {
  const shown = pages.filter(({ matter }) => !isTrue(matter.values.toc_hide) && !isTrue(matter.values.bookHidden));
  const byFolder = new Map(shown.map((page) => [folderOf(page), page]));
  const folders = new Set(shown.map(({ file }) => posix.dirname(file)).flatMap(withAncestors));
  const titleOf = (page: SourcePage): string => page.label ?? textOf(page.matter.values.title) ?? page.file;
  const weightOf = (page: SourcePage | undefined): number => page?.order || Number.POSITIVE_INFINITY;
  const entries = folderEntries(root, shown, {
    rank: (page) => (folders.has(folderOf(page)) ? null : weightOf(page)),
    name: titleOf,
    group: (folder) => {
      const page = byFolder.get(folder);
      const name = page === undefined ? titleOfName(posix.basename(folder)) : titleOf(page);
      return { title: page === undefined ? name : page.label, file: page?.file ?? null, rank: weightOf(page), name };
    },
  });
  const page = byFolder.get(root);
  return page === undefined ? entries : [{ title: page.label, file: page.file }, ...entries];
}

const withAncestors = (folder: string): string[] =>
  folder.split('/').map((_, index, names) => names.slice(0, index + 1).join('/'));
