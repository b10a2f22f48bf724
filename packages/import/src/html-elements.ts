/** Converts tags without a special meaning in any system: HTML that pages may contain stays, any other tag becomes its content. */
import { droppedElements, elements } from 'colophon/authoring';
import { joinLines, writeDestination, writeDetails } from './blocks.ts';
import { block, createInline, type Element, getAttribute, nothing, type Rendered } from './elements.ts';
import type { Conversion, Handler } from './site.ts';

/** Elements whose lines are set to the margin, so that none of them is code. */
const flat = new Set('table thead tbody tfoot tr th td caption ul ol li dl dt dd figure figcaption'.split(' '));
const wrappers = new Set('div section article main header footer nav aside center span font u big tt label'.split(' '));

/**
 * Returns the Markdown for an element that its system has no handler for: HTML that pages may contain becomes Markdown or stays,
 * and anything else is reduced to its content or left out, with a report if something is lost. An unknown tag without an end is
 * escaped as text, except in MDX.
 */
export function convertElement(element: Element, page: Conversion): Rendered {
  const { kind, name } = element;
  if (kind === 'shortcode') return reportUnknown(element, page, `the shortcode \`${name}\``);
  if (kind === 'directive') return reportUnknown(element, page, `\`:::${name}\``);
  if (kind !== 'tag' || name === '') return renderContent(element, page);
  const tag = name.toLowerCase();
  const isHtml = name === tag && !/[.-]/.test(name);
  if (isHtml && html.has(tag)) return html.get(tag)?.(element, page) ?? nothing;
  if (isHtml && droppedElements.has(tag)) {
    if (tag !== 'style' && tag !== 'input') page.count(element, tag, `\`<${tag}>\` is left out with its content.`);
    return nothing;
  }
  if (isHtml && elements.has(tag)) return keepElement(element, page);
  if (isHtml && wrappers.has(tag)) return renderContent(element, page);
  if (!element.closed && !page.isMdx) return createInline(element.opening.replace('<', '\\<'));
  return reportUnknown(element, page, isHtml ? `\`<${tag}>\`` : `the component \`${name}\``);
}

function reportUnknown(element: Element, page: Conversion, what: string): Rendered {
  const content = renderContent(element, page);
  const outcome = content.text === '' ? 'is left out' : 'is left out, and its text kept';
  page.count(element, `${element.kind} ${element.name}`, `${what} ${outcome}.`);
  return content;
}

/**
 * Returns the content of an element as Markdown, without its tags but with an anchor before it if it is HTML with an id. It is a
 * block if the element begins its line and has a line break.
 */
export function renderContent(element: Element, page: Conversion): Rendered {
  const isBlock = element.prefix !== null && element.body.includes('\n');
  const target = renderAnchor(element);
  if (isBlock) return block([target, page.content(element)].filter((part) => part !== '').join('\n\n'));
  return createInline(`${target}${page.content(element)}`);
}

/**
 * Returns the HTML of an anchor for the id of an HTML element, which links may lead to, or an empty text for any other element and
 * without a valid id.
 */
function renderAnchor({ kind, name, attributes }: Element): string {
  const id = attributes.get('id');
  const isHtml = kind === 'tag' && name !== '' && name === name.toLowerCase();
  return isHtml && typeof id === 'string' && /^[A-Za-z][\w:.-]{0,99}$/.test(id) ? `<a id="${id}"></a>` : '';
}

/**
 * Writes the tag that begins an element, with those of its attributes that a page may have. A value that is not literal is left
 * out, with a report for `src` and `href`.
 */
function writeOpeningTag(element: Element, page: Conversion): string {
  const name = element.name.toLowerCase();
  const allowedNames = [...(elements.get(name)?.attributes ?? []), 'title', 'lang', 'dir'];
  const attributes = [...element.attributes].map(([key, value]) => {
    const plainKey = key.replace(/^(?::|v-bind:)/, '').toLowerCase();
    if (!allowedNames.includes(plainKey) || value === false) return '';
    if (value === true) return ` ${plainKey}`;
    if (typeof value === 'string' || typeof value === 'number') return ` ${plainKey}="${escapeHtml(String(value))}"`;
    if (key === 'src' || key === 'href')
      page.say(element, `\`${key}\` of \`<${element.name}>\` is no literal; it is left out.`);
    return '';
  });
  return `<${name}${attributes.join('')}>`;
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function keepElement(element: Element, page: Conversion): Rendered {
  const name = element.name.toLowerCase();
  const open = writeOpeningTag(element, page);
  // An `<a>` without an address would look like a link and lead nowhere, so only its content remains.
  if (open === '<a>') return createInline(page.content(element));
  if (elements.get(name)?.holds === 'nothing' || !element.closed) return createInline(open);
  const content = page.content(element);
  if (flat.has(name)) {
    const text = content.replace(/^[ \t]+/gm, '');
    const isBlock = element.prefix !== null && (name === 'table' || name === 'figure' || element.body.includes('\n'));
    const lines = element.body.includes('\n') ? `${open}\n${text}\n</${name}>` : `${open}${text}</${name}>`;
    return isBlock
      ? block(name === 'table' ? lines.replace(/\n\s*\n(?=<\/?(?:t|c))/g, '\n') : lines)
      : createInline(lines);
  }
  const isBlock = elements.get(name)?.kind === 'flow' && element.prefix !== null;
  if (!isBlock) return createInline(`${open}${content}</${name}>`);
  return block(content.includes('\n') ? `${open}\n\n${content}\n\n</${name}>` : `${open}${content}</${name}>`);
}

const heading: Handler = (element, page) => {
  const text = joinLines(page.content(element));
  const id = getAttribute(element, 'id');
  const level = Number(element.name.slice(1));
  if (element.prefix === null || getAttribute(element, 'align') !== null) return keepElement(element, page);
  page.level = level;
  return text === '' ? nothing : block(`${'#'.repeat(level)} ${text}${id === null ? '' : ` {#${id}}`}`);
};

/**
 * Unwraps a `div` or `center`, which is a matter of layout. One that begins its line and is a `center` or has `align` becomes a
 * block `<div align="…">` instead.
 */
const division: Handler = (element, page) => {
  const side = getAttribute(element, 'align') ?? (element.name === 'center' ? 'center' : null);
  if (side === null || element.prefix === null) return renderContent(element, page);
  return block(`<div align="${escapeHtml(side)}">\n\n${page.content(element)}\n\n</div>`);
};

const folded: Handler = (element, page) => {
  const summary = element.children.find((node) => node.kind === 'tag' && node.name === 'summary');
  if (summary === undefined || summary.kind === 'text' || !element.closed) return renderContent(element, page);
  const rest = { ...element, children: element.children.filter((node) => node !== summary) };
  const content = page.content(rest);
  const open = element.attributes.get('open');
  return block(writeDetails(page.content(summary), content, open === true || open === ''));
};

const frame: Handler = (element) => {
  const source = getAttribute(element, 'src');
  if (source === null || !/^https?:|^\/\//.test(source)) return nothing;
  const href = source
    .replace(/^\/\//, 'https://')
    .replace(/^https:\/\/www\.youtube(?:-nocookie)?\.com\/embed\/([\w-]+).*$/, 'https://www.youtube.com/watch?v=$1');
  return block(`[${getAttribute(element, 'title') ?? href}](${writeDestination(href)})`);
};

/**
 * Turns lines that a browser shows as they are into a block of code without a language and without the tags in them, which is empty
 * for an element without an end.
 */
const preformatted: Handler = (element, page) => {
  const text = page
    .raw(element.body)
    .replace(/<\/?[a-z][^>]*>/gi, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
  return block(page.hide({ language: '', info: '', code: text.replace(/^\n|\s+$/g, ''), title: null }));
};

const html: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => [name, heading] as const),
  ['div', division],
  ['center', division],
  ['span', renderContent],
  ['details', folded],
  ['iframe', frame],
  ['pre', preformatted],
  [
    'p',
    (element, page) =>
      getAttribute(element, 'align') === null ? paragraph(element, page) : keepElement(element, page),
  ],
  ['code', renderCode],
]);

function paragraph(element: Element, page: Conversion): Rendered {
  if (!element.closed) return nothing;
  const { text } = renderContent(element, page);
  return element.prefix === null ? createInline(text) : block(text.replace(/^[ \t]+/gm, ''));
}

/**
 * Turns code that is written as a tag into inline code; it stays a tag if it is empty, has no end, or contains tags, backticks or
 * entities.
 */
function renderCode(element: Element, page: Conversion): Rendered {
  if (/[<`\uE000-\uE005]|&\w+;/.test(element.body) || !element.closed || element.body.trim() === '')
    return keepElement(element, page);
  return createInline(`\`${joinLines(page.raw(element.body))}\``);
}
