/** Reads an MkDocs site, also with Material: mkdocs.yml, admonitions and tabs by indentation, attribute lists, snippets. */
import { posix } from 'node:path';
import { createMkdocsAnchors } from '../anchors.ts';
import { createFolderEntries, plainFolderRules } from '../folder-entries.ts';
import { readYamlText, toList, toRecord, toText } from '../front-matter.ts';
import { findPages } from '../pages.ts';
import type { Entry, Site, SourcePage, System } from '../site.ts';
import { parseFile, type SourceTree } from '../tree.ts';
import { createDialect } from './mkdocs-syntax.ts';

const indexFile = /(?:^|\/)(?:index|README)\.md$/;

/** Recognizes and reads a folder of MkDocs. */
export const mkdocs: System = {
  name: 'mkdocs',
  isConfiguration: (path) => /^mkdocs\.ya?ml$/.test(path),
  read(source) {
    const { tree, configuration } = source;
    const config = toRecord(parseFile(tree, configuration, readYamlText));
    const folder = posix.normalize(toText(config.docs_dir) ?? 'docs').replace(/\/$/, '');
    const url = URL.parse(toText(config.site_url) ?? '');
    const base = (url?.pathname ?? '').replace(/\/$/, '');
    const { pages, leftOut } = findPages(source, {
      isPage: (file) =>
        file.startsWith(`${folder}/`) &&
        file.endsWith('.md') &&
        !/\/(?:\.[^/]*|templates)\//.test(file.slice(folder.length)),
      address: (file) => `${base}${toAddress(file.slice(folder.length + 1))}`,
      yields: (file) => /(?:^|\/)README\.md$/.test(file),
    });
    const nav = toList(config.nav);
    const navigation =
      nav.length > 0 ? readNav(nav, folder, tree) : createFolderEntries(folder, pages, plainFolderRules);
    const titles = nav.length > 0 ? listTitles(navigation) : new Map<string, string>();
    return {
      pages: pages.map((page) => setTitle(page, titles.get(page.file))),
      leftOut,
      base,
      documentation: base,
      origin: url?.origin ?? null,
      navigation,
      redirects: readRedirects(config, configuration, base),
      publicFolders: [folder],
      elsewhere: [],
      linksFrom: 'file',
      anchorRule: createMkdocsAnchors,
      dialect: createDialect(config),
    };
  },
};

/**
 * Returns the address, from `/`, without the base and without a slash at its end (`/` for the index at the root), of the file at a
 * path below the folder of the pages. An anchor after `.md` is kept.
 */
const toAddress = (path: string): string =>
  `/${path.replace(/\.md(?=#|$)/, '').replace(/(?:^|\/)(?:index|README)$/, '')}`;

/**
 * Returns the entries of `nav`, whose items are a file or a URL, with or without a title, or a title with a list of items; anything
 * else is left out. A file that is not there becomes a link with its path.
 */
function readNav(nav: readonly unknown[], folder: string, tree: SourceTree): Entry[] {
  return nav.flatMap((item): Entry[] => {
    if (typeof item === 'string') return [readNavItem(null, item, folder, tree)];
    return Object.entries(toRecord(item)).flatMap(([title, value]): Entry[] => {
      if (typeof value === 'string') return [readNavItem(title, value, folder, tree)];
      if (!Array.isArray(value)) return [];
      const [first, ...rest] = value;
      // Material's setting navigation.indexes makes an index file without a title the page of its section.
      const hasPage = typeof first === 'string' && indexFile.test(first);
      const file = hasPage ? `${folder}/${first}` : null;
      return [{ title, file, entries: readNav(hasPage ? rest : value, folder, tree) }];
    });
  });
}

/** Returns the titles that entries, nested ones too, give to pages, by file; the title of a group is not that of its page. */
const listTitles = (entries: readonly Entry[]): Map<string, string> =>
  new Map(
    entries.flatMap(({ title, file, entries: inner }): [string, string][] => [
      ...(title === null || file == null || inner !== undefined ? [] : [[file, title] as [string, string]]),
      ...listTitles(inner ?? []),
    ]),
  );

/**
 * Returns the page with the title that `nav` gives it, which MkDocs prefers to that of the front matter and to the file name;
 * without one it stays as it is.
 */
const setTitle = (page: SourcePage, title: string | undefined): SourcePage =>
  title === undefined
    ? page
    : { ...page, frontMatter: { ...page.frontMatter, values: { ...page.frontMatter.values, title } } };

function readNavItem(title: string | null, value: string, folder: string, tree: SourceTree): Entry {
  if (/^https?:/.test(value)) return { title: title ?? value, href: value };
  const file = posix.normalize(`${folder}/${value}`);
  return tree.has(file) ? { title, file } : { title: title ?? value, href: `/${value.replace(/\.md$/, '')}` };
}

/**
 * Returns the rules of the plugin mkdocs-redirects, from a file to a file or URL, as addresses without the base; none without the
 * plugin. `file` is the configuration, in which they are written.
 */
function readRedirects(config: Readonly<Record<string, unknown>>, file: string, base: string): Site['redirects'] {
  const plugin = toList(config.plugins).find((item) => toRecord(item).redirects !== undefined);
  const rules = toRecord(toRecord(toRecord(plugin).redirects).redirect_maps);
  return Object.entries(rules).flatMap(([from, to]) => {
    if (typeof to !== 'string') return [];
    const target = /^https?:/.test(to) ? to : toAddress(to);
    const isBelowBase = base !== '' && target.startsWith(`${base}/`);
    return [{ from: toAddress(from), to: isBelowBase ? target.slice(base.length) : target, file, line: 1 }];
  });
}
