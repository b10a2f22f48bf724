/** Reads a Starlight site: astro.config, pages in src/content/docs, asides, and components in MDX. */
import { posix } from 'node:path';
import { createGithubAnchors } from '../anchors.ts';
import { toTitle } from '../blocks.ts';
import { createFolderEntries, type FolderRules } from '../folder-entries.ts';
import { type FrontMatter, toList, toOrder, toRecord, toText } from '../front-matter.ts';
import { writeHeroPage } from '../hero-page.ts';
import { readModule } from '../literal.ts';
import { Call, NotLiteral } from '../literal-values.ts';
import { findPages, splitWords } from '../pages.ts';
import type { Entry, Site, SourcePage, System } from '../site.ts';
import { chooseLocale, type Source } from '../source.ts';
import { dialect } from './starlight-syntax.ts';

const folder = 'src/content/docs';

/** Recognizes and reads a folder of Starlight. */
export const starlight: System = {
  name: 'starlight',
  isConfiguration: (path, text) => /^astro\.config\.[mc]?[jt]s$/.test(path) && /starlight/.test(text()),
  read(source) {
    const { tree, configuration } = source;
    const config = toRecord(readModule(tree, configuration));
    const call = toList(config.integrations).find((value) => value instanceof Call && value.name === 'starlight');
    const settings = call instanceof Call ? toRecord(call.values[0]) : {};
    if (call === undefined)
      source.warn('the settings of Starlight are no literal: pages are in the order of their files.');
    const base = `/${toText(config.base) ?? ''}`.replace(/\/+/g, '/').replace(/\/$/, '');
    const locales = Object.keys(toRecord(settings.locales));
    const language = chooseLocale(toRecord(settings.locales), source);
    const leftOutLocales = locales.filter((name) => name !== language);
    const others = leftOutLocales.filter((name) => name !== 'root');
    const prefix = locales.includes(language) && language !== 'root' ? `${language}/` : '';
    if (locales.length > 1) source.warnOfLanguages(language, leftOutLocales);
    const { pages: plainPages, leftOut } = findPages(source, {
      isPage: (file) => {
        const path = file.slice(folder.length + 1);
        const isOther = others.some((name) => path.startsWith(`${name}/`));
        const isLocal = file.startsWith(`${folder}/`) && path.startsWith(prefix) && !isOther;
        return isLocal && /\.mdx?$/.test(file) && !/(?:^|\/)_|^404\.mdx?$/.test(path);
      },
      address: (file, frontMatter) => `${base}/${readSlug(file, frontMatter)}`,
      label: ({ values }) => toText(toRecord(values.sidebar).label),
      order: ({ values }) => toOrder(toRecord(values.sidebar).order),
      ignoredKeys: splitWords('sidebar hero template tableOfContents editUrl lastUpdated prev next pagefind banner'),
    });
    const pages = plainPages.map(addHero);
    return {
      pages,
      leftOut,
      base,
      documentation: `${base}${prefix === '' ? '' : `/${prefix.slice(0, -1)}`}`,
      origin: URL.parse(toText(config.site) ?? '')?.origin ?? null,
      navigation: readSidebar(settings.sidebar, pages, prefix, source),
      redirects: readRedirects(config.redirects, configuration),
      publicFolders: ['public'],
      elsewhere: others.map((name) => `/${name}`),
      linksFrom: 'address',
      anchorRule: createGithubAnchors,
      dialect,
    };
  },
};

/**
 * Returns the slug of a page without a slash at either end: that of the front matter, or its path below the folder of the pages as
 * GitHub makes anchors of headings, without `index`. It is empty for the root. `file` is its path in the source.
 */
function readSlug(file: string, { values }: FrontMatter): string {
  const slug = toText(values.slug);
  if (slug !== null) return slug.replace(/^\/|\/$/g, '');
  const path = file.slice(folder.length + 1).replace(/\.mdx?$/, '');
  return path
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\-/ ]/gu, '')
    .replaceAll(' ', '-')
    .replace(/(?:^|\/)index$/, '');
}

function addHero(page: SourcePage): SourcePage {
  const { values, body } = page.frontMatter;
  if (values.hero === undefined) return page;
  return { ...page, frontMatter: { ...page.frontMatter, body: `${writeHeroPage(values)}\n\n${body}` } };
}

function readRedirects(redirects: unknown, file: string): Site['redirects'] {
  const pattern = (path: string): string => path.replace(/\[\.{3}(\w+)\]/g, ':$1*').replace(/\[(\w+)\]/g, ':$1');
  return Object.entries(toRecord(redirects)).flatMap(([from, to]) => {
    const target = toText(to) ?? toText(toRecord(to).destination);
    return target === null ? [] : [{ from: pattern(from), to: pattern(target), file, line: 1 }];
  });
}

/**
 * Returns the entries of the list `sidebar`, or those of the folders, except pages with `sidebar.hidden`, if it is no list, such as
 * one that is absent or no literal. `prefix` is the folder of the language with a slash at its end, empty for none, which slugs in
 * the sidebar leave out. Pages that were not imported are left out without a report, and parts that are no literals with one.
 */
function readSidebar(sidebar: unknown, pages: readonly SourcePage[], prefix: string, source: Source): Entry[] {
  const bySlug = new Map(pages.map((page) => [readSlug(page.file, page.frontMatter), page]));
  const menuPages = pages.filter(({ frontMatter }) => toRecord(frontMatter.values.sidebar).hidden !== true);
  const readFolder = (name: string): Entry[] =>
    createFolderEntries(`${folder}/${prefix}${name}`.replace(/\/+$/, ''), menuPages, folderRules);
  const readPage = (path: string, title: string | null): Entry[] => {
    const slug = path.replace(/^\/|\/$/g, '');
    const page = bySlug.get(`${prefix}${slug}`.replace(/\/$/, '')) ?? bySlug.get(slug);
    return page === undefined ? [] : [{ title: title ?? page.label, file: page.file }];
  };
  const readItem = (item: unknown): Entry[] => {
    if (item instanceof NotLiteral || item instanceof Call) {
      const { file, line } = item instanceof NotLiteral ? item : { file: folder, line: 1 };
      source.report.add(file, line, 'this part of the sidebar is no literal; it is left out.');
      return [];
    }
    if (typeof item === 'string') return readPage(item, null);
    const { label, slug, link, items, autogenerate } = toRecord(item);
    const title = toText(label);
    if (autogenerate !== undefined) {
      const entries = readFolder((toText(toRecord(autogenerate).directory) ?? '').replace(/^\/|\/$/g, ''));
      return title === null ? entries : [{ title, entries }];
    }
    if (Array.isArray(items)) return [{ title, entries: items.flatMap(readItem) }];
    const target = toText(slug) ?? toText(link);
    if (target === null) return [];
    return /^https?:/.test(target) ? [{ title: title ?? target, href: target }] : readPage(target, title);
  };
  return Array.isArray(sidebar) ? sidebar.flatMap(readItem) : readFolder('');
}

/** The rules of folders: pages are sorted by `order`, an index without one first, and a folder has the lowest `order` in it. */
const folderRules: FolderRules = {
  rank: ({ order, file }) => order ?? (/\/index\.mdx?$/.test(file) ? -1 : Number.POSITIVE_INFINITY),
  group: (path, pages) => ({
    title: toTitle(posix.basename(path)),
    rank: Math.min(...pages.map(({ order }) => order ?? Number.POSITIVE_INFINITY)),
  }),
};
