/** Converts the dialects of plain Markdown: directives of MyST, block tags of GitBook, components of Fumadocs, links of wikis. */
import { posix } from 'node:path';
import { writeSoftAnchor } from '../anchors.ts';
import * as blocks from '../blocks.ts';
import { block, type Element, getAttribute, nothing } from '../elements.ts';
import * as handlers from '../handlers.ts';
import { splitWords } from '../pages.ts';
import type { Conversion, Dialect, Handler, SourcePage } from '../site.ts';
import { createDialect as createMkdocsDialect } from './mkdocs-syntax.ts';

/** Creates the dialect of plain Markdown; `pages` are those that links of a wiki, `[[name]]`, may name. */
export function createDialect(pages: readonly SourcePage[]): Dialect {
  const mkdocs = createMkdocsDialect({});
  const findPage = createWikiIndex(pages);
  return {
    ...mkdocs,
    isMdx: (file) => file.endsWith('.mdx'),
    directives: true,
    blockTags: true,
    elements: new Map<string, Handler>([
      ...handlers.mdxElements,
      ...mkdocs.elements,
      ...calloutNames.map((name): [string, Handler] => [name, callout]),
      ...handlers.listHandlers('tabs tab-set Tabs %tabs', tabSet),
      ...handlers.listHandlers(
        'tab group-tab tab-item Tab %tab %columns %column %updates %if updates',
        handlers.unwrap,
      ),
      ...handlers.listHandlers('dropdown Accordion %expandable', details),
      ...handlers.listHandlers('Accordions grid grid-item card-carousel CardLinks', handlers.unwrap),
      ...handlers.listHandlers('Cards', handlers.createCardsHandler('Card')),
      ...handlers.listHandlers('Card', handlers.card),
      ...handlers.listHandlers('Steps %stepper', steps),
      ...handlers.listHandlers('image figure', imageDirective),
      ...handlers.listHandlers('Files Folder', fileTree),
      ['include', includeDirective],
      ['toctree', handlers.drop],
      ['contents', handlers.drop],
      ['InlineTOC', handlers.drop],
      ['%code', code],
      ['%embed', linkBlock],
      ['%file', linkBlock],
      ['%content-ref', linkBlock],
      ['%update', update],
      ['%include', handlers.createLossHandler('its text is not in the folder')],
      ['%openapi', handlers.createLossHandler('it is made from an API description')],
      ['%openapi-operation', handlers.createLossHandler('it is made from an API description')],
      ['%openapi-schemas', handlers.createLossHandler('it is made from an API description')],
    ]),
    other: (element, page) => (element.kind === 'directive' ? null : handlers.handleOtherTag(element, page)),
    prepare: (text, page) => convertDirectives(mkdocs.prepare?.(text, page) ?? text),
    text: (text, page, offset) =>
      convertWikiLinks(
        convertRoles(mkdocs.text?.(handlers.convertMdxText(text, page, offset), page, offset) ?? text, page),
        page,
        offset,
        findPage,
      ),
  };
}

const calloutNames = splitWords(`
  note info tip hint success check important warning attention caution danger error failure bug seealso admonition
  Note Info Tip Warning Important Caution Danger Callout %hint`);

/** Handles a callout, whose kind is its type, its style, the class of an admonition or else its name; it is `NOTE` for an unknown one. */
const callout: Handler = (element, page) => {
  const { options, text } = readOptions(page.content(element));
  const kind = getAttribute(element, 'type', 'style') ?? options.get('class') ?? element.name.replace('%', '');
  const plain = kind.toLowerCase().replace(/^warn$/, 'warning');
  return block(blocks.writeCallout(blocks.findCalloutKind(plain), getAttribute(element, 'title'), text));
};

/** Splits the content of a directive into its options, `:name: value` on the first lines, and its text. */
function readOptions(content: string): { options: ReadonlyMap<string, string>; text: string } {
  const [lines = ''] = /^(?:\s*:[\w-]+:[^\n]*(?:\n|$))*/.exec(content) ?? [];
  const options = [...lines.matchAll(/^\s*:([\w-]+):[ \t]*(.*)$/gm)].map(
    ([, key = '', value = '']) => [key, value.trim()] as const,
  );
  return { options: new Map(options), text: content.slice(lines.length).replace(/^\n+/, '') };
}

/**
 * Handles tabs; Fumadocs has their labels in a list, GitBook in a title. One without a label gets its number, and an element
 * without tabs becomes its content.
 */
const tabSet: Handler = (element, page) => {
  const items = element.attributes.get('items');
  const labels = Array.isArray(items) ? items.map(String) : [];
  const names = splitWords('tab group-tab tab-item Tab %tab');
  let index = -1;
  const children = element.children.map((node) => {
    if (node.kind === 'text' || !names.includes(node.name)) return node;
    index += 1;
    const label = getAttribute(node, 'title', 'value', 'label') ?? labels[index];
    return { ...node, attributes: new Map([...node.attributes, ['title', label]]) };
  });
  return handlers.createTabsHandler(names, ['title'])({ ...element, children }, page);
};

const details: Handler = (element, page) => {
  const { text } = readOptions(page.content(element));
  return block(blocks.writeDetails(getAttribute(element, 'title', '0') ?? 'Details', text, false));
};

/**
 * Handles steps, each of which has its heading, or else an attribute, as its title, or none; without steps the element becomes its
 * content.
 */
const steps: Handler = (element, page) => {
  const items = handlers.findChildren(element, 'Step', '%step').map((item) => {
    const content = page.content(item);
    const [heading = '', title] = /^#{1,6}[ \t]+(.+?)[ \t]*#*(?:\n+|$)/.exec(content) ?? [];
    return { title: title ?? getAttribute(item, 'title'), content: content.slice(heading.length) };
  });
  return items.length === 0 ? handlers.unwrap(element, page) : block(blocks.writeSteps(items));
};

/** Handles the directive of an image, with its caption below it; an element of another kind becomes its content. */
const imageDirective: Handler = (element, page) => {
  if (element.kind !== 'directive') return handlers.unwrap(element, page);
  const { options, text } = readOptions(page.content(element));
  const [width] = /^\d{1,4}(?=$|px$)/.exec(options.get('width') ?? '') ?? [];
  const size = width === undefined ? '' : `{width=${width}}`;
  const image = `![${options.get('alt') ?? ''}](${blocks.writeDestination(getAttribute(element, 'title') ?? '')})${size}`;
  return block(text.trim() === '' ? image : `${image}\n\n${text}`);
};

const includeDirective: Handler = (element, page) => {
  const path = posix.join(posix.dirname(page.file), getAttribute(element, 'title') ?? '');
  const text = page.include(path);
  if (text === null) page.say(element, `\`${path}\` cannot be included.`);
  return text === null ? nothing : block(text);
};

/** Handles a block of code with a title; without a title, or without exactly one block, the element becomes its content. */
const code: Handler = (element, page) => {
  const content = page.content(element);
  const [fence, ...others] = page.fences(content);
  const title = getAttribute(element, 'title');
  return block(fence === undefined || others.length > 0 || title === null ? content : page.hide({ ...fence, title }));
};

/**
 * Handles a link that is a block: an embedded page, a file or a reference to a page. Without an address, or with a link in it, its
 * content remains.
 */
const linkBlock: Handler = (element, page) => {
  const href = getAttribute(element, 'url', 'src');
  const text = page.content(element).trim();
  if (href === null || text.includes('](')) return block(text);
  return block(`[${text === '' || /[\n[\]]/.test(text) ? href : text}](${blocks.writeDestination(href)})`);
};

const update: Handler = (element, page) => {
  const date = getAttribute(element, 'date') ?? '';
  const content = page.content(element);
  return block(/^#/.test(content) || date === '' ? content : `## ${date}\n\n${content}`);
};

/** Handles a tree of files, which becomes a block of code with indented names. */
const fileTree: Handler = (element, page) => {
  const writeLines = ({ children }: Element, indent: string): string[] =>
    children.flatMap((node) => {
      if (node.kind === 'text') return [];
      const name = getAttribute(node, 'name') ?? '';
      return [`${indent}${name}${node.name === 'Folder' ? '/' : ''}`, ...writeLines(node, `${indent}  `)];
    });
  return handlers.writeCodeBlock(page, 'text', writeLines(element, '').join('\n'));
};

const codeDirectives = splitWords('code code-block sourcecode code-cell parsed-literal prompt');

/**
 * Returns a text with the directives of MyST, in colons or backticks, as containers (`:::name`) or blocks of code, and its labels
 * `(name)=` as anchors, except that a label before a heading of level 1 is removed.
 */
function convertDirectives(text: string): string {
  const lines = text.split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    const [, space = '', marker = '', name, rest = ''] =
      /^([ \t>]*)(:{3,}|`{3,}|~{3,})[ \t]*\{([\w-]+)\}[ \t]*(.*)$/.exec(lines[index] ?? '') ?? [];
    if (name === undefined) continue;
    const isCode = codeDirectives.includes(name);
    if (isCode && !marker.startsWith(':')) {
      lines[index] = `${space}${marker}${rest}`;
      for (let optionIndex = index + 1; /^\s*:[\w-]+:/.test(lines[optionIndex] ?? ''); optionIndex += 1)
        lines[optionIndex] = '';
      continue;
    }
    const end = lines.findIndex((line, lineIndex) => lineIndex > index && line.trim() === `${space}${marker}`.trim());
    if (end === -1) continue;
    const colons = isCode ? '```' : ':'.repeat(marker.length);
    lines[index] = `${space}${colons}${isCode ? '' : name.toLowerCase()} ${rest}`.trimEnd();
    lines[end] = `${space}${colons}`;
  }
  return lines
    .join('\n')
    .replace(/^\([\w:. -]+\)=[ \t]*(\n+# )/gm, '$1')
    .replace(/^\(([\w:.-]+)\)=[ \t]*(\n+#{2,6} [^\n]*)/gm, '$2 {#$1}')
    .replace(/^\(([\w:. -]+)\)=[ \t]*$/gm, (_, label) => writeSoftAnchor(String(label)));
}

/**
 * Replaces the roles of MyST, such as {doc}`text <path>`, by links, `<kbd>`, bold text or their plain text. `text` has placeholders of
 * `page` in place of its inline code.
 */
const convertRoles = (text: string, page: Conversion): string =>
  text.replace(/\{([a-z][\w:-]*)\}(\uE002\d+\uE003)/g, (_, role: string, mark: string) => {
    const content = page.raw(mark).replace(/^`+|`+$/g, '');
    const [, label = '', target] = /^(.*?)\s*<(.*)>$/s.exec(content) ?? [];
    if (role === 'kbd') return `<kbd>${content}</kbd>`;
    if (/^(?:doc|download)$/.test(role)) return `[${label || content}](${blocks.writeDestination(target ?? content)})`;
    if (/(?:^|:)(?:ref|numref)$/.test(role)) return `[${label || content}](#${target ?? content})`;
    return /^(?:guilabel|menuselection)$/.test(role) ? `**${content}**` : label || content;
  });

type WikiIndex = (name: string) => string | null;

/**
 * Returns a function that finds the file of a page by its path, its name alone or an alias, in capitals or not: of several pages
 * that of the first, or null for a name that no page has.
 */
function createWikiIndex(pages: readonly SourcePage[]): WikiIndex {
  const byName = new Map<string, string>();
  const add = (name: string, file: string): void => void (byName.has(name) || byName.set(name, file));
  for (const { file, frontMatter } of pages) {
    const plain = file.replace(/\.\w+$/, '').toLowerCase();
    add(plain, file);
    add(posix.basename(plain), file);
    for (const alias of [frontMatter.values.aliases].flat())
      if (typeof alias === 'string') add(alias.toLowerCase(), file);
  }
  return (name) => byName.get(name.replace(/\.md$/, '').toLowerCase()) ?? null;
}

const wikiLink = /(!?)\[\[([^[\]|#\\\n]*)((?:#[^[\]|\\\n]*)?)(?:\\?\|([^[\]\n]*))?\]\](?!\()/g;
const obsidianCallout = /^([ \t]*(?:>[ \t]*)+)\[!([\w-]+)\][-+]?[ \t]*(.*)$/gm;

/**
 * Writes the links, embedded images and callouts of Obsidian as Markdown, and removes its comments and the names of blocks. A link
 * to neither a page nor a file becomes text, and a missing image is left out, both with a report; `start` is the offset of the text
 * in the page.
 */
function convertWikiLinks(text: string, page: Conversion, start: number, findPage: WikiIndex): string {
  return text
    .replace(
      wikiLink,
      (whole, bang: string, name: string, anchor: string, label: string | undefined, offset: number) => {
        const heading = anchor.startsWith('#^') ? '' : (anchor.split('#').at(-1) ?? '');
        const hash = heading === '' ? '' : `#${encodeURIComponent(heading.trim())}`;
        const target = name.trim();
        const isImage = /\.(?:png|jpe?g|gif|svg|webp|avif|mp4|webm)$/i.test(target);
        if (isImage && bang === '!') return embedImage(target, label ?? '', page, start + offset);
        const file = target === '' ? '' : (findPage(target) ?? findFile(target, page));
        const linkText = label ?? ([target, heading].filter((part) => part !== '').join(' > ') || whole);
        if (file !== null) return `[${linkText}](${file === '' ? hash : `${writeFileHref(file)}${hash}`})`;
        page.say({ at: start + offset }, `\`${whole}\` leads to no page: it is text now.`);
        return linkText;
      },
    )
    .replace(obsidianCallout, (_, prefix: string, type: string, title: string) => {
      const bold = title === '' ? '' : `\n${prefix.trimEnd()} ${blocks.writeBoldLine(title)}\n${prefix.trimEnd()}`;
      return `${prefix}[!${blocks.findCalloutKind(type.toLowerCase())}]${bold}`;
    })
    .replace(/%%[\s\S]*?%%/g, '')
    .replace(/[ \t]\^[\w-]+[ \t]*$/gm, '');
}

const writeFileHref = (file: string): string => `/@file/${encodeURI(file).replace(/[()#?]/g, encodeURIComponent)}`;

/**
 * Returns the path in the source of the file with the path `name`, or else of the first file with that name in any folder, or null.
 */
const findFile = (name: string, { tree }: Conversion): string | null =>
  tree.files.find((file) => file === name) ??
  tree.files.find((file) => posix.basename(file) === posix.basename(name)) ??
  null;

function embedImage(name: string, label: string, page: Conversion, offset: number): string {
  const file = findFile(name, page);
  if (file === null) page.say({ at: offset }, `the image \`${name}\` is not in the folder; it is left out.`);
  const [, width] = /^(\d{1,4})(?:x\d+)?$/.exec(label) ?? [];
  const size = width === undefined ? '' : `{width=${width}}`;
  const alt = (width === undefined ? label : '') || blocks.toTitle(posix.basename(name).replace(/\.\w+$/, ''));
  return file === null ? '' : `![${alt}](${writeFileHref(file)})${size}`;
}
