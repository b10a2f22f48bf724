/** Parser rules for steps, cards and tabs: plain lists and headings that a page shows as components. */
import type { StateCore, Token } from 'markdown-it';
import { isBold } from './dialect-rules.ts';
import { readCommentText } from './html-reader.ts';

/** Returns the text of a comment that is a block by itself, without `<!--` and `-->`, or null for any other token or none. */
const readMarker = (token: Token | undefined): string | null => {
  const text = token?.type === 'html_block' ? token.content.trim() : '';
  return /^<!--(?:(?!-->)[\s\S])*-->$/.test(text) ? readCommentText(text) : null;
};

/**
 * Changes the tokens of the state in place. An ordered list gets the class `steps` if it is loose, which means it has blank lines,
 * and has at least two items that all begin with a bold paragraph, or if it is directly after the comment `<!-- steps -->`. A
 * bullet list directly after `<!-- cards -->` gets the class `cards`.
 */
export function markLists({ tokens }: StateCore): void {
  tokens.forEach((token, index) => {
    const marker = readMarker(tokens[index - 1]);
    if (token.type === 'ordered_list_open' && (marker === 'steps' || isSteps(tokens, index))) {
      token.attrJoin('class', 'steps');
    }
    if (token.type === 'bullet_list_open' && marker === 'cards') token.attrJoin('class', 'cards');
  });
}

function isSteps(tokens: readonly Token[], index: number): boolean {
  const { level = 0 } = tokens[index] ?? {};
  let items = 0;
  for (let next = index + 1; next < tokens.length; next += 1) {
    const token = tokens[next];
    if (token === undefined || token.level < level || (token.level === level && token.nesting === -1)) break;
    if (token.type !== 'list_item_open' || token.level !== level + 1) continue;
    items += 1;
    if (tokens[next + 1]?.type !== 'paragraph_open' || tokens[next + 1]?.hidden || !isBold(tokens[next + 2]))
      return false;
  }
  return items > 1;
}

/**
 * Adds tokens to the state: `tabs_open` and `tabs_close` around all from `<!-- tabs:start -->` to `<!-- tabs:end -->`, and inside
 * `tab_open` and `tab_close` around each panel. Each heading of the first one's level opens a panel and gets `meta.tab`; without
 * a heading there is no panel. A comment without its pair has no effect.
 */
export function markTabs(state: StateCore): void {
  const { tokens } = state;
  const ends = pairTabs(tokens);
  if (ends.size === 0) return;
  const output: Token[] = [];
  const open: { readonly end: number; readonly level: number; tag: string | null }[] = [];
  const add = (type: string, nesting: 1 | -1) => output.push(new state.Token(type, 'div', nesting));
  tokens.forEach((token, index) => {
    const set = open.at(-1);
    if (index === set?.end) {
      if (set.tag !== null) add('tab_close', -1);
      add('tabs_close', -1);
      open.pop();
    } else if (set !== undefined && token.type === 'heading_open' && token.level === set.level) {
      if (set.tag === token.tag) add('tab_close', -1);
      set.tag ??= token.tag;
      if (set.tag === token.tag) {
        add('tab_open', 1);
        token.meta = { ...token.meta, tab: true };
      }
    }
    output.push(token);
    const end = ends.get(index);
    if (end === undefined) return;
    open.push({ end, level: token.level, tag: null });
    add('tabs_open', 1);
  });
  state.tokens = output;
}

/** Returns the index of the end by the index of the start, for each pair of comments in one container. */
function pairTabs(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const starts: { readonly index: number; readonly level: number }[] = [];
  const ends = new Map<number, number>();
  tokens.forEach((token, index) => {
    const marker = readMarker(token);
    while ((starts.at(-1)?.level ?? 0) > token.level) starts.pop();
    if (marker === 'tabs:start') starts.push({ index, level: token.level });
    const start = marker === 'tabs:end' ? starts.pop() : undefined;
    if (start?.level === token.level) ends.set(start.index, index);
  });
  return ends;
}
