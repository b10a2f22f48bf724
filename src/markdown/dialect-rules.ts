/** Parser rules for what GitHub adds to CommonMark (alerts, task lists, bare URLs) and for what pages add to it (`{#id}`, image sizes). */
import type { StateCore, StateInline, Token } from 'markdown-it';

/** The kinds of alerts that GitHub knows. */
export const alertKinds = ['note', 'tip', 'important', 'warning', 'caution'] as const;
export type AlertKind = (typeof alertKinds)[number];

const isAlertKind = (word: string): word is AlertKind => alertKinds.some((kind) => kind === word);

/** Parses `http://…` and `https://…` in a text (GFM 6.9). */
export function bareUrl(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src.charCodeAt(pos) !== 0x3a || !src.startsWith('://', pos) || state.linkLevel > 0) return false;
  const [scheme = ''] = /https?$/i.exec(src.slice(Math.max(0, pos - 5), pos)) ?? [];
  const start = pos - scheme.length;
  if (scheme === '' || !state.pending.endsWith(scheme)) return false;
  if (start > 0 && !/[\s*_~(>"'“‘]/.test(src.charAt(start - 1))) return false;
  urlRest.lastIndex = pos;
  const [rest = ''] = urlRest.exec(src) ?? [];
  const url = trimmed(scheme + rest);
  if (!/^https?:\/\/[^\s/?#.]+(?:\.[^\s/?#]+|:\d+|\/|$)/i.test(url)) return false;
  if (silent) return true;
  state.pending = state.pending.slice(0, -scheme.length);
  const open = state.push('link_open', 'a', 1);
  open.attrs = [['href', url]];
  open.markup = 'bare';
  open.info = 'auto';
  open.meta = { scheme: scheme.length };
  state.push('text', '', 0).content = url;
  const close = state.push('link_close', 'a', -1);
  close.markup = 'bare';
  close.info = 'auto';
  state.pos = start + url.length;
  return true;
}

const urlRest = /[^\s<\]`]*/y;

/** Removes punctuation at the end, which belongs to the sentence, as does a parenthesis that the URL did not open. */
function trimmed(url: string): string {
  let end = url.length;
  for (;;) {
    const text = url.slice(0, end);
    const last = text.at(-1) ?? '';
    const opened = last === ')' ? text.split('(').length - text.split(')').length : 0;
    if (/[?!.,:*_~'"”’]/.test(last) || opened < 0) end -= 1;
    else if (last === ';' && /&[a-z0-9]+;$/i.test(text)) end = text.lastIndexOf('&');
    else return text;
  }
}

/** Turns quotes that begin with `[!NOTE]` into alerts, with a title if the first paragraph is only bold text. */
export function alerts({ tokens }: StateCore): void {
  const open: { token: Token; isAlert: boolean }[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token?.type === 'blockquote_open') {
      const kind = kindAt(tokens, index);
      if (kind !== null) becomeAlert(tokens, index, kind);
      open.push({ token, isAlert: kind !== null });
    } else if (token?.type === 'blockquote_close' && open.pop()?.isAlert) {
      token.type = 'alert_close';
      token.tag = 'div';
    }
  }
}

function kindAt(tokens: readonly Token[], index: number): AlertKind | null {
  const inline = tokens[index + 2];
  if (tokens[index + 1]?.type !== 'paragraph_open' || inline?.children == null) return null;
  const [first, second] = inline.children;
  const word = first?.type === 'text' ? /^\[!([a-z]+)\]\s*$/i.exec(first.content)?.[1]?.toLowerCase() : undefined;
  const ends = second === undefined || second.type === 'softbreak' || second.type === 'hardbreak';
  return word !== undefined && ends && isAlertKind(word) ? word : null;
}

function becomeAlert(tokens: Token[], index: number, kind: AlertKind): void {
  const [token, inline] = [tokens[index], tokens[index + 2]];
  if (token === undefined || inline?.children == null) return;
  token.type = 'alert_open';
  token.tag = 'div';
  inline.children = inline.children.slice(2);
  const isOnlyMark = inline.children.length === 0;
  const titleAt = isOnlyMark ? index + 4 : index + 1;
  const isTitled = isBold(tokens[titleAt + 1]) && tokens[titleAt + 3]?.type !== 'blockquote_close';
  token.meta = { kind, title: isTitled ? (tokens[titleAt + 1]?.children ?? null) : null };
  // Removed tokens stay as blanks: taking them out of the list would make many alerts take quadratic time.
  if (isOnlyMark) blank(tokens, index + 1);
  const titleInline = tokens[titleAt + 1];
  if (!isTitled || titleInline === undefined) return;
  blank(tokens, titleAt);
  titleInline.type = 'alert_title';
}

/** Tells whether a paragraph's whole text is bold. */
export function isBold(inline: Token | undefined): boolean {
  if (inline?.type !== 'inline' || inline.children === null) return false;
  const inner = inline.children.filter((child) => child.type !== 'text' || child.content.trim() !== '');
  const closes = inner.findIndex(({ type, level }) => type === 'strong_close' && level === 0);
  return inner[0]?.type === 'strong_open' && closes === inner.length - 1;
}

/** Makes a paragraph (its opening token, text and closing token) render as nothing. */
function blank(tokens: readonly Token[], index: number): void {
  for (const token of tokens.slice(index, index + 3)) {
    token.type = 'blank';
    token.nesting = 0;
  }
}

/** Turns `- [x]` and `- [ ]` into tasks. */
export function tasks({ tokens, Token: Made }: StateCore): void {
  tokens.forEach((token, index) => {
    const inline = tokens[index + 2];
    if (token.type !== 'list_item_open' || tokens[index + 1]?.type !== 'paragraph_open') return;
    const first = inline?.children?.[0];
    const [mark, state] = first?.type === 'text' ? (/^\[([ xX])\](?=\s)\s*/.exec(first.content) ?? []) : [];
    if (mark === undefined || first === undefined) return;
    first.content = first.content.slice(mark.length);
    const task = new Made('task', '', 0);
    task.meta = { done: state !== ' ' };
    inline?.children?.unshift(task);
    token.attrJoin('class', 'task');
  });
}

/** Takes the id out of `## Heading {#id}`. */
export function headingIds({ tokens }: StateCore): void {
  tokens.forEach((token, index) => {
    const last = token.type === 'heading_open' ? tokens[index + 1]?.children?.at(-1) : undefined;
    if (last?.type !== 'text') return;
    const [mark, id] = /\s*\{#([\p{L}\p{N}_][\p{L}\p{N}_:.-]{0,99})\}\s*$/u.exec(last.content) ?? [];
    if (mark === undefined) return;
    last.content = last.content.slice(0, -mark.length);
    token.meta = { ...token.meta, id };
  });
}

const sizes = /^\{\s*(?:(?:width|height)\s*=\s*(?:"\d{1,4}(?:px)?"|'\d{1,4}(?:px)?'|\d{1,4}(?:px)?)\s*){1,2}\}/;

/** Takes the size out of `![alt](x.png){width=320}`. */
export function imageSizes({ tokens }: StateCore): void {
  for (const { children } of tokens) {
    children?.forEach((image, index) => {
      const next = children[index + 1];
      if (image.type !== 'image' || next?.type !== 'text') return;
      const [mark] = sizes.exec(next.content) ?? [];
      if (mark === undefined) return;
      next.content = next.content.slice(mark.length);
      for (const [, name = '', size = ''] of mark.matchAll(/(width|height)\D+(\d+)/g)) image.attrSet(name, size);
    });
  }
}
