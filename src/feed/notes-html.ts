/** Prepares a tree of HTML notes for the converter to Markdown: what a browser shows of it, in elements that Markdown has. */
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
  prepareTable,
  putInItems,
  putInParagraphs,
  space,
  splitAtBlocks,
  splitRuns,
} from './notes-blocks.ts';

/**
 * Changes the tree in place, before it is sanitized. `address` is where the HTML came from, against which relative URLs are
 * resolved; without one they are lost. Adds to `lost` what could not be kept, as the object of "its notes lost".
 */
export function prepareHtml(tree: HtmlNode, address: string | null, lost: Set<string>): void {
  const prepare: Preparation = { address, lost, marks: new Set() };
  tree.children = putInParagraphs(prepareAll(findMainPart(tree), prepare), false);
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
/** Inline elements without a Markdown equivalent; replaced by their content. */
const plain = new Set(
  'kbd sub sup u ins mark small big font span center label abbr bdo bdi cite dfn time data q tt nobr ruby rb'.split(
    ' ',
  ),
);
/** Elements that a reader does not see, or cannot use here. */
const dropped = new Set('nav form button select dialog rt rp datalist'.split(' '));
const embedded = new Set('iframe object embed video audio canvas svg math'.split(' '));

/** Returns the content of `main` or of the only `article`; around it a page has what every page of its site has. */
function findMainPart(tree: HtmlNode): readonly HtmlNode[] {
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

const prepareAll = (nodes: readonly HtmlNode[], preparation: Preparation): HtmlNode[] =>
  nodes.flatMap((node) => prepareNode(node, preparation));

/** Returns the nodes that replace a node. */
function prepareNode(node: HtmlNode, preparation: Preparation): HtmlNode[] {
  if (isText(node)) return [node];
  if (!isElement(node) || isHidden(node) || dropped.has(node.tagName)) return [];
  const { tagName: name } = node;
  if (embedded.has(name)) {
    preparation.lost.add('embedded content');
    return [];
  }
  if (name === 'pre' || name === 'code') return [node];
  if (name in marks) return prepareMark(node, marks[name] ?? name, preparation);
  const inside = headings.has(name)
    ? { ...preparation, marks: new Set([...preparation.marks, 'strong']) }
    : preparation;
  const children = prepareAll(node.children, inside);
  if (plain.has(name)) return children;
  if (name === 'a') return prepareLink(node, children, preparation);
  if (name === 'img') return prepareImage(node, preparation);
  if (headings.has(name) || name === 'p') return splitAtBlocks(name, children);
  if (name === 'ul' || name === 'ol' || name === 'menu')
    return [element(name === 'ol' ? 'ol' : 'ul', putInItems(children), node.properties)];
  if (name === 'table') return prepareTable(node, children, preparation.lost);
  if (name === 'details') return prepareDetails(children);
  if (name === 'dt') return [element('p', [element('strong', children)])];
  if (name === 'dl' || name === 'dd') return [element('div', putInParagraphs(children, false))];
  if (name === 'td' || name === 'th') return [element(name, children, node.properties)];
  if (blocks.has(name)) return [element(name, putInParagraphs(children, name === 'li'), node.properties)];
  return [{ ...node, children }];
}

function isHidden({ properties }: Element): boolean {
  const style = typeof properties.style === 'string' ? properties.style : '';
  return properties.hidden === true || properties.hidden === '' || /display\s*:\s*none/i.test(style);
}

/** A mark inside its like says nothing more, an empty one nothing at all, and one around blocks nothing that markdown could. */
function prepareMark(node: Element, kind: string, preparation: Preparation): HtmlNode[] {
  const inside = { ...preparation, marks: new Set([...preparation.marks, kind]) };
  const children = prepareAll(node.children, inside);
  if (preparation.marks.has(kind)) return children;
  if (children.some(isBlock)) {
    preparation.lost.add('bold or italic type around whole blocks');
    return children;
  }
  const isEmpty = children.every((child) => isBlank(child) || isBreak(child));
  return isEmpty ? children : trimMark(kind, children);
}

/** Markdown has no mark that begins or ends with a break or with white space. */
function trimMark(kind: string, children: HtmlNode[]): HtmlNode[] {
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
function prepareLink(node: Element, children: HtmlNode[], { address, lost }: Preparation): HtmlNode[] {
  const written = typeof node.properties.href === 'string' ? node.properties.href.trim() : '';
  if (written === '') return children;
  const url = address === null ? URL.parse(written) : URL.parse(written, address);
  if (url === null) {
    if (!written.startsWith('#')) lost.add('the target of a relative link');
    return children;
  }
  return linkRuns(children, url.href);
}

function linkRuns(children: readonly HtmlNode[], href: string): HtmlNode[] {
  return splitRuns(children).flatMap(({ block, run }) => {
    if (block !== null) {
      return block.tagName === 'pre' ? [block] : [{ ...block, children: linkRuns(block.children, href) }];
    }
    return run.every(isBlank) ? run : [element('a', run, { href })];
  });
}

function prepareImage(node: Element, { address, lost }: Preparation): HtmlNode[] {
  const written = typeof node.properties.src === 'string' ? node.properties.src.trim() : '';
  const url = address === null ? URL.parse(written) : URL.parse(written, address);
  if (url !== null && /^https?:$/.test(url.protocol))
    return [{ ...node, properties: { ...node.properties, src: url.href } }];
  lost.add('an image without a full URL');
  return [node];
}

/** The summary in bold, then the content: nothing can be folded here. */
function prepareDetails(children: readonly HtmlNode[]): HtmlNode[] {
  const summary = children.find((child) => isElement(child) && child.tagName === 'summary');
  const rest = putInParagraphs(
    children.filter((child) => child !== summary),
    false,
  );
  if (summary === undefined || !isElement(summary)) return rest;
  const title = summary.children.flatMap(flattenInline);
  return [element('p', [element('strong', title)]), ...rest];
}

const flattenInline = (node: HtmlNode): HtmlNode[] =>
  isElement(node) && (isBlock(node) || node.tagName === 'strong') ? node.children.flatMap(flattenInline) : [node];
