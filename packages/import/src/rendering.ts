/** Joins the converted elements of a page into Markdown, each block on separate lines. */
import { type Element, type Node, nothing, type Rendered } from './elements.ts';
import { convertElement } from './html-elements.ts';
import { toContinuedPrefix } from './masking.ts';
import type { Conversion } from './site.ts';

/**
 * Returns nodes as Markdown, by the handlers of the page's dialect. Sets `page.level` to the level of each heading that it passes.
 */
export function render(nodes: readonly Node[], page: Conversion): string {
  let out = '';
  /** The prefix of lines after the last block, such as `> `, or null if the text does not end with a block. */
  let behind: string | null = null;
  for (const node of groupNeighbors(nodes, page)) {
    if (node.kind === 'text') {
      const text = page.site.dialect.text?.(node.text, page, node.at) ?? node.text;
      for (const [, marks = ''] of node.text.matchAll(/^[ \t>]*(#{1,6})[ \t]/gm)) page.level = marks.length;
      out += behind === null ? text : separateBlocks(text, behind);
      if (text !== '') behind = null;
      continue;
    }
    const { text, block: isBlock } = renderElement(node, page);
    if (text === '') continue;
    if (!isBlock) {
      out += behind === null ? text : `\n\n${behind}${text}`;
      behind = null;
      continue;
    }
    const prefix = node.prefix ?? '';
    const rest = toContinuedPrefix(prefix);
    const isMarker = /[^>\s]/.test(prefix);
    if (behind !== null) out += `\n\n${prefix}`;
    else if (node.prefix === null) out = `${out.trimEnd()}\n\n`;
    else if (!isMarker) out = `${addBlankLine(out.slice(0, out.length - prefix.length), rest)}${prefix}`;
    out += text.split('\n').join(`\n${rest}`);
    behind = rest;
  }
  return out;
}

/**
 * Returns a text that follows a block, with a blank line before it, which has the prefix of the enclosing quote. A text in the same
 * line is moved to a new one with the prefix. Blank text becomes two line breaks and the indentation of the next line, or empty if
 * it has no line break.
 */
function separateBlocks(text: string, prefix: string): string {
  if (text.trim() === '') return text.includes('\n') ? `\n${text.slice(text.lastIndexOf('\n'))}` : '';
  const rest = text.replace(/^[ \t]+/, '');
  if (!rest.startsWith('\n')) return `\n\n${prefix}${rest}`;
  const quote = prefix.includes('>') ? `\n${prefix.trimEnd()}` : '\n';
  return /^\n[ \t>]*\n/.test(rest) ? rest : `${quote}${rest}`;
}

function addBlankLine(out: string, prefix: string): string {
  if (out.trim() === '') return out;
  if (/\n[ \t>]*\n$/.test(out) || !out.endsWith('\n')) return out;
  return prefix.includes('>') ? `${out}${prefix.trimEnd()}\n` : `${out}\n`;
}

function renderElement(element: Element, page: Conversion): Rendered {
  const { dialect } = page.site;
  const handler = dialect.elements.get(element.name);
  if (handler !== undefined && element.kind !== 'comment') return handler(element, page);
  return dialect.other?.(element, page) ?? (element.kind === 'comment' ? nothing : convertElement(element, page));
}

/**
 * Returns the nodes with each run of neighbors of one name, also of a single one, in a group, if the dialect has one for the name;
 * blanks and comments between them go.
 */
function groupNeighbors(nodes: readonly Node[], page: Conversion): Node[] {
  const out: Node[] = [];
  for (const node of nodes) {
    const name = node.kind === 'text' ? undefined : page.site.dialect.groups?.get(node.name);
    if (name === undefined || node.kind === 'text') {
      out.push(node);
      continue;
    }
    const index = out.findLastIndex((other) =>
      other.kind === 'text' ? other.text.trim() !== '' : other.kind !== 'comment',
    );
    const previous = out[index];
    const [first] = previous?.kind === 'group' ? previous.children : [];
    if (previous?.kind === 'group' && first?.kind === node.kind && first.name === node.name)
      out.splice(index, out.length, { ...previous, children: [...previous.children, node] });
    else out.push({ ...node, kind: 'group', name, attributes: new Map(), children: [node] });
  }
  return out;
}
