/** Writes `/llms.txt`, which links every page for language models, and `/llms-full.txt`, which has their texts. */
import { isNone } from '../../base/none.ts';
import { mapInSlices } from '../../base/turn.ts';
import type { Page } from '../../content/content.ts';
import { getDocUrl } from '../../operations/docs.ts';
import { getAnswerMarkdown } from '../../operations/faq.ts';
import { writePage } from '../docs.ts';
import { type LlmsEntry, llmsHeadings, type Site } from '../site.ts';

/** Maximum length of llms.txt in characters; readers cut a longer file, some at 50,000. */
const maxLength = 45_000;

/**
 * Returns llms.txt as Markdown. One that would exceed 45,000 characters has no descriptions, and if it still would, one line for a
 * list of pages (`only: 'index'`) replaces the lines of the pages themselves (`only: 'single'`).
 */
export function writeLlmsTxt(site: Site): string {
  // Each line has at least an address, so a list that cannot fit is recognized before it is written.
  if (site.catalog.slugs.length * (site.baseUrl.length + 6) > maxLength) return writeListing(site, 'index');
  const full = writeListing(site, 'described');
  if (full.length <= maxLength) return full;
  const bare = writeListing(site, 'bare');
  return bare.length <= maxLength ? bare : writeListing(site, 'index');
}

function writeListing(site: Site, depth: 'described' | 'bare' | 'index'): string {
  const { product } = site.content;
  const entries = site.published
    .flatMap(({ llms }) => (isNone(llms) ? [] : llms(site)))
    .filter(({ only }) => only === undefined || (only === 'index') === (depth === 'index'));
  const writeLine = ({ title, path, about = '' }: LlmsEntry): string =>
    `- [${title.replace(/[[\]]/g, '')}](${site.baseUrl}${path})${depth === 'described' && about !== '' ? `: ${about.replace(/\s+/g, ' ')}` : ''}`;
  const writeSection = (heading: string): string[] => {
    const below = entries.filter((entry) => entry.heading === heading);
    return below.length === 0 ? [] : [`## ${heading}`, below.map(writeLine).join('\n')];
  };
  return `${[
    `# ${product.name}`,
    `> ${product.description.replace(/\s+/g, ' ')}`,
    `Every page is markdown at the address given here, and as HTML without \`.md\`. ${site.isSnapshot ? writeSnapshotNote(site) : `The same facts are an API at ${site.production.apiRoot}, free and without a key.`}`,
    ...llmsHeadings.flatMap(writeSection),
  ].join('\n\n')}\n`;
}

const writeSnapshotNote = (site: Site): string =>
  `These are static files: of the API, they have what it returns without parameters, such as ${site.production.apiRoot}/requirements/index.json. They have no parameters, MCP servers, OAuth, exports or developer portal.`;

/** Returns llms-full.txt as Markdown in UTF-8: every page of the documentation and all answers of the FAQ. */
export async function writeLlmsFullTxt(site: Site): Promise<Buffer> {
  const { product, pages, faq } = site.content;
  const parts = [`# ${product.name}`, `> ${product.description.replace(/\s+/g, ' ')}`];
  const bytes = [
    Buffer.from(parts.join('\n\n')),
    ...(await mapInSlices(pages, (page) => Buffer.from(`\n\n${writeWholePage(site, page)}`))),
    Buffer.from(faq.length === 0 ? '' : '\n\n# Questions and answers'),
    ...(await mapInSlices(faq, (entry) =>
      Buffer.from(`\n\n## ${entry.question}\n\n${getAnswerMarkdown(site.shown.siteRoot, entry).trim()}`),
    )),
    Buffer.from('\n'),
  ];
  return Buffer.concat(bytes);
}

function writeWholePage(site: Site, page: Page): string {
  const source = `Source: ${getDocUrl(site.baseUrl, page.slug)}${page.updated === null ? '' : `, updated ${page.updated}`}`;
  return `# ${page.title}\n\n${source}\n\n${writePage(site, page)}`;
}
