/** The navigation of a Hugo site: sections by weight and title. */
import { posix } from 'node:path';
import { compare } from 'colophon/authoring';
import { titleOfName } from '../blocks.ts';
import { isTrue, textOf } from '../front-matter.ts';
import type { Entry, SourcePage } from '../site.ts';

const isSection = ({ file }: SourcePage): boolean => /(?:^|\/)_index\.[\w.]*(?:md|markdown)$/.test(file);
const folderOf = ({ file }: SourcePage): string =>
  /(?:^|\/)_?index\.[\w.]*(?:md|markdown)$/.test(file) ? posix.dirname(file) : file.replace(/\.\w+$/, '');

/** By weight (those without one last), then by title. */
export function sectionEntries(pages: readonly SourcePage[], folder: string): Entry[] {
  const shown = pages.filter(({ matter }) => !isTrue(matter.values.toc_hide) && !isTrue(matter.values.bookHidden));
  const titleOf = (page: SourcePage): string => page.label ?? textOf(page.matter.values.title) ?? page.file;
  const inside = shown.filter((page) => posix.dirname(folderOf(page)) === folder && folderOf(page) !== folder);
  const bare = new Set(
    shown
      .map((page) =>
        folderOf(page)
          .slice(folder.length + 1)
          .split('/'),
      )
      .filter(
        (parts, index) =>
          shown[index] !== undefined && folderOf(shown[index]).startsWith(`${folder}/`) && parts.length > 1,
      )
      .map(([name = '']) => name),
  );
  for (const page of inside) bare.delete(posix.basename(folderOf(page)));
  const root = shown.find((page) => isSection(page) && folderOf(page) === folder);
  const items = [
    ...inside.map((page) => ({
      weight: page.order ?? 0,
      title: titleOf(page),
      entry: entryOf(page, sectionEntries(pages, folderOf(page))),
    })),
    ...[...bare].map((name) => {
      const title = titleOfName(name);
      const entry: Entry = { kind: 'group', title, file: null, entries: sectionEntries(pages, `${folder}/${name}`) };
      return { weight: 0, title, entry };
    }),
  ];
  const rank = (weight: number): number => (weight === 0 ? Number.POSITIVE_INFINITY : weight);
  const sorted = items
    // The difference of two infinite ranks is NaN, which counts as equal.
    .sort((a, b) => rank(a.weight) - rank(b.weight) || compare(a.title, b.title))
    .map(({ entry }) => entry);
  const isTop =
    root !== undefined &&
    !pages.some((page) => page !== root && root.file.startsWith(`${folderOf(page)}/`) && isSection(page));
  return isTop && root !== undefined ? [{ kind: 'page', file: root.file, title: root.label }, ...sorted] : sorted;
}

const entryOf = (page: SourcePage, inner: readonly Entry[]): Entry =>
  inner.length === 0
    ? { kind: 'page', file: page.file, title: page.label }
    : { kind: 'group', title: page.label, file: page.file, entries: inner };
