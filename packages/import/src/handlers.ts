/** Converts components that several systems have under different names: callouts, tabs, steps, cards, folded text. */
import * as blocks from './blocks.ts';
import { block, createInline, type Element, getAttribute, type Node, nothing, type Rendered } from './elements.ts';
import { convertElement, renderContent } from './html-elements.ts';
import { evaluate } from './literal.ts';
import { splitWords } from './pages.ts';
import type { Conversion, Handler } from './site.ts';

/**
 * Keeps a block of code and returns its placeholder as a block, which becomes a fenced block when the page is finished. An empty
 * `language` becomes `text` there. A title is written before the code unless it is null.
 */
export const writeCodeBlock = (
  page: Conversion,
  language: string,
  code: string,
  title: string | null = null,
): Rendered => block(page.hide({ language, info: '', code, title }));

/** Leaves an element out without a report. */
export const drop: Handler = () => nothing;
/** Replaces an element by its content. */
export const unwrap: Handler = renderContent;

/** Restricts a handler to elements of one kind; others with the same name are converted as if they had no handler. */
export const createFixedHandler =
  (kind: Element['kind'], handler: Handler): Handler =>
  (element, page) =>
    element.kind === kind ? handler(element, page) : convertElement(element, page);

/**
 * Returns a handler that leaves elements out with their content and reports each name once for the whole import, with the number of
 * elements; `what` says why in a clause such as `it needs a script`.
 */
export const createLossHandler =
  (what: string): Handler =>
  (element, page) => {
    page.count(element, `lost ${element.name}`, `\`${element.name}\` is left out: ${what}.`);
    return nothing;
  };

/** Returns a handler for callouts; `titles` are the attributes that may have the title, the preferred one first. */
export const createCalloutHandler =
  (kind: blocks.CalloutKind, ...titles: readonly string[]): Handler =>
  (element, page) =>
    block(blocks.writeCallout(kind, getAttribute(element, ...titles), page.content(element)));

/** Returns a pair of name and handler for each of the `names`, one or more that white space separates, for the table of a dialect. */
export const listHandlers = (names: string, handler: Handler): [string, Handler][] =>
  splitWords(names).map((name) => [name, handler]);

/**
 * Returns a pair for each of the `names`, one or more that white space separates: the name and a handler that writes callouts of
 * one kind, whose title is the attribute `title`.
 */
export const listCalloutHandlers = (kind: blocks.CalloutKind, names: string): [string, Handler][] =>
  listHandlers(names, createCalloutHandler(kind, 'title'));

/** Returns the direct children of an element that have one of these names, in their order. */
export const findChildren = (element: Element, ...names: readonly string[]): Element[] =>
  element.children.flatMap((node) => (node.kind !== 'text' && names.includes(node.name) ? [node] : []));

/** Finds the first child that is neither blank text, a comment nor an element with one of these names, or returns undefined. */
const findOther = (element: Element, names: readonly string[]): Node | undefined =>
  element.children.find((node) =>
    node.kind === 'text' ? node.text.trim() !== '' : node.kind !== 'comment' && !names.includes(node.name),
  );

/** Reports the first content of an element that is outside of its parts, whose names are `names`, and so is left out. */
function reportOther(element: Element, page: Conversion, names: readonly string[]): void {
  const other = findOther(element, names);
  if (other !== undefined)
    page.say(other, `what stands in \`${element.name}\` outside of its ${names.join(', ')} is left out.`);
}

/**
 * Returns a handler for tabs: `names` are those of the panels, `labels` the attributes that may have a panel's label, by default
 * its number from 1. Other content of the element is left out with a report. An element without panels becomes its content.
 */
export const createTabsHandler =
  (names: readonly string[], labels: readonly string[]): Handler =>
  (element, page) => {
    const panels = findChildren(element, ...names);
    if (panels.length === 0) return renderContent(element, page);
    reportOther(element, page, names);
    const { level } = page;
    const parts = panels.map((panel, index) => {
      page.level = Math.min(level + 1, 5);
      return { label: getAttribute(panel, ...labels) ?? `${index + 1}`, content: page.content(panel) };
    });
    page.level = level;
    return block(blocks.writeTabs(parts, level));
  };

/**
 * Returns a handler for blocks of code of which one is shown at a time: anything else in the element is left out with a report, but
 * with fewer than two blocks it becomes its content. `label` reads the label from the words after the language, or returns null for the
 * language itself; an empty label becomes `Code`.
 */
export const createCodeGroupHandler =
  (label: (info: string) => string | null): Handler =>
  (element, page) => {
    const content = page.content(element);
    const fences = page.fences(content);
    if (fences.length < 2) return block(content);
    if (content.replace(/\uE000\d+\uE001/g, '').trim() !== '')
      page.say(element, `what stands in \`${element.name}\` outside of its blocks of code is left out.`);
    const panels = fences.map((fence) => ({
      label: (label(fence.info) ?? fence.language) || 'Code',
      content: page.hide({ ...fence, info: '', title: null }),
    }));
    return block(blocks.writeTabs(panels, page.level));
  };

/**
 * Returns a handler for steps: `name` is that of a step, `titles` are the attributes that may have its title. Other content of the
 * element is left out with a report. An element without steps becomes its content.
 */
export const createStepsHandler =
  (name: string, ...titles: readonly string[]): Handler =>
  (element, page) => {
    const items = findChildren(element, name);
    if (items.length === 0) return block(page.content(element));
    reportOther(element, page, [name]);
    return block(
      blocks.writeSteps(items.map((item) => ({ title: getAttribute(item, ...titles), content: page.content(item) }))),
    );
  };

/**
 * Returns the card that an element describes: without a title it has `More`, and its text is the attribute `description` or else
 * the content.
 */
const readCard = (element: Element, page: Conversion): blocks.Card => ({
  title: getAttribute(element, 'title', 'header', '0') ?? 'More',
  href: getAttribute(element, 'href', 'link', 'to'),
  text: getAttribute(element, 'description') ?? page.content(element),
});

/**
 * Returns a handler for groups of cards; `names` are those of a card. A group without cards, or with anything else, becomes its
 * content.
 */
export const createCardsHandler =
  (...names: readonly string[]): Handler =>
  (element, page) => {
    const items = findChildren(element, ...names);
    if (items.length === 0 || findOther(element, names) !== undefined) return renderContent(element, page);
    return block(blocks.writeCards(items.map((item) => readCard(item, page))));
  };

/** Handles a card that is in no group as a group of one. */
export const card: Handler = (element, page) => block(blocks.writeCards([readCard(element, page)]));

/**
 * Returns a handler for folded text; `titles` are the attributes that may have the summary, by default `Details`. It is unfolded at
 * first if the attribute `open` or `defaultOpen` is true.
 */
export const createDetailsHandler =
  (...titles: readonly string[]): Handler =>
  (element, page) => {
    const isOpen = element.attributes.get('defaultOpen') === true || element.attributes.get('open') === true;
    return block(blocks.writeDetails(getAttribute(element, ...titles) ?? 'Details', page.content(element), isOpen));
  };

/**
 * Returns a handler that keeps only the text of an element such as a badge; `names` are attributes with it if there is no content.
 * An element in a heading is left out with a report.
 */
export const createTextHandler =
  (...names: readonly string[]): Handler =>
  (element, page) => {
    const text = page.content(element);
    // The anchor of a heading is made from its text, and the text of a badge would become a part of the anchor.
    if (element.inHeading) {
      page.count(element, `badge in heading`, `\`${element.name}\` in a heading is left out.`);
      return nothing;
    }
    return createInline(text === '' ? (getAttribute(element, ...names) ?? '') : text);
  };

/** Handles a component that is a link. Without an address its text remains; without a text it is left out. */
export const link: Handler = (element, page) => {
  const href = getAttribute(element, 'href', 'to', 'link');
  const text = blocks.joinLines(page.content(element)) || (getAttribute(element, 'label', 'text', 'title') ?? '');
  return createInline(href === null || text === '' ? text : `[${text}](${blocks.writeDestination(href)})`);
};

/** Handles an image component, whose source is an address or the name of an imported file; any other is left out with a report. */
const image: Handler = (element, page) => {
  const imageName = /\bsrc=\{\s*([A-Za-z_$][\w$]*)\s*\}/.exec(element.opening)?.[1];
  const file = imageName === undefined ? undefined : page.scope.files.get(imageName);
  const source = getAttribute(element, 'src', 'source', 'light') ?? (file === undefined ? null : `/@file/${file}`);
  if (source === null) {
    page.say(element, `the image of \`<${element.name}>\` is no literal; it is left out.`);
    return nothing;
  }
  const size = ['width', 'height'].flatMap((name) => {
    const [digits] = /^\d{1,4}(?=$|px$)/.exec(getAttribute(element, name) ?? '') ?? [];
    return digits === undefined ? [] : [`${name}=${digits}`];
  });
  const sizes = size.length === 0 ? '' : `{${size.join(' ')}}`;
  const alt = blocks.joinLines(getAttribute(element, 'alt', 'title') ?? '').replace(/[[\]]/g, '');
  return createInline(`![${alt}](${blocks.writeDestination(source)})${sizes}`);
};

/**
 * Returns the converted Markdown or MDX file that the page imported under the element's name, or null if it imported none. A file
 * that cannot be included becomes `nothing`, with a report. The element's attributes become `props` in the page's scope.
 */
function includeFile(element: Element, page: Conversion): Rendered | null {
  const file = page.scope.files.get(element.name);
  if (file === undefined || !/\.mdx?$/.test(file)) return null;
  page.scope.values.set('props', Object.fromEntries(element.attributes));
  const text = page.include(file);
  if (text === null) {
    page.say(element, `\`${file}\` cannot be included.`);
    return nothing;
  }
  return element.prefix === null ? createInline(text) : block(text);
}

/**
 * Replaces expressions `{…}` in a text of MDX by their values, but not `\{…}` and `{#…}`. Empty ones and comments are left out, and
 * any other whose value is no literal text or number is left out and reported. `start` is the offset of the text in the page.
 */
function replaceExpressions(text: string, start: number, page: Conversion): string {
  return text.replace(/(\\?)\{(?!#)((?:[^{}]|\{[^{}]*\})*)\}/g, (whole, backslash, code: string, offset: number) => {
    if (backslash === '\\') return whole;
    const value = evaluate(page.raw(code), page.scope.values);
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    // Leaving out an empty expression or a comment loses nothing, so there is no report.
    if (value == null && /^\s*(?:\uE004|$)/.test(code)) return '';
    page.say(
      { at: start + offset },
      `the expression \`{${blocks.joinLines(page.raw(code)).slice(0, 60)}}\` is left out.`,
    );
    return '';
  });
}

/** The handlers that all systems with MDX have in common, each after the name of its element. */
export const mdxElements: readonly (readonly [string, Handler])[] = [
  ['Fragment', unwrap],
  ['img', image],
  ['Image', image],
];

/** Replaces expressions in the text of MDX by their values; the text of other pages stays as it is. `start` is its offset in the page. */
export const convertMdxText = (text: string, page: Conversion, start: number): string =>
  page.isMdx && text.includes('{') ? replaceExpressions(text, start, page) : text;

/**
 * Returns the content of a component that is an imported Markdown or MDX file, `nothing` for an imported SVG or a file that cannot
 * be included, or null for every other element.
 */
export function handleOtherTag(element: Element, page: Conversion): Rendered | null {
  if (element.kind !== 'tag' || !/^[A-Z]/.test(element.name)) return null;
  const text = includeFile(element, page);
  if (text !== null) return text;
  const file = page.scope.files.get(element.name);
  return file !== undefined && /\.svg$/.test(file) ? nothing : null;
}

/**
 * Returns what is quoted in `title="…"` in the words after a fence's language, '' for an empty title, or null if there is no such
 * title.
 */
export const readQuotedTitle = (info: string): string | null => /\btitle=(["'])(.*?)\1/.exec(info)?.[2] ?? null;
