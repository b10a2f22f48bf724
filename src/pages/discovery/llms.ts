/** `/llms.txt`, which leads a language model to every page, and `/llms-full.txt`, which holds them. */
import { isNone } from '../../base/none.ts';
import { inSlices } from '../../base/slices.ts';
import type { Page } from '../../content/content.ts';
import { docUrl } from '../../operations/docs.ts';
import { faqAnswer } from '../../operations/faq.ts';
import { pageMarkdown } from '../docs.ts';
import { type LlmsEntry, llmsHeadings, type Site } from '../site.ts';

/** What readers of llms.txt take at most, in characters, with some room. */
const longest = 45_000;

/** A very large documentation loses its descriptions, then its single pages. */
export function llmsTxt(site: Site): string {
  // A line has its address at least: what cannot fit is not written to see that it does not.
  if (site.catalog.slugs.length * (site.baseUrl.length + 6) > longest) return listing(site, 'index');
  const full = listing(site, 'described');
  if (full.length <= longest) return full;
  const bare = listing(site, 'bare');
  return bare.length <= longest ? bare : listing(site, 'index');
}

function listing(site: Site, depth: 'described' | 'bare' | 'index'): string {
  const { product } = site.content;
  const entries = site.published
    .flatMap(({ llms }) => (isNone(llms) ? [] : llms(site)))
    .filter(({ only }) => only === undefined || (only === 'index') === (depth === 'index'));
  const line = ({ title, path, about = '' }: LlmsEntry): string =>
    `- [${title.replace(/[[\]]/g, '')}](${site.baseUrl}${path})${depth === 'described' && about !== '' ? `: ${about.replace(/\s+/g, ' ')}` : ''}`;
  const section = (heading: string): string[] => {
    const below = entries.filter((entry) => entry.heading === heading);
    return below.length === 0 ? [] : [`## ${heading}`, below.map(line).join('\n')];
  };
  return `${[
    `# ${product.name}`,
    `> ${product.description.replace(/\s+/g, ' ')}`,
    `Every page is markdown at the address given here, and as HTML without \`.md\`. ${site.isSnapshot ? snapshotNote(site) : `The same facts are an API at ${site.production.apiRoot}, free and without a key.`}`,
    ...llmsHeadings.flatMap(section),
  ].join('\n\n')}\n`;
}

const snapshotNote = (site: Site): string =>
  `These are static files: of the API, they have what it returns without parameters, such as ${site.production.apiRoot}/requirements/index.json. They have no parameters, MCP servers, OAuth, exports or developer portal.`;

/** Every page of the documentation and all FAQ answers, one after the other. */
export async function llmsFullTxt(site: Site): Promise<Buffer> {
  const { product, pages, faq } = site.content;
  const parts = [`# ${product.name}`, `> ${product.description.replace(/\s+/g, ' ')}`];
  const bytes = [
    Buffer.from(parts.join('\n\n')),
    ...(await inSlices(pages, (page) => Buffer.from(`\n\n${wholePage(site, page)}`))),
    Buffer.from(faq.length === 0 ? '' : '\n\n# Questions and answers'),
    ...(await inSlices(faq, (entry) =>
      Buffer.from(`\n\n## ${entry.question}\n\n${faqAnswer(site.shown.siteRoot, entry).trim()}`),
    )),
    Buffer.from('\n'),
  ];
  return Buffer.concat(bytes);
}

function wholePage(site: Site, page: Page): string {
  const source = `Source: ${docUrl(site.baseUrl, page.slug)}${page.updated === null ? '' : `, updated ${page.updated}`}`;
  return `# ${page.title}\n\n${source}\n\n${pageMarkdown(site, page)}`;
}
