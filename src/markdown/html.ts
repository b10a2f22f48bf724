/** Turns tokens into HTML that is safe to put into a page: the elements and attributes of a list, no inline style, no address that runs code. */
import MarkdownIt, { type RendererRule, type Token } from 'markdown-it';
import { balance, type PlacedTag } from './balance.ts';
import type { AlertKind } from './dialect-rules.ts';
import { type AttributeContext, attributesOf } from './html-attributes.ts';
import { createAnchors, headingText, idOf, languageOf, outline } from './outline.ts';
import { type Dialect, isSafeLink, markdown, type Parsed } from './parser.ts';
import { setQuotes } from './quotes.ts';
import { wideTables } from './wide-tables.ts';

export interface HtmlOptions {
  /** `notes` when left out: no HTML is read. */
  dialect?: Dialect;
  /** Maps each link and image as written to the address to use. */
  link?: (href: string, image: boolean) => string;
  /** Added to each heading's level; the sum stops at 6. */
  headingOffset?: number;
  /** HTML for a fence's code, or null to show it plain. */
  highlight?: (code: string, language: string) => string | null;
  /** What the page says by itself; English when left out. */
  words?: ProseWords;
  /** The quotation marks of the text's language, in the order of `typographic`; left out, they stay as they are written. */
  quotes?: string;
  /** Tells the footnotes of one text from those of another on the same page. */
  name?: string;
}

export type ProseWords = Readonly<Record<AlertKind | 'done' | 'to_do' | 'footnotes' | 'back_to_text', string>>;

const english: ProseWords = {
  note: 'Note',
  tip: 'Tip',
  important: 'Important',
  warning: 'Warning',
  caution: 'Caution',
  done: 'Done',
  to_do: 'To do',
  footnotes: 'Footnotes',
  back_to_text: 'Back to the text',
};

const { escapeHtml } = markdown.utils;

export function toHtml(parsed: Parsed, options: HtmlOptions): string {
  const { link, headingOffset = 0, highlight, words = english, name = '', dialect = 'notes' } = options;
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
    const label = token === undefined ? undefined : labels.get(token);
    return `<${token?.tag}${side === undefined ? '' : ` class="align-${side}"`}${attribute('data-label', label ?? null)}>`;
  };
  const { tokens, placed } =
    dialect === 'page' ? balance(parsed.tokens) : { tokens: [...parsed.tokens], placed: new Map() };
  const { stacked, labels } = wideTables(tokens);
  if (options.quotes !== undefined) setQuotes(tokens, options.quotes);
  let [sets, tab] = [0, 0];
  const ids = new Set(placed.size > 0 ? outline(parsed.tokens).headings.map((heading) => heading.anchor) : []);
  const inHtml = {
    address,
    takeId: (id: string) => {
      const isFree = !ids.has(id);
      ids.add(id);
      return isFree;
    },
  };
  const element: RendererRule = (tokens, index) => {
    const token = tokens[index];
    const tagged = token === undefined ? undefined : placed.get(token);
    return tagged === undefined ? '' : htmlElement(tagged, inHtml);
  };
  const footnote = (token: Token | undefined): { id: string; of: string } => {
    const number = Number(token?.meta?.id) + 1;
    const again = Number(token?.meta?.subId ?? 0);
    const of = `${name === '' ? '' : `${name}-`}${number}`;
    return { id: again > 0 ? `${of}-${again}` : of, of };
  };

  const rules: Record<string, RendererRule> = {
    heading_open: (tokens, index) => {
      const token = tokens[index];
      const id = anchor(headingText(tokens, index), token === undefined ? null : idOf(token));
      return `<${tag(token?.tag ?? 'h1')} id="${escapeHtml(id)}">`;
    },
    heading_close: (tokens, index) => `</${tag(tokens[index]?.tag ?? 'h1')}>\n`,
    fence: (tokens, index) => {
      const token = tokens[index];
      return token === undefined ? '' : code(token.content, languageOf(token));
    },
    code_block: (tokens, index) => code(tokens[index]?.content ?? '', null),
    table_open: (all, index) => {
      const token = all[index];
      return `<div class="table${token !== undefined && stacked.has(token) ? ' stack' : ''}"><table>\n`;
    },
    table_close: () => '</table></div>\n',
    th_open: cell,
    td_open: cell,
    link_open: (tokens, index) => {
      const token = tokens[index];
      const url = token === undefined ? null : address(parsed.hrefs.get(token) ?? '', false);
      const title = token?.attrGet('title') ?? null;
      return `<a${attribute('href', url)}${attribute('title', title)}>`;
    },
    image: (tokens, index, rendering, env) => {
      const token = tokens[index];
      const written = token === undefined ? '' : (parsed.hrefs.get(token) ?? '');
      const url = address(written, true);
      const alt = renderer.renderInlineAsText(token?.children ?? [], rendering, env);
      if (url === null) return escapeHtml(alt);
      const theme = themeOf(written);
      const size = (side: 'width' | 'height') => attribute(side, token?.attrGet(side) ?? null);
      const shown = theme === null ? '' : ` class="only-${theme}" loading="lazy"`;
      return `<img${attribute('src', url)}${attribute('alt', alt)}${attribute('title', token?.attrGet('title') ?? null)}${size('width')}${size('height')}${shown}>`;
    },
    alert_open: (tokens, index, rendering, env) => {
      const { kind, title } = tokens[index]?.meta ?? {};
      const shown = Array.isArray(title)
        ? renderer.renderInline(title, rendering, env)
        : escapeHtml(wordOf(words, kind));
      return `<div class="callout ${kind}" role="note"><p class="callout-title">${shown}</p>\n`;
    },
    alert_close: () => '</div>\n',
    alert_title: () => '',
    blank: () => '',
    task: (tokens, index) => {
      const done = tokens[index]?.meta?.done === true;
      return `<span class="check${done ? ' done' : ''}" role="img" aria-label="${escapeHtml(done ? words.done : words.to_do)}"></span>`;
    },
    tabs_open: () => {
      sets += 1;
      tab = 0;
      return '<div class="tabset">\n';
    },
    tabs_close: () => '</div>\n',
    // Without a script: a choice of one, whose panel follows it.
    tab_open: (all, index) => {
      tab += 1;
      const set = `${name === '' ? '' : `${name}-`}tabs-${sets}`;
      const label = escapeHtml(headingText(all, index + 1));
      return `<input type="radio" name="${set}" id="${set}-${tab}"${tab === 1 ? ' checked' : ''}><label for="${set}-${tab}">${label}</label>\n<section class="tab">\n`;
    },
    tab_close: () => '</section>\n',
    html_open: element,
    html_void: element,
    html_close: (tokens, index) => `</${tokens[index]?.tag}>`,
    html_text: (tokens, index) => escapeHtml(markdown.utils.unescapeAll(doubled(tokens[index]?.content ?? ''))),
    html_foreign: (tokens, index) => escapeHtml(tokens[index]?.content ?? ''),
    html_dropped: () => '',
    html_tag: () => '',
    html_block: () => '',
    footnote_ref: (tokens, index) => {
      const { id, of } = footnote(tokens[index]);
      return `<sup class="footnote"><a href="#fn-${of}" id="fnref-${id}">${of.replace(/^.*-/, '')}</a></sup>`;
    },
    footnote_block_open: () => `<section class="footnotes" aria-label="${escapeHtml(words.footnotes)}">\n<ol>\n`,
    footnote_block_close: () => '</ol>\n</section>\n',
    footnote_open: (tokens, index) => `<li id="fn-${footnote(tokens[index]).of}">`,
    footnote_close: () => '</li>\n',
    footnote_anchor: (tokens, index) => {
      const { id } = footnote(tokens[index]);
      return ` <a class="back" href="#fnref-${id}" aria-label="${escapeHtml(words.back_to_text)}">↩</a>`;
    },
  };
  Object.assign(renderer.rules, rules);
  return renderer.render(tokens, markdown.options, {});
}

const wordOf = (words: ProseWords, kind: unknown): string =>
  Object.entries(words).find(([name]) => name === kind)?.[1] ?? '';

/** In HTML a backslash is a backslash; only entities are resolved. */
const doubled = (text: string): string => text.replaceAll('\\', '\\\\');

/** The only theme in which an image or a video is shown, as the end of its address says. */
const themeOf = (written: string): string | null =>
  /#(?:gh-)?(?:only-)?(dark|light)(?:-mode-only)?$/.exec(written)?.[1] ?? null;

function htmlElement({ tag, dark }: PlacedTag, context: AttributeContext): string {
  const { name } = tag;
  const attributes = attributesOf(tag, context);
  const open = (more: readonly (readonly [string, string])[]) =>
    `<${name}${[...attributes.filter(([key]) => !more.some(([other]) => other === key)), ...more].map(([key, value]) => (value === '' && key !== 'alt' ? ` ${key}` : attribute(key, value))).join('')}>`;
  const darkUrl = dark === null ? null : context.address(dark, true);
  const source = name === 'img' || name === 'video' ? tag.attributes.find((one) => one.name === 'src') : undefined;
  const theme = source === undefined ? null : themeOf(source.value);
  if (darkUrl === null) return open(theme === null ? [] : [['class', `only-${theme}`]]);
  // The picture follows the theme that the reader chose, which a media query knows nothing of.
  const hidden = ['loading', 'lazy'] as const;
  return open([['class', 'only-light'], hidden]) + open([['src', darkUrl], ['class', 'only-dark'], hidden]);
}

const attribute = (name: string, value: string | number | null): string =>
  value === null ? '' : ` ${name}="${escapeHtml(String(value))}"`;
