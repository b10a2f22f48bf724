/** Renders the menu of a page as links that need no script: its Markdown, a question to an assistant, the MCP server for an editor. */
import { html } from 'hono/html';
import { toSlug } from '../../content/facts.ts';
import { fillWords } from '../../content/words.ts';
import { getMarkdownPath } from '../../operations/searchable.ts';
import type { Destination } from '../navigation.ts';
import type { Site } from '../site.ts';
import type { Markup } from './attributes.ts';

/**
 * Renders the menu of the page at `path`. In the sandbox and with `page_menu: false` it is only the link to the page's Markdown,
 * and in a snapshot it lacks the links for editors. The script adds a button that copies the Markdown.
 */
export function PageMenu(site: Site, path: string): Markup {
  const { words, root, product } = site;
  const markdown = html`<a href="${root}${getMarkdownPath(path)}" data-copy-page>${words.view_as_markdown}</a>`;
  if (root !== '' || !product.page_menu) return html`<p class="actions">${markdown}</p>`;
  const links = [...listAssistants(site, path), ...(site.isSnapshot ? [] : listEditors(site))];
  return html`<div class="actions"><button type="button" popovertarget="page-menu">${words.open_in}</button><ul class="page-menu plain" id="page-menu" popover><li>${markdown}</li>${links.map(
    ({ title, href }) => html`<li><a href="${href}">${title}</a></li>`,
  )}</ul></div>`;
}

/** Returns a link to each assistant, with a question that asks it to read the Markdown of the page at `path`. */
function listAssistants({ words, baseUrl }: Site, path: string): Destination[] {
  const question = encodeURIComponent(fillWords(words.assistant_prompt, { url: baseUrl + getMarkdownPath(path) }));
  return [
    {
      title: fillWords(words.open_in_app, { name: 'ChatGPT' }),
      href: `https://chatgpt.com/?hints=search&q=${question}`,
    },
    { title: fillWords(words.open_in_app, { name: 'Claude' }), href: `https://claude.ai/new?q=${question}` },
  ];
}

/** Returns a link for each editor that adds the MCP server to it, in the form that it documents for installing from a web page. */
function listEditors({ words, baseUrl, product }: Site): Destination[] {
  const name = toSlug(product.name);
  const url = `${baseUrl}/mcp`;
  const cursor = encodeURIComponent(Buffer.from(JSON.stringify({ url })).toString('base64'));
  const code = encodeURIComponent(JSON.stringify({ name, type: 'http', url }));
  return [
    {
      title: fillWords(words.connect_to, { name: 'Cursor' }),
      href: `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${cursor}`,
    },
    { title: fillWords(words.connect_to, { name: 'VS Code' }), href: `vscode:mcp/install?${code}` },
  ];
}
