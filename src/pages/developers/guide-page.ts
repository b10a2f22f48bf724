/** Renders a guide of the portal, which is written as Markdown. */
import { html, raw } from 'hono/html';
import { fillWords } from '../../content/words.ts';
import { parseMarkdown } from '../../markdown/markdown.ts';
import { joinBlocks } from '../../operations/markdown.ts';
import { renderPage } from '../components/layout.ts';
import { PageMenu } from '../components/page-menu.ts';
import { InlineTableOfContents } from '../components/table-of-contents.ts';
import type { PageDocument } from '../page.ts';
import { renderProse } from '../prose.ts';
import type { Site } from '../site.ts';
import type { Guide } from './contents.ts';
import { createExampleValues, createGuideValues, renderGuide } from './guide-text.ts';
import { createReferenceValues } from './reference.ts';
import { createVersionValues, sortByDay } from './versioning.ts';

/** Returns the description of a guide with the product's name. */
export const describeGuide = ({ description }: Guide, { product }: Site): string =>
  fillWords(description, { product: product.name });

/** Returns the page of a guide, with the service's own values in its examples. Rejects with an Error outside of a request. */
export async function renderGuidePage(site: Site, guide: Guide): Promise<PageDocument> {
  const { name, title, href } = guide;
  const values = {
    ...createGuideValues(site),
    ...createVersionValues(site),
    ...createReferenceValues(site),
    ...(await createExampleValues(site)),
  };
  const text = renderGuide(name, values);
  const markdown = name === 'changelog' ? sortByDay(text) : text;
  const contents = parseMarkdown(markdown).headings.filter(({ level }) => level === 2);
  const body = html`<article class="prose"><h1>${title}</h1>
${PageMenu(site, href)}
${InlineTableOfContents(site, contents)}
${raw(await renderProse(site, markdown, { dialect: 'page' }))}</article>`;
  return renderPage(site, {
    path: href,
    title,
    description: describeGuide(guide, site),
    body,
    markdown: joinBlocks(`# ${title}`, markdown),
    section: 'developers',
    contents,
    breadcrumb: [...(name === 'developers' ? [] : [{ title: 'Developers', href: '/developers' }]), { title, href }],
  });
}
