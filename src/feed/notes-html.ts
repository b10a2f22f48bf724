/** Reads HTML notes into a Markdown tree: what a browser shows of them, in elements that Markdown has. */
import rehypeParse from 'rehype-parse';
import rehypeRemark, { type Options } from 'rehype-remark';
import { unified } from 'unified';

type Handlers = NonNullable<Options['handlers']>;
type Handler = NonNullable<Handlers[string]>;
type State = Parameters<Handler>[0];
type Element = Parameters<Handler>[1];
type HtmlNode = Element['children'][number];
type MarkdownNode = ReturnType<State['all']>[number];
type Inline = Extract<MarkdownNode, { type: 'paragraph' }>['children'][number];

/** The input and the report of the conversion of one text. */
interface Context {
  /** The address that the HTML came from, against which relative URLs are resolved; null if it is unknown, and they are removed. */
  readonly base: string | null;
  /** The parts of the notes that Markdown has no form for, each as an object of "its notes lost". */
  readonly lost: Set<string>;
}

const htmlReader = unified().use(rehypeParse, { fragment: true });

/**
 * Reads HTML into a Markdown tree (mdast), which has yet to be sanitized. Throws if the text is nested too deep.
 *
 * @param base the address that the HTML came from, or null: then relative addresses in it are removed
 * @param lostElements receives what could not be kept, each part as an object of "its notes lost"
 */
export function readHtml(html: string, base: string | null, lostElements: Set<string>) {
  const tree = htmlReader.parse(html);
  const content = tree.children.filter((node) => node.type !== 'doctype');
  tree.children = prepareNodes(findMainPart(content), { base, lost: lostElements });
  return unified()
    .use(rehypeRemark, { document: true, handlers: createHandlers(lostElements) })
    .runSync(tree);
}

const toSet = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** Elements that a reader does not see, or cannot use in notes. */
const unseen = toSet(
  'script style title head noscript template textarea nav form button select dialog rt rp datalist input',
);
const embeddedElements = toSet('iframe object embed video audio canvas svg math');
/** Elements that have no line of their own in a table's cell, so that a table with them is there for its looks. */
const notInCells = toSet('ul ol table pre blockquote h1 h2 h3 h4 h5 h6 hr');

/**
 * Returns the content of the only `main` or `article` that is not within another, since around it a page has what every page of its
 * site has; all nodes if there is none, or more than one of both together.
 */
function findMainPart(nodes: HtmlNode[]): HtmlNode[] {
  const parts = findElements(nodes, toSet('main article'));
  return parts.length === 1 ? (parts[0]?.children ?? []) : nodes;
}

/** Returns the elements with one of these names that are not within another of them. */
const findElements = (nodes: readonly HtmlNode[], names: ReadonlySet<string>): Element[] =>
  nodes.flatMap((node) => {
    if (node.type !== 'element') return [];
    return names.has(node.tagName) ? [node] : findElements(node.children, names);
  });

const prepareNodes = (nodes: readonly HtmlNode[], context: Context): HtmlNode[] =>
  nodes.flatMap((node) => {
    if (node.type === 'text') return [node];
    return node.type === 'element' && !isHidden(node) ? prepareElement(node, context) : [];
  });

function isHidden({ tagName, properties }: Element): boolean {
  const isStyledAway = typeof properties.style === 'string' && /display\s*:\s*none/i.test(properties.style);
  return unseen.has(tagName) || properties.hidden === true || isStyledAway;
}

/**
 * Returns the nodes that replace an element, whose descendants are prepared too, with absolute addresses of links and images. A
 * link without one becomes its content, an image without one keeps its text, and embedded content is removed; `context.lost`
 * receives what is lost.
 */
function prepareElement(node: Element, context: Context): HtmlNode[] {
  const { tagName, properties } = node;
  if (embeddedElements.has(tagName)) {
    context.lost.add('embedded content');
    return [];
  }
  const children = prepareNodes(node.children, context);
  if (tagName === 'a') {
    const href = resolve(properties.href, context);
    if (href === null && !/^\s*(?:#|$)/.test(`${properties.href ?? ''}`))
      context.lost.add('the target of a relative link');
    return href === null ? children : [{ ...node, children, properties: { href } }];
  }
  if (tagName === 'img') {
    const src = resolve(properties.src, context);
    if (src === null || !/^https?:/.test(src)) context.lost.add('an image without a full URL');
    return [{ ...node, properties: { alt: properties.alt, ...(src !== null && { src }) } }];
  }
  if (tagName === 'ul' || tagName === 'ol') return [{ ...node, children: nestLists(children) }];
  if (tagName === 'table') return prepareTable({ ...node, children }, context.lost);
  return [{ ...node, children }];
}

const resolve = (address: unknown, { base }: Context): string | null =>
  typeof address === 'string' && address.trim() !== '' ? (URL.parse(address, base ?? undefined)?.href ?? null) : null;

/**
 * Returns the children of a list without blank text. A list among them is moved into the item before it, which is changed in place,
 * if there is one.
 */
function nestLists(children: readonly HtmlNode[]): HtmlNode[] {
  const items: HtmlNode[] = [];
  for (const child of children) {
    if (child.type === 'text' && child.value.trim() === '') continue;
    const last = items.at(-1);
    const isList = child.type === 'element' && (child.tagName === 'ul' || child.tagName === 'ol');
    if (isList && last?.type === 'element') last.children.push(child);
    else items.push(child);
  }
  return items;
}

/**
 * Returns a table as it is or, if a cell has a list, table, heading, quote, rule or block of code, its cells as `div` elements,
 * since a cell of Markdown has one line. `lostElements` then receives `the columns of a table with blocks in its cells`.
 */
function prepareTable(table: Element, lostElements: Set<string>): HtmlNode[] {
  const cells = findElements(table.children, toSet('td th'));
  if (!cells.some((cell) => findElements(cell.children, notInCells).length > 0)) return [table];
  lostElements.add('the columns of a table with blocks in its cells');
  return cells.map((cell) => ({ ...cell, tagName: 'div' }));
}

/** Creates the handlers of elements that the library converts to something else than a browser shows. */
function createHandlers(lostElements: Set<string>): Handlers {
  /** The types of the marks around the current element: a mark inside one of the same type has no effect. */
  const openMarks = new Set<string>();
  const readWithin = (mark: string, state: State, node: Element): MarkdownNode[] => {
    const isOpen = openMarks.has(mark);
    openMarks.add(mark);
    const children = state.all(node);
    if (!isOpen) openMarks.delete(mark);
    return children;
  };
  const createMark =
    (type: 'strong' | 'emphasis' | 'delete'): Handler =>
    (state, node) => {
      if (openMarks.has(type)) return state.all(node);
      const children = readWithin(type, state, node);
      const inlines = children.filter(isInline);
      if (inlines.length === children.length) return trimMark(inlines, (inside) => ({ type, children: inside }));
      lostElements.add('bold or italic type around whole blocks');
      return children;
    };
  const createHeading =
    (depth: 1 | 2 | 3 | 4 | 5 | 6): Handler =>
    (state, node) =>
      state
        .toFlow(readWithin('strong', state, node))
        .map((block) => (block.type === 'paragraph' ? { ...block, type: 'heading', depth } : block));
  const boldParagraph: Handler = (state, node) =>
    state
      .toFlow(readWithin('strong', state, node))
      .map((block) =>
        block.type === 'paragraph' ? { ...block, children: [{ type: 'strong', children: block.children }] } : block,
      );
  const content: Handler = (state, node) => state.all(node);
  const flow: Handler = (state, node) => state.toFlow(state.all(node));
  const [strong, em, del] = [createMark('strong'), createMark('emphasis'), createMark('delete')];
  return {
    ...{ strong, b: strong, em, i: em, del, s: del, strike: del },
    ...Object.fromEntries(([1, 2, 3, 4, 5, 6] as const).map((depth) => [`h${depth}`, createHeading(depth)])),
    ...{ kbd: content, u: content, mark: content, tt: content, center: content },
    ...{ dl: flow, dd: flow, dt: boldParagraph, details: flow, summary: boldParagraph },
  };
}

const blocks = toSet('paragraph heading list listItem blockquote code table thematicBreak');

const isBlock = (node: MarkdownNode): boolean =>
  blocks.has(node.type) || ('children' in node && node.children.some(isBlock));

const isInline = (node: MarkdownNode): node is Inline => !isBlock(node);

/**
 * Returns a mark around the nodes, with the breaks and white space at its ends outside, since Markdown has none there. Nodes that
 * are all breaks or white space are returned without a mark. `createNode` creates the mark; text nodes are trimmed in place.
 */
function trimMark(nodes: readonly Inline[], createNode: (inside: Inline[]) => Inline): Inline[] {
  const isEmpty = (node: Inline): boolean =>
    node.type === 'break' || (node.type === 'text' && node.value.trim() === '');
  const first = nodes.findIndex((node) => !isEmpty(node));
  if (first === -1) return [...nodes];
  const end = nodes.findLastIndex((node) => !isEmpty(node)) + 1;
  const [before, inside, after] = [nodes.slice(0, first), nodes.slice(first, end), nodes.slice(end)];
  const [start, last] = [inside[0], inside.at(-1)];
  if (start?.type === 'text' && /^\s/.test(start.value)) {
    before.push({ type: 'text', value: ' ' });
    start.value = start.value.trimStart();
  }
  if (last?.type === 'text' && /\s$/.test(last.value)) {
    after.unshift({ type: 'text', value: ' ' });
    last.value = last.value.trimEnd();
  }
  return [...before, createNode(inside), ...after];
}
