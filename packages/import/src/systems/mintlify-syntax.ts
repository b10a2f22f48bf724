/** Converts Mintlify’s components. */
import { createMintlifyAnchors, writeSoftAnchor } from '../anchors.ts';
import * as blocks from '../blocks.ts';
import { block, createInline, getAttribute, nothing } from '../elements.ts';
import { toText } from '../front-matter.ts';
import * as handlers from '../handlers.ts';
import type { Conversion, Dialect, Handler } from '../site.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * Writes a parameter or a response field as a list item: its name, or `field` without one, as code, its type, its default and
 * whether it is required or deprecated in parentheses, and its text.
 */
const field: Handler = (element, page) => {
  const name = getAttribute(element, 'name', 'path', 'query', 'body', 'header', 'title') ?? 'field';
  const type = getAttribute(element, 'type');
  const words = [
    type,
    element.attributes.get('required') === true ? 'required' : null,
    element.attributes.get('deprecated') === true ? 'deprecated' : null,
  ];
  const preset = getAttribute(element, 'default');
  const facts = [...words, preset === null ? null : `default \`${preset}\``].filter((word) => word !== null).join(', ');
  const content = page.content(element);
  const head = `- ${writeSoftAnchor(`${element.name === 'ResponseField' ? 'response' : 'param'}-${createAnchor(name)}`)}\`${name}\`${facts === '' ? '' : ` (${facts})`}`;
  if (content === '') return block(head);
  return block(
    /\n\s*\n|^[-*>#\uE000]/.test(content)
      ? `${head}\n\n  ${blocks.indentLines(content, '  ')}`
      : `${head}: ${blocks.indentLines(content, '  ')}`,
  );
};

const frame: Handler = (element, page) => {
  const caption = getAttribute(element, 'caption');
  const content = page.content(element);
  return block(caption === null ? content : `${content}\n\n_${blocks.joinLines(caption)}_`);
};

/** Handles a step outside of a list of steps, which becomes its title, as a paragraph, and its content. */
const step: Handler = (element, page) =>
  block([getAttribute(element, 'title'), page.content(element)].filter(Boolean).join('\n\n'));

const update: Handler = (element, page) => {
  const label = getAttribute(element, 'label') ?? 'Update';
  const text = getAttribute(element, 'description');
  return block([`## ${label}`, text, page.content(element)].filter(Boolean).join('\n\n'));
};

/** Includes the file that an old `<Snippet file>` names, or leaves it out with a report. */
const snippet: Handler = (element, page) => {
  const file = getAttribute(element, 'file');
  const text = file === null ? null : (page.include(`snippets/${file}`) ?? page.include(file));
  if (text === null) page.say(element, `the snippet \`${file ?? ''}\` is not in the folder; it is left out.`);
  return text === null ? nothing : block(text);
};

const accordion: Handler = (element, page) => {
  const id = getAttribute(element, 'id') ?? createAnchor(getAttribute(element, 'title', 'header') ?? '');
  return block(`${writeSoftAnchor(id)}\n\n${handlers.createDetailsHandler('title', 'header')(element, page).text}`);
};

/** Returns the anchor of a text, without `#`, as Mintlify makes it. Unlike those of headings, repeats are not numbered. */
const createAnchor = (text: string): string => createMintlifyAnchors()(text);

const tree: Handler = (element, page) => handlers.writeCodeBlock(page, 'text', writeTree(page.raw(element.body)));

const writeTree = (text: string): string =>
  text
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', name] = /^(\s*)<(?:Tree\.)?(?:Folder|File)\b[^>]*\bname="([^"]*)"/.exec(line) ?? [];
      return name === undefined ? [] : [`${indent}${name}`];
    })
    .map((line, _, all) => line.slice(Math.min(...all.map((other) => other.search(/\S/)))))
    .join('\n');

/**
 * Creates the dialect of Mintlify. `variables` are those of docs.json, by name, which replace `{{name}}` in the text; an unknown
 * one is read as an expression of MDX.
 */
export function createDialect(variables: Values): Dialect {
  const text = (source: string, page: Conversion, offset: number): string =>
    handlers.convertMdxText(
      source.replace(/\{\{\s*([\w.-]+)\s*\}\}/g, (whole, name: string) => toText(variables[name]) ?? whole),
      page,
      offset,
    );
  return {
    isMdx: () => true,
    groups: new Map([
      ['Card', 'CardGroup'],
      ['Step', 'Steps'],
      ['Tab', 'Tabs'],
    ]),
    elements: new Map<string, Handler>([
      ...handlers.mdxElements,
      ...handlers.listCalloutHandlers('NOTE', 'Note Info Callout'),
      ...handlers.listCalloutHandlers('TIP', 'Tip Check'),
      ...handlers.listCalloutHandlers('WARNING', 'Warning'),
      ...handlers.listCalloutHandlers('CAUTION', 'Danger'),
      ['Steps', handlers.createStepsHandler('Step', 'title')],
      ['Step', step],
      ['Tabs', handlers.createTabsHandler(['Tab'], ['title'])],
      ...handlers.listHandlers('CodeGroup RequestExample ResponseExample', handlers.createCodeGroupHandler(label)),
      ...handlers.listHandlers('CardGroup Columns', handlers.createCardsHandler('Card', 'Tile')),
      ...handlers.listHandlers('Card Tile', handlers.card),
      ...handlers.listHandlers('Tab Column AccordionGroup Panel Visibility', handlers.unwrap),
      ...handlers.listHandlers('Accordion Expandable', accordion),
      ['Frame', frame],
      ...handlers.listHandlers('ParamField ResponseField', field),
      ['Update', update],
      ['Snippet', snippet],
      ['Tooltip', handlers.createTextHandler('tip')],
      ['Badge', handlers.createTextHandler('text')],
      ['Icon', handlers.drop],
      ['Tree', tree],
      ['Latex', (element, page) => createInline(`\`${page.raw(element.body).trim()}\``)],
    ]),
    other: handlers.handleOtherTag,
    text,
    fence: (fence) => ({ ...fence, title: label(fence.info) ?? fence.title }),
  };
}

/** Returns the label of a code block from the words after its language, without settings such as `wrap`, or null if nothing is left. */
function label(info: string): string | null {
  const [, titled] = /\btitle=["']([^"']*)["']/.exec(info) ?? [];
  if (titled !== undefined) return titled;
  const words = info
    .replace(/\{[^}]*\}|\b[\w-]+=(?:"[^"]*"|'[^']*'|\{[^}]*\}|\S+)/g, ' ')
    .replace(/\b(?:wrap|expandable|lines|focus|highlight|icon|twoslash|theme)\b/g, ' ')
    .trim();
  return words === '' ? null : words;
}
