/** The pages of the site, each as HTML and as markdown. */
import { html } from 'hono/html';
import { problemCodes } from '../base/problem-codes.ts';
import type { Page } from '../content/content.ts';
import { renderHtml } from '../markdown/markdown.ts';
import { absoluteLink, absoluteMarkdown, docUrl } from '../operations/docs.ts';
import { document, table } from '../operations/markdown.ts';
import { versioningPolicy } from '../operations/service-index.ts';
import { type ApiVersion, minimumNoticeDays } from '../operations/versions.ts';
import { layout, type PageDocument, type Site } from './layout.ts';

/** A page whose markdown is rendered as it is. */
function fromMarkdown(site: Site, title: string, markdown: string, markdownPath: string): PageDocument {
  const body = renderHtml(markdown, { link: absoluteLink(site.baseUrl, null) });
  return { title, markdown, html: layout(site, { title, body, markdownPath }) };
}

export function homePage(site: Site): PageDocument {
  const { catalog, baseUrl } = site;
  const { product } = catalog.content;
  const latest = catalog.latest;
  const markdown = document(
    `# ${product.name}`,
    `**${product.tagline}**`,
    product.description,
    latest !== null && `Latest version: [${latest.version}](${latest.downloadUrl}), published ${latest.publishedAt}.`,
    `- [Documentation](${baseUrl}/docs)\n- [Frequently asked questions](${baseUrl}/faq)\n- [Developers: the API](${baseUrl}/developers)`,
  );
  return fromMarkdown(site, product.name, markdown, '/index.md');
}

export function docsPage(site: Site): PageDocument {
  const { pages, product } = site.catalog.content;
  const list = pages.map(
    ({ slug, title, description }) => `- [${title}](${docUrl(site.baseUrl, slug)}): ${description}`,
  );
  return fromMarkdown(site, 'Documentation', document(`# ${product.name} documentation`, list.join('\n')), '/docs.md');
}

export function docPage(site: Site, page: Page): PageDocument {
  const markdown = document(`# ${page.title}`, absoluteMarkdown(site.baseUrl, page).trim(), `Updated ${page.updated}.`);
  return fromMarkdown(site, page.title, markdown, `/docs/${page.slug}.md`);
}

export function faqPage(site: Site): PageDocument {
  const { faq, product } = site.catalog.content;
  const list = faq.map(({ id, question }) => `- [${question}](${site.baseUrl}/faq/${id})`);
  return fromMarkdown(
    site,
    'Frequently asked questions',
    document(`# ${product.name}: frequently asked questions`, list.join('\n')),
    '/faq.md',
  );
}

export function faqEntryPage(site: Site, entry: { id: string; question: string; answer: string }): PageDocument {
  return fromMarkdown(
    site,
    entry.question,
    document(`# ${entry.question}`, entry.answer.trim()),
    `/faq/${entry.id}.md`,
  );
}

export function developersPage(site: Site): PageDocument {
  const { baseUrl } = site;
  const markdown = document(
    '# Developers',
    `Everything on this site is also an API. Start with \`curl ${baseUrl}/api/v1\`, which lists every endpoint.`,
    `- Contract: [OpenAPI 3.1](${baseUrl}/openapi.json)\n- [Errors](${baseUrl}/developers/errors)\n- [Versioning](${baseUrl}/developers/versioning)\n- Sandbox: <${baseUrl}/api/v1/sandbox>`,
  );
  return fromMarkdown(site, 'Developers', markdown, '/developers.md');
}

export function errorsPage(site: Site): PageDocument {
  const title = 'Errors';
  const intro =
    'Every failure is a problem document (RFC 9457). Branch on `code`; treat an unknown code as its HTTP status.';
  const entries = Object.entries(problemCodes);
  const body = html`<h1>Errors</h1>
<p>Every failure is a problem document (RFC 9457). Branch on <code>code</code>; treat an unknown code as its HTTP status.</p>
${entries.map(
  ([code, { status, title: name, meaning, retry, fix }]) => html`<section id="${code}"><h2><code>${code}</code></h2>
<p>${name}, ${status}. ${meaning}</p>
<p>Retry: ${retry}. ${fix}</p></section>`,
)}`;
  const markdown = document(
    `# ${title}`,
    intro,
    ...entries.map(
      ([code, { status, title: name, meaning, retry, fix }]) =>
        `## ${code}\n\n${name}, ${status}. ${meaning}\n\nRetry: ${retry}. ${fix}`,
    ),
  );
  return { title, markdown, html: layout(site, { title, body: String(body), markdownPath: '/developers/errors.md' }) };
}

export function versioningPage(site: Site, versions: readonly ApiVersion[]): PageDocument {
  const title = 'Versioning';
  const markdown = document(
    `# ${title}`,
    `${versioningPolicy} At least ${minimumNoticeDays} days pass between the first Deprecation header and the Sunset.`,
    ...versions.map(
      ({ name, deprecated, sunset, successor }) =>
        `## ${name}\n\n${table(['Deprecated', 'Sunset', 'Successor'], [[deprecated, sunset, successor]])}`,
    ),
  );
  return fromMarkdown(site, title, markdown, '/developers/versioning.md');
}

export function missingPage(site: Site, path: string): PageDocument {
  const title = 'Not found';
  const body = html`<h1>Not found</h1>
<p>There is no page at <code>${path.slice(0, 120)}</code>. <a href="/">Go to the start</a> or <a href="/docs">read the documentation</a>.</p>`;
  return { title, html: layout(site, { title, body: String(body) }), markdown: '' };
}
