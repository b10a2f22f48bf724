/** Reads a VitePress site: .vitepress/config, containers with colons, code groups, includes of files and of code. */
import { posix } from 'node:path';
import { createVitepressAnchors } from '../anchors.ts';
import { toTitle } from '../blocks.ts';
import { toList, toRecord, toText } from '../front-matter.ts';
import { writeHeroPage } from '../hero-page.ts';
import { readModule } from '../literal.ts';
import { NotLiteral } from '../literal-values.ts';
import { findPages, splitWords } from '../pages.ts';
import type { Entry, SourcePage, System } from '../site.ts';
import { chooseLocale, type Source } from '../source.ts';
import { dialect } from './vitepress-syntax.ts';

type Values = Readonly<Record<string, unknown>>;

/** Recognizes and reads a folder of VitePress. */
export const vitepress: System = {
  name: 'vitepress',
  isConfiguration: (path) => /^\.vitepress\/config(?:\/index)?\.[mc]?[jt]s$/.test(path),
  read(source) {
    const config = toRecord(readModule(source.tree, source.configuration));
    if (Object.keys(config).length === 0)
      source.warn('the configuration is no literal: pages are in the order of their files.');
    const srcDir = posix.normalize(toText(config.srcDir) ?? '.').replace(/\/$/g, '');
    const folder = srcDir === '.' ? '' : `${srcDir}/`;
    const base = (toText(config.base) ?? '/').replace(/\/$/, '');
    const rewrite = createRewrites(config.rewrites);
    const { language, others } = chooseLanguage(config, source);
    const toPath = (file: string): string =>
      `/${rewrite(file.slice(folder.length))
        .replace(/\.md$/, '')
        .replace(/(?:^|\/)index$/, '')}`;
    const { pages: plainPages, leftOut } = findPages(source, {
      isPage: (file) =>
        (folder === '' ? !file.startsWith('.') : file.startsWith(folder)) &&
        file.endsWith('.md') &&
        !/(?:^|\/)(?:\.[^/]+|public|node_modules|snippets|parts)\//.test(file) &&
        !others.some((name) => `${toPath(file)}/`.startsWith(`/${name}/`)),
      address: (file) => `${base}${toPath(file)}`,
      ignoredKeys: splitWords(
        'outline sidebar aside prev next hero features titleTemplate footer editLink pageClass navbar',
      ),
    });
    const pages = plainPages.map(addHome);
    const { sidebar, nav } = readTheme(config, language, folder, source);
    return {
      pages,
      leftOut,
      base,
      documentation: base,
      origin: URL.parse(toText(toRecord(config.sitemap).hostname) ?? '')?.origin ?? null,
      navigation: readSidebar(sidebar, nav, base, pages, source),
      redirects: [],
      publicFolders: [`${folder}public`],
      elsewhere: others.map((name) => `/${name}`),
      linksFrom: 'file',
      anchorRule: createVitepressAnchors,
      dialect,
    };
  },
};

/**
 * Puts the text of a start page, which is in its front matter, in front of its body, and makes the name of its hero the title if it
 * has none. Any other page stays as it is.
 */
function addHome(page: SourcePage): SourcePage {
  const { frontMatter } = page;
  const { values, body } = frontMatter;
  if (values.layout !== 'home' && values.hero === undefined) return page;
  const title = toText(values.title) ?? toText(toRecord(values.hero).name);
  return {
    ...page,
    frontMatter: {
      ...frontMatter,
      values: title === null ? values : { ...values, title },
      body: `${writeHeroPage(values)}\n\n${body}`,
    },
  };
}

/**
 * Returns the key of the locale whose key or `lang` is the caller's language, or else `root`, and the folders of the other locales.
 * Several locales are reported. Throws a ChoiceFault for a language that is not there.
 */
function chooseLanguage(config: Values, source: Source): { language: string; others: string[] } {
  const locales = toRecord(config.locales);
  const names = Object.keys(locales);
  const language = chooseLocale(locales, source);
  const others = names.filter((name) => name !== language);
  if (names.length > 1) source.warnOfLanguages(language, others);
  return { language, others: others.filter((name) => name !== 'root') };
}

/**
 * Returns a function that applies the rewrites of the configuration, such as `en/:rest*` to `:rest*`, to the path of a file below
 * the folder of the pages. A path that none matches stays as it is, and so do all if the rewrites are no literals.
 */
function createRewrites(rewrites: unknown): (path: string) => string {
  const rules = Object.entries(toRecord(rewrites)).flatMap(([from, to]) => {
    if (typeof to !== 'string') return [];
    const pattern = from
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace(/\\?\(\\?\.\\?\*\\?\)/g, '')
      .replace(/:(\w+)\*?/g, (whole, name) => (whole.endsWith('*') ? `(?<${name}>.*)` : `(?<${name}>[^/]+)`));
    return [{ pattern: new RegExp(`^${pattern}$`), to }];
  });
  return (path) => {
    for (const { pattern, to } of rules) {
      const match = pattern.exec(path);
      if (match !== null) return to.replace(/:(\w+)\*?/g, (_, name) => match.groups?.[String(name)] ?? '');
    }
    return path;
  };
}

/**
 * Returns the first settings of the theme that have a sidebar: those of the locale `language`, or else those in a file such as
 * `config.ts` next to the pages, in the folder of the language or in `en/`. If none has one, returns the settings for all
 * languages, which may be empty. `folder` is that of the pages, empty or with a slash at its end.
 */
function readTheme(config: Values, language: string, folder: string, { tree }: Source): Values {
  const beside = ['', `${language}/`, 'en/']
    .flatMap((path) => splitWords('config.ts config.mts config.js config.mjs').map((name) => `${folder}${path}${name}`))
    .filter((file) => tree.has(file))
    .map((file) => toRecord(toRecord(readModule(tree, file)).themeConfig));
  const themes = [toRecord(toRecord(toRecord(config.locales)[language]).themeConfig), ...beside];
  return themes.find(({ sidebar }) => sidebar !== undefined) ?? toRecord(config.themeConfig);
}

/**
 * Returns the entries of a sidebar, which is a list of items or has one by path; null if there is none or it is no literal. A page
 * that was not imported becomes a link to its old address. Several lists become groups, whose titles are in `nav`, the top menu; a
 * single one is not in a group. `base` is the beginning of all addresses.
 */
function readSidebar(
  sidebar: unknown,
  nav: unknown,
  base: string,
  pages: readonly SourcePage[],
  { report }: Source,
): Entry[] | null {
  const files = new Map(pages.map((page) => [page.address, page.file]));
  const readItem = (item: unknown, prefix: string): Entry[] => {
    if (item instanceof NotLiteral) {
      report.add(item.file, item.line, 'this part of the sidebar is no literal; it is left out.');
      return [];
    }
    const { text, link, items, base: itemBase } = toRecord(item);
    const start = toText(itemBase) ?? prefix;
    const label = toText(text)?.replace(/<[^>]+>/g, '');
    const title = label?.trim() ?? null;
    const destination = toText(link);
    // VitePress puts `base` in front of a link without adding a slash, so the base may end within a name.
    const path = start === '' ? destination : `${start}${destination?.replace(/^\//, start.endsWith('/') ? '' : '/')}`;
    const isLocal = destination !== null && !/^https?:/.test(destination);
    const href = isLocal ? `${base}${posix.join('/', path ?? '')}` : destination;
    const file = files.get(href?.replace(/(?:\/index)?(?:\.html|\.md)?\/?$/, '') || '/') ?? null;
    if (Array.isArray(items))
      return [{ title, file: href === null ? null : file, entries: items.flatMap((inner) => readItem(inner, start)) }];
    if (href === null) return [];
    return [file === null ? { title: title ?? href, href } : { title, file }];
  };
  if (Array.isArray(sidebar)) return sidebar.flatMap((item) => readItem(item, ''));
  const parts = Object.entries(toRecord(sidebar));
  if (parts.length === 0 || sidebar instanceof NotLiteral) return null;
  const groups = parts.map(([path, value]) => {
    const items = Array.isArray(value) ? value : toList(toRecord(value).items);
    const prefix = toText(toRecord(value).base) ?? '';
    return { title: findNavTitle(nav, path), entries: items.flatMap((item) => readItem(item, prefix)) };
  });
  return groups.length === 1 ? groups.flatMap(({ entries }) => entries) : groups;
}

/**
 * Returns the label that `nav`, the top menu, has for the part of the site at a path, or else a title made of the path, or `More`
 * for the root.
 */
function findNavTitle(nav: unknown, path: string): string {
  const items = toList(nav).map(toRecord);
  const item = items.find(({ link, activeMatch }) => String(link ?? '').startsWith(path) || activeMatch === path);
  return toText(item?.text) ?? (toTitle(path) || 'More');
}
