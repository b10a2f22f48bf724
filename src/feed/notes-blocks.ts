/** Blocks of an HTML tree in the forms that markdown has: paragraphs, lists whose parts are items, tables of one line a cell. */

/** The part of a hast node that matters here. */
export interface HtmlNode {
  type: string;
  tagName?: string;
  properties?: Record<string, unknown>;
  value?: string;
  children?: HtmlNode[];
}

export interface Element extends HtmlNode {
  tagName: string;
  properties: Record<string, unknown>;
  children: HtmlNode[];
}

export const blocks = new Set(
  (
    'address article aside blockquote details div dl dd dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li ' +
    'main ol p pre section summary table tbody thead tfoot tr td th ul'
  ).split(' '),
);
export const isElement = (node: HtmlNode): node is Element => node.type === 'element';
export const isText = (node: HtmlNode): boolean => node.type === 'text';
export const isBlock = (node: HtmlNode): boolean => isElement(node) && blocks.has(node.tagName);
export const isBlank = (node: HtmlNode): boolean =>
  (isText(node) && (node.value ?? '').trim() === '') || node.type === 'comment';
export const isBreak = (node: HtmlNode): boolean => isElement(node) && node.tagName === 'br';
export const element = (tagName: string, children: HtmlNode[], properties: Record<string, unknown> = {}): Element => ({
  type: 'element',
  tagName,
  properties,
  children,
});

export const space: HtmlNode = { type: 'text', value: ' ' };

interface Run {
  readonly block: Element | null;
  readonly run: HtmlNode[];
}

/** Splits nodes into blocks and the runs of inline nodes between them. */
export function splitRuns(children: readonly HtmlNode[]): Run[] {
  const runs: Run[] = [];
  for (const child of children) {
    const last = runs.at(-1);
    if (isElement(child) && isBlock(child)) runs.push({ block: child, run: [] });
    else if (last !== undefined && last.block === null) last.run.push(child);
    else runs.push({ block: null, run: [child] });
  }
  return runs;
}

/** Ends a heading or paragraph where a block begins in it. */
export const splitAtBlocks = (name: string, children: readonly HtmlNode[]): HtmlNode[] =>
  splitRuns(children).flatMap(({ block, run }) =>
    block !== null ? [block] : splitParagraphs(run).map((part) => element(name, part)),
  );

/** Two breaks in a row are the end of a paragraph. `isTight`: a single paragraph needs no element, as in an item of a list. */
export function putInParagraphs(children: readonly HtmlNode[], isTight: boolean): HtmlNode[] {
  return putInLists(
    splitRuns(children).flatMap(({ block, run }) => {
      if (block !== null) return [block];
      const parts = splitParagraphs(run);
      return parts.length === 1 && isTight ? (parts[0] ?? []) : parts.map((part) => element('p', part));
    }),
  );
}

function splitParagraphs(run: readonly HtmlNode[]): HtmlNode[][] {
  const parts: HtmlNode[][] = [[]];
  let breaks: HtmlNode[] = [];
  for (const node of run) {
    if (isBreak(node) || (breaks.length > 0 && isBlank(node))) {
      breaks.push(node);
      continue;
    }
    if (breaks.filter(isBreak).length > 1) parts.push([]);
    else if (parts.at(-1)?.some((child) => !isBlank(child))) parts.at(-1)?.push(...breaks);
    breaks = [];
    parts.at(-1)?.push(node);
  }
  return parts.filter((part) => part.some((node) => !isBlank(node)));
}

/** A browser shows an item without a list as one of a list. */
function putInLists(children: readonly HtmlNode[]): HtmlNode[] {
  const result: HtmlNode[] = [];
  for (const child of children) {
    const last = result.at(-1);
    if (!isElement(child) || child.tagName !== 'li') result.push(child);
    else if (last !== undefined && isElement(last) && last.properties.dataLoose === true) last.children.push(child);
    else result.push(element('ul', [child], { dataLoose: true }));
  }
  return result;
}

/** Puts everything in a list into items: a list that is nested without one belongs to the item before it. */
export function putInItems(children: readonly HtmlNode[]): HtmlNode[] {
  const items: Element[] = [];
  for (const child of children) {
    const last = items.at(-1);
    if (isBlank(child)) continue;
    if (isElement(child) && child.tagName === 'li') items.push(child);
    else if (last !== undefined && isElement(child) && (child.tagName === 'ul' || child.tagName === 'ol'))
      last.children.push(child);
    else items.push(element('li', [child]));
  }
  return items;
}

/** Markdown's cells hold one line: a table with more in a cell is there for its looks, and its cells are read in turn. */
export function prepareTable(node: Element, children: HtmlNode[], lost: Set<string>): HtmlNode[] {
  const cells: Element[] = [];
  const collect = (nodes: readonly HtmlNode[]): void => {
    for (const child of nodes) {
      if (!isElement(child)) continue;
      if (child.tagName === 'td' || child.tagName === 'th') cells.push(child);
      else collect(child.children);
    }
  };
  collect(children);
  const holdsBlocks = cells.some((cell) =>
    cell.children.some((child) => isElement(child) && /^(?:ul|ol|table|pre|blockquote|h[1-6]|hr)$/.test(child.tagName)),
  );
  if (!holdsBlocks) {
    for (const cell of cells) cell.children = cell.children.flatMap(flattenCell);
    return [element('table', children, node.properties)];
  }
  lost.add('the columns of a table with blocks in its cells');
  return cells.map((cell) => element('div', putInParagraphs(cell.children, false)));
}

const flattenCell = (node: HtmlNode): HtmlNode[] =>
  isBreak(node)
    ? [space]
    : isElement(node) && isBlock(node)
      ? [space, ...node.children.flatMap(flattenCell), space]
      : [node];
