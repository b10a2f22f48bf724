/** Converts the shortcodes of Hugo, those of its themes Docsy and Book, and names that other themes commonly use. */
import { posix } from 'node:path';
import * as blocks from '../blocks.ts';
import { block, createInline, type Element, getAttribute, nothing } from '../elements.ts';
import { toRecord, toText } from '../front-matter.ts';
import * as handlers from '../handlers.ts';
import type { Conversion, Dialect, Handler } from '../site.ts';

type Values = Readonly<Record<string, unknown>>;

/** Handles a callout whose kind is its color, its type or its first word, or `NOTE` if they name none. */
const alert: Handler = (element, page) => {
  const kind = blocks.findCalloutKind((getAttribute(element, 'color', 'type', 'context', '0') ?? '').toLowerCase());
  return handlers.createCalloutHandler(kind, 'title')(element, page);
};

/**
 * Handles the tabs of Docsy: one between angle brackets contains code, one between percent signs or with `text=true` text. Disabled
 * tabs are left out; if no tab is enabled, the element becomes its whole content, the content of disabled tabs included.
 */
const pane: Handler = (element, page) => {
  const isText = (tab: Element): boolean =>
    tab.attributes.get('_delimiter') === '%' ||
    [tab, element].some((part) => /^(?:true|1)$/.test(getAttribute(part, 'text') ?? ''));
  const panels = handlers.findChildren(element, 'tab').filter((tab) => getAttribute(tab, 'disabled') !== 'true');
  if (panels.length === 0) return handlers.unwrap(element, page);
  const { level } = page;
  const parts = panels.map((tab) => {
    const language = getAttribute(tab, 'lang', 'langEqualsHeader') ?? getAttribute(element, 'lang');
    const code = page.raw(tab.body).replace(/^\n+|\s+$/g, '');
    const isCode = !isText(tab) && !/^```|^\s*\{\{/.test(code) && page.fences(tab.body).length === 0;
    const content = isCode ? page.hide({ language: language ?? '', info: '', code, title: null }) : page.content(tab);
    return { label: getAttribute(tab, 'header', 'name', 'title', '0') ?? 'Tab', content };
  });
  page.level = level;
  return block(blocks.writeTabs(parts, level));
};

const figure: Handler = (element) => {
  const source = getAttribute(element, 'src', '0');
  if (source === null) return nothing;
  const alt = (getAttribute(element, 'alt') ?? getAttribute(element, 'caption') ?? '').replace(/[[\]]/g, '');
  const [width] = /^\d{1,4}(?=$|px$)/.exec(getAttribute(element, 'width') ?? '') ?? [];
  const image = `![${alt}](${blocks.writeDestination(source)})${width === undefined ? '' : `{width=${width}}`}`;
  const link = getAttribute(element, 'link');
  const caption = getAttribute(element, 'caption') ?? getAttribute(element, 'title');
  const markdown = link === null ? image : `[${image}](${blocks.writeDestination(link)})`;
  return block(caption === null ? markdown : `${markdown}\n\n_${blocks.joinLines(caption)}_`);
};

const highlight: Handler = (element, page) =>
  handlers.writeCodeBlock(
    page,
    getAttribute(element, '0', 'lang') ?? '',
    page.raw(element.body).replace(/^\n|\s+$/g, ''),
  );

const createFenceHandler =
  (language: string): Handler =>
  (element, page) =>
    handlers.writeCodeBlock(page, language, page.raw(element.body).trim());

const createVideoHandler =
  (start: string): Handler =>
  (element) => {
    const id = getAttribute(element, '0', 'id');
    return id === null ? nothing : block(`[${getAttribute(element, 'title') ?? `${start}${id}`}](${start}${id})`);
  };

const button: Handler = (element, page) => {
  const href = getAttribute(element, 'href', 'relref', 'link', 'url', '0');
  const text = blocks.joinLines(page.content(element)) || (getAttribute(element, 'text', 'label', 'title') ?? 'More');
  if (href === null) return createInline(text);
  return createInline(
    `[${text}](${getAttribute(element, 'relref') === null ? blocks.writeDestination(href) : resolveReference(href, page, '')})`,
  );
};

/**
 * Handles the steps of the theme Book: content that begins with `1. ` gets `<!-- steps -->` on a line before it, and any other
 * content stays as it is.
 */
const bookSteps: Handler = (element, page) => {
  const content = page.content(element);
  return block(/^1\. /.test(content) ? `<!-- steps -->\n${content}` : content);
};

/**
 * Handles a picture in the page's own folder, which is found by a part of its name (without a name, the first one there): it
 * becomes an image with the element's content as its caption. A missing one is left out with a report.
 */
const bundled: Handler = (element, page) => {
  const name = getAttribute(element, '0', 'src') ?? '';
  const folder = posix.dirname(page.file);
  const file = page.tree.files.find(
    (path) =>
      posix.dirname(path) === folder &&
      posix.basename(path).includes(name.replace(/[*]/g, '')) &&
      /\.(?:png|jpe?g|gif|webp|svg)$/.test(path),
  );
  if (file === undefined) {
    page.say(element, `the image \`${name}\` is not next to the page; it is left out.`);
    return nothing;
  }
  const caption = blocks.joinLines(page.content(element));
  return block(`![${caption.replace(/[[\]]/g, '')}](/@file/${file})${caption === '' ? '' : `\n\n_${caption}_`}`);
};

/**
 * Returns the destination of a link, `/@file/` and a path in the source, for the page that `ref` and `relref` mean: next to this
 * one, below `root`, the folder of the pages, or anywhere in it by its name alone. A reference to no page keeps its own path after
 * `/@file/`, an anchor alone stays as it is, and an empty reference becomes `/`.
 */
function resolveReference(reference: string, page: Conversion, root: string): string {
  const [path = '', anchor] = reference.split('#');
  const end = anchor === undefined ? '' : `#${anchor}`;
  if (path === '') return end === '' ? '/' : end;
  const plain = path.replace(/\/$/, '');
  const tries = plain.startsWith('/')
    ? [posix.join(root, plain)]
    : [posix.join(posix.dirname(page.file), plain), posix.join(root, plain)];
  const ends = ['', '.md', '/_index.md', '/index.md'];
  const file =
    tries.flatMap((place) => ends.map((part) => `${place}${part}`)).find((place) => page.tree.has(place)) ??
    page.tree.files.find(
      (file) => file.startsWith(`${root}/`) && ends.some((part) => file.endsWith(`/${plain}${part}`)),
    );
  return file === undefined ? `/@file/${plain}${end}` : `/@file/${file}${end}`;
}

/**
 * Returns a handler that replaces an element by the file that it names: by its text as a block of code if `code` is `true`,
 * otherwise by its converted Markdown. A missing file is left out with a report. `root` is the folder of the pages.
 */
const readFile =
  (root: string): Handler =>
  (element, page) => {
    const name = getAttribute(element, 'file', '0') ?? '';
    const places = name.startsWith('/')
      ? [name.slice(1), posix.join(root, name)]
      : [posix.join(posix.dirname(page.file), name), posix.join(root, name), name];
    const file = places.find((place) => page.tree.has(place));
    if (file === undefined) {
      page.say(element, `the file \`${name}\` is not in the folder; it is left out.`);
      return nothing;
    }
    if (getAttribute(element, 'code') === 'true')
      return handlers.writeCodeBlock(page, getAttribute(element, 'lang') ?? '', (page.tree.text(file) ?? '').trimEnd());
    return block(page.include(file) ?? '');
  };

/**
 * Removes lists of attributes in braces after headings and links and on lines of their own, which are a matter of looks; headings
 * keep `{#id}`.
 */
const removeAttributes = (text: string): string =>
  text
    .replace(/^(#{1,6}[ \t][^\n]*?)[ \t]*\{[^}\n]*?#([\w:.-]+)[^}\n]*\}[ \t]*$/gm, '$1 {#$2}')
    .replace(/(?<=\n)[ \t]*\{(?:[.#][\w-]|[\w-]+=)[^}\n]*\}[ \t]*$/gm, '')
    .replace(/^(#{1,6}[ \t][^\n]*?)[ \t]*\{[ \t]*[.][^}\n]*\}[ \t]*$/gm, '$1')
    .replace(/(?<=\))\{:?[ \t]*[.][^}\n]*\}/g, '');

const gist: Handler = (element) => {
  const address = `https://gist.github.com/${getAttribute(element, '0') ?? ''}/${getAttribute(element, '1') ?? ''}`;
  return block(`[${address}](${address})`);
};

/**
 * Creates the dialect of Hugo. `root` is the folder of the pages in the source, and `params` has the values of the configuration,
 * which the shortcode `param` reads after the page's front matter.
 */
export function createDialect(root: string, params: Values): Dialect {
  const reference: Handler = (element, page) =>
    createInline(resolveReference(getAttribute(element, '0', 'path') ?? '', page, root));
  const param: Handler = (element, page) => {
    const name = getAttribute(element, '0') ?? '';
    const value =
      toText(page.frontMatter.values[name]) ??
      toText(name.split('.').reduce((value: unknown, key) => toRecord(value)[key], params));
    if (value === null) page.say(element, `the parameter \`${name}\` is not in the configuration; it is left out.`);
    return createInline(value ?? '');
  };
  const listCalloutHandlers = (kind: blocks.CalloutKind, names: string): [string, Handler][] =>
    handlers.listHandlers(names, handlers.createCalloutHandler(kind, 'title', '0'));
  return {
    isMdx: () => false,
    shortcodes: true,
    groups: new Map([['card', 'cardpane']]),
    elements: new Map<string, Handler>([
      ...handlers.listHandlers('alert hint callout admonition', alert),
      ...listCalloutHandlers('NOTE', 'pageinfo note info'),
      ...listCalloutHandlers('TIP', 'tip'),
      ...listCalloutHandlers('IMPORTANT', 'important'),
      ...listCalloutHandlers('WARNING', 'warning caution'),
      ...listCalloutHandlers('CAUTION', 'danger'),
      ['tabpane', pane],
      ['tabs', handlers.createTabsHandler(['tab'], ['0', 'name', 'title', 'header'])],
      ...handlers.listHandlers('tab columns column', handlers.unwrap),
      ['cardpane', handlers.createCardsHandler('card')],
      ['card', handlers.card],
      ['steps', bookSteps],
      ['details', handlers.createFixedHandler('shortcode', handlers.createDetailsHandler('title', 'summary', '0'))],
      ['expand', handlers.createDetailsHandler('title', '0')],
      ['button', button],
      ...handlers.listHandlers('figure img', handlers.createFixedHandler('shortcode', figure)),
      ...handlers.listHandlers('image local-image', figure),
      ['imgproc', bundled],
      ['highlight', highlight],
      ['mermaid', createFenceHandler('mermaid')],
      ...handlers.listHandlers('katex math', createFenceHandler('latex')),
      ['youtube', createVideoHandler('https://www.youtube.com/watch?v=')],
      ['vimeo', createVideoHandler('https://vimeo.com/')],
      ['gist', gist],
      ...handlers.listHandlers('ref relref', reference),
      ['param', param],
      ...handlers.listHandlers('readfile include', readFile(root)),
      ['comment', handlers.drop],
      ['section', handlers.createLossHandler('a list of pages that is made when the site is built')],
      ...handlers.listHandlers('swaggerui redoc', handlers.createLossHandler('it needs a script')),
    ]),
    other: (element) => (element.kind === 'shortcode' && element.name.startsWith('_') ? nothing : null),
    text: removeAttributes,
    finish: (markdown) => markdown.replace(/\{\{([<%])\/\*([\s\S]*?)\*\/([>%])\}\}/g, '{{$1$2$3}}'),
    fence: (fence) => ({ ...fence, title: /\b(?:title|filename|file)="([^"]*)"/.exec(fence.info)?.[1] ?? fence.title }),
  };
}
