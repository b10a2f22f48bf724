/** VitePress: .vitepress/config, containers with colons, code groups, includes of files and of code. */

import { posix } from 'node:path';
import { vitepressAnchors } from '../anchors.ts';
import { titleOfName } from '../blocks.ts';
import { listOf, recordOf, textOf } from '../front-matter.ts';
import { homeText } from '../home.ts';
import { readModule } from '../literal.ts';
import { NotLiteral } from '../literal-values.ts';
import { pagesOf, reportLanguages } from '../pages.ts';
import type { Report } from '../report.ts';
import type { Entry, ReadOptions, Site, System } from '../site.ts';
import type { SourceTree } from '../tree.ts';
import { dialect } from './vitepress-syntax.ts';

type Values = Readonly<Record<string, unknown>>;

export const vitepress: System = {
  name: 'vitepress',
  isConfiguration: (path) => /^\.vitepress\/config(?:\/index)?\.[mc]?[jt]s$/.test(path),
  read(tree, configuration, options, report) {
    const config = recordOf(readModule(tree, configuration));
    if (Object.keys(config).length === 0)
      report.add(configuration, 1, 'the configuration is no literal: pages are in the order of their files.');
    const folder = posix.normalize(textOf(config.srcDir) ?? '.').replace(/^\.$|\/$/g, '');
    const inFolder = (path: string): string => (folder === '' ? path : `${folder}/${path}`);
    const base = (textOf(config.base) ?? '/').replace(/\/$/, '');
    const rewrite = createRewrites(config.rewrites);
    const { language, others } = localesOf(config, options, report, configuration);
    const addressOf = (file: string): string =>
      `${base}/${rewrite(file.slice(inFolder('').length))
        .replace(/\.md$/, '')
        .replace(/(?:^|\/)index$/, '')}`;
    const found = pagesOf(tree, report, {
      isPage: (file) => isPage(file, folder, addressOf(file).slice(base.length), others),
      address: addressOf,
      known: [
        'outline',
        'sidebar',
        'aside',
        'prev',
        'next',
        'hero',
        'features',
        'titleTemplate',
        'footer',
        'editLink',
        'pageClass',
        'navbar',
      ],
    });
    const { leftOut } = found;
    const pages = found.pages.map(withHome);
    const theme = themeOf(config, language, tree, inFolder);
    return {
      pages,
      leftOut,
      base,
      documentation: base,
      origin: URL.parse(textOf(recordOf(config.sitemap).hostname) ?? '')?.origin ?? null,
      navigation: sidebarEntries(theme.sidebar, theme.nav, base, pages, report),
      redirects: [],
      publicFolders: [inFolder('public')],
      elsewhere: others.map((name) => `/${name}`),
      linksFrom: 'file',
      anchorRule: vitepressAnchors,
      dialect,
    };
  },
};

function isPage(file: string, folder: string, address: string, others: readonly string[]): boolean {
  const isInside = folder === '' ? !file.startsWith('.') : file.startsWith(`${folder}/`);
  const isOther = others.some((name) => address === `/${name}` || address.startsWith(`/${name}/`));
  return (
    isInside && /\.md$/.test(file) && !/(?:^|\/)(?:\.[^/]+|public|node_modules|snippets|parts)\//.test(file) && !isOther
  );
}

function withHome<T extends Site['pages'][number]>(page: T): T {
  const { values, body } = page.matter;
  if (values.layout !== 'home' && values.hero === undefined) return page;
  const title = textOf(values.title) ?? textOf(recordOf(values.hero).name);
  return {
    ...page,
    matter: {
      ...page.matter,
      values: { ...values, ...(title !== null && { title }) },
      body: `${homeText(values)}\n\n${body}`,
    },
  };
}

/** The language that is imported, `root` unless asked for, and the folders of the others. */
function localesOf(
  config: Values,
  options: ReadOptions,
  report: Report,
  file: string,
): { language: string; others: string[] } {
  const names = Object.keys(recordOf(config.locales));
  const wanted = options.language ?? 'root';
  const language =
    names.find((name) => name === wanted || recordOf(recordOf(config.locales)[name]).lang === wanted) ?? 'root';
  const others = names.filter((name) => name !== language && name !== 'root');
  if (names.length > 1)
    reportLanguages(
      report,
      file,
      language,
      names.filter((name) => name !== language),
    );
  return { language, others };
}

/** `en/:rest*` to `:rest*`, and plain paths. */
function createRewrites(rewrites: unknown): (path: string) => string {
  const rules = Object.entries(recordOf(rewrites)).flatMap(([from, to]) => {
    if (typeof to !== 'string') return [];
    const pattern = from
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace(/\\?\(\\?\.\\?\*\\?\)/g, '')
      .replace(/:(\w+)\*?/g, (whole, name) => (whole.endsWith('*') ? `(?<${name}>.*)` : `(?<${name}>[^/]+)`));
    return [{ pattern: new RegExp(`^${pattern}$`), to }];
  });
  return (path) => {
    for (const { pattern, to } of rules) {
      const found = pattern.exec(path);
      if (found !== null) return to.replace(/:(\w+)\*?/g, (_, name) => found.groups?.[String(name)] ?? '');
    }
    return path;
  };
}

/** Of the language, else of all; newer versions keep it next to the pages. */
function themeOf(config: Values, language: string, tree: SourceTree, inFolder: (path: string) => string): Values {
  const locale = recordOf(recordOf(config.locales)[language]);
  const own = recordOf(locale.themeConfig);
  if (own.sidebar !== undefined) return own;
  const beside = ['', `${language}/`, 'en/'].flatMap((folder) =>
    ['config.ts', 'config.mts', 'config.js', 'config.mjs'].map((name) => inFolder(`${folder}${name}`)),
  );
  for (const file of beside) {
    const values = tree.has(file) ? recordOf(recordOf(readModule(tree, file)).themeConfig) : {};
    if (values.sidebar !== undefined) return values;
  }
  return recordOf(config.themeConfig);
}

function sidebarEntries(
  sidebar: unknown,
  nav: unknown,
  base: string,
  pages: Site['pages'],
  report: Report,
): Entry[] | null {
  const files = new Map(pages.map((page) => [page.address, page.file]));
  const entryOf = (item: unknown, prefix: string): Entry[] => {
    if (item instanceof NotLiteral) {
      report.add(item.file, item.line, 'this part of the sidebar is no literal; it is left out.');
      return [];
    }
    const { text, link, items, base: own } = recordOf(item);
    const start = textOf(own) ?? prefix;
    const title =
      textOf(text)
        ?.replace(/<[^>]+>/g, '')
        .trim() ?? null;
    const href = textOf(link);
    // A base is put in front of a link as it is: it may end within a name.
    const local = start === '' ? href : `${start}${href?.replace(/^\//, start.endsWith('/') ? '' : '/')}`;
    const full = href === null || /^https?:/.test(href) ? href : `${base}${posix.join('/', local ?? '')}`;
    const file =
      full === null ? null : (files.get(full.replace(/(?:\/index)?(?:\.html|\.md)?\/?$/, '') || '/') ?? null);
    if (Array.isArray(items))
      return [{ kind: 'group', title, file, entries: items.flatMap((inner) => entryOf(inner, start)) }];
    if (file !== null) return [{ kind: 'page', file, title }];
    return full === null ? [] : [{ kind: 'link', title: title ?? full, href: full }];
  };
  if (Array.isArray(sidebar)) return sidebar.flatMap((item) => entryOf(item, ''));
  const parts = Object.entries(recordOf(sidebar));
  if (parts.length === 0 || sidebar instanceof NotLiteral) return null;
  const groups = parts.map(([path, value]): Entry => {
    const items = Array.isArray(value) ? value : listOf(recordOf(value).items);
    const prefix = textOf(recordOf(value).base) ?? '';
    return {
      kind: 'group',
      title: navTitle(nav, path),
      file: null,
      entries: items.flatMap((item) => entryOf(item, prefix)),
    };
  });
  return groups.length === 1 ? groups.flatMap((group) => (group.kind === 'group' ? group.entries : [])) : groups;
}

/** What the menu at the top calls a part of the site. */
function navTitle(nav: unknown, path: string): string {
  const item = listOf(nav)
    .map(recordOf)
    .find(({ link, activeMatch }) => String(link ?? '').startsWith(path) || activeMatch === path);
  return textOf(item?.text) ?? (titleOfName(path) || 'More');
}
