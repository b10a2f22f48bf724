/** Mintlify’s components. */
import { createMintlifyAnchors, softAnchor } from '../anchors.ts';
import * as blocks from '../blocks.ts';
import { attribute, block, inline, nothing } from '../elements.ts';
import { toText } from '../front-matter.ts';
import * as handlers from '../handlers.ts';
import type { Conversion, Dialect, Handler } from '../site.ts';

type Values = Readonly<Record<string, unknown>>;

/** Writes a parameter or a response field as a list item: `- **name** type, required: text`. */
const field: Handler = (element, page) => {
  const name = attribute(element, 'name', 'path', 'query', 'body', 'header', 'title') ?? 'field';
  const type = attribute(element, 'type');
  const words = [
    type,
    element.attributes.get('required') === true ? 'required' : null,
    element.attributes.get('deprecated') === true ? 'deprecated' : null,
  ];
  const preset = attribute(element, 'default');
  const facts = [...words, preset === null ? null : `default \`${preset}\``].filter((word) => word !== null).join(', ');
  const content = page.content(element);
  const head = `- ${softAnchor(`${element.name === 'ResponseField' ? 'response' : 'param'}-${anchorText(name)}`)}\`${name}\`${facts === '' ? '' : ` (${facts})`}`;
  if (content === '') return block(head);
  return block(
    /\n\s*\n|^[-*>#\uE000]/.test(content)
      ? `${head}\n\n  ${blocks.indented(content, '  ')}`
      : `${head}: ${blocks.indented(content, '  ')}`,
  );
};

const frame: Handler = (element, page) => {
  const caption = attribute(element, 'caption');
  const content = page.content(element);
  return block(caption === null ? content : `${content}\n\n_${blocks.oneLine(caption)}_`);
};

/** Handles a step outside of a list of steps. */
const step: Handler = (element, page) =>
  block([attribute(element, 'title'), page.content(element)].filter(Boolean).join('\n\n'));

const update: Handler = (element, page) => {
  const label = attribute(element, 'label') ?? 'Update';
  const text = attribute(element, 'description');
  return block([`## ${label}`, text, page.content(element)].filter(Boolean).join('\n\n'));
};

/** Includes the file that an old `<Snippet file>` names, or leaves it out with a report. */
const snippet: Handler = (element, page) => {
  const file = attribute(element, 'file');
  const text = file === null ? null : (page.include(`snippets/${file}`) ?? page.include(file));
  if (text === null) page.say(element, `the snippet \`${file ?? ''}\` is not in the folder; it is left out.`);
  return text === null ? nothing : block(text);
};

const accordion: Handler = (element, page) => {
  const id = attribute(element, 'id') ?? anchorText(attribute(element, 'title', 'header') ?? '');
  return block(`${softAnchor(id)}\n\n${handlers.details('title', 'header')(element, page).text}`);
};

/** Returns the anchor of a text by itself: repeats are numbered for headings only. */
const anchorText = (text: string): string => createMintlifyAnchors()(text);

const tree: Handler = (element, page) => handlers.codeBlock(page, 'text', treeLines(page.raw(element.body)));

const treeLines = (text: string): string =>
  text
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', name] = /^(\s*)<(?:Tree\.)?(?:Folder|File)\b[^>]*\bname="([^"]*)"/.exec(line) ?? [];
      return name === undefined ? [] : [`${indent}${name}`];
    })
    .map((line, _, all) => line.slice(Math.min(...all.map((other) => other.search(/\S/)))))
    .join('\n');

/** Creates the dialect. `variables` are those of docs.json. */
export function createDialect(variables: Values): Dialect {
  const text = (source: string, page: Conversion, offset: number): string =>
    handlers.mdxText(
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
      ...handlers.callouts('NOTE', 'Note Info Callout'),
      ...handlers.callouts('TIP', 'Tip Check'),
      ...handlers.callouts('WARNING', 'Warning'),
      ...handlers.callouts('CAUTION', 'Danger'),
      ['Steps', handlers.steps('Step', 'title')],
      ['Step', step],
      ['Tabs', handlers.tabs(['Tab'], ['title'])],
      ...handlers.named('CodeGroup RequestExample ResponseExample', handlers.codeGroup(label)),
      ...handlers.named('CardGroup Columns', handlers.cards('Card', 'Tile')),
      ...handlers.named('Card Tile', handlers.card),
      ...handlers.named('Tab Column AccordionGroup Panel Visibility', handlers.unwrap),
      ...handlers.named('Accordion Expandable', accordion),
      ['Frame', frame],
      ...handlers.named('ParamField ResponseField', field),
      ['Update', update],
      ['Snippet', snippet],
      ['Tooltip', handlers.textOnly('tip')],
      ['Badge', handlers.textOnly('text')],
      ['Icon', handlers.drop],
      ['Tree', tree],
      ['Latex', (element, page) => inline(`\`${page.raw(element.body).trim()}\``)],
    ]),
    other: handlers.mdxOther,
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
