/** Renders the head of every page: title, description, previews, alternates, schema.org, stylesheet and script. */
import { html, raw } from 'hono/html';
import { fillWords } from '../../content/words.ts';
import { getMarkdownPath } from '../../operations/searchable.ts';
import { describeBreadcrumb } from '../json-ld.ts';
import { typeset } from '../language.ts';
import type { PageParts } from '../page.ts';
import { findPreview } from '../preview.ts';
import type { Site } from '../site.ts';
import type { Markup } from './attributes.ts';

/** Renders the `head` element. Fixtures and pages that are not indexed have `noindex` instead of a canonical address. */
export function Head(site: Site, parts: PageParts): Markup {
  const { look, baseUrl, root } = site;
  const isFixture = root !== '';
  const { name, tagline } = site.product;
  const { path, kind = 'website', indexed = true, breadcrumb = [] } = parts;
  const [title, description] = [typeset(site, parts.title), typeset(site, parts.description)];
  const fullTitle = path === '/' ? `${name}: ${typeset(site, tagline)}` : `${title} · ${name}`;
  const isListed = indexed && !isFixture;
  const objects = isFixture
    ? []
    : [...(parts.jsonLd ?? []), ...(breadcrumb.length > 0 ? [describeBreadcrumb(site, breadcrumb)] : [])];
  return html`<head>
<meta charset="utf-8">
<title>${fullTitle}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${description}">
<meta name="theme-color" content="${look.grounds.light}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${look.grounds.dark}" media="(prefers-color-scheme: dark)">
<link rel="stylesheet" href="${look.stylesheetUrl}">
<script src="${look.scriptUrl}" defer></script>${parts.scriptUrl && html`<script src="${parts.scriptUrl}" defer></script>`}
<link rel="icon" href="${look.icon.href}" type="${look.icon.mediaType}">
<link rel="apple-touch-icon" href="${look.touchIconUrl}">
<link rel="manifest" href="${look.manifest.url}">
${isListed ? html`<link rel="canonical" href="${baseUrl}${path}">` : html`<meta name="robots" content="noindex">`}
${indexed && html`<link rel="alternate" type="text/markdown" href="${root}${getMarkdownPath(path)}" title="${site.words.this_page_as_markdown}">`}
${!isFixture && html`<link rel="alternate" type="application/atom+xml" href="/releases.atom" title="${fillWords(site.words.releases_of, { name })}">`}
${renderProperty('og:site_name', name)}${renderProperty('og:type', kind)}${renderProperty('og:title', path === '/' ? fullTitle : title)}${renderProperty('og:description', description)}${renderProperty('og:url', baseUrl + root + path)}${renderPreviewTags(site, parts)}
${objects.map(
  (object) => html`<script type="application/ld+json">${raw(writeScriptJson(object))}</script>
`,
)}</head>`;
}

const renderProperty = (key: string, content: string) => html`<meta property="${key}" content="${content}">
`;

/**
 * Renders the `meta` elements of the page's picture, or only Twitter's card without one if the page has none. Twitter takes the
 * title and the description from the other properties.
 */
function renderPreviewTags(site: Site, parts: PageParts): Markup {
  const preview = findPreview(site, parts);
  if (preview === null) return html`<meta name="twitter:card" content="summary">`;
  const { href, size, alt } = preview;
  const url = site.baseUrl + href;
  return html`${renderProperty('og:image', url)}${size && html`${renderProperty('og:image:width', String(size.width))}${renderProperty('og:image:height', String(size.height))}`}${renderProperty('og:image:alt', alt)}<meta name="twitter:card" content="summary_large_image">
<meta name="twitter:image" content="${url}">
<meta name="twitter:image:alt" content="${alt}">`;
}

/** Returns an object as JSON that cannot end the script element around it. */
const writeScriptJson = (object: unknown): string => JSON.stringify(object).replaceAll('<', '\\u003c');
