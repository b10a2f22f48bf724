/** Reads Docusaurus’ sidebars: ids, categories, links, and entries that are generated from folders with _category_ files. */
import { posix } from 'node:path';
import { toTitle } from '../blocks.ts';
import { createFolderEntries, type FolderRules } from '../folder-entries.ts';
import { readYamlText, toList, toOrder, toRecord, toText } from '../front-matter.ts';
import { readModule } from '../literal.ts';
import { NotLiteral } from '../literal-values.ts';
import type { Entry, SourcePage } from '../site.ts';
import type { Source } from '../source.ts';
import { findLine, parseFile } from '../tree.ts';

/** The pages, and the settings that sidebars are read with. */
export interface SidebarInput {
  readonly source: Source;
  /** Path of the folder of the pages in the source, without a slash at its end. */
  readonly folder: string;
  /** File of the sidebars, or null if they are generated from the folders. */
  readonly file: string | null;
  readonly pages: readonly SourcePage[];
  /** The values of the configuration, docusaurus.config. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Returns a path without the numbers in front of its names, or as it is if the configuration keeps them. */
  plain(path: string): string;
}

type Ids = ReadonlyMap<string, SourcePage>;

/**
 * Returns the entries of all sidebars: those of the only one, or a group for each. They are made from the folders of the pages if
 * there is no file, or if it has no sidebars or is no literal, which is reported.
 */
export function readSidebars(input: SidebarInput): Entry[] {
  const { source, file, folder, pages, config } = input;
  const ids = collectIds(input);
  const generate = (path: string): Entry[] => createFolderEntries(path, pages, createFolderRules(input));
  if (file === null) return generate(folder);
  const value = readModule(source.tree, file);
  const bars = Object.entries(toRecord(value));
  if (value instanceof NotLiteral || bars.length === 0) {
    const line = value instanceof NotLiteral ? value.line : 1;
    source.report.add(file, line, 'the sidebar is no literal: pages are in the order of their files.');
    return generate(folder);
  }
  const groups = bars.map(([name, items]) => ({
    title: createTitle(name, config),
    entries: readItems(items, { source, file, folder, ids, generate }),
  }));
  const [only] = groups;
  return groups.length === 1 && only !== undefined ? only.entries : groups;
}

/**
 * Returns the pages by id, which is the path without numbers, with the front matter's id as its last part if it has one. Each is
 * also there by its path below the folder, with and without numbers. The first page with a key wins.
 */
function collectIds({ pages, folder, plain }: SidebarInput): Ids {
  const ids = new Map<string, SourcePage>();
  for (const page of pages) {
    const path = page.file.slice(folder.length + 1).replace(/\.mdx?$/, '');
    const id = toText(page.frontMatter.values.id);
    const documentPath = id === null ? plain(path) : posix.join(posix.dirname(plain(path)), id);
    for (const key of [documentPath, plain(path), path]) if (!ids.has(key)) ids.set(key, page);
  }
  return ids;
}

/** Returns the label that the site's top menu has for a sidebar, or a title made of the sidebar's name. */
function createTitle(name: string, config: SidebarInput['config']): string {
  const items = toList(toRecord(toRecord(config.themeConfig).navbar).items).map(toRecord);
  const label = toText(items.find(({ sidebarId }) => sidebarId === name)?.label);
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[-_]+/g, ' ');
  return label ?? (toTitle(words.replace(/\s*sidebars?$/i, '').toLowerCase()) || name);
}

interface ItemInput extends Pick<SidebarInput, 'source' | 'folder'> {
  readonly file: string;
  readonly ids: Ids;
  /** Returns the entries that Docusaurus generates for the folder at a path of the source. */
  generate(path: string): Entry[];
}

/**
 * Returns the entries of a list of items, or of a map of categories by their names. What is no literal, and pages that were not
 * imported, are left out with a report.
 */
function readItems(items: unknown, input: ItemInput): Entry[] {
  if (Array.isArray(items)) return items.flatMap((item) => readItem(item, input));
  if (items instanceof NotLiteral) {
    input.source.report.add(items.file, items.line, 'this part of the sidebar is no literal; it is left out.');
    return [];
  }
  return Object.entries(toRecord(items)).map(([title, inner]) => ({ title, entries: readItems(inner, input) }));
}

function readItem(item: unknown, input: ItemInput): Entry[] {
  if (typeof item === 'string') return readPage(item, null, input);
  if (item instanceof NotLiteral) return readItems(item, input);
  const { type, id, label, items, href, link, dirName } = toRecord(item);
  const title = toText(label);
  switch (type) {
    case 'doc':
    case 'ref':
      return readPage(toText(id) ?? '', title, input);
    case 'link':
      return toText(href) === null ? [] : [{ title: title ?? String(href), href: String(href) }];
    case 'autogenerated':
      return input.generate(posix.join(input.folder, toText(dirName) ?? '.').replace(/\/$/, ''));
    case 'category': {
      const file = input.ids.get(toText(toRecord(link).id) ?? '')?.file ?? null;
      return [{ title, file, entries: readItems(items, input) }];
    }
    case 'html':
      return [];
    default:
      return readItems(item, input);
  }
}

function readPage(id: string, title: string | null, { source, file, ids }: ItemInput): Entry[] {
  const page = ids.get(id);
  if (page !== undefined) return [{ title: title ?? page.label, file: page.file }];
  const message = `the sidebar lists \`${id}\`, and no page of that id was imported.`;
  source.report.add(file, findLine(source.tree, file, id), message);
  return [];
}

/**
 * Creates the rules by which Docusaurus orders a folder: by position or the number in front of the name, then by path; entries
 * without either are last. The index of a folder below the root is no entry, but the page of the folder's group unless `_category_`
 * names another one.
 */
function createFolderRules({ source: { tree }, folder: root, pages, plain }: SidebarInput): FolderRules {
  const isIndex = ({ file }: SourcePage): boolean => {
    const name = plain(posix.basename(file).replace(/\.mdx?$/, '')).toLowerCase();
    return /^(?:index|readme)$/.test(name) || name === plain(posix.basename(posix.dirname(file))).toLowerCase();
  };
  const readCategory = (folder: string): Record<string, unknown> => {
    const names = ['_category_.json', '_category_.yml', '_category_.yaml'];
    const file = names.map((name) => `${folder}/${name}`).find((path) => tree.has(path));
    return toRecord(file === undefined ? null : parseFile(tree, file, readYamlText));
  };
  return {
    rank: (page, folder) => (folder !== root && isIndex(page) ? null : (page.order ?? Number.POSITIVE_INFINITY)),
    group: (folder, below) => {
      const category = readCategory(folder);
      const id = toText(toRecord(category.link).id);
      const page =
        id === null
          ? below.find((candidate) => posix.dirname(candidate.file) === folder && isIndex(candidate))
          : pages.find(({ file }) => plain(file.slice(root.length + 1).replace(/\.mdx?$/, '')) === id);
      const name = posix.basename(folder);
      const number = plain(name) === name ? null : toOrder(/^\d+/.exec(name)?.[0]);
      const title = toText(category.label) ?? (page === undefined ? toTitle(plain(name)) : page.label);
      const rank = toOrder(category.position) ?? page?.order ?? number ?? Number.POSITIVE_INFINITY;
      return { title, file: page?.file ?? null, rank };
    },
  };
}
