/** Extracts from tokens what a page consists of: headings with anchors, sections of plain text, code fences. */
import type { Token } from 'markdown-it';
import { fieldMark, linkMark, removeMarks } from '../base/plain-text.ts';
import { decodeEntities } from './html-reader.ts';
import { markdown } from './parser.ts';

/** The plain text below one heading; the first section of a page may have no heading. */
export interface Section {
  readonly heading: string | null;
  readonly anchor: string | null;
  /** Level of the heading; 0 without one. */
  readonly level: number;
  /** Paragraphs, list items and table rows, one a line, with a mark between the fields of a row and around links to other pages. */
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
  /** First word after the fence, or null if there is none. */
  readonly language: string | null;
  /** Line of the opening fence, counted from 1. */
  readonly line: number;
  /** The code with its line breaks, also the one after its last line unless the text ends there; empty for an empty block. */
  readonly code: string;
}

/** The headings, the sections, the blocks of code and the number of words of a page. */
export interface Outline {
  readonly headings: readonly PlacedHeading[];
  readonly sections: readonly Section[];
  /** Number of words with a letter or a digit, in headings, text and code. */
  readonly wordCount: number;
  readonly codeFences: readonly CodeFence[];
}

/** A section while its parts are collected. */
interface SectionParts {
  readonly heading: PlacedHeading | null;
  readonly blocks: string[];
  readonly code: string[];
  linkedLength: number;
}

const createParts = (heading: PlacedHeading | null): SectionParts => ({
  heading,
  blocks: [],
  code: [],
  linkedLength: 0,
});

/** Extracts the outline of a text from all its tokens. A section without a heading is left out if it has neither text nor code. */
export function extractOutline(tokens: readonly Token[]): Outline {
  let section = createParts(null);
  const all = [section];
  const createAnchor = createAnchors();
  let wordCount = 0;
  let row: string[] | null = null;
  let columns: readonly string[] = [];
  const read = (text: string): string => {
    wordCount += countWords(text);
    return text;
  };

  tokens.forEach((token, index) => {
    switch (token.type) {
      case 'heading_open': {
        const text = read(readHeading(tokens, index));
        const anchor = createAnchor(text, getHeadingId(token));
        const level = Number(token.tag.slice(1));
        section = createParts({ level, text, anchor, line: getLine(token), isTab: token.meta?.tab === true });
        all.push(section);
        break;
      }
      case 'html_block':
        section.blocks.push(toOneLine(read(removeMarks(readHtmlText(token)))));
        break;
      case 'inline':
        section.linkedLength += countLinkedCharacters(token);
        if (tokens[index - 1]?.type === 'heading_open') break;
        if (row !== null) row.push(toOneLine(read(readInlineText(token.children))));
        else section.blocks.push(read(readInlineText(token.children, true)).trim().replaceAll('\n', ' '));
        break;
      case 'tr_open':
        row = [];
        break;
      case 'tr_close':
        // The head is no block, because every row repeats the names of its columns.
        if (tokens[index + 1]?.type === 'thead_close') columns = row ?? [];
        else section.blocks.push(describeRow(row ?? [], columns));
        row = null;
        break;
      case 'fence':
      case 'code_block':
        section.code.push(read(token.content).trimEnd());
        break;
    }
  });
  return {
    headings: all.flatMap(({ heading }) => heading ?? []),
    sections: all.map(toSection).filter(({ heading, text, code }) => heading !== null || text !== '' || code !== ''),
    wordCount,
    codeFences: tokens.filter(({ type }) => type === 'fence').map(toCodeFence),
  };
}

function toSection({ heading, blocks, code, linkedLength }: SectionParts): Section {
  const text = blocks.filter((block) => block !== '').join('\n');
  return {
    heading: heading?.text ?? null,
    anchor: heading?.anchor ?? null,
    level: heading?.level ?? 0,
    text,
    code: code.filter((block) => block !== '').join('\n'),
    linkShare: text === '' ? 0 : Math.min(1, linkedLength / removeMarks(text).length),
  };
}

const toCodeFence = (fence: Token): CodeFence => {
  return { language: getCodeLanguage(fence), line: getLine(fence), code: fence.content };
};

/** Returns the line of a token, counted from 1; 1 for a token without a position. */
const getLine = ({ map }: Token): number => (map?.[0] ?? 0) + 1;

const countWords = (text: string): number => text.match(/[\p{L}\p{N}]\S*/gu)?.length ?? 0;

const toOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/**
 * Returns a table’s row as fields with `fieldMark` between them: for each cell that is not empty the name of its column and a
 * colon, or an empty field if the column has no name, and then the cell.
 */
const describeRow = (cells: readonly string[], columns: readonly string[]): string =>
  cells
    .flatMap((cell, number) => (cell === '' ? [] : [columns[number] ? `${columns[number]}:` : '', cell]))
    .join(fieldMark);

/** Counts the characters of an inline token that are in links. */
function countLinkedCharacters({ children }: Token): number {
  let depth = 0;
  let count = 0;
  for (const { type, nesting, content } of children ?? []) {
    if (type.startsWith('link_')) depth += nesting;
    if (depth > 0) count += content.length;
  }
  return count;
}

/** Returns the plain text, on one line, of the heading whose opening token is at `index`. */
export const readHeading = (tokens: readonly Token[], index: number): string =>
  toOneLine(readInlineText(tokens[index + 1]?.children ?? null));

/** Returns the first word of a fence's info string, or null if it is empty. */
export const getCodeLanguage = (fence: Token): string | null =>
  markdown.utils.unescapeAll(fence.info).trim().split(/\s/, 1)[0] || null;

/** Returns the id that `{#id}` gives a heading, or null. */
export const getHeadingId = ({ meta }: Token): string | null => (typeof meta?.id === 'string' ? meta.id : null);

/**
 * Creates the function that returns the anchor of each heading of one page, without `#`: `id` if there is one, or else the anchor
 * that GitHub gives the text, or `section` if that is empty; a repeated one gets `-1`, `-2`. `id` may be null.
 */
export function createAnchors(): (text: string, id?: string | null) => string {
  const idCounts = new Map<string, number>();
  return (text, id = null) => {
    const lowercase = text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '');
    const slug = id ?? (lowercase.replaceAll(' ', '-') || 'section');
    let anchor = slug;
    let count = idCounts.get(slug) ?? 0;
    while (idCounts.has(anchor)) {
      count += 1;
      anchor = `${slug}-${count}`;
    }
    idCounts.set(slug, count);
    if (anchor !== slug) idCounts.set(anchor, 0);
    return anchor;
  };
}

/**
 * Returns the plain text of inline tokens, in which only a hard break is a `\n`; empty for null. If `marksLinks` is true, each text
 * of a link to another page has a `linkMark` before and after it, unless it is code.
 */
function readInlineText(tokens: readonly Token[] | null, marksLinks = false): string {
  let text = '';
  let mark = '';
  for (const [index, token] of (tokens ?? []).entries()) {
    if (token.type === 'image') text += readInlineText(token.children);
    else if (token.type === 'softbreak') text += ' ';
    else if (token.type === 'hardbreak') text += '\n';
    else if (token.type === 'html_tag') text += /^<br\b/i.test(token.content) ? ' ' : '';
    else if (token.type === 'link_open') {
      // A link around code, such as a setting, gets no mark, because the sentence needs the name and does not only refer to a page.
      mark = marksLinks && isPageLink(token) && tokens?.[index + 1]?.type !== 'code_inline' ? linkMark : '';
      text += mark;
    } else if (token.type === 'link_close') text += mark;
    else if (token.type !== 'html_dropped') text += removeMarks(token.content);
  }
  return text;
}

/** Tells whether a link leads to another page or section of the site, and not to a download. */
const isPageLink = (link: Token): boolean =>
  !/^([a-z][a-z\d+.-]*:|\/\/|\/download\/)/i.test(String(link.attrGet('href')));

/**
 * Returns the text of a block of HTML, with a space for each allowed tag and for each comment or element that is left out. Other
 * tags stay as they are written.
 */
const readHtmlText = ({ children }: Token): string =>
  (children ?? [])
    .map(({ type, content }) => (type === 'text' ? decodeEntities(content) : type === 'html_foreign' ? content : ' '))
    .join('');
