/** Puts the elements of a page together again as markdown, each block on separate lines. */
import { type Element, type Node, nothing, type Rendered } from './elements.ts';
import { defaultElement } from './html-elements.ts';
import { continued } from './masking.ts';
import type { Conversion } from './site.ts';

export function render(nodes: readonly Node[], page: Conversion): string {
  let out = '';
  /** Set after a block: what follows starts on a new line. */
  let behind: string | null = null;
  for (const node of grouped(nodes, page)) {
    if (node.kind === 'text') {
      const text = page.site.dialect.text?.(node.text, page, node.at) ?? node.text;
      for (const [, marks = ''] of node.text.matchAll(/^[ \t>]*(#{1,6})[ \t]/gm)) page.level = marks.length;
      out += behind === null ? text : separated(text, behind);
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
    const rest = continued(prefix);
    const isMarker = /[^>\s]/.test(prefix);
    if (behind !== null) out += `\n\n${prefix}`;
    else if (node.prefix === null) out = `${out.trimEnd()}\n\n`;
    else if (!isMarker) out = `${withBlankLine(out.slice(0, out.length - prefix.length), rest)}${prefix}`;
    out += text.split('\n').join(`\n${rest}`);
    behind = rest;
  }
  return out;
}

/** The text that follows a block: a blank line between them, inside the same quote or list item. */
function separated(text: string, prefix: string): string {
  if (text.trim() === '') return text.includes('\n') ? `\n${text.slice(text.lastIndexOf('\n'))}` : '';
  const rest = text.replace(/^[ \t]+/, '');
  if (!rest.startsWith('\n')) return `\n\n${prefix}${rest}`;
  const quote = prefix.includes('>') ? `\n${prefix.trimEnd()}` : '\n';
  return /^\n[ \t>]*\n/.test(rest) ? rest : `${quote}${rest}`;
}

function withBlankLine(out: string, prefix: string): string {
  if (out.trim() === '') return out;
  if (/\n[ \t>]*\n$/.test(out) || !out.endsWith('\n')) return out;
  return prefix.includes('>') ? `${out}${prefix.trimEnd()}\n` : `${out}\n`;
}

function renderElement(element: Element, page: Conversion): Rendered {
  const { dialect } = page.site;
  const handler = dialect.elements.get(element.name);
  if (handler !== undefined && element.kind !== 'comment') return handler(element, page);
  return dialect.other?.(element, page) ?? (element.kind === 'comment' ? nothing : defaultElement(element, page));
}

/** Neighbors of one kind that a group is missing around get one. */
function grouped(nodes: readonly Node[], page: Conversion): Node[] {
  const { groups } = page.site.dialect;
  if (groups === undefined || !nodes.some((node) => node.kind !== 'text' && groups.has(node.name))) return [...nodes];
  const out: Node[] = [];
  let run: Element[] = [];
  let between: Node[] = [];
  const flush = (): void => {
    const [first] = run;
    if (first !== undefined) {
      const name = groups.get(first.name) ?? '';
      out.push({ ...first, kind: 'group', name, attributes: new Map(), children: run });
    }
    out.push(...between);
    run = [];
    between = [];
  };
  for (const node of nodes) {
    const isBlank = (node.kind === 'text' && node.text.trim() === '') || node.kind === 'comment';
    const belongs =
      node.kind !== 'text' &&
      groups.has(node.name) &&
      (run[0] === undefined || (run[0].name === node.name && run[0].kind === node.kind));
    if (belongs) {
      run.push(node);
      between = [];
    } else if (isBlank && run.length > 0) between.push(node);
    else {
      flush();
      if (node.kind !== 'text' && groups.has(node.name)) run.push(node);
      else out.push(node);
    }
  }
  flush();
  return out;
}
