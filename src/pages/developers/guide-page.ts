/** A page of the portal that is written as markdown. */
import { html, raw } from 'hono/html';
import { parseMarkdown } from '../../markdown/markdown.ts';
import { actions } from '../docs.ts';
import * as frame from '../frame.ts';
import type { PageDocument } from '../page.ts';
import { proseHtml } from '../prose.ts';
import { productOf, type Site } from '../site.ts';

export interface GuideParts {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** Below the title; links absolute. */
  readonly markdown: string;
}

export async function guidePage(site: Site, { path, title, description, markdown }: GuideParts): Promise<PageDocument> {
  const contents = parseMarkdown(markdown).headings.filter(({ level }) => level === 2);
  const here = { title, href: path };
  const body = html`<article class="prose"><h1>${title}</h1>
${actions(site, path)}
${frame.contentsDisclosure(site, contents)}
${raw(await proseHtml(site, markdown))}</article>`;
  return frame.document(site, {
    path,
    title,
    description,
    body: String(body),
    markdown: `# ${title}\n\n${markdown}`,
    section: 'developers',
    contents,
    trail: [
      { title: productOf(site).name, href: '/' },
      ...(path === '/developers' ? [] : [{ title: 'Developers', href: '/developers' }]),
      here,
    ],
  });
}
