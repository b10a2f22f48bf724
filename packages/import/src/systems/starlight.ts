/** Starlight: astro.config, pages in src/content/docs, asides, and components in MDX. */

import { posix } from 'node:path';
import { githubAnchors } from '../anchors.ts';
import { titleOfName } from '../blocks.ts';
import { listOf, type Matter, orderOf, recordOf, textOf } from '../front-matter.ts';
import { homeText } from '../home.ts';
import { readModule } from '../literal.ts';
import { Call, NotLiteral } from '../literal-values.ts';
import { pagesOf, reportLanguages, subfolders } from '../pages.ts';
import type { Report } from '../report.ts';
import type { Entry, Site, SourcePage, System } from '../site.ts';
import { dialect } from './starlight-syntax.ts';

const folder = 'src/content/docs';

export const starlight: System = {
  name: 'starlight',
  isConfiguration: (path, text) => /^astro\.config\.[mc]?[jt]s$/.test(path) && /starlight/.test(text()),
  read(tree, configuration, options, report) {
    const config = recordOf(readModule(tree, configuration));
    const call = listOf(config.integrations).find(
      (value): value is Call => value instanceof Call && value.name === 'starlight',
    );
    const settings = recordOf(call?.values[0]);
    if (call === undefined)
      report.add(configuration, 1, 'the settings of Starlight are no literal: pages are in the order of their files.');
    const base = `/${textOf(config.base) ?? ''}`.replace(/\/+/g, '/').replace(/\/$/, '');
    const locales = Object.keys(recordOf(settings.locales));
    const language = options.language ?? 'root';
    const others = locales.filter((name) => name !== 'root' && name !== language);
    const own = locales.includes(language) && language !== 'root' ? `${language}/` : '';
    if (locales.length > 1) reportLanguages(report, configuration, language, others);
    const found = pagesOf(tree, report, {
      isPage: (file) => {
        const path = file.slice(folder.length + 1);
        return (
          file.startsWith(`${folder}/`) &&
          /\.mdx?$/.test(file) &&
          !/(?:^|\/)_/.test(path) &&
          path.startsWith(own) &&
          !others.some((name) => path.startsWith(`${name}/`)) &&
          path !== '404.md' &&
          path !== '404.mdx'
        );
      },
      address: (file, matter) => `${base}/${slugOf(file, matter)}`,
      label: ({ values }) => textOf(recordOf(values.sidebar).label),
      order: ({ values }) => orderOf(recordOf(values.sidebar).order),
      known: [
        'sidebar',
        'hero',
        'template',
        'tableOfContents',
        'editUrl',
        'lastUpdated',
        'prev',
        'next',
        'pagefind',
        'banner',
      ],
    });
    const { leftOut } = found;
    const pages = found.pages.map(withHero);
    return {
      pages,
      leftOut,
      base,
      documentation: `${base}${own === '' ? '' : `/${own.slice(0, -1)}`}`,
      origin: URL.parse(textOf(config.site) ?? '')?.origin ?? null,
      navigation: navigationOf(settings.sidebar, pages, own, report),
      redirects: redirectsOf(config.redirects, configuration),
      publicFolders: ['public'],
      elsewhere: others.map((name) => `/${name}`),
      linksFrom: 'address',
      anchorRule: githubAnchors,
      dialect,
    };
  },
};

/** Each part of the path as GitHub makes anchors of headings; the front matter’s own as it is. */
function slugOf(file: string, { values }: Matter): string {
  const given = textOf(values.slug);
  if (given !== null) return given.replace(/^\/|\/$/g, '');
  const path = file.slice(folder.length + 1).replace(/\.mdx?$/, '');
  const parts = path.split('/').map((part) =>
    part
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
  return parts.join('/').replace(/(?:^|\/)index$/, '');
}

function withHero(page: SourcePage): SourcePage {
  const { values, body } = page.matter;
  if (values.hero === undefined) return page;
  return { ...page, matter: { ...page.matter, body: `${homeText(values)}\n\n${body}` } };
}

function redirectsOf(redirects: unknown, file: string): Site['redirects'] {
  return Object.entries(recordOf(redirects)).flatMap(([from, to]) => {
    const target = textOf(to) ?? textOf(recordOf(to).destination);
    return target === null
      ? []
      : [
          {
            from: from.replace(/\[\.{3}(\w+)\]/g, ':$1*').replace(/\[(\w+)\]/g, ':$1'),
            to: target.replace(/\[\.{3}(\w+)\]/g, ':$1*').replace(/\[(\w+)\]/g, ':$1'),
            file,
            line: 1,
          },
        ];
  });
}

function navigationOf(sidebar: unknown, pages: readonly SourcePage[], own: string, report: Report): Entry[] {
  const bySlug = new Map(pages.map((page) => [slugOf(page.file, page.matter), page]));
  const pageOf = (slug: string): SourcePage | undefined =>
    bySlug.get(`${own}${slug.replace(/^\/|\/$/g, '')}`.replace(/\/$/, '')) ?? bySlug.get(slug.replace(/^\/|\/$/g, ''));
  const entryOf = (item: unknown): Entry[] => {
    if (item instanceof NotLiteral || item instanceof Call) {
      report.add(
        item instanceof NotLiteral ? item.file : folder,
        item instanceof NotLiteral ? item.line : 1,
        'this part of the sidebar is no literal; it is left out.',
      );
      return [];
    }
    if (typeof item === 'string') return pageEntry(pageOf(item), null);
    const { label, slug, link: href, items, autogenerate } = recordOf(item);
    const title = textOf(label);
    if (autogenerate !== undefined)
      return folderEntry(textOf(recordOf(autogenerate).directory) ?? '', title, pages, own);
    if (Array.isArray(items)) return [{ kind: 'group', title, file: null, entries: items.flatMap(entryOf) }];
    const target = textOf(slug) ?? textOf(href);
    if (target === null) return [];
    if (/^https?:/.test(target)) return [{ kind: 'link', title: title ?? target, href: target }];
    return pageEntry(pageOf(target), title);
  };
  if (Array.isArray(sidebar)) return sidebar.flatMap(entryOf);
  return folderEntries(own.replace(/\/$/, ''), pages);
}

const pageEntry = (page: SourcePage | undefined, title: string | null): Entry[] =>
  page === undefined ? [] : [{ kind: 'page', file: page.file, title: title ?? page.label }];

function folderEntry(directory: string, title: string | null, pages: readonly SourcePage[], own: string): Entry[] {
  const entries = folderEntries(`${own}${directory.replace(/^\/|\/$/g, '')}`, pages);
  return title === null ? entries : [{ kind: 'group', title, file: null, entries }];
}

/** By `order`, then by name; the index of a folder first. */
function folderEntries(directory: string, pages: readonly SourcePage[]): Entry[] {
  const root = directory === '' ? folder : `${folder}/${directory}`;
  const inside = pages.filter(
    ({ file, matter }) => file.startsWith(`${root}/`) && recordOf(matter.values.sidebar).hidden !== true,
  );
  const rank = (page: SourcePage): number =>
    page.order ?? (/\/index\.mdx?$/.test(page.file) ? -1 : Number.POSITIVE_INFINITY);
  const own = inside.filter(({ file }) => posix.dirname(file) === root);
  const items = [
    ...own.map((page) => ({ rank: rank(page), name: page.file, entry: pageEntry(page, null) })),
    ...[...subfolders(inside, root)].map((name) => {
      const below = inside.filter(({ file }) => file.startsWith(`${root}/${name}/`));
      const entries = folderEntries(directory === '' ? name : `${directory}/${name}`, pages);
      const entry: Entry = { kind: 'group', title: titleOfName(name), file: null, entries };
      return {
        rank: Math.min(...below.map((page) => page.order ?? Number.POSITIVE_INFINITY)),
        name: `${root}/${name}`,
        entry: [entry],
      };
    }),
  ];
  return items
    .sort((a, b) => (a.rank === b.rank ? (a.name < b.name ? -1 : 1) : a.rank - b.rank))
    .flatMap(({ entry }) => entry);
}
