/** Renders parsed Markdown as safe HTML by the rules of markdown-it's renderer: no inline style, no address that runs code. */
import MarkdownIt, { type Token } from 'markdown-it';
import { alertKinds } from './dialect-rules.ts';
import { english, type HtmlOptions, type SiteAdditions } from './html-options.ts';
import { extractOutline, getCodeLanguage, type PlacedHeading, readHeading } from './outline.ts';
import { isSafeLink, markdown, normalizeLink, type Parsed } from './parser.ts';
import { setQuotes } from './quotes.ts';
import { findTheme, sanitize } from './sanitizer.ts';

const { escapeHtml } = markdown.utils;

/** Renders a token as HTML; `tokens` has it at `index`. */
type Rule = (token: Token, tokens: Token[], index: number) => string;
type Rules = Readonly<Record<string, Rule>>;
type ResolveAddress = (href: string, isImage: boolean) => string | null;
type Attributes = Readonly<Record<string, string | number | null | undefined>>;

/** Renders all tokens as safe HTML. Headings get the ids that `parseMarkdown` gives them. */
export function toHtml({ tokens: all }: Parsed, options: HtmlOptions): string {
  const { link, quotes, withoutTitle } = options;
  const { headings } = extractOutline(all);
  const ids = new Set(headings.map(({ anchor }) => anchor));
  const hasTitle = withoutTitle === true && all[0]?.type === 'heading_open';
  const resolveAddress: ResolveAddress = (href, isImage) => {
    const address = normalizeLink(link === undefined ? href : link(href, isImage));
    return isSafeLink(address) ? address : null;
  };
  const reserveId = (id: string) => !ids.has(id) && ids.add(id).has(id);
  const tokens = sanitize(hasTitle ? all.slice(3) : all, { resolveAddress, reserveId });
  if (quotes !== undefined) setQuotes(tokens, quotes);
  const renderer = new MarkdownIt.Renderer();
  const rules: Rules = {
    ...createHeadingRules(hasTitle ? headings.slice(1) : headings, options),
    ...createCodeRules(options),
    ...createTableRules(tokens, options),
    ...createLinkRules(resolveAddress, options, (children) =>
      renderer.renderInlineAsText(children, markdown.options, {}),
    ),
    ...createHtmlRules(options),
    ...createCalloutRules(options),
    ...createTabRules(options),
    ...createFootnoteRules(options),
  };
  for (const [type, rule] of Object.entries(rules)) {
    renderer.rules[type] = (siblings, index) => {
      const token = siblings[index];
      return token === undefined ? '' : rule(token, siblings, index);
    };
  }
  return renderer.render(tokens, markdown.options, {});
}

function createHeadingRules(headings: readonly PlacedHeading[], { headingOffset = 0, site }: HtmlOptions): Rules {
  const getHeadingName = ({ tag }: Token) => `h${Math.min(6, Math.max(1, Number(tag.slice(1)) + headingOffset))}`;
  const anchors = headings.map(({ anchor }) => anchor).values();
  let link = '';
  return {
    heading_open: (token, tokens, index) => {
      const id = anchors.next().value ?? '';
      if (site?.headingLink === null) return openTag(getHeadingName(token), {});
      const label = site?.headingLink.replace('{heading}', () => readHeading(tokens, index));
      link = label === undefined ? '' : renderHeadingLink(label, id);
      return openTag(getHeadingName(token), { id });
    },
    heading_close: (token) => `${link}</${getHeadingName(token)}>\n`,
  };
}

/**
 * Renders the link, shown next to a heading, to the heading itself: `label` is what screen readers read out, `id` the anchor
 * without `#`. Both are escaped here.
 */
export const renderHeadingLink = (label: string, id: string): string =>
  `${openTag('a', { class: 'anchor', href: `#${id}`, 'aria-label': label })}</a>`;

function createCodeRules({ highlight, site }: HtmlOptions): Rules {
  const render = (code: string, language: string | null): string => {
    const highlightedHtml = language === null ? null : highlight?.(code, language);
    const block = `${openTag('code', { class: language && `language-${language}` })}${highlightedHtml ?? escapeHtml(code)}</code>`;
    return site === undefined ? `<pre>${block}</pre>\n` : `<div class="code"><pre tabindex="0">${block}</pre></div>\n`;
  };
  return {
    fence: (token) => render(token.content, getCodeLanguage(token)),
    code_block: (token) => render(token.content, null),
  };
}

function createTableRules(all: readonly Token[], { site }: HtmlOptions): Rules {
  const labels = findColumnLabels(all);
  const region = site === undefined ? {} : { tabindex: 0, role: 'group', 'aria-label': site.tableLabel };
  // The parser aligns cells with a style attribute, which the Content-Security-Policy forbids, so a class replaces the attribute.
  const renderCell: Rule = (token) => {
    const side = /(left|center|right)$/.exec(String(token.attrGet('style')))?.[1];
    return openTag(token.tag, { class: side && `align-${side}`, 'data-label': labels.get(token) });
  };
  return {
    table_open: (token) =>
      `${openTag('div', { class: labels.has(token) ? 'table stack' : 'table', ...region })}<table>\n`,
    table_close: () => '</table></div>\n',
    th_open: renderCell,
    td_open: renderCell,
  };
}

/** Maximum width of a table with three columns on a phone, in characters. */
const maxWidth = 44;
/** Width that each further column takes, in characters. */
const gap = 3;
/** Maximum width of a cell, in characters; a longer one breaks into lines. */
const maxCellWidth = 40;

/**
 * Finds the tables of three or more columns that are too wide for a phone, where their rows become lists. Returns the names of
 * columns by the opening token of each cell below the head, but those of the first column and of columns without a name; the
 * opening token of a wide table has an empty name. Other tables are not in the map.
 */
function findColumnLabels(tokens: readonly Token[]): ReadonlyMap<Token, string> {
  const labels = new Map<Token, string>();
  let table: [Token, string][] = [];
  let [names, widths]: [string[], number[]] = [[], []];
  let column = 0;
  tokens.forEach((token, index) => {
    if (token.type === 'table_open') [table, names, widths] = [[[token, '']], [], []];
    else if (token.type === 'tr_open') column = 0;
    else if (token.type === 'th_open' || token.type === 'td_open') {
      const text = readPlainText(tokens[index + 1]);
      const name = names[column];
      widths[column] = Math.max(widths[column] ?? 0, Math.min(maxCellWidth, text.length));
      if (token.type === 'th_open') names.push(text);
      else if (column > 0 && name) table.push([token, name]);
      column += 1;
    } else if (token.type === 'table_close' && names.length > 2) {
      const width = widths.reduce((sum, one) => sum + one, gap * (names.length - 3));
      if (width > maxWidth) for (const [cell, name] of table) labels.set(cell, name);
    }
  });
  return labels;
}

const readPlainText = (inline: Token | undefined): string =>
  (inline?.children ?? [])
    .map(({ type, content }) => (type === 'text' || type === 'code_inline' ? content : ''))
    .join('');

function createLinkRules(address: ResolveAddress, { site }: HtmlOptions, toText: (children: Token[]) => string): Rules {
  return {
    link_open: ({ attrs }) => {
      const { href, title = null } = Object.fromEntries(attrs ?? []);
      return openTag('a', { href: address(String(href), false), title });
    },
    image: ({ attrs, children }) => {
      const { src: href, title = null, width = null, height = null } = Object.fromEntries(attrs ?? []);
      const src = address(String(href), true);
      const alt = toText(children ?? []);
      if (src === null) return escapeHtml(alt);
      const theme = findTheme(String(href));
      const theming = theme === null ? {} : { class: `only-${theme}`, loading: 'lazy' };
      return renderImage({ src, alt, title, width, height, ...theming }, site);
    },
  };
}

/** Renders an image, with its own size if it has none and the site knows it. */
function renderImage(attributes: Attributes, site: SiteAdditions | undefined): string {
  const { src, width = null, height = null } = attributes;
  const size = width === null && height === null ? site?.imageSize(String(src)) : null;
  return openTag('img', { ...attributes, ...size });
}

function createHtmlRules({ site }: HtmlOptions): Rules {
  const render: Rule = ({ tag, attrs }) => {
    const attributes = Object.fromEntries(attrs ?? []);
    if (tag === 'img') return renderImage(attributes, site);
    if (tag !== 'pre' || site === undefined) return openTag(tag, attributes);
    return `<div class="code">${openTag(tag, { tabindex: 0, ...attributes })}`;
  };
  return {
    html_open: render,
    html_void: render,
    html_text: ({ content }) => escapeHtml(content),
    html_close: ({ tag }) => `</${tag}>${tag === 'pre' && site !== undefined ? '</div>' : ''}`,
  };
}

function createCalloutRules({ words = english }: HtmlOptions): Rules {
  return {
    alert_open: ({ meta }) => {
      const kind = alertKinds.find((name) => name === meta?.kind) ?? 'note';
      const title = meta?.isTitled === true ? '' : `<p class="callout-title">${escapeHtml(words[kind])}</p>\n`;
      return `<div class="callout ${kind}" role="note">${title}`;
    },
    alert_close: () => '</div>\n',
    task: ({ meta }) => {
      const [name, label] = meta?.isDone === true ? ['check done', words.done] : ['check', words.to_do];
      return `${openTag('span', { class: name, role: 'img', 'aria-label': label })}</span>`;
    },
  };
}

/** Renders tabs that work without a script: a choice of one, whose panel follows it. */
function createTabRules({ name = '' }: HtmlOptions): Rules {
  let [sets, tab] = [0, 0];
  return {
    tabs_open: () => {
      sets += 1;
      tab = 0;
      return '<div class="tabset">\n';
    },
    tabs_close: () => '</div>\n',
    tab_open: (_, tokens, index) => {
      tab += 1;
      const set = `${name === '' ? '' : `${name}-`}tabs-${sets}`;
      const label = escapeHtml(readHeading(tokens, index + 1));
      return `<input type="radio" name="${set}" id="${set}-${tab}"${tab === 1 ? ' checked' : ''}><label for="${set}-${tab}">${label}</label>\n<section class="tab">\n`;
    },
    tab_close: () => '</section>\n',
  };
}

function createFootnoteRules({ name = '', words = english }: HtmlOptions): Rules {
  const prefix = name === '' ? '' : `${name}-`;
  const getNumber = ({ meta }: Token): number => Number(meta?.id) + 1;
  const createReference = (token: Token): string => {
    const repetition = Number(token.meta?.subId ?? 0);
    return `${prefix}${getNumber(token)}${repetition > 0 ? `-${repetition}` : ''}`;
  };
  return {
    footnote_ref: (token) =>
      `<sup class="footnote"><a href="#fn-${prefix}${getNumber(token)}" id="fnref-${createReference(token)}">${getNumber(token)}</a></sup>`,
    footnote_block_open: () => `${openTag('section', { class: 'footnotes', 'aria-label': words.footnotes })}\n<ol>\n`,
    footnote_block_close: () => '</ol>\n</section>\n',
    footnote_open: (token) => `<li id="fn-${prefix}${getNumber(token)}">`,
    footnote_close: () => '</li>\n',
    footnote_anchor: (token) =>
      ` ${openTag('a', { class: 'back', href: `#fnref-${createReference(token)}`, 'aria-label': words.back_to_text })}↩</a>`,
  };
}

/**
 * Renders an opening tag without the attributes that are null or undefined; values are escaped. An empty value gives an attribute
 * without a value, except `alt`, whose emptiness has a meaning.
 */
function openTag(name: string, attributes: Attributes): string {
  const parts = Object.entries(attributes).map(([key, value]) => {
    if (value == null) return '';
    return value === '' && key !== 'alt' ? ` ${key}` : ` ${key}="${escapeHtml(String(value))}"`;
  });
  return `<${name}${parts.join('')}>`;
}
