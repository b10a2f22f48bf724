/** Starlight: astro.config, pages in src/content/docs, asides, and components in MDX. */
import { posix } from 'node:path';
import { githubAnchors } from '../anchors.ts';
import { titleOfName } from '../blocks.ts';
import { type FolderRules, folderEntries } from '../folder-entries.ts';
import { listOf, type Matter, orderOf, recordOf, textOf } from '../front-matter.ts';
import { homeText } from '../home.ts';
import { readModule } from '../literal.ts';
import { Call, NotLiteral } from '../literal-values.ts';
import { findPages, words } from '../pages.ts';
import type { Entry, Site, SourcePage, System } from '../site.ts';
import type { Source } from '../source.ts';
import { dialect } from './starlight-syntax.ts';

const folder = 'src/content/docs';

export const starlight: System = {
  name: 'starlight',
  isConfiguration: (path, text) => /^astro\.config\.[mc]?[jt]s$/.test(path) && /starlight/.test(text()),
  read(source) {
    const { tree, configuration } = source;
    const config = recordOf(readModule(tree, configuration));
    const call = listOf(config.integrations).find((value) => value instanceof Call && value.name === 'starlight');
    const settings = call instanceof Call ? recordOf(call.values[0]) : {};
    if (call === undefined)
      source.warn('the settings of Starlight are no literal: pages are in the order of their files.');
    const base = `/${textOf(config.base) ?? ''}`.replace(/\/+/g, '/').replace(/\/$/, '');
    const locales = Object.keys(recordOf(settings.locales));
    const language = source.language ?? 'root';
    const others = locales.filter((name) => name !== 'root' && name !== language);
    const prefix = locales.includes(language) && language !== 'root' ? `${language}/` : '';
    if (locales.length > 1) source.warnOfLanguages(language, others);
    const { pages: plainPages, leftOut } = findPages(source, {
      isPage: (file) => {
        const path = file.slice(folder.length + 1);
        const isOther = others.some((name) => path.startsWith(`${name}/`));
        const isLocal = file.startsWith(`${folder}/`) && path.startsWith(prefix) && !isOther;
        return isLocal && /\.mdx?$/.test(file) && !/(?:^|\/)_|^404\.mdx?$/.test(path);
      },
      address: (file, matter) => `${base}/${slugOf(file, matter)}`,
      label: ({ values }) => textOf(recordOf(values.sidebar).label),
      order: ({ values }) => orderOf(recordOf(values.sidebar).order),
      ignoredKeys: words('sidebar hero template tableOfContents editUrl lastUpdated prev next pagefind banner'),
    });
    const pages = plainPages.map(addHero);
    return {
      pages,
      leftOut,
      base,
      documentation: `${base}${prefix === '' ? '' : `/${prefix.slice(0, -1)}`}`,
      origin: URL.parse(textOf(config.site) ?? '')?.origin ?? null,
      navigation: readSidebar(settings.sidebar, pages, prefix, source),
      redirects: readRedirects(config.redirects, configuration),
      publicFolders: ['public'],
      elsewhere: others.map((name) => `/${name}`),
      linksFrom: 'address',
      anchorRule: githubAnchors,
      dialect,
    };
  },
};

/** Returns the front matter's slug as it is, or the parts of the path as GitHub makes anchors of headings. */
function slugOf(file: string, { values }: Matter): string {
  const slug = textOf(values.slug);
  if (slug !== null) return slug.replace(/^\/|\/$/g, '');
  const path = file.slice(folder.length + 1).replace(/\.mdx?$/, '');
  return path
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\-/ ]/gu, '')
    .replaceAll(' ', '-')
    .replace(/(?:^|\/)index$/, '');
}

function addHero(page: SourcePage): SourcePage {
  const { values, body } = page.matter;
  if (values.hero === undefined) return page;
  return { ...page, matter: { ...page.matter, body: `${homeText(values)}\n\n${body}` } };
}

function readRedirects(redirects: unknown, file: string): Site['redirects'] {
  const pattern = (path: string): string => path.replace(/\[\.{3}(\w+)\]/g, ':$1*').replace(/\[(\w+)\]/g, ':$1');
  return Object.entries(recordOf(redirects)).flatMap(([from, to]) => {
    const target = textOf(to) ?? textOf(recordOf(to).destination);
    return target === null ? [] : [{ from: pattern(from), to: pattern(target), file, line: 1 }];
  });
}

/** Reads the sidebar; `prefix` is the folder of the language, which slugs in the sidebar leave out. */
function readSidebar(sidebar: unknown, pages: readonly SourcePage[], prefix: string, source: Source): Entry[] {
  const bySlug = new Map(pages.map((page) => [slugOf(page.file, page.matter), page]));
  const shown = pages.filter(({ matter }) => recordOf(matter.values.sidebar).hidden !== true);
  const readFolder = (name: string): Entry[] =>
    folderEntries(`${folder}/${prefix}${name}`.replace(/\/+$/, ''), shown, folderRules);
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
    const { label, slug, link, items, autogenerate } = recordOf(item);
    const title = textOf(label);
    if (autogenerate !== undefined) {
      const entries = readFolder((textOf(recordOf(autogenerate).directory) ?? '').replace(/^\/|\/$/g, ''));
      return title === null ? entries : [{ title, entries }];
    }
    if (Array.isArray(items)) return [{ title, entries: items.flatMap(readItem) }];
    const target = textOf(slug) ?? textOf(link);
    if (target === null) return [];
    return /^https?:/.test(target) ? [{ title: title ?? target, href: target }] : readPage(target, title);
  };
  return Array.isArray(sidebar) ? sidebar.flatMap(readItem) : readFolder('');
}

/** A folder has the rank of its first page. */
const folderRules: FolderRules = {
  rank: ({ order, file }) => order ?? (/\/index\.mdx?$/.test(file) ? -1 : Number.POSITIVE_INFINITY),
  group: (path, pages) => ({
    title: titleOfName(posix.basename(path)),
    rank: Math.min(...pages.map(({ order }) => order ?? Number.POSITIVE_INFINITY)),
  }),
};
