/** The API reference, made from the operations: an overview, and a page for each kind of resource. */
import { html, raw } from 'hono/html';
import { ApiError } from '../../base/api-error.ts';
import { nearMisses } from '../../base/near-miss.ts';
import { renderInlineHtml } from '../../markdown/markdown.ts';
import { document, table } from '../../operations/markdown.ts';
import { renderPage } from '../components/layout.ts';
import { InlineTableOfContents } from '../components/table-of-contents.ts';
import { actions } from '../docs.ts';
import { type Destination, referenceTags } from '../navigation.ts';
import type { PageDocument } from '../page.ts';
import { productOf, type Site } from '../site.ts';
import { endpointGuide } from './endpoint-guide.ts';
import { operationGuide } from './operation-guide.ts';
import { codeOf, highlightedCode, operationHtml } from './operation-html.ts';
import { operationMarkdown } from './operation-markdown.ts';
import { samplePart } from './sample-part.ts';

const reference: Destination = { title: 'Reference', href: '/developers/reference' };
const developers: Destination = { title: 'Developers', href: '/developers' };

export function referencePage(site: Site): PageDocument {
  const tags = referenceTags(site);
  const { apiRoot } = site.production;
  const headers = Object.entries(site.responseHeaders);
  const intro = `Every path below \`${apiRoot}\` also exists below \`${site.sandbox.apiRoot}\`, with fixture data and a separate rate limit. Responses there are JSON, or markdown if \`Accept\` is \`text/markdown\`.`;
  const contents = [
    ...tags.map(({ tag }) => ({ text: tag, anchor: anchorOf(tag), level: 2 })),
    { text: 'Request headers', anchor: 'request-headers', level: 2 },
    { text: 'Response headers', anchor: 'response-headers', level: 2 },
  ];
  const body = html`<article class="prose"><h1>Reference</h1>
${actions(site, reference.href)}
<p>${raw(renderInlineHtml(intro))} The machine-readable form is <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1); code generators use <a href="/openapi.sdk.json">openapi.sdk.json</a>.</p>
${InlineTableOfContents(site, contents)}
${tags.map(
  ({ tag, href, about, entries }) => html`<h2 id="${anchorOf(tag)}"><a href="${href}">${tag}</a></h2>
<p>${about}</p>
<ul class="operations plain">${entries.map(
    (entry) =>
      html`<li id="${entry.id}"><a href="${entry.href}">${entry.summary}</a> <span class="call"><code class="method">${entry.method}</code> <code>${raw(breakable(entry.path))}</code></span></li>`,
  )}</ul>`,
)}
<h2 id="request-headers">Request headers</h2>
<p>All are optional.</p>
${headerTable('Request headers', requestHeaders)}
<h2 id="response-headers">Response headers</h2>
<p>Header names are case-insensitive. <a href="/openapi.json">openapi.json</a> lists the headers of each operation.</p>
${headerTable('Response headers', headers)}</article>`;
  return renderPage(site, {
    path: reference.href,
    title: 'Reference',
    description: `Every operation of the ${productOf(site).name} API: parameters, responses, headers, errors, and samples that run.`,
    body,
    markdown: document(
      '# Reference',
      `${intro} The machine-readable form is [openapi.json](${site.baseUrl}/openapi.json) (OpenAPI 3.1); code generators use [openapi.sdk.json](${site.baseUrl}/openapi.sdk.json).`,
      ...tags.map(({ tag, href, about, entries }) =>
        document(
          `## [${tag}](${site.baseUrl}${href}.md)`,
          about,
          entries.map(({ summary, method, path, id }) => `- ${summary} ${method} \`${path}\` (\`${id}\`)`).join('\n'),
        ).trim(),
      ),
      '## Request headers',
      headerMarkdown(requestHeaders),
      '## Response headers',
      headerMarkdown(headers),
    ),
    section: 'developers',
    contents,
    breadcrumb: [developers, reference],
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

const headerTable = (title: string, headers: Headers) =>
  html`<div class="table" tabindex="0" role="group" aria-label="${title}"><table><thead><tr><th scope="col">Header</th><th scope="col">Description</th><th scope="col">Example</th></tr></thead>
<tbody>${headers.map(
    ([name, { description, example }]) =>
      html`<tr><th scope="row"><code>${name}</code></th><td>${raw(renderInlineHtml(description))}</td><td><code>${example}</code></td></tr>`,
  )}</tbody></table></div>`;

const headerMarkdown = (headers: Headers): string =>
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
${guides.map((guide) => operationHtml(site, guide, highlighted))}`;
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

/** Apart from the anchors of operations, of which one may have a tag's name. */
const anchorOf = (tag: string): string => `tag-${tag.toLowerCase()}`;

/** Lets a path break after its slashes. */
const breakable = (path: string): string => String(html`${path}`).replaceAll('/', '/<wbr>');
