/** Extracts from tokens what a page consists of: headings with anchors, sections of plain text, code fences. */
import type { Token } from 'markdown-it';
import { piecesOf } from './html-reader.ts';
import { markdown } from './parser.ts';

/** The plain text below one heading; the first section of a page may have no heading. */
export interface Section {
  readonly heading: string | null;
  readonly anchor: string | null;
  /** Level of the heading; 0 without one. */
  readonly level: number;
  /** Paragraphs, list items and table rows, one a line; a row is a sentence that names its columns. */
  readonly text: string;
  /** Blocks of code, one after the other. */
  readonly code: string;
  /** Share of the text that is in links, from 0 to 1. */
  readonly linkShare: number;
}

/** A heading with the line it is on. */
export interface PlacedHeading {
  readonly level: number;
  readonly text: string;
  readonly anchor: string;
  /** Line in the source, counted from 1. */
  readonly line: number;
  /** True for the label of a tab. */
  readonly isTab: boolean;
}

/** A fenced block of code. */
export interface CodeFence {
  /** First word after the fence, or null. */
  readonly language: string | null;
  /** Line of the opening fence, counted from 1. */
  readonly line: number;
  readonly code: string;
}

/** The parts of a page. */
export interface Outline {
  readonly headings: readonly PlacedHeading[];
  readonly sections: readonly Section[];
  /** Headings and blocks, one a line. */
  readonly text: string;
  readonly codeFences: readonly CodeFence[];
}

/** Extracts the outline of a text. */
export function extractOutline(tokens: readonly Token[]): Outline {
  const headings: PlacedHeading[] = [];
  const sections: Section[] = [];
  const codeFences: CodeFence[] = [];
  const everything: string[] = [];
  const anchor = createAnchors();
  let heading: PlacedHeading | null = null;
  let blocks: string[] = [];
  let code: string[] = [];
  let linked = 0;
  let row: string[] | null = null;
  let columns: readonly string[] = [];

  const add = (block: string, prose = block) => {
    if (block === '') return;
    blocks.push(prose);
    everything.push(block);
  };
  const addCode = (block: string) => {
    if (block === '') return;
    code.push(block);
    everything.push(block);
  };
  const closeSection = () => {
    if (heading !== null || blocks.length > 0 || code.length > 0) {
      const text = blocks.join('\n');
      sections.push({
        heading: heading?.text ?? null,
        anchor: heading?.anchor ?? null,
        level: heading?.level ?? 0,
        text,
        code: code.join('\n'),
        linkShare: text === '' ? 0 : Math.min(1, linked / text.length),
      });
    }
    blocks = [];
    code = [];
    linked = 0;
  };

  tokens.forEach((token, index) => {
    switch (token.type) {
      case 'heading_open': {
        closeSection();
        const text = headingText(tokens, index);
        heading = {
          level: Number(token.tag.slice(1)),
          text,
          anchor: anchor(text, idOf(token)),
          line: (token.map?.[0] ?? 0) + 1,
          isTab: token.meta?.tab === true,
        };
        headings.push(heading);
        if (text !== '') everything.push(text);
        break;
      }
      case 'html_block':
        add(htmlText(token.content));
        break;
      case 'alert_title':
      case 'inline':
        linked += linkedLength(token.children);
        if (row !== null) row.push(inlineText(token.children).replace(/\s+/g, ' ').trim());
        else if (tokens[index - 1]?.type !== 'heading_open') {
          const text = inlineText(token.children).trim();
          add(text, text.replaceAll('\n', ' '));
        }
        break;
      case 'thead_open':
        columns = [];
        break;
      case 'tr_open':
        row = [];
        break;
      case 'tr_close': {
        const cells: readonly string[] = row ?? [];
        // The words of the head are in every row.
        if (columns.length === 0) everything.push(cells.join(' | '));
        else add(cells.join(' | '), rowInWords(cells, columns));
        if (columns.length === 0) columns = cells;
        row = null;
        break;
      }
      case 'fence':
        codeFences.push({ language: languageOf(token), line: (token.map?.[0] ?? 0) + 1, code: token.content });
        addCode(token.content.trimEnd());
        break;
      case 'code_block':
        addCode(token.content.trimEnd());
        break;
    }
  });
  closeSection();
  return { headings, sections, text: everything.join('\n'), codeFences };
}

/** Returns a table's row as a sentence: each cell behind its column's name, without empty cells. */
function rowInWords(cells: readonly string[], columns: readonly string[]): string {
  const named = cells.flatMap((cell, at) => {
    const column = columns[at] ?? '';
    return cell === '' ? [] : [column === '' ? cell : `${column}: ${cell}`];
  });
  const sentence = named.map((cell) => cell.replace(/[.;]$/, '')).join('; ');
  return sentence === '' || /[!?…。]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Returns how many characters of the text are in links. */
function linkedLength(tokens: readonly Token[] | null): number {
  let depth = 0;
  let length = 0;
  for (const token of tokens ?? []) {
    depth += token.type === 'link_open' ? 1 : token.type === 'link_close' ? -1 : 0;
    if (depth > 0) length += token.content.length;
  }
  return length;
}

/** Returns the plain text, on one line, of the heading whose opening token is at `index`. */
export const headingText = (tokens: readonly Token[], index: number): string =>
  inlineText(tokens[index + 1]?.children ?? null)
    .replace(/\s+/g, ' ')
    .trim();

/** Returns the first word of a fence's info string, or null. */
export const languageOf = (fence: Token): string | null =>
  markdown.utils.unescapeAll(fence.info).trim().split(/\s/, 1)[0] || null;

/** Returns the id that `{#id}` gives a heading, or null. */
export const idOf = ({ meta }: Token): string | null => (typeof meta?.id === 'string' ? meta.id : null);

/** Creates the function that gives each heading of one page its id, or else the anchor that GitHub gives it; a repeated one gets `-1`, `-2`. */
export function createAnchors(): (text: string, id?: string | null) => string {
  const taken = new Map<string, number>();
  return (text, id = null) => {
    const slug =
      id ??
      (text
        .toLowerCase()
        .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
        .replaceAll(' ', '-') ||
        'section');
    let anchor = slug;
    let count = taken.get(slug) ?? 0;
    while (taken.has(anchor)) {
      count += 1;
      anchor = `${slug}-${count}`;
    }
    taken.set(slug, count);
    if (anchor !== slug) taken.set(anchor, 0);
    return anchor;
  };
}

function inlineText(tokens: readonly Token[] | null): string {
  let text = '';
  for (const token of tokens ?? []) {
    if (token.type === 'image') text += inlineText(token.children);
    else if (token.type === 'softbreak') text += ' ';
    else if (token.type === 'hardbreak') text += '\n';
    else if (token.type === 'html_tag') text += /^<br\b/i.test(token.content) ? ' ' : '';
    else if (token.type !== 'html_dropped') text += token.content;
  }
  return text;
}

/** Returns the text of a block of HTML without its tags. */
function htmlText(content: string): string {
  let text = '';
  for (const piece of piecesOf(content)) {
    if (piece.kind === 'text') text += markdown.utils.unescapeAll(piece.text);
    else if (piece.kind === 'foreign') text += piece.text;
    else text += ' ';
  }
  return text.replace(/\s+/g, ' ').trim();
}
