/** Makes of a tree of HTML one that markdown can say: what a browser shows of it, without the marks that markdown has no words for. */
import { inItems, inParagraphs, runsOf, split, tabled } from './notes-blocks.ts';
import {
  blocks,
  type Element,
  element,
  type HtmlNode,
  isBlank,
  isBlock,
  isBreak,
  isElement,
  isText,
  space,
} from './notes-nodes.ts';

export interface PreparedHtml {
  /** What could not be kept, each once, as the object of "its notes lost". */
  readonly lost: ReadonlySet<string>;
}

/**
 * Changes the tree in place. `address` is where the HTML came from, against which relative URLs are resolved; null: they are
 * lost. Works before sanitizing, which takes out what must not be published.
 */
export function prepareHtml(tree: HtmlNode, address: string | null): PreparedHtml {
  const lost = new Set<string>();
  const prepare: Preparation = { address, lost, marks: new Set() };
  tree.children = inParagraphs(childrenOf(mainPart(tree), prepare), false);
  return { lost };
}

interface Preparation {
  readonly address: string | null;
  readonly lost: Set<string>;
  /** The marks that are open around what is looked at. */
  readonly marks: ReadonlySet<string>;
}

const headings = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
const marks: Readonly<Record<string, string>> = {
  strong: 'strong',
  b: 'strong',
  em: 'em',
  i: 'em',
  del: 'del',
  s: 'del',
  strike: 'del',
};
/** Of these only the text counts. */
const plain = new Set(
  'kbd sub sup u ins mark small big font span center label abbr bdo bdi cite dfn time data q tt nobr ruby rb'.split(
    ' ',
  ),
);
/** What a reader does not see, or cannot use here. */
const dropped = new Set('nav form button select dialog rt rp datalist'.split(' '));
const embedded = new Set('iframe object embed video audio canvas svg math'.split(' '));

/** A whole page has its text in `main` or its only `article`; around it there is what every page of the site has. */
function mainPart(tree: HtmlNode): readonly HtmlNode[] {
  const found: Element[] = [];
  const look = (nodes: readonly HtmlNode[]): void => {
    for (const node of nodes) {
      if (!isElement(node)) continue;
      if (node.tagName === 'main' || node.tagName === 'article') found.push(node);
      else look(node.children);
    }
  };
  look(tree.children ?? []);
  const [only] = found;
  return only !== undefined && found.length === 1 ? only.children : (tree.children ?? []);
}

const childrenOf = (nodes: readonly HtmlNode[], preparation: Preparation): HtmlNode[] =>
  nodes.flatMap((node) => prepared(node, preparation));

/** What stands in a node's place. */
function prepared(node: HtmlNode, preparation: Preparation): HtmlNode[] {
  if (isText(node)) return [node];
  if (!isElement(node) || isHidden(node) || dropped.has(node.tagName)) return [];
  const { tagName: name } = node;
  if (embedded.has(name)) {
    preparation.lost.add('embedded content');
    return [];
  }
  if (name === 'pre' || name === 'code') return [node];
  if (name in marks) return marked(node, marks[name] ?? name, preparation);
  const inside = headings.has(name)
    ? { ...preparation, marks: new Set([...preparation.marks, 'strong']) }
    : preparation;
  const children = childrenOf(node.children, inside);
  if (plain.has(name)) return children;
  if (name === 'a') return linked(node, children, preparation);
  if (name === 'img') return pictured(node, preparation);
  if (headings.has(name) || name === 'p') return split(name, children);
  if (name === 'ul' || name === 'ol' || name === 'menu')
    return [element(name === 'ol' ? 'ol' : 'ul', inItems(children), node.properties)];
  if (name === 'table') return tabled(node, children, preparation.lost);
  if (name === 'details') return detailed(children);
  if (name === 'dt') return [element('p', [element('strong', children)])];
  if (name === 'dl' || name === 'dd') return [element('div', inParagraphs(children, false))];
  if (name === 'td' || name === 'th') return [element(name, children, node.properties)];
  if (blocks.has(name)) return [element(name, inParagraphs(children, name === 'li'), node.properties)];
  return [{ ...node, children }];
}

function isHidden({ properties }: Element): boolean {
  const style = typeof properties.style === 'string' ? properties.style : '';
  return properties.hidden === true || properties.hidden === '' || /display\s*:\s*none/i.test(style);
}

/** A mark inside its like says nothing more, an empty one nothing at all, and one around blocks nothing that markdown could. */
function marked(node: Element, kind: string, preparation: Preparation): HtmlNode[] {
  const inside = { ...preparation, marks: new Set([...preparation.marks, kind]) };
  const children = childrenOf(node.children, inside);
  if (preparation.marks.has(kind)) return children;
  if (children.some(isBlock)) {
    preparation.lost.add('bold or italic type around whole blocks');
    return children;
  }
  const isEmpty = children.every((child) => isBlank(child) || isBreak(child));
  return isEmpty ? children : trimmedMark(kind, children);
}

/** Markdown has no mark that begins or ends with a break or with white space. */
function trimmedMark(kind: string, children: HtmlNode[]): HtmlNode[] {
  const first = children.findIndex((child) => !isBlank(child) && !isBreak(child));
  const last = children.findLastIndex((child) => !isBlank(child) && !isBreak(child));
  const before = children.slice(0, first);
  const after = children.slice(last + 1);
  const inside = children.slice(first, last + 1);
  const [begin] = inside;
  if (begin !== undefined && isText(begin) && /^\s/.test(begin.value ?? '')) before.push(space);
  if (begin !== undefined && isText(begin)) inside[0] = { type: 'text', value: begin.value?.trimStart() ?? '' };
  const end = inside.at(-1);
  if (end !== undefined && isText(end) && /\s$/.test(end.value ?? '')) after.unshift(space);
  if (end !== undefined && isText(end)) inside[inside.length - 1] = { type: 'text', value: end.value?.trimEnd() ?? '' };
  return [...before, element(kind, inside), ...after];
}

/** A link around blocks becomes one in each of them. */
function linked(node: Element, children: HtmlNode[], { address, lost }: Preparation): HtmlNode[] {
  const written = typeof node.properties.href === 'string' ? node.properties.href.trim() : '';
  if (written === '') return children;
  const url = address === null ? URL.parse(written) : URL.parse(written, address);
  if (url === null) {
    if (!written.startsWith('#')) lost.add('the target of a relative link');
    return children;
  }
  return linkedRuns(children, url.href);
}

function linkedRuns(children: readonly HtmlNode[], href: string): HtmlNode[] {
  return runsOf(children).flatMap(({ block, run }) => {
    if (block !== null) {
      return block.tagName === 'pre' ? [block] : [{ ...block, children: linkedRuns(block.children, href) }];
    }
    return run.every(isBlank) ? run : [element('a', run, { href })];
  });
}

function pictured(node: Element, { address, lost }: Preparation): HtmlNode[] {
  const written = typeof node.properties.src === 'string' ? node.properties.src.trim() : '';
  const url = address === null ? URL.parse(written) : URL.parse(written, address);
  if (url !== null && /^https?:$/.test(url.protocol))
    return [{ ...node, properties: { ...node.properties, src: url.href } }];
  lost.add('an image without a full URL');
  return [node];
}

/** The summary in bold, then the content: nothing can be folded here. */
function detailed(children: readonly HtmlNode[]): HtmlNode[] {
  const summary = children.find((child) => isElement(child) && child.tagName === 'summary');
  const rest = inParagraphs(
    children.filter((child) => child !== summary),
    false,
  );
  if (summary === undefined || !isElement(summary)) return rest;
  const title = summary.children.flatMap(inlineOf);
  return [element('p', [element('strong', title)]), ...rest];
}

const inlineOf = (node: HtmlNode): HtmlNode[] =>
  isElement(node) && (isBlock(node) || node.tagName === 'strong') ? node.children.flatMap(inlineOf) : [node];
