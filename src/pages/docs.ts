/** Renders the documentation: its index and its pages. */
import { html, raw } from 'hono/html';
import type { Page } from '../content/content.ts';
import { dayInWords } from '../content/facts.ts';
import type { NavigationEntry } from '../content/navigation.ts';
import { fillWords } from '../content/words.ts';
import { getDocPath, rootSlug } from '../markdown/links.ts';
import { createUnknownPageError, getDocUrl, writeAbsoluteMarkdown } from '../operations/docs.ts';
import { joinBlocks } from '../operations/markdown.ts';
import { type Markup, renderAttributes } from './components/attributes.ts';
import { renderPage } from './components/layout.ts';
import { PageMenu } from './components/page-menu.ts';
import { InlineTableOfContents } from './components/table-of-contents.ts';
import { describeArticle } from './json-ld.ts';
import { typeset } from './language.ts';
import { type Destination, findGroupsAbove, findNeighbors, findPages } from './navigation.ts';
import type { PageDocument } from './page.ts';
import { createPageProse, renderProse } from './prose.ts';
import { getModified, listPages, type Published, type Site } from './site.ts';

/** Renders all pages in their groups, below the text of docs/index.md if the folder has one. */
async function renderDocsPage(site: Site): Promise<PageDocument> {
  const { product } = site;
  const { pages, navigation } = site.content;
  const root = site.catalog.page(rootSlug);
  const title = root?.title ?? fillWords(site.words.documentation_of, { name: product.name });
  const prose = root === undefined ? null : await renderProse(site, root.source, createPageProse(root));
  const titles = pages.slice(0, 100).map((page) => page.title);
  const about = fillWords(site.words.docs_description, { name: product.name, pages: titles.join(', ') });
  const sections = listSections(site, navigation, 2);
  const body = html`<h1>${typeset(site, title)}</h1>
${root?.isDescribed ? html`<p class="lead">${typeset(site, root.description)}</p>` : ''}
${PageMenu(site, '/docs')}
${prose !== null && html`<article class="prose">${raw(prose)}</article>`}
${sections.map((section) => PageSection(site, section))}`;
  return renderPage(site, {
    path: '/docs',
    title: root?.title ?? site.words.documentation,
    description: (root?.description ?? about).slice(0, 300),
    body,
    markdown: joinBlocks(
      `# ${title}`,
      root !== undefined && writePage(site, root),
      ...sections.flatMap(({ heading, level, pages: listed }) => [
        heading !== null && `${'#'.repeat(level)} ${heading}`,
        writePageList(site, listed),
      ]),
    ),
    section: 'docs',
    breadcrumb: [createDocsDestination(site)],
  });
}

const PageSection = (site: Site, { heading, level, pages }: Section) =>
  html`${heading !== null && html`${raw(`<h${level}>`)}${heading}${raw(`</h${level}>`)}`}${pages.length > 0 && PageList(site, pages)}`;

/** Renders links to documentation pages, each with its description, as a list, which is empty without pages. */
export const PageList = (site: Site, pages: readonly Page[]): Markup =>
  html`<ul class="pages plain">${pages.map(
    ({ slug, title, description }) =>
      html`<li><a href="${site.root}${getDocPath(slug)}">${typeset(site, title)}</a><p>${typeset(site, description)}</p></li>`,
  )}</ul>`;

/** Returns absolute links to the Markdown of documentation pages, each with its description, as a Markdown list; '' without pages. */
export const writePageList = ({ shown }: Site, pages: readonly Page[]): string =>
  pages
    .map(({ slug, title, description }) => `- [${title}](${getDocUrl(shown.siteRoot, slug)}.md): ${description}`)
    .join('\n');

/** A heading of the index, or null for pages without one, and the pages below it. */
interface Section {
  readonly heading: string | null;
  readonly level: number;
  readonly pages: Page[];
}

/**
 * Returns the navigation as headings, each with the pages below it. Headings of groups at its top have `level`, and those within a
 * group one more, at most 4.
 */
function listSections(site: Site, entries: readonly NavigationEntry[], level: number): Section[] {
  const sections: Section[] = [];
  for (const entry of entries) {
    if (entry.kind === 'page' && entry.slug !== rootSlug) {
      if (sections.at(-1)?.heading !== null) sections.push({ heading: null, level, pages: [] });
      sections.at(-1)?.pages.push(...findPages(site, [entry]));
    } else if (entry.kind === 'group') {
      const page = entry.slug === null ? undefined : site.catalog.page(entry.slug);
      const nestedSections = listSections(site, entry.entries, Math.min(4, level + 1));
      const opening = nestedSections[0]?.heading === null ? nestedSections.shift() : undefined;
      const pages = [...(page === undefined ? [] : [page]), ...(opening?.pages ?? [])];
      sections.push({ heading: entry.title ?? page?.title ?? null, level, pages }, ...nestedSections);
    }
  }
  return sections;
}

const createDocsDestination = (site: Site): Destination => ({ title: site.words.documentation, href: '/docs' });

/**
 * Renders a page of the documentation. Rejects with `not_found` for a slug that no page has, and for that of docs/index.md, which
 * is at /docs.
 */
async function renderDocPage(site: Site, slug: string): Promise<PageDocument> {
  const { catalog } = site;
  const page = catalog.page(slug);
  // The page of the root, docs/index.md, is at /docs itself and not below it.
  if (page === undefined || slug === rootSlug) throw createUnknownPageError(slug, catalog.slugs, site.shown.apiRoot);
  const path = getDocPath(slug);
  const { titleAnchor } = page;
  const prose = await renderProse(site, page.source, createPageProse(page));
  const contents = page.headings.filter(({ anchor, level, isTab }) => level > 1 && anchor !== titleAnchor && !isTab);
  const body = html`<article class="prose">
<h1${renderAttributes({ id: titleAnchor })}>${typeset(site, page.title)}</h1>
${page.isDescribed && html`<p class="lead">${typeset(site, page.description)}</p>`}
${PageMenu(site, path)}
${InlineTableOfContents(site, contents)}
${raw(prose)}
${EditNote(site, page)}
</article>
${PageNavigation(site, slug)}`;
  return renderPage(site, {
    path,
    title: page.title,
    description: page.description,
    body,
    markdown: joinBlocks(
      `# ${page.title}`,
      writePage(site, page),
      page.updated !== null && `${fillWords(site.words.updated, { day: dayInWords(page.updated, site.language) })}.`,
    ),
    section: 'docs',
    contents,
    breadcrumb: [createDocsDestination(site), ...listPagesAbove(site, page)],
    jsonLd: [describeArticle(site, page)],
    kind: 'article',
  });
}

/** Returns links to the pages of the groups that a page is in, from the top, and last to the page itself. */
function listPagesAbove(site: Site, { slug, title }: Page): Destination[] {
  const groups = (findGroupsAbove(site.content.navigation, slug) ?? []).flatMap(
    (group) => site.catalog.page(group) ?? [],
  );
  return [...groups, { slug, title }].map((page) => ({ title: page.title, href: getDocPath(page.slug) }));
}

/**
 * Returns the page's text as Markdown with absolute links, trimmed, and without a `#` heading at its beginning that repeats the
 * title, which the layout shows.
 */
export const writePage = (site: Site, page: Page): string =>
  writeAbsoluteMarkdown(site.shown.siteRoot, page)
    .replace(/^\s*# .*\n/, (line) => (line.replace('#', '').trim() === page.title ? '' : line))
    .trim();

/** Renders the day of the last change and, not in the sandbox, a link to where the page can be edited; '' if there is neither. */
function EditNote(site: Site, { updated, file }: Page): Markup | '' {
  const { edit_url: template } = site.root === '' ? site.product : {};
  if (updated === null && template === undefined) return '';
  // The sentence is split at `{day}`, because the place of the day depends on the language.
  const [before = '', after = ''] = site.words.updated.split('{day}');
  const day =
    updated && html`${before}<time datetime="${updated}">${dayInWords(updated, site.language)}</time>${after}`;
  const path = file.split('/').map(encodeURIComponent).join('/');
  const link = template && html`<a href="${template.replace('{path}', () => path)}">${site.words.edit_page}</a>`;
  return html`<p class="edited">${day}${day && link && ' · '}${link}</p>`;
}

/** Renders links to the pages before and after one in reading order; null if there are none. */
function PageNavigation(site: Site, slug: string): Markup | null {
  const { previous, next } = findNeighbors(site, slug);
  const link = (page: Page, rel: 'prev' | 'next', label: string) =>
    html`<a class="${rel}" rel="${rel}" href="${site.root}${getDocPath(page.slug)}"><span>${label}</span> <strong>${typeset(site, page.title)}</strong></a>`;
  return (
    (previous ?? next) &&
    html`<nav class="page-navigation quiet" aria-label="${site.words.neighboring_pages}">${previous && link(previous, 'prev', site.words.previous)}${next && link(next, 'next', site.words.next)}</nav>`
  );
}

/** The pages of the documentation, and where the site lists them. */
export const docsFacets: Published = {
  page: {
    routes: [
      { path: '/docs', make: renderDocsPage },
      { path: '/docs/:slug{.+}', make: (site, { slug = '' }) => renderDocPage(site, slug) },
    ],
    listed(site) {
      const { pages } = site.content;
      const newest = pages.flatMap(({ updated }) => updated ?? []).toSorted();
      const others = pages.filter(({ slug }) => slug !== rootSlug);
      return [
        { path: '/docs', title: site.words.documentation, ...getModified(newest.at(-1)) },
        ...others.map(({ slug, title, updated }) => ({ path: getDocPath(slug), title, ...getModified(updated) })),
      ];
    },
  },
  sandbox: 'served',
  sitemap: 'listed',
  llms: ({ content }) => [
    {
      heading: 'Documentation',
      title: 'All pages',
      path: '/docs.md',
      about: 'Every page, with its address.',
      only: 'index',
    },
    ...listPages(
      'Documentation',
      content.pages.map(({ slug, title, description: about }) => ({ title, path: `${getDocPath(slug)}.md`, about })),
    ),
    { heading: 'Product', title: 'Documentation index', path: '/docs.md', about: 'Every page of the documentation.' },
  ],
  navigation: {
    href: '/docs',
    place: 10,
    menu: ({ documentation }) => documentation,
    foot: ({ documentation }) => documentation,
    isThere: ({ content }) => content.pages.length > 0,
  },
  suggestions: 'listed',
};
