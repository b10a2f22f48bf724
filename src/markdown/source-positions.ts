/** Finds where the source has the destination of each link, and each tag, comment and piece of code, which the parser does not keep. */
import MarkdownIt, { type Env, type StateInline, type Token } from 'markdown-it';
import { createLineMap } from '../base/line-map.ts';
import { addressAttributes, decodeEntities, elements, readAddress, readTag } from './html-reader.ts';

/** The destination of a link in the source, with the brackets of an autolink; offsets into the source, `end` exclusive. */
export interface Destination {
  start: number;
  end: number;
  /** The destination as written, with Markdown's escapes and entities resolved, not percent-encoded. */
  href: string;
  /** True for an image or a video; for a definition, if any image uses it. */
  image: boolean;
  /** `bare` is a URL without any markup, `attribute` a value in a tag. */
  kind: 'inline' | 'autolink' | 'definition' | 'bare' | 'attribute';
}

/** A piece of the source that is not read as Markdown; offsets into the source, `end` exclusive. */
export interface Mark {
  /** An allowed tag, a comment or an element that is left out, another tag, which is shown as text, or code within a line. */
  readonly kind: 'tag' | 'dropped' | 'foreign' | 'code';
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The positions of the links of a text, and of what is not read as Markdown. */
export interface SourcePositions {
  /** Destinations in source order. A reference definition counts once, however often it is used. */
  readonly destinations: readonly Destination[];
  /** Marks in source order. */
  readonly marks: readonly Mark[];
}

/**
 * Offsets into the content of a token. `pos` is where the parser was when it created a token: at its first character, or behind the
 * `[` of a link, or at the `:` of a bare URL; `posMax` is where the label of a link ends.
 */
type Spot = Readonly<Pick<StateInline, 'pos' | 'posMax'>>;

/** The records of one run of the parser: the place of each token for which there is one, and the link reference definitions. */
interface Trace {
  readonly spots: Map<Token, Spot>;
  readonly definitions: { readonly token: Token; readonly destination: Destination }[];
}

/** Traces of the parser runs, by their environment. */
const traces = new WeakMap<Env, Trace>();

/** Returns the trace of the run of the parser with this environment; a new one if there is none yet. */
function getTrace(env: Env): Trace {
  const trace = traces.get(env) ?? { spots: new Map(), definitions: [] };
  traces.set(env, trace);
  return trace;
}

/** The destination that the parser read last, which is that of a definition when its token is created. */
let lastDestination = { start: 0, end: 0, href: '' };

/** Makes a parser record the positions of what it reads, which `findPositions` returns. */
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
  override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
    const token = super.push(type, tag, nesting);
    if (type === 'reference_definition') {
      const destination: Destination = { ...lastDestination, image: false, kind: 'definition' };
      getTrace(this.env).definitions.push({ token, destination });
    }
    return token;
  }
}

class TracingInlineState extends MarkdownIt.StateInline {
  override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
    const token = super.push(type, tag, nesting);
    if (type === 'link_open' || type === 'image' || type === 'code_inline' || type.startsWith('html_')) {
      getTrace(this.env).spots.set(token, { pos: this.pos, posMax: this.posMax });
    }
    return token;
  }
}

/** Maps an offset in the content of a token to the source. */
type SourceMap = (offset: number) => number;

/** Returns the positions that were recorded while the parser read the source; its lines end in `\n`, and it has no NUL. */
export function findPositions(source: string, tokens: readonly Token[], env: Env): SourcePositions {
  const { spots, definitions } = getTrace(env);
  const marks: Mark[] = [];
  const destinations = definitions.map(({ destination }) => destination);
  const byLabel = new Map(definitions.toReversed().map(({ token, destination }) => [token.meta?.label, destination]));

  const addLink = (token: Token, spot: Spot, content: string, toSource: SourceMap) => {
    const image = token.type === 'image';
    const definition = token.meta === null ? undefined : byLabel.get(token.meta.label);
    if (definition !== undefined) {
      definition.image ||= image;
      return;
    }
    const { start, end, kind } = locateDestination(token, spot, content);
    const href = String(token.attrGet(image ? 'src' : 'href'));
    destinations.push({ start: toSource(start), end: toSource(end), href, image, kind });
  };
  const addMark = (kind: Mark['kind'], text: string, pos: number, toSource: SourceMap) => {
    marks.push({ kind, start: toSource(pos), end: toSource(pos + text.length), text });
    for (const { start, end, ...address } of kind === 'tag' ? readAddresses(text) : []) {
      destinations.push({ ...address, start: toSource(pos + start), end: toSource(pos + end) });
    }
  };
  /**
   * Adds the marks and destinations of a token and, of an image, those in its description. `base` is the offset in `content` that
   * the token's position starts from: the description of an image has its own.
   */
  const visit = (token: Token, base: number, content: string, toSource: SourceMap) => {
    const spot = spots.get(token);
    if (spot === undefined) return;
    const pos = base + spot.pos;
    const kind = markKinds[token.type];
    if (kind !== undefined) {
      addMark(kind, kind === 'code' ? readCode(content, pos, token) : token.content, pos, toSource);
      return;
    }
    if (token.type === 'image') for (const child of token.children ?? []) visit(child, pos + 2, content, toSource);
    addLink(token, { pos, posMax: base + spot.posMax }, content, toSource);
  };

  const createMap = createSourceMaps(source);
  for (const token of tokens) {
    const toSource = createMap(token, token.children?.some((child) => spots.has(child)) === true);
    if (toSource !== null) for (const child of token.children ?? []) visit(child, 0, token.content, toSource);
  }
  const compareByStart = (a: { start: number }, b: { start: number }) => a.start - b.start;
  return { destinations: destinations.sort(compareByStart), marks: marks.sort(compareByStart) };
}

const markKinds: Readonly<Record<string, Mark['kind']>> = {
  html_tag: 'tag',
  html_dropped: 'dropped',
  html_foreign: 'foreign',
  code_inline: 'code',
};

/** Creates the function that returns the map for the content of each token, or null if none `isNeeded`. It takes the tokens in order. */
function createSourceMaps(source: string): (token: Token, isNeeded: boolean) => SourceMap | null {
  const lines = source.split('\n');
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length + 1);
  let cell = 0;
  return ({ type, map, content }, isNeeded) => {
    if (type === 'tr_open') cell = starts[map?.[0] ?? 0] ?? 0;
    if (type === 'inline' && map === null) {
      // The parser has removed the backslash before each bar of a cell, so it is added again to find the cell in the source.
      const cellSource = content.replaceAll('|', '\\|');
      const start = source.indexOf(cellSource, cell);
      cell = start + cellSource.length;
      return isNeeded ? mapCell(content, start) : null;
    }
    if (!isNeeded) return null;
    const lineStarts = content.split('\n').map((text, index) => {
      const line = (map?.[0] ?? 0) + index;
      // The parser removes indentation and markers before a line, and blanks and closing `#` after it, so the words are searched for.
      const words = text.trimStart();
      return (starts[line] ?? 0) + (lines[line]?.lastIndexOf(words) ?? 0) + words.length - text.length;
    });
    const positionAt = createLineMap(content);
    return (offset) => {
      const { line, column } = positionAt(offset);
      return (lineStarts[line - 1] ?? 0) + column - 1;
    };
  };
}

/** Creates the map for the content of a cell that begins at `start` in the source, which has one more character for each bar. */
function mapCell(content: string, start: number): SourceMap {
  const positionAt = createLineMap(content.replaceAll('|', '\n'));
  return (offset) => start + offset + positionAt(offset).line - 1;
}

/** Returns the addresses in the allowed attributes of a tag; offsets into the tag. */
function readAddresses(source: string): Destination[] {
  const tag = readTag(source, 0);
  if (tag === null || tag.closing) return [];
  const allowedNames = elements.get(tag.name)?.attributes ?? [];
  return tag.attributes.flatMap((attribute) => {
    const address = readAddress(attribute);
    if (!addressAttributes.has(attribute.name) || address === '' || !allowedNames.includes(attribute.name)) return [];
    const start = attribute.offset + attribute.value.indexOf(address);
    const image = attribute.name !== 'href';
    return [{ start, end: start + address.length, href: decodeEntities(address), image, kind: 'attribute' }];
  });
}

/**
 * Returns the source of the code whose first backtick is at `pos` in the content, with its backticks and with the spaces at its
 * ends that the parser drops.
 */
function readCode(content: string, pos: number, { markup, content: code }: Token): string {
  const end = content.indexOf(markup, pos + markup.length + code.length);
  return content.slice(pos, end === -1 ? undefined : end + markup.length);
}

/**
 * Returns where the destination of an inline link or image, an autolink or a bare URL begins and ends, as offsets into the content,
 * and its kind. Angle brackets are part of it. If it is empty, as in `[a]()`, `end` equals `start`. Links and images by reference
 * must not be passed, because their destination is in the definition.
 */
function locateDestination(token: Token, { pos, posMax }: Spot, content: string): Omit<Destination, 'href' | 'image'> {
  if (token.markup === 'linkify') {
    const href = String(token.attrGet('href'));
    const start = pos - href.indexOf('://');
    return { start, end: start + href.length, kind: 'bare' };
  }
  if (token.markup === 'autolink') return { start: pos, end: content.indexOf('>', pos) + 1, kind: 'autolink' };
  const labelEnd = token.type === 'image' ? pos + 2 + token.content.length : posMax;
  const blank = /^[ \t\n]*/.exec(content.slice(labelEnd + 2, labelEnd + 200))?.[0] ?? '';
  const start = labelEnd + 2 + blank.length;
  const destination = parseLinkDestination(content, start, content.length);
  return { start, end: destination.ok ? destination.pos : start, kind: 'inline' };
}

const { parseLinkDestination } = new MarkdownIt().helpers;
