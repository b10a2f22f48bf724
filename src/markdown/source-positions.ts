/** Finds where the source has the destination of each link, and each tag, comment and piece of code, which the parser does not keep. */
import MarkdownIt, { type Env, type Token } from 'markdown-it';
import { addressAttributes, addressIn, elements, piecesOf, readTag } from './html-reader.ts';
import { decodeEntities } from './sanitizer.ts';
import { cellRanges, lineRanges, type SourceRange, toSourceOffset } from './source-map.ts';

/** The destination of a link in the source; offsets into the source, `end` exclusive. */
export interface Destination {
  start: number;
  end: number;
  /** The destination as written, with Markdown's escapes and entities resolved, not percent-encoded. */
  href: string;
  image: boolean;
  kind: 'inline' | 'autolink' | 'definition' | 'bare' | 'attribute';
}

/** A piece of the source that is not read as Markdown; offsets into the source, `end` exclusive. */
export interface Mark {
  readonly kind: 'tag' | 'dropped' | 'foreign' | 'code';
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface SourcePositions {
  /** Destinations in source order. A reference definition counts once, however often it is used. */
  readonly destinations: readonly Destination[];
  /** The destination as written, by `link_open` or `image` token. */
  readonly hrefs: ReadonlyMap<Token, string>;
  /** Marks in source order. */
  readonly marks: readonly Mark[];
}

/** The record of one run of the parser's states. */
interface Trace {
  /** Source ranges of the content of inline tokens and blocks of HTML. */
  readonly ranges: Map<Token, SourceRange[]>;
  /** Position in the inline content, and its end, at which a link, image, tag or piece of code was read. */
  readonly spots: Map<Token, { pos: number; posMax: number }>;
  readonly definitions: { token: Token; destination: Destination }[];
}

/** Traces of the parser runs, by their environment. */
const traces = new WeakMap<Env, Trace>();

/** Starts recording for one run of the parser; `positionsIn` ends it. */
export function startTrace(env: Env): void {
  traces.set(env, { ranges: new Map(), spots: new Map(), definitions: [] });
}

/** Records the source ranges of a token's content. */
export function recordRanges(env: Env, token: Token, ranges: SourceRange[]): void {
  traces.get(env)?.ranges.set(token, ranges);
}

/** The destination that the parser read last, which is that of a definition when its token is made. */
let lastDestination = { start: 0, end: 0, href: '' };

/** Makes a parser record positions. */
export function traceParser(parser: InstanceType<typeof MarkdownIt>): void {
  const { parseLinkDestination: read } = parser.helpers;
  parser.helpers = {
    ...parser.helpers,
    parseLinkDestination(text, start, max) {
      const result = read(text, start, max);
      lastDestination = { start, end: result.pos, href: result.str };
      return result;
    },
  };
  parser.block.State = TracingBlockState;
  parser.inline.State = TracingInlineState;
}

class TracingBlockState extends MarkdownIt.StateBlock {
  private row: Token | null = null;
  private cells: SourceRange[][] | null = null;

  override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
    const token = super.push(type, tag, nesting);
    if (type === 'tr_open') {
      this.row = token;
      this.cells = null;
    } else if (type === 'inline') {
      recordRanges(this.env, token, this.rangesIn(this.tokens.at(-2)));
    } else if (type === 'reference_definition') {
      traces
        .get(this.env)
        ?.definitions.push({ token, destination: { ...lastDestination, image: false, kind: 'definition' } });
    }
    return token;
  }

  /** Returns the ranges of the inline content of a paragraph, a heading or a cell. */
  private rangesIn(opener: Token | undefined): SourceRange[] {
    const startOf = (line: number): number => (this.bMarks[line] ?? 0) + (this.tShift[line] ?? 0);
    if (opener?.type === 'th_open' || opener?.type === 'td_open') {
      const line = this.row?.map?.[0] ?? 0;
      this.cells ??= cellRanges(this.src.slice(startOf(line), this.eMarks[line]), startOf(line));
      return this.cells.shift() ?? [];
    }
    const [first, end] = opener?.map ?? [0, 0];
    if (!opener?.markup.startsWith('#')) return lineRanges(this, first, end);
    return [{ start: 0, at: this.skipSpaces(startOf(first) + opener.markup.length) }];
  }
}

class TracingInlineState extends MarkdownIt.StateInline {
  override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
    const token = super.push(type, tag, nesting);
    if (type === 'link_open' || type === 'image' || type === 'code_inline' || type.startsWith('html_')) {
      traces.get(this.env)?.spots.set(token, { pos: this.pos, posMax: this.posMax });
    }
    return token;
  }
}

/** A stretch of inline content or of a block of HTML, with what maps it to the source. */
interface Content {
  readonly text: string;
  readonly ranges: readonly SourceRange[];
}

/** Returns the positions that a run of the parser recorded. */
export function positionsIn(tokens: readonly Token[], env: Env): SourcePositions {
  const trace = traces.get(env);
  if (trace === undefined) return { destinations: [], hrefs: new Map(), marks: [] };
  const hrefs = new Map<Token, string>();
  const marks: Mark[] = [];
  const destinations = trace.definitions.map(({ destination }) => destination);
  const definitions = new Map<unknown, Destination>();
  for (const { token, destination } of trace.definitions) {
    if (!definitions.has(token.meta?.label)) definitions.set(token.meta?.label, destination);
  }

  const addMark = (kind: Mark['kind'], text: string, offset: number, content: Content) => {
    const range = toSourceRange(content, offset, offset + text.length);
    if (range !== null) marks.push({ kind, ...range, text });
    if (range !== null && kind === 'tag') destinations.push(...addressesIn(text, offset, content));
  };
  const addLink = (token: Token, pos: number, posMax: number, content: Content) => {
    const definition = token.meta === null ? undefined : definitions.get(token.meta.label);
    if (definition !== undefined) {
      if (token.type === 'image') definition.image = true;
      hrefs.set(token, definition.href);
      return;
    }
    const link = readLink(token, pos, posMax, content.text);
    hrefs.set(token, link.href);
    const range = toSourceRange(content, link.start, link.end);
    if (range !== null)
      destinations.push({ ...range, href: link.href, image: token.type === 'image', kind: link.kind });
  };
  /** `base` is the offset in `content` of the text that the token's position is counted in: the description of an image has its own. */
  const visit = (token: Token, base: number, content: Content) => {
    const spot = trace.spots.get(token);
    if (spot === undefined) return;
    const pos = base + spot.pos;
    const kind = markKinds[token.type];
    if (kind !== undefined) {
      addMark(kind, kind === 'code' ? codeAt(content.text, pos, token) : token.content, pos, content);
      return;
    }
    if (token.type === 'image') for (const child of token.children ?? []) visit(child, pos + 2, content);
    addLink(token, pos, base + spot.posMax, content);
  };

  for (const token of tokens) {
    const ranges = trace.ranges.get(token);
    if (ranges === undefined) continue;
    const content = { text: token.content, ranges };
    for (const child of token.children ?? []) visit(child, 0, content);
    if (token.type !== 'html_block') continue;
    for (const { kind, text, at } of piecesOf(token.content)) if (kind !== 'text') addMark(kind, text, at, content);
  }
  return {
    hrefs,
    destinations: destinations.sort((a, b) => a.start - b.start),
    marks: marks.sort((a, b) => a.start - b.start),
  };
}

const markKinds: Readonly<Record<string, Mark['kind']>> = {
  html_tag: 'tag',
  html_dropped: 'dropped',
  html_foreign: 'foreign',
  code_inline: 'code',
};

/** Maps a part of the content to the source; null if it begins before what the source has. */
function toSourceRange({ ranges }: Content, from: number, to: number): { start: number; end: number } | null {
  const start = toSourceOffset(ranges, from);
  if (start === null) return null;
  return { start, end: from === to ? start : (toSourceOffset(ranges, to - 1) ?? start) + 1 };
}

/** Returns the addresses in the attributes of a tag. */
function addressesIn(source: string, offset: number, content: Content): Destination[] {
  const tag = readTag(source, 0)?.tag;
  if (tag === undefined || tag.closing) return [];
  return tag.attributes.flatMap((attribute) => {
    const image = addressAttributes.get(attribute.name);
    const address = addressIn(attribute);
    if (image === undefined || address === '' || !elements.get(tag.name)?.attributes.includes(attribute.name))
      return [];
    const from = offset + attribute.offset + attribute.value.indexOf(address);
    const range = toSourceRange(content, from, from + address.length);
    return range === null ? [] : [{ ...range, href: decodeEntities(address), image, kind: 'attribute' as const }];
  });
}

/** Returns the code with its backticks; the parser drops a space at both ends. */
function codeAt(content: string, pos: number, { markup, content: code }: Token): string {
  const end = content.indexOf(markup, pos + markup.length + code.length);
  return content.slice(pos, end === -1 ? undefined : end + markup.length);
}

type Link = Pick<Destination, 'start' | 'end' | 'href' | 'kind'>;

/** Returns the destination of a link or an image; offsets into the content. */
function readLink(token: Token, pos: number, posMax: number, content: string): Link {
  const href = String(token.attrGet('href'));
  if (token.markup === 'bare') {
    const start = pos - Number(token.meta?.scheme);
    return { start, end: start + href.length, href, kind: 'bare' };
  }
  if (token.markup === 'autolink') {
    const end = content.indexOf('>', pos + 1);
    const address = content.slice(pos + 1, end);
    const isMail = href.startsWith('mailto:') && !/^mailto:/i.test(address);
    return { start: pos + 1, end, href: isMail ? `mailto:${address}` : address, kind: 'autolink' };
  }
  const labelEnd = token.type === 'image' ? pos + 2 + token.content.length : posMax;
  const blank = /^[ \t\n]*/.exec(content.slice(labelEnd + 2, labelEnd + 200))?.[0] ?? '';
  const start = labelEnd + 2 + blank.length;
  const { ok, pos: end, str } = parseLinkDestination(content, start, content.length);
  return ok ? { start, end, href: str, kind: 'inline' } : { start, end: start, href: '', kind: 'inline' };
}

const { parseLinkDestination } = new MarkdownIt().helpers;
