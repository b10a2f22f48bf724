/** Puts the HTML of a page in order: what is opened is closed where it was opened, so that nothing reaches out of the text. */
import MarkdownIt, { type Token } from 'markdown-it';
import { elements, readTag, type Tag } from './elements.ts';
import { piecesOf } from './html-rules.ts';

/** An element of the page's HTML, or (without a name) what markdown opened. */
interface Open {
  readonly name: string | null;
  readonly holds: 'phrasing' | 'flow' | 'parts';
  /** Of a link in a link, which is not one; of a `picture`, which becomes its images. */
  readonly silent: boolean;
  readonly sources: string[];
}

/** A tag that stays, and the image that takes its place in the dark theme. */
export interface PlacedTag {
  readonly tag: Tag;
  readonly dark: string | null;
}

export interface Balanced {
  readonly tokens: Token[];
  /** By the token that stands for it. */
  readonly placed: ReadonlyMap<Token, PlacedTag>;
}

/** What markdown opens that holds blocks. */
const flowTypes = /^(?:blockquote|alert|list_item|td|th|tab|tabs|footnote|footnote_block)_open$/;
/** How deep elements may be nested; deeper tags are left out. */
const deepest = 40;

export function balance(tokens: readonly Token[]): Balanced {
  const placed = new Map<Token, PlacedTag>();
  const stack: Open[] = [];
  let depth = 0;
  let inLink = 0;

  const closeTop = (out: Token[]) => {
    const top = stack.pop();
    if (top?.name == null) return;
    depth -= 1;
    if (top.name === 'a') inLink -= 1;
    if (!top.silent) out.push(made('html_close', top.name));
  };
  const closeTo = (length: number, out: Token[]) => {
    while (stack.length > length) closeTop(out);
  };
  /** The elements of the page's own HTML that stand on top, from the innermost on. */
  const closeUntil = (fits: (open: Open | undefined) => boolean, out: Token[]): boolean => {
    let keep = stack.length;
    while (!fits(stack[keep - 1])) {
      if (stack[keep - 1]?.name == null) return false;
      keep -= 1;
    }
    closeTo(keep, out);
    return true;
  };
  const holdsFlow = (open: Open | undefined) => open === undefined || open.holds === 'flow';

  const openTag = (tag: Tag, out: Token[]) => {
    const rule = elements.get(tag.name);
    if (rule === undefined || depth >= deepest) return;
    const { parents } = rule;
    if (parents !== undefined) {
      if (!closeUntil((open) => open?.name != null && parents.includes(open.name), out)) return;
    } else if (rule.kind === 'flow') {
      if (!closeUntil(holdsFlow, out)) return;
    } else if (stack.at(-1)?.holds === 'parts' && !(tag.name === 'img' && stack.at(-1)?.name === 'picture')) return;
    if (tag.name === 'source' && stack.at(-1)?.name === 'picture') {
      stack.at(-1)?.sources.push(...darkSource(tag));
      return;
    }
    if (tag.name === 'a' && inLink > 0) return;
    const token = made(rule.holds === 'nothing' ? 'html_void' : 'html_open', tag.name);
    placed.set(token, { tag, dark: tag.name === 'img' ? (stack.at(-1)?.sources[0] ?? null) : null });
    const silent = tag.name === 'picture';
    if (!silent) out.push(token);
    if (rule.holds === 'nothing') return;
    stack.push({ name: tag.name, holds: rule.holds, silent, sources: [] });
    depth += 1;
    if (tag.name === 'a') inLink += 1;
  };

  const closeTag = ({ name }: Tag, out: Token[]) => {
    let at = stack.length - 1;
    while (at >= 0 && stack[at]?.name != null && stack[at]?.name !== name) at -= 1;
    if (stack[at]?.name === name) closeTo(at, out);
  };

  const addTag = (text: string, out: Token[]) => {
    const tag = readTag(text, 0)?.tag;
    if (tag === undefined) return;
    if (tag.closing) closeTag(tag, out);
    else openTag(tag, out);
  };

  const addBlock = (content: string, out: Token[]) => {
    for (const { kind, text } of piecesOf(content)) {
      if (kind === 'tag') addTag(text, out);
      else if (kind !== 'dropped' && (text.trim() === '' || stack.at(-1)?.holds !== 'parts')) {
        out.push(Object.assign(made('html_text', ''), { content: text }));
      }
    }
  };

  /** Opens and closes what markdown made; a link inside one of the page's HTML links is reduced to its text. */
  const addMade = (token: Token, out: Token[]) => {
    if (token.nesting === 1) {
      const silent = token.type === 'link_open' && inLink > 0;
      if (token.type === 'link_open') inLink += 1;
      stack.push({ name: null, holds: flowTypes.test(token.type) ? 'flow' : 'phrasing', silent, sources: [] });
      if (!silent) out.push(token);
    } else if (token.nesting === -1) {
      let at = stack.length - 1;
      while (at >= 0 && stack[at]?.name != null) at -= 1;
      closeTo(at + 1, out);
      const marker = stack.pop();
      if (token.type === 'link_close') inLink -= 1;
      if (!marker?.silent) out.push(token);
    } else out.push(token);
  };

  const addInline = (token: Token): Token => {
    const before = stack.length;
    const out: Token[] = [];
    for (const child of token.children ?? []) {
      if (child.type === 'html_tag') addTag(child.content, out);
      else addMade(child, out);
    }
    closeTo(before, out);
    return Object.assign(new MarkdownIt.Token('inline', '', 0), { ...token, children: out });
  };

  const out: Token[] = [];
  for (const token of tokens) {
    if (token.type === 'html_block') addBlock(token.content, out);
    else if (token.type === 'inline') out.push(addInline(token));
    else {
      if (token.nesting !== -1 && token.type !== 'blank') closeUntil(holdsFlow, out);
      addMade(token, out);
    }
  }
  closeTo(0, out);
  return { tokens: out, placed };
}

const made = (type: string, name: string): Token => new MarkdownIt.Token(type, name, 0);

/** The image that a `source` has for the dark theme. */
function darkSource({ attributes }: Tag): string[] {
  const value = (name: string) => attributes.find((attribute) => attribute.name === name)?.value ?? '';
  const isDark = /prefers-color-scheme\s*:\s*dark/i.test(value('media'));
  const [first = ''] = value('srcset').trim().split(/[\s,]/, 1);
  return isDark && first !== '' ? [first] : [];
}
