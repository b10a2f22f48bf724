/** Turns tokens into HTML that is safe to put into a page: no raw HTML, no inline style, no address that runs code. */
import MarkdownIt, { type RendererRule } from 'markdown-it';
import { createAnchors, headingText, languageOf } from './outline.ts';
import { isSafeLink, markdown, type Parsed } from './parser.ts';

export interface HtmlOptions {
  /** Maps each link and image as written to the address to use. */
  link?: (href: string, image: boolean) => string;
  /** Added to each heading's level; the sum stops at 6. */
  headingOffset?: number;
  /** HTML for a fence's code, or null to show it plain. */
  highlight?: (code: string, language: string) => string | null;
}

const { escapeHtml } = markdown.utils;

export function toHtml(parsed: Parsed, { link, headingOffset = 0, highlight }: HtmlOptions): string {
  const renderer = new MarkdownIt.Renderer();
  const anchor = createAnchors();

  /** The address to write, or null when it may not be followed. */
  const address = (written: string, image: boolean): string | null => {
    const url = markdown.normalizeLink(link === undefined ? written : link(written, image));
    return isSafeLink(url) ? url : null;
  };
  const tag = (name: string) => `h${Math.min(6, Math.max(1, Number(name.slice(1)) + headingOffset))}`;
  const code = (content: string, language: string | null): string => {
    const marked = language === null ? null : (highlight?.(content, language) ?? null);
    const name = language === null ? '' : ` class="language-${escapeHtml(language)}"`;
    return `<pre><code${name}>${marked ?? escapeHtml(content)}</code></pre>\n`;
  };
  // The parser aligns cells with a style attribute, which a Content-Security-Policy without inline styles ignores.
  const cell: RendererRule = (tokens, index) => {
    const token = tokens[index];
    const side = /(left|center|right)$/.exec(String(token?.attrGet('style') ?? ''))?.[1];
    return `<${token?.tag}${side === undefined ? '' : ` class="align-${side}"`}>`;
  };

  const rules: Record<string, RendererRule> = {
    heading_open: (tokens, index) =>
      `<${tag(tokens[index]?.tag ?? 'h1')} id="${escapeHtml(anchor(headingText(tokens, index)))}">`,
    heading_close: (tokens, index) => `</${tag(tokens[index]?.tag ?? 'h1')}>\n`,
    fence: (tokens, index) => {
      const token = tokens[index];
      return token === undefined ? '' : code(token.content, languageOf(token));
    },
    code_block: (tokens, index) => code(tokens[index]?.content ?? '', null),
    table_open: () => '<div class="table"><table>\n',
    table_close: () => '</table></div>\n',
    th_open: cell,
    td_open: cell,
    link_open: (tokens, index) => {
      const token = tokens[index];
      const url = token === undefined ? null : address(parsed.hrefs.get(token) ?? '', false);
      const title = token?.attrGet('title') ?? null;
      return `<a${attribute('href', url)}${attribute('title', title)}>`;
    },
    image: (tokens, index, options, env) => {
      const token = tokens[index];
      const url = token === undefined ? null : address(parsed.hrefs.get(token) ?? '', true);
      const alt = renderer.renderInlineAsText(token?.children ?? [], options, env);
      if (url === null) return escapeHtml(alt);
      return `<img${attribute('src', url)}${attribute('alt', alt)}${attribute('title', token?.attrGet('title') ?? null)}>`;
    },
  };
  Object.assign(renderer.rules, rules);
  return renderer.render([...parsed.tokens], markdown.options, {});
}

const attribute = (name: string, value: string | number | null): string =>
  value === null ? '' : ` ${name}="${escapeHtml(String(value))}"`;
