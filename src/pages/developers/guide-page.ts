/** Renders a page of the portal that is written as Markdown. */
import { html, raw } from 'hono/html';
import { parseMarkdown } from '../../markdown/markdown.ts';
import { document } from '../../operations/markdown.ts';
import { renderPage } from '../components/layout.ts';
import { PageMenu } from '../components/page-menu.ts';
import { InlineTableOfContents } from '../components/table-of-contents.ts';
import type { PageDocument } from '../page.ts';
import { proseHtml } from '../prose.ts';
import type { Site } from '../site.ts';

/** A page of the portal before it is rendered. */
export interface GuideParts {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** Markdown below the title; links are absolute. */
  readonly markdown: string;
}

/** Returns the page as HTML and as Markdown. */
export async function guidePage(site: Site, { path, title, description, markdown }: GuideParts): Promise<PageDocument> {
  const contents = parseMarkdown(markdown).headings.filter(({ level }) => level === 2);
  const body = html`<article class="prose"><h1>${title}</h1>
${PageMenu(site, path)}
${InlineTableOfContents(site, contents)}
${raw(await proseHtml(site, markdown))}</article>`;
  return renderPage(site, {
    path,
    title,
    description,
    body,
    markdown: document(`# ${title}`, markdown),
    section: 'developers',
    contents,
    breadcrumb: [
      ...(path === '/developers' ? [] : [{ title: 'Developers', href: '/developers' }]),
      { title, href: path },
    ],
  });
}
