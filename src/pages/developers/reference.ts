/** The API reference, made from the operations: an overview, and a page for each kind of resource. */
import { html } from 'hono/html';
import { ApiError } from '../../base/api-error.ts';
import { nearMisses } from '../../base/near-miss.ts';
import { document, table } from '../../operations/markdown.ts';
import { renderPage } from '../components/layout.ts';
import { actions } from '../docs.ts';
import { type Destination, referenceTags } from '../navigation.ts';
import type { PageDocument } from '../page.ts';
import type { Site } from '../site.ts';
import { endpointGuide } from './endpoint-guide.ts';
import { guidePage } from './guide-page.ts';
import { operationGuide } from './operation-guide.ts';
import { codeOf, highlightedCode, OperationSection } from './operation-html.ts';
import { operationMarkdown } from './operation-markdown.ts';
import { samplePart } from './sample-part.ts';

const reference: Destination = { title: 'Reference', href: '/developers/reference' };
const developers: Destination = { title: 'Developers', href: '/developers' };

/** Renders the overview: every operation by its tag, and the headers that all requests and responses can have. */
export function referencePage(site: Site): Promise<PageDocument> {
  const { baseUrl, production, sandbox } = site;
  return guidePage(site, {
    path: reference.href,
    title: 'Reference',
    description: `Every operation of the ${site.product.name} API: parameters, responses, headers, errors, and samples that run.`,
    markdown: document(
      `Every path below \`${production.apiRoot}\` also exists below \`${sandbox.apiRoot}\`, with fixture data and a separate rate limit. Responses there are JSON, or markdown if \`Accept\` is \`text/markdown\`. The machine-readable form is [openapi.json](${baseUrl}/openapi.json) (OpenAPI 3.1); code generators use [openapi.sdk.json](${baseUrl}/openapi.sdk.json).`,
      ...referenceTags(site).flatMap(({ tag, href, about, entries }) => [
        `## [${tag}](${baseUrl}${href})`,
        about,
        entries
          .map((entry) => `- [${entry.summary}](${baseUrl}${entry.href}) \`${entry.method} ${entry.path}\``)
          .join('\n'),
      ]),
      '## Request headers',
      'All are optional.',
      headerTable(requestHeaders),
      '## Response headers',
      `Header names are case-insensitive. [openapi.json](${baseUrl}/openapi.json) lists the headers of each operation.`,
      headerTable(Object.entries(site.responseHeaders)),
    ),
  });
}

type Headers = readonly (readonly [name: string, { readonly description: string; readonly example: string }])[];

/** What a request may carry in addition to its parameters. */
const requestHeaders: Headers = [
  [
    'Accept',
    {
      description: 'The representation that you want: `application/json` or `text/markdown`.',
      example: 'text/markdown',
    },
  ],
  ['Authorization', { description: 'An access token. It is not accepted anywhere else.', example: 'Bearer …' }],
  [
    'If-None-Match',
    { description: 'Entity tags that you have. You get a 304 if one is current.', example: '"0Zl0p3V6mVdX…"' },
  ],
  [
    'Idempotency-Key',
    {
      description: 'On a POST: the same key with the same body is a replay; with a different body, you get a 409.',
      example: 'order-7f3a',
    },
  ],
  ['Content-Type', { description: 'On a POST: `application/json`.', example: 'application/json' }],
];

const headerTable = (headers: Headers): string =>
  table(
    ['Header', 'Description', 'Example'],
    headers.map(([name, { description, example }]) => [`\`${name}\``, description, `\`${example}\``]),
  );

/** Throws `not_found` for a name that no tag has. */
export async function referenceTagPage(site: Site, name: string, query: URLSearchParams): Promise<PageDocument> {
  const tags = referenceTags(site);
  const found = tags.find(({ tag }) => tag.toLowerCase() === name);
  if (found === undefined) {
    const suggestions = nearMisses(
      name,
      tags.map(({ tag }) => tag.toLowerCase()),
    );
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
${actions(site, href)}
${guides.map((guide) => OperationSection(site, guide, highlighted))}`;
  return renderPage(site, {
    path: href,
    title: `${tag}: reference`,
    description: `${about} ${entries.map(({ summary }) => summary).join(', ')}.`.slice(0, 300),
    body,
    markdown: document(`# ${tag}`, about, ...guides.map((guide) => operationMarkdown(site, guide))),
    section: 'developers',
    breadcrumb: [developers, reference, { title: tag, href }],
    wide: true,
    scriptUrl: site.look.referenceScript.url,
  });
}
