/** The API reference, generated from the operations: the lists of its overview, and a page for each tag. */
import { html } from 'hono/html';
import { ApiError } from '../../base/api-error.ts';
import { findNearMisses } from '../../base/near-miss.ts';
import { joinBlocks, writeTable } from '../../operations/markdown.ts';
import { renderPage } from '../components/layout.ts';
import { PageMenu } from '../components/page-menu.ts';
import type { Destination } from '../navigation.ts';
import type { PageDocument } from '../page.ts';
import type { Site } from '../site.ts';
import { listReferenceTags } from './contents.ts';
import { createEndpointGuide } from './endpoint-guide.ts';
import { linkInMarkdown, writeObjectLink } from './field-list.ts';
import { describeObjects, listObjects } from './objects.ts';
import { createOperationGuide } from './operation-guide.ts';
import { highlightCode, listCode, OperationSection } from './operation-html.ts';
import { writeOperation } from './operation-markdown.ts';
import { renderSamplePart } from './sample-part.ts';

/** The pages above those of the reference. */
export const pagesAbove: readonly Destination[] = [
  { title: 'Developers', href: '/developers' },
  { title: 'Reference', href: '/developers/reference' },
];

/**
 * Returns the values for the placeholders of the overview, as Markdown by name: every operation by its tag, every object, and the
 * headers that all responses can have.
 */
export const createReferenceValues = (site: Site): Readonly<Record<string, string>> => ({
  operation_lists: joinBlocks(
    ...listReferenceTags(site).flatMap(({ title, href, about, entries }) => [
      `## [${title}](${site.baseUrl}${href})`,
      about,
      entries
        .map((entry) => `- [${entry.summary}](${site.baseUrl}${entry.href}) \`${entry.method} ${entry.path}\``)
        .join('\n'),
    ]),
  ).trim(),
  object_list: [...listObjects(site)]
    .map(([name, { description = '' }]) => `- ${writeObjectLink(linkInMarkdown(site), name)}: ${description}`)
    .join('\n'),
  response_header_table: writeTable(
    ['Header', 'Description', 'Example'],
    Object.entries(site.responseHeaders).map(([name, { description, example }]) => [
      `\`${name}\``,
      description,
      `\`${example}\``,
    ]),
  ),
});

/** Returns the entry whose path ends in a name, after the last slash. Throws `not_found` with suggestions if there is none. */
export function findByName<T extends { readonly href: string }>(entries: readonly T[], name: string): T {
  const readName = ({ href }: T) => href.slice(href.lastIndexOf('/') + 1);
  const entry = entries.find((one) => readName(one) === name);
  if (entry !== undefined) return entry;
  const suggestions = findNearMisses(name, entries.map(readName));
  throw new ApiError('not_found', 'There is no such page in the reference.', { suggestions });
}

/**
 * Returns the page of a tag by the last part of its path, or with `part=samples` in the query only the samples that
 * `renderSamplePart` returns. Rejects with `not_found` for a name that no tag has and for samples without a known operation, with
 * `invalid_request` for their `input` if it is no JSON object, and with an Error for a page with a GET outside of a request.
 */
export async function renderReferencePage(site: Site, name: string, query: URLSearchParams): Promise<PageDocument> {
  const { title, href, about, operations, endpoints, entries } = findByName(listReferenceTags(site), name);
  if (query.get('part') === 'samples') return renderSamplePart(site, href, query);
  const objects = describeObjects(site);
  const guides = [
    ...(await Promise.all(operations.map((operation) => createOperationGuide(site, operation, objects)))),
    ...endpoints.map((endpoint) => createEndpointGuide(site, endpoint, objects)),
  ];
  const codeHtml = await highlightCode(site, listCode(guides));
  const body = html`<h1>${title}</h1>
<p class="lead">${about}</p>
${PageMenu(site, href)}
${guides.map((guide) => OperationSection(site, guide, codeHtml))}`;
  return renderPage(site, {
    path: href,
    title: `${title}: reference`,
    description: `${about} ${entries.map(({ summary }) => summary).join(', ')}.`.slice(0, 300),
    body,
    markdown: joinBlocks(`# ${title}`, about, ...guides.map((guide) => writeOperation(site, guide))),
    section: 'developers',
    breadcrumb: [...pagesAbove, { title, href }],
    wide: true,
    scriptUrl: site.look.referenceScript.url,
  });
}
