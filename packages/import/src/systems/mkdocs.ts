/** MkDocs, with Material: mkdocs.yml, admonitions and tabs by indentation, attribute lists, snippets. */

import { posix } from 'node:path';
import { mkdocsAnchors } from '../anchors.ts';
import { titleOfName } from '../blocks.ts';
import { listOf, readYamlText, recordOf, textOf } from '../front-matter.ts';
import { pagesOf, subfolders } from '../pages.ts';
import type { Entry, Site, SourcePage, System } from '../site.ts';
import type { SourceTree } from '../tree.ts';
import { dialectOf } from './mkdocs-syntax.ts';

export const mkdocs: System = {
  name: 'mkdocs',
  isConfiguration: (path) => /^mkdocs\.ya?ml$/.test(path),
  read(tree, configuration, _options, report) {
    const config = recordOf(readYamlText(tree.text(configuration) ?? ''));
    const folder = posix.normalize(textOf(config.docs_dir) ?? 'docs').replace(/\/$/, '');
    const url = URL.parse(textOf(config.site_url) ?? '');
    const base = (url?.pathname ?? '').replace(/\/$/, '');
    const { pages, leftOut } = pagesOf(tree, report, {
      isPage: (file) =>
        file.startsWith(`${folder}/`) &&
        /\.md$/.test(file) &&
        !/\/(?:\.[^/]*|templates)\//.test(file.slice(folder.length)),
      address: (file) => `${base}/${withoutIndex(file.slice(folder.length + 1).replace(/\.md$/, ''))}`,
      isSecond: (file) => /(?:^|\/)README\.md$/.test(file),
    });
    const files = new Map(pages.map((page) => [page.file, page]));
    const nav = listOf(config.nav);
    return {
      pages,
      leftOut,
      base,
      documentation: base,
      origin: url?.origin ?? null,
      navigation: nav.length > 0 ? entriesOf(nav, folder, tree) : folderEntries([...files.values()], folder),
      redirects: redirectsOf(config, configuration, base),
      publicFolders: [folder],
      elsewhere: [],
      linksFrom: 'file',
      anchorRule: mkdocsAnchors,
      dialect: dialectOf(config),
    };
  },
};

const withoutIndex = (path: string): string => path.replace(/(?:^|\/)(?:index|README)$/, '');

/** A title with a file, a title with more of the same, or a file. */
function entriesOf(nav: readonly unknown[], folder: string, tree: SourceTree): Entry[] {
  return nav.flatMap((item): Entry[] => {
    if (typeof item === 'string') return entryOf(null, item, folder, tree);
    return Object.entries(recordOf(item)).flatMap(([title, value]): Entry[] => {
      if (typeof value === 'string') return entryOf(title, value, folder, tree);
      if (!Array.isArray(value)) return [];
      const [first, ...rest] = value;
      // Material’s navigation.indexes: a file without a title, called index, is the page of its section.
      const isIndex = typeof first === 'string' && /(?:^|\/)(?:index|README)\.md$/.test(first);
      const file = isIndex ? `${folder}/${first}` : null;
      return [{ kind: 'group', title, file, entries: entriesOf(isIndex ? rest : value, folder, tree) }];
    });
  });
}

function entryOf(title: string | null, value: string, folder: string, tree: SourceTree): Entry[] {
  if (/^https?:/.test(value)) return [{ kind: 'link', title: title ?? value, href: value }];
  const file = posix.normalize(`${folder}/${value}`);
  if (tree.has(file)) return [{ kind: 'page', file, title }];
  return [{ kind: 'link', title: title ?? value, href: `/${value.replace(/\.md$/, '')}` }];
}

/** Without `nav`: by name, the index of a folder first. */
function folderEntries(pages: readonly SourcePage[], folder: string): Entry[] {
  const inside = pages.filter(({ file }) => posix.dirname(file) === folder);
  const isIndex = ({ file }: SourcePage): boolean => /(?:^|\/)(?:index|README)\.md$/.test(file);
  const own = [...inside.filter(isIndex), ...inside.filter((page) => !isIndex(page))];
  return [
    ...own.map(({ file }): Entry => ({ kind: 'page', file, title: null })),
    ...[...subfolders(pages, folder)].map((name): Entry => {
      const entries = folderEntries(pages, `${folder}/${name}`);
      return { kind: 'group', title: titleOfName(name), file: null, entries };
    }),
  ];
}

/** Of mkdocs-redirects: from file to file or URL. */
function redirectsOf(
  config: Readonly<Record<string, unknown>>,
  configuration: string,
  base: string,
): Site['redirects'] {
  const plugin = listOf(config.plugins)
    .map((item) => recordOf(item).redirects)
    .find((value) => value !== undefined);
  return Object.entries(recordOf(recordOf(plugin).redirect_maps)).flatMap(([from, to]) => {
    if (typeof to !== 'string') return [];
    const path = (file: string): string => `/${withoutIndex(file.replace(/\.md(?=#|$)/, ''))}`;
    const target = /^https?:/.test(to) ? to : path(to);
    return [
      {
        from: path(from),
        to: base !== '' && target.startsWith(`${base}/`) ? target.slice(base.length) : target,
        file: configuration,
        line: 1,
      },
    ];
  });
}
