/** Renders parsed Markdown as safe HTML by the rules of markdown-it's renderer: no inline style, no address that runs code. */
import MarkdownIt, { type RendererRule, type Token } from 'markdown-it';
import { english, type HtmlOptions, type SiteAdditions } from './html-options.ts';
import { createAnchors, extractOutline, headingText, idOf, languageOf } from './outline.ts';
import { isSafeLink, markdown, type Parsed } from './parser.ts';
import { setQuotes } from './quotes.ts';
import { decodeEntities, type SanitizedTag, sanitize, sanitizeAttributes } from './sanitizer.ts';
import { findWideTables } from './wide-tables.ts';

const { escapeHtml } = markdown.utils;

/** Renders all tokens. Headings get the ids that `parseMarkdown` gives them. */
export function toHtml(parsed: Parsed, options: HtmlOptions): string {
  const title = options.withoutTitle && parsed.tokens[0]?.type === 'heading_open' ? parsed.tokens.slice(0, 3) : [];
  const { tokens, tags } = sanitize(parsed.tokens.slice(title.length));
  const renderer = new MarkdownIt.Renderer();
  const address = createAddressResolver(options);
  Object.assign(
    renderer.rules,
    headingRules(title, options),
    codeRules(options),
    tableRules(tokens, options),
    linkRules(parsed, address, options),
    htmlRules(parsed, tags, address, options),
    calloutRules(options),
    tabRules(options),
    footnoteRules(options),
  );
  if (options.quotes !== undefined) setQuotes(tokens, options.quotes);
  return renderer.render(tokens, markdown.options, {});
}

type Rules = Record<string, RendererRule>;
type ResolveAddress = (href: string, isImage: boolean) => string | null;

/** Returns the address to write, or null when it may not be followed. */
const createAddressResolver =
  ({ link }: HtmlOptions): ResolveAddress =>
  (href, isImage) => {
    const address = markdown.normalizeLink(link === undefined ? href : link(href, isImage));
    return isSafeLink(address) ? address : null;
  };

/** Returns the token that a rule is for. */
function tokenAt(tokens: Token[], index: number): Token {
  const token = tokens[index];
  if (token === undefined) throw new RangeError(`there is no token ${index}`);
  return token;
}

function headingRules(title: readonly Token[], { headingOffset = 0, site }: HtmlOptions): Rules {
  const createAnchor = createAnchors();
  const [titleToken] = title;
  if (titleToken !== undefined) createAnchor(headingText(title, 0), idOf(titleToken));
  const nameOf = ({ tag }: Token) => `h${Math.min(6, Math.max(1, Number(tag.slice(1)) + headingOffset))}`;
  const [before = '', after = ''] = site?.headingLink?.split('{heading}') ?? [];
  let link = '';
  return {
    heading_open: (tokens, index) => {
      const token = tokenAt(tokens, index);
      const text = headingText(tokens, index);
      const id = escapeHtml(createAnchor(text, idOf(token)));
      link = site === undefined ? '' : renderHeadingLink(before + text + after, id);
      return site?.headingLink === null ? `<${nameOf(token)}>` : `<${nameOf(token)} id="${id}">`;
    },
    heading_close: (tokens, index) => `${site?.headingLink === null ? '' : link}</${nameOf(tokenAt(tokens, index))}>\n`,
  };
}

/** Renders the link to a heading itself, shown next to it. */
export const renderHeadingLink = (label: string, id: string): string =>
  `<a class="anchor" href="#${id}" aria-label="${escapeHtml(label)}"></a>`;

function codeRules({ highlight, site }: HtmlOptions): Rules {
  const render = (code: string, language: string | null): string => {
    const highlighted = language === null ? null : (highlight?.(code, language) ?? null);
    const name = language === null ? '' : ` class="language-${escapeHtml(language)}"`;
    const block = `<code${name}>${highlighted ?? escapeHtml(code)}</code>`;
    return site === undefined ? `<pre>${block}</pre>\n` : `<div class="code"><pre tabindex="0">${block}</pre></div>\n`;
  };
  return {
    fence: (tokens, index) => render(tokenAt(tokens, index).content, languageOf(tokenAt(tokens, index))),
    code_block: (tokens, index) => render(tokenAt(tokens, index).content, null),
  };
}

function tableRules(all: readonly Token[], { site }: HtmlOptions): Rules {
  const { stacked, labels } = findWideTables(all);
  const region =
    site === undefined
      ? ''
      : attribute('tabindex', 0) + attribute('role', 'group') + attribute('aria-label', site.tableLabel);
  // The parser aligns cells with a style attribute, which a Content-Security-Policy without inline styles ignores.
  const cell: RendererRule = (tokens, index) => {
    const token = tokenAt(tokens, index);
    const side = /(left|center|right)$/.exec(String(token.attrGet('style') ?? ''))?.[1];
    const alignment = side === undefined ? null : `align-${side}`;
    return `<${token.tag}${attribute('class', alignment)}${attribute('data-label', labels.get(token) ?? null)}>`;
  };
  return {
    table_open: (tokens, index) =>
      `<div class="table${stacked.has(tokenAt(tokens, index)) ? ' stack' : ''}"${region}><table>\n`,
    table_close: () => '</table></div>\n',
    th_open: cell,
    td_open: cell,
  };
}

function linkRules({ hrefs }: Parsed, address: ResolveAddress, { site }: HtmlOptions): Rules {
  return {
    link_open: (tokens, index) => {
      const token = tokenAt(tokens, index);
      const href = address(hrefs.get(token) ?? '', false);
      return `<a${attribute('href', href)}${attribute('title', token.attrGet('title'))}>`;
    },
    image: (tokens, index, rendering, env, renderer) => {
      const token = tokenAt(tokens, index);
      const written = hrefs.get(token) ?? '';
      const src = address(written, true);
      const alt = renderer.renderInlineAsText(token.children ?? [], rendering, env);
      if (src === null) return escapeHtml(alt);
      const theme = themeOf(written);
      const attributes = new Map<string, string | number | null>([
        ['src', src],
        ['alt', alt],
        ['title', token.attrGet('title')],
        ['width', token.attrGet('width')],
        ['height', token.attrGet('height')],
        ['class', theme && `only-${theme}`],
        ['loading', theme && 'lazy'],
      ]);
      return renderImage(attributes, site);
    },
  };
}

/** Renders an image, with its own size if it has none and the site knows it. */
function renderImage(attributes: ReadonlyMap<string, string | number | null>, site: SiteAdditions | undefined): string {
  const isSized = attributes.get('width') != null || attributes.get('height') != null;
  const size = isSized ? null : (site?.imageSize(String(attributes.get('src'))) ?? null);
  return renderTag('img', [...attributes, ['width', size?.width ?? null], ['height', size?.height ?? null]]);
}

/** Returns the only theme in which an image or a video is shown, as the end of its address names it. */
const themeOf = (href: string): string | null =>
  /#(?:gh-)?(?:only-)?(dark|light)(?:-mode-only)?$/.exec(href)?.[1] ?? null;

function htmlRules(
  parsed: Parsed,
  tags: ReadonlyMap<Token, SanitizedTag>,
  address: ResolveAddress,
  { site }: HtmlOptions,
): Rules {
  const ids = new Set(tags.size > 0 ? extractOutline(parsed.tokens).headings.map(({ anchor }) => anchor) : []);
  const reserveId = (id: string): boolean => {
    const isFree = !ids.has(id);
    ids.add(id);
    return isFree;
  };
  const open: RendererRule = (tokens, index) => {
    const sanitized = tags.get(tokenAt(tokens, index));
    if (sanitized === undefined) return '';
    const { tag, dark } = sanitized;
    const { name } = tag;
    const attributes = sanitizeAttributes(tag, { resolveAddress: address, reserveId });
    const render = (more: Readonly<Record<string, string>>) => {
      const all = Object.entries({ ...Object.fromEntries([...attributes].filter(([key]) => !(key in more))), ...more });
      return name === 'img' ? renderImage(new Map(all), site) : renderTag(name, all);
    };
    const darkSource = dark === null ? null : address(dark, true);
    if (darkSource !== null) {
      // The picture follows the theme that the reader chose, which a media query does not see.
      return (
        render({ class: 'only-light', loading: 'lazy' }) +
        render({ src: darkSource, class: 'only-dark', loading: 'lazy' })
      );
    }
    if (name === 'pre' && site !== undefined) {
      return `<div class="code">${renderTag(name, [['tabindex', 0], ...attributes])}`;
    }
    const isMedia = name === 'img' || name === 'video';
    const theme = isMedia ? themeOf(tag.attributes.find((one) => one.name === 'src')?.value ?? '') : null;
    return render(theme === null ? {} : { class: `only-${theme}` });
  };
  return {
    html_open: open,
    html_void: open,
    html_close: (tokens, index) => {
      const { tag } = tokenAt(tokens, index);
      return `</${tag}>${tag === 'pre' && site !== undefined ? '</div>' : ''}`;
    },
    html_text: (tokens, index) => escapeHtml(decodeEntities(tokenAt(tokens, index).content)),
    html_foreign: (tokens, index) => escapeHtml(tokenAt(tokens, index).content),
    html_dropped: () => '',
    blank: () => '',
  };
}

function calloutRules({ words = english }: HtmlOptions): Rules {
  return {
    alert_open: (tokens, index, rendering, env, renderer) => {
      const { kind, title } = tokenAt(tokens, index).meta ?? {};
      const word = Object.entries(words).find(([name]) => name === kind)?.[1] ?? '';
      const shown = Array.isArray(title) ? renderer.renderInline(title, rendering, env) : escapeHtml(word);
      return `<div class="callout ${kind}" role="note"><p class="callout-title">${shown}</p>\n`;
    },
    alert_close: () => '</div>\n',
    alert_title: () => '',
    task: (tokens, index) => {
      const isDone = tokenAt(tokens, index).meta?.done === true;
      const label = attribute('aria-label', isDone ? words.done : words.to_do);
      return `<span class="check${isDone ? ' done' : ''}" role="img"${label}></span>`;
    },
  };
}

/** Renders tabs that work without a script: a choice of one, whose panel follows it. */
function tabRules({ name = '' }: HtmlOptions): Rules {
  let [sets, tab] = [0, 0];
  return {
    tabs_open: () => {
      sets += 1;
      tab = 0;
      return '<div class="tabset">\n';
    },
    tabs_close: () => '</div>\n',
    tab_open: (tokens, index) => {
      tab += 1;
      const set = `${name === '' ? '' : `${name}-`}tabs-${sets}`;
      const label = escapeHtml(headingText(tokens, index + 1));
      return `<input type="radio" name="${set}" id="${set}-${tab}"${tab === 1 ? ' checked' : ''}><label for="${set}-${tab}">${label}</label>\n<section class="tab">\n`;
    },
    tab_close: () => '</section>\n',
  };
}

function footnoteRules({ name = '', words = english }: HtmlOptions): Rules {
  const prefix = name === '' ? '' : `${name}-`;
  const numberOf = ({ meta }: Token): string => String(Number(meta?.id) + 1);
  const referenceOf = (token: Token): string => {
    const repeated = Number(token.meta?.subId ?? 0);
    return `${prefix}${numberOf(token)}${repeated > 0 ? `-${repeated}` : ''}`;
  };
  return {
    footnote_ref: (tokens, index) => {
      const token = tokenAt(tokens, index);
      const number = numberOf(token);
      return `<sup class="footnote"><a href="#fn-${prefix}${number}" id="fnref-${referenceOf(token)}">${number}</a></sup>`;
    },
    footnote_block_open: () => `<section class="footnotes"${attribute('aria-label', words.footnotes)}>\n<ol>\n`,
    footnote_block_close: () => '</ol>\n</section>\n',
    footnote_open: (tokens, index) => `<li id="fn-${prefix}${numberOf(tokenAt(tokens, index))}">`,
    footnote_close: () => '</li>\n',
    footnote_anchor: (tokens, index) =>
      ` <a class="back" href="#fnref-${referenceOf(tokenAt(tokens, index))}"${attribute('aria-label', words.back_to_text)}>↩</a>`,
  };
}

/** Renders an opening tag. An empty value gives an attribute without a value, except `alt`, whose emptiness has a meaning. */
const renderTag = (name: string, attributes: readonly (readonly [string, string | number | null])[]): string =>
  `<${name}${attributes.map(([key, value]) => (value === '' && key !== 'alt' ? ` ${key}` : attribute(key, value))).join('')}>`;

const attribute = (name: string, value: string | number | null): string =>
  value === null ? '' : ` ${name}="${escapeHtml(String(value))}"`;
