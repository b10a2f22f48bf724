/** The API reference, generated from the operations: the lists of its overview, and a page for each tag. */
import { html } from 'hono/html';
import { ApiError } from '../../base/api-error.ts';
import { nearMisses } from '../../base/near-miss.ts';
import { document, table } from '../../operations/markdown.ts';
import { renderPage } from '../components/layout.ts';
import { PageMenu } from '../components/page-menu.ts';
import { type Destination, referenceTags } from '../navigation.ts';
import type { PageDocument } from '../page.ts';
import type { Site } from '../site.ts';
import { endpointGuide } from './endpoint-guide.ts';
import { operationGuide } from './operation-guide.ts';
import { codeOf, highlightedCode, OperationSection } from './operation-html.ts';
import { operationMarkdown } from './operation-markdown.ts';
import { samplePart } from './sample-part.ts';

/** The pages above that of a tag. */
const pagesAbove: readonly Destination[] = [
  { title: 'Developers', href: '/developers' },
  { title: 'Reference', href: '/developers/reference' },
];

/** Returns the values of the overview: every operation by its tag, and the headers that all responses can have. */
export const referenceValues = (site: Site): Readonly<Record<string, string>> => ({
  operation_lists: document(
    ...referenceTags(site).flatMap(({ tag, href, about, entries }) => [
      `## [${tag}](${site.baseUrl}${href})`,
      about,
      entries
        .map((entry) => `- [${entry.summary}](${site.baseUrl}${entry.href}) \`${entry.method} ${entry.path}\``)
        .join('\n'),
    ]),
  ).trim(),
  response_header_table: table(
    ['Header', 'Description', 'Example'],
    Object.entries(site.responseHeaders).map(([name, { description, example }]) => [
      `\`${name}\``,
      description,
      `\`${example}\``,
    ]),
  ),
});

/** Throws `not_found` for a name that no tag has. */
export async function referenceTagPage(site: Site, name: string, query: URLSearchParams): Promise<PageDocument> {
  const tags = referenceTags(site);
  const found = tags.find(({ tag }) => tag.toLowerCase() === name);
  if (found === undefined) {
    const names = tags.map(({ tag }) => tag.toLowerCase());
    const suggestions = nearMisses(name, names);
    throw new ApiError('not_found', 'There is no such page in the reference.', { suggestions });
  }
  const { tag, href, about, operations, endpoints, entries } = found;
  if (query.get('part') === 'samples') return samplePart(site, href, query);
  const guides = [
    ...(await Promise.all(operations.map((operation) => operationGuide(site, operation)))),
    ...endpoints.map((endpoint) => endpointGuide(site, endpoint)),
  ];
  const highlighted = await highlightedCode(site, codeOf(guides));
  const body = html`<h1>${tag}</h1>
<p class="lead">${about}</p>
${PageMenu(site, href)}
${guides.map((guide) => OperationSection(site, guide, highlighted))}`;
  return renderPage(site, {
    path: href,
    title: `${tag}: reference`,
    description: `${about} ${entries.map(({ summary }) => summary).join(', ')}.`.slice(0, 300),
    body,
    markdown: document(`# ${tag}`, about, ...guides.map((guide) => operationMarkdown(site, guide))),
    section: 'developers',
    breadcrumb: [...pagesAbove, { title: tag, href }],
    wide: true,
    scriptUrl: site.look.referenceScript.url,
  });
}
