/** Parser rules for what GitHub adds to CommonMark (alerts, task lists) and for what pages add to it (`{#id}`, image sizes). */
import type { StateCore, Token } from 'markdown-it';

/** The kinds of alerts on GitHub. */
export const alertKinds = ['note', 'tip', 'important', 'warning', 'caution'] as const;
/** A kind of alert. */
export type AlertKind = (typeof alertKinds)[number];

/**
 * Turns quotes whose first line is only `[!NOTE]` or another kind, in any case, into alerts, and removes that line: their tokens
 * become `alert_open`, with `kind` and `isTitled` in its `meta`, and `alert_close`. The first paragraph is the title if it is only
 * bold text and more follows.
 */
export function markAlerts(state: StateCore): void {
  const { tokens } = state;
  const isAlert: boolean[] = [];
  const markers = new Set<Token>();
  tokens.forEach((token, index) => {
    if (token.type === 'blockquote_open') {
      const kind = findAlertKind(tokens, index);
      isAlert.push(kind !== null);
      if (kind !== null) for (const marker of openAlert(tokens, index, kind)) markers.add(marker);
    } else if (token.type === 'blockquote_close' && isAlert.pop()) {
      token.type = 'alert_close';
      token.tag = 'div';
    }
  });
  if (markers.size > 0) state.tokens = tokens.filter((token) => !markers.has(token));
}

/** Returns the kind that the first line of a quote names, or null. */
function findAlertKind(tokens: readonly Token[], index: number): AlertKind | null {
  const inline = tokens[index + 2];
  if (tokens[index + 1]?.type !== 'paragraph_open' || inline?.children == null) return null;
  const [first, second] = inline.children;
  const word = first?.type === 'text' ? /^\[!([a-z]+)\]\s*$/i.exec(first.content)?.[1]?.toLowerCase() : undefined;
  const isLine = second === undefined || second.type === 'softbreak' || second.type === 'hardbreak';
  return isLine ? (alertKinds.find((kind) => kind === word) ?? null) : null;
}

/** Makes the quote at `index` an alert. Returns the tokens to remove: those of the first paragraph if it has only the kind, else none. */
function openAlert(tokens: readonly Token[], index: number, kind: AlertKind): readonly Token[] {
  const [quote, , inline] = tokens.slice(index, index + 3);
  if (quote === undefined || inline?.children == null) return [];
  inline.children = inline.children.slice(2);
  const isOnlyKind = inline.children.length === 0;
  const titleIndex = isOnlyKind ? index + 4 : index + 1;
  const title = tokens[titleIndex];
  const isTitled =
    title?.type === 'paragraph_open' &&
    isBold(tokens[titleIndex + 1]) &&
    tokens[titleIndex + 3]?.type !== 'blockquote_close';
  if (isTitled) title.attrJoin('class', 'callout-title');
  quote.type = 'alert_open';
  quote.tag = 'div';
  quote.meta = { kind, isTitled };
  return isOnlyKind ? tokens.slice(index + 1, index + 4) : [];
}

/** Returns whether a token is an inline one whose whole text is one piece of bold; false for any other token or none. */
export function isBold(inline: Token | undefined): boolean {
  if (inline?.type !== 'inline' || inline.children === null) return false;
  const inner = inline.children.filter((child) => child.type !== 'text' || child.content.trim() !== '');
  const closes = inner.findIndex(({ type, level }) => type === 'strong_close' && level === 0);
  return inner[0]?.type === 'strong_open' && closes === inner.length - 1;
}

/**
 * Replaces `[x]`, `[X]` and `[ ]`, each before a space, at the beginning of list items by a `task` token, whose `meta.isDone` is
 * false for `[ ]`, and gives these items the class `task`.
 */
export function markTasks({ tokens, Token: CoreToken }: StateCore): void {
  tokens.forEach((item, index) => {
    if (item.type !== 'list_item_open' || tokens[index + 1]?.type !== 'paragraph_open') return;
    const children = tokens[index + 2]?.children;
    const first = children?.[0];
    const [mark, state] = first?.type === 'text' ? (/^\[([ xX])\](?=\s)\s*/.exec(first.content) ?? []) : [];
    if (mark === undefined || first === undefined) return;
    first.content = first.content.slice(mark.length);
    const task = new CoreToken('task', '', 0);
    task.meta = { isDone: state !== ' ' };
    children?.unshift(task);
    item.attrJoin('class', 'task');
  });
}

/** Moves the id in `## Heading {#id}` from the text to the `meta.id` of the heading’s opening token. */
export function addHeadingIds({ tokens }: StateCore): void {
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

/** Moves the size in `![alt](x.png){width=320}` from the text to the attributes of the image, in CSS pixels without a unit. */
export function addImageSizes({ tokens }: StateCore): void {
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
