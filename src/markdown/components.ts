/** Parser rules for steps, cards and tabs: plain lists and headings that a page shows as components. */
import type { StateCore, Token } from 'markdown-it';
import { isBold } from './dialect-rules.ts';
import { markerIn } from './html-reader.ts';

/** Returns the marker of a comment that is a block by itself, or null. */
const markerOf = (token: Token | undefined): string | null => {
  const text = token?.type === 'html_block' ? token.content.trim() : '';
  return /^<!--(?:(?!-->)[\s\S])*-->$/.test(text) ? markerIn(text) : null;
};

/** Marks as steps an ordered list whose items all begin with a bold paragraph, or that follows `<!-- steps -->`, and as cards a bullet list after `<!-- cards -->`. */
export function markedLists({ tokens }: StateCore): void {
  tokens.forEach((token, index) => {
    const marker = markerOf(tokens[index - 1]);
    if (token.type === 'ordered_list_open' && (marker === 'steps' || isSteps(tokens, index))) {
      token.attrJoin('class', 'steps');
    }
    if (token.type === 'bullet_list_open' && marker === 'cards') token.attrJoin('class', 'cards');
  });
}

function isSteps(tokens: readonly Token[], index: number): boolean {
  const { level = 0 } = tokens[index] ?? {};
  let items = 0;
  for (let at = index + 1; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token === undefined || token.level < level || (token.level === level && token.nesting === -1)) break;
    if (token.type !== 'list_item_open' || token.level !== level + 1) continue;
    items += 1;
    if (tokens[at + 1]?.type !== 'paragraph_open' || tokens[at + 1]?.hidden || !isBold(tokens[at + 2])) return false;
  }
  return items > 1;
}

/** Makes tabs from `<!-- tabs:start -->` to `<!-- tabs:end -->`: each heading of the first one's level opens a panel. */
export function tabs({ tokens, Token: CoreToken }: StateCore): void {
  const starts: { index: number; level: number }[] = [];
  const ends = new Map<number, number>();
  tokens.forEach((token, index) => {
    const marker = markerOf(token);
    while (starts.length > 0 && (starts.at(-1)?.level ?? 0) > token.level) starts.pop();
    if (marker === 'tabs:start') starts.push({ index, level: token.level });
    const start = marker === 'tabs:end' ? starts.pop() : undefined;
    if (start !== undefined && start.level === token.level) ends.set(start.index, index);
  });
  if (ends.size === 0) return;
  const output: Token[] = [];
  const open: { end: number; level: number; tag: string | null; inPanel: boolean }[] = [];
  const wrap = (type: string, nesting: 1 | -1, level: number) => {
    const token = new CoreToken(type, 'div', nesting);
    token.block = true;
    token.level = level;
    output.push(token);
  };
  for (const [index, token] of tokens.entries()) {
    const end = ends.get(index);
    const current = open.at(-1);
    if (end !== undefined) {
      open.push({ end, level: token.level, tag: null, inPanel: false });
      output.push(token);
      wrap('tabs_open', 1, token.level);
    } else if (current?.end === index) {
      if (current.inPanel) wrap('tab_close', -1, current.level);
      wrap('tabs_close', -1, current.level);
      output.push(token);
      open.pop();
    } else {
      if (current !== undefined && token.type === 'heading_open' && token.level === current.level) {
        current.tag ??= token.tag;
        if (token.tag === current.tag) {
          if (current.inPanel) wrap('tab_close', -1, current.level);
          wrap('tab_open', 1, current.level);
          current.inPanel = true;
          token.meta = { ...token.meta, tab: true };
        }
      }
      output.push(token);
    }
  }
  tokens.length = 0;
  for (const token of output) tokens.push(token);
}
