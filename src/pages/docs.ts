/** The documentation: its index, and its pages. */
import { html, raw } from 'hono/html';
import type { Page } from '../content/content.ts';
import { unknownPage } from '../operations/docs.ts';
import { document } from '../operations/markdown.ts';
import * as frame from './frame.ts';
import { techArticle } from './json-ld.ts';
import { filled, languageOf, wordsOf } from './language.ts';
import { type Destination, neighbours, pagesByFolder, pagesOf } from './navigation.ts';
import { markdownPathOf, type PageDocument } from './page.ts';
import { proseHtml, proseMarkdown } from './prose.ts';
import { modifiedOn, type Published, productOf, type Site } from './site.ts';
import { dayInWords } from './words.ts';

function docsPage(site: Site): PageDocument {
  const { product, pages } = site.catalog.content;
  const groups = pagesByFolder(pages).map((folder) => ({ title: folder.title, pages: pagesOf(folder) }));
  const words = wordsOf(site);
  const title = filled(words.documentation_of, { name: product.name });
  const body = html`<h1>${title}</h1>
${groups.map(
  (group) =>
    html`${group.title === null ? '' : html`<h2>${group.title}</h2>`}<ul class="pages plain">${group.pages.map(
      ({ slug, title: name, description }) => html`<li><a href="/docs/${slug}">${name}</a><p>${description}</p></li>`,
    )}</ul>`,
)}`;
  return frame.document(site, {
    path: '/docs',
    title: words.documentation,
    description: `How to use ${product.name}: ${pages.map(({ title: name }) => name).join(', ')}.`.slice(0, 300),
    body: String(body),
    markdown: document(
      `# ${title}`,
      ...groups.flatMap((group) => [
        group.title !== null && `## ${group.title}`,
        group.pages
          .map(({ slug, title: name, description }) => `- [${name}](${site.baseUrl}/docs/${slug}.md): ${description}`)
          .join('\n'),
      ]),
    ),
    section: 'docs',
    trail: [{ title: product.name, href: '/' }, docsRoot(site)],
  });
}

const docsRoot = (site: Site): Destination => ({ title: wordsOf(site).documentation, href: '/docs' });
const everyPage = 'Every page, with its address.';

const hasPages = ({ catalog }: Site): boolean => catalog.content.pages.length > 0;

/** Throws `not_found` for a slug that no page has. */
async function docPage(site: Site, slug: string): Promise<PageDocument> {
  const { catalog } = site;
  const page = catalog.page(slug);
  if (page === undefined) throw unknownPage(slug, catalog.slugs, site.production.apiRoot);
  const path = `/docs/${slug}`;
  const { id, prose } = withoutTitle(page, await proseHtml(site, page.markdown, { from: slug }));
  const contents = page.headings.filter(({ anchor, level }) => level > 1 && anchor !== id);
  const body = html`<article class="prose">
<h1${id === null ? '' : raw(` id="${id}"`)}>${page.title}</h1>
<p class="lead">${page.description}</p>
${actions(site, path)}
${frame.contentsDisclosure(site, contents)}
${raw(prose)}
<p class="edited">${edited(site, page)}</p>
</article>
${turns(site, neighbours(catalog.content.pages, slug))}`;
  return frame.document(site, {
    path,
    title: page.title,
    description: page.description,
    body: String(body),
    markdown: document(
      `# ${page.title}`,
      proseMarkdown(
        site,
        page.markdown.replace(/^\s*# .*\n/, (line) => (isTitle(line, page) ? '' : line)),
        slug,
      ).trim(),
      `${filled(wordsOf(site).updated, { day: dayInWords(page.updated, languageOf(site)) })}.`,
    ),
    section: 'docs',
    contents,
    trail: [{ title: productOf(site).name, href: '/' }, docsRoot(site), ...folders(catalog.content.pages, page)],
    jsonLd: [techArticle(site, { title: page.title, description: page.description, path, modified: page.updated })],
    kind: 'article',
  });
}

const isTitle = (line: string, page: Page): boolean => line.replace('#', '').trim() === page.title;

/** A text that opens with its own title does not get it twice; the title keeps the text's anchor. */
function withoutTitle(page: Page, prose: string): { id: string | null; prose: string } {
  const [first] = page.headings;
  const opening = /^<h1 id="([^"]*)">.*?<\/h1>\s*/s.exec(prose);
  if (opening === null || first === undefined || first.text !== page.title) return { id: null, prose };
  return { id: first.anchor, prose: prose.slice(opening[0].length) };
}

/** The pages of the same names as the page's folders, and the page itself. */
function folders(pages: readonly Page[], { slug, title }: Page): Destination[] {
  const above = slug.split('/').slice(0, -1);
  const found = above.flatMap(
    (_, index) => pages.find((page) => page.slug === above.slice(0, index + 1).join('/')) ?? [],
  );
  return [
    ...found.map((page) => ({ title: page.title, href: `/docs/${page.slug}` })),
    { title, href: `/docs/${slug}` },
  ];
}

/** The day stands in the sentence where the language wants it. */
function edited(site: Site, { updated }: Page) {
  const [before = '', after = ''] = wordsOf(site).updated.split('{day}');
  return html`${before}<time datetime="${updated}">${dayInWords(updated, languageOf(site))}</time>${after}`;
}

/** Copying works with JavaScript; without, the link to the markdown stays. */
export const actions = (site: Site, path: string) =>
  html`<p class="actions"><a href="${markdownPathOf(path)}" data-copy-page>${wordsOf(site).view_as_markdown}</a></p>`;

function turns(site: Site, { previous, next }: { previous: Page | null; next: Page | null }) {
  const words = wordsOf(site);
  if (previous === null && next === null) return '';
  const turn = (page: Page, rel: 'prev' | 'next', label: string) =>
    html`<a class="${rel}" rel="${rel}" href="/docs/${page.slug}"><span>${label}</span> <strong>${page.title}</strong></a>`;
  return html`<nav class="turns quiet" aria-label="${words.neighboring_pages}">${previous === null ? '' : turn(previous, 'prev', words.previous)}${next === null ? '' : turn(next, 'next', words.next)}</nav>`;
}

export const docsFacets: Published = {
  page: {
    routes: [
      { path: '/docs', make: docsPage },
      { path: '/docs/:slug{.+}', make: (site, { slug = '' }) => docPage(site, slug) },
    ],
    listed(site) {
      const { pages } = site.catalog.content;
      const { href: path, title: name } = docsRoot(site);
      const newest = pages.map(({ updated }) => updated).toSorted();
      return [
        { path, title: name, ...modifiedOn(newest.at(-1)) },
        ...pages.map(({ slug, title, updated }) => ({ path: `/docs/${slug}`, title, ...modifiedOn(updated) })),
      ];
    },
  },
  sitemap: 'listed',
  llms: ({ catalog }) => [
    { heading: 'Documentation', title: 'All pages', path: '/docs.md', about: everyPage, only: 'index' },
    ...catalog.content.pages.map(({ slug, title, description: about }) => ({
      heading: 'Documentation' as const,
      title,
      path: `/docs/${slug}.md`,
      about,
      only: 'single' as const,
    })),
    { heading: 'Product', title: 'Documentation index', path: '/docs.md', about: 'Every page of the documentation.' },
  ],
  navigation: {
    href: '/docs',
    place: 10,
    menu: ({ documentation }) => documentation,
    foot: ({ documentation }) => documentation,
    isThere: hasPages,
  },
  suggestions: 'listed',
};
