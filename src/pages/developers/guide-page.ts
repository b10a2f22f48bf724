/** A page of the portal that is written as markdown. */
import { html, raw } from 'hono/html';
import { parseMarkdown } from '../../markdown/markdown.ts';
import { document } from '../../operations/markdown.ts';
import { actions } from '../docs.ts';
import * as frame from '../frame.ts';
import type { PageDocument, PageParts } from '../page.ts';
import { proseHtml } from '../prose.ts';
import { productOf, type Site } from '../site.ts';

export interface GuideParts extends Pick<PageParts, 'script'> {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** Below the title, in their order. */
  readonly parts: readonly (string | GuidePart)[];
}

/** A part that is more than its markdown. A part that is a text is markdown with absolute links. */
export interface GuidePart {
  readonly heading: { readonly text: string; readonly anchor: string; readonly level: number };
  /** Safe HTML. */
  readonly html: string;
  readonly markdown: string;
}

export async function guidePage(site: Site, given: GuideParts): Promise<PageDocument> {
  const { path, title, description, parts } = given;
  const contents = parts.flatMap((part) =>
    typeof part === 'string' ? parseMarkdown(part).headings.filter(({ level }) => level === 2) : [part.heading],
  );
  const rendered = await Promise.all(
    parts.map((part, index) =>
      typeof part === 'string' ? proseHtml(site, part, index === 0 ? {} : { name: `part-${index}` }) : part.html,
    ),
  );
  const here = { title, href: path };
  const body = html`<article class="prose"><h1>${title}</h1>
${actions(site, path)}
${frame.contentsDisclosure(site, contents)}
${raw(rendered.join('\n'))}</article>`;
  return frame.document(site, {
    path,
    title,
    description,
    body: String(body),
    markdown: document(`# ${title}`, ...parts.map((part) => (typeof part === 'string' ? part : part.markdown))),
    section: 'developers',
    contents,
    trail: [
      { title: productOf(site).name, href: '/' },
      ...(path === '/developers' ? [] : [{ title: 'Developers', href: '/developers' }]),
      here,
    ],
    ...(given.script !== undefined && { script: given.script }),
  });
}
