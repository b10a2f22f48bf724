/** Renders the layout of every page: head, header, sidebar, content, table of contents, footer; complete without JavaScript. */
import { html } from 'hono/html';
import { fillWords, type Words, wordsSchema } from '../../content/words.ts';
import { sandboxNote } from '../../operations/context.ts';
import { fillHtml, findDirection, markEnglish } from '../language.ts';
import type { PageDocument, PageParts } from '../page.ts';
import type { Site } from '../site.ts';
import { type Markup, renderAttributes } from './attributes.ts';
import { Breadcrumb } from './breadcrumb.ts';
import { Footer } from './footer.ts';
import { Head } from './head.ts';
import { Header } from './header.ts';
import { Sidebar } from './sidebar.ts';
import { selectHeadings, TableOfContents } from './table-of-contents.ts';

/**
 * Renders a page as HTML and as markdown, both with a notice for agents or about fixtures. The body must contain no promise, which
 * would make the whole HTML "[object Promise]".
 */
export const renderPage = (site: Site, parts: PageParts): PageDocument => ({
  path: parts.path,
  language: site.language,
  html: String(Layout(site, parts)),
  markdown: `${writeMarkdownNotice(site)}\n\n${parts.markdown.trim()}\n`,
});

/** Returns the first line of the Markdown: a link for agents to the index of all pages, or a note that the page shows fixtures. */
const writeMarkdownNotice = (site: Site): string =>
  site.root === ''
    ? `> ${fillWords(site.words.documentation_index, { link: `[llms.txt](${site.baseUrl}/llms.txt)` })}`
    : `${sandboxNote.trim()} [About the sandbox](${site.baseUrl}/developers.md)`;

function Layout(site: Site, parts: PageParts) {
  const { path, section, contents = [], wide } = parts;
  const language = site.language;
  const columns = [section ? 'beside' : 'alone', selectHeadings(contents).length > 0 && 'listed', wide && 'wide'];
  return html`<!DOCTYPE html>
<html${renderAttributes({ lang: language, dir: findDirection(language) === 'rtl' && 'rtl' })}>
${Head(site, parts)}
<body${renderAttributes(selectBrowserWords(site))}>
<a class="hidden" href="#main">${site.words.skip_to_content}</a>
${Header(site, path)}
<div class="page ${columns.filter(Boolean).join(' ')}">
${Sidebar(site, parts)}
<main id="main"${section === 'developers' && markEnglish(site)}>
${site.root === '' ? renderAgentNotice(site) : fixturesNotice}
${Breadcrumb(site, parts)}
${parts.body}
</main>
${TableOfContents(site, contents)}
</div>
${Footer(site)}
</body>
</html>
`;
}

/** Renders a link to llms.txt for agents that read the HTML; neither the keyboard nor a screen reader stops there. */
const renderAgentNotice = (site: Site): Markup =>
  html`<p class="hidden" aria-hidden="true">${fillHtml(site.words.documentation_index, { link: html`<a href="/llms.txt" tabindex="-1">llms.txt</a>` })}</p>`;

const fixturesNotice = html`<p class="fixtures"><strong>Sandbox:</strong> fixture data for testing API clients. It does not describe the product. <a href="/developers#sandbox-and-simulate">About the sandbox</a> · <a href="/">Product site</a></p>`;

/** The keys of the words that the script shows. The script itself has them in English. */
const browserWordKeys: readonly (keyof Words)[] = [
  'copy',
  'copied',
  'not_copied',
  'copy_as_markdown',
  'one_result',
  'results_found',
  'too_many_searches',
  'search_failed',
  'searching',
];

const englishWords = wordsSchema.parse({});

/** Returns the words of the script that differ from its English ones, as attributes of the body such as `data-not-copied`, by name. */
function selectBrowserWords(site: Site): Record<string, string> {
  const keys = browserWordKeys.filter((key) => site.words[key] !== englishWords[key]);
  return Object.fromEntries(keys.map((key) => [`data-${key.replaceAll('_', '-')}`, String(site.words[key])]));
}
