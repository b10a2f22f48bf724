/** Blocks of an HTML tree in the forms that markdown has: paragraphs, lists whose parts are items, tables of one line a cell. */
import { type Element, element, type HtmlNode, isBlank, isBlock, isBreak, isElement, space } from './notes-nodes.ts';

interface Run {
  readonly block: Element | null;
  readonly run: HtmlNode[];
}

/** Blocks, and what stands between them. */
export function runsOf(children: readonly HtmlNode[]): Run[] {
  const runs: Run[] = [];
  for (const child of children) {
    const last = runs.at(-1);
    if (isElement(child) && isBlock(child)) runs.push({ block: child, run: [] });
    else if (last !== undefined && last.block === null) last.run.push(child);
    else runs.push({ block: null, run: [child] });
  }
  return runs;
}

/** A heading or paragraph ends where a block begins in it. */
export const split = (name: string, children: readonly HtmlNode[]): HtmlNode[] =>
  runsOf(children).flatMap(({ block, run }) =>
    block !== null ? [block] : paragraphsOf(run).map((part) => element(name, part)),
  );

/** Two breaks in a row are the end of a paragraph. `isTight`: a single paragraph needs no element, as in an item of a list. */
export function inParagraphs(children: readonly HtmlNode[], isTight: boolean): HtmlNode[] {
  return inLists(
    runsOf(children).flatMap(({ block, run }) => {
      if (block !== null) return [block];
      const parts = paragraphsOf(run);
      return parts.length === 1 && isTight ? (parts[0] ?? []) : parts.map((part) => element('p', part));
    }),
  );
}

function paragraphsOf(run: readonly HtmlNode[]): HtmlNode[][] {
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
function inLists(children: readonly HtmlNode[]): HtmlNode[] {
  const made: HtmlNode[] = [];
  for (const child of children) {
    const last = made.at(-1);
    if (!isElement(child) || child.tagName !== 'li') made.push(child);
    else if (last !== undefined && isElement(last) && last.properties.dataLoose === true) last.children.push(child);
    else made.push(element('ul', [child], { dataLoose: true }));
  }
  return made;
}

/** Whatever stands in a list is in an item: a list that is nested without one belongs to the item before it. */
export function inItems(children: readonly HtmlNode[]): HtmlNode[] {
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
export function tabled(node: Element, children: HtmlNode[], lost: Set<string>): HtmlNode[] {
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
    for (const cell of cells) cell.children = cell.children.flatMap(inOneLine);
    return [element('table', children, node.properties)];
  }
  lost.add('the columns of a table with blocks in its cells');
  return cells.map((cell) => element('div', inParagraphs(cell.children, false)));
}

const inOneLine = (node: HtmlNode): HtmlNode[] =>
  isBreak(node)
    ? [space]
    : isElement(node) && isBlock(node)
      ? [space, ...node.children.flatMap(inOneLine), space]
      : [node];
