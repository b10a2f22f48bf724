/** Reads the HTML in the Markdown of a page: which elements are allowed, and the parser rules that turn their tags into tokens. */
import MarkdownIt, { type StateBlock, type StateInline } from 'markdown-it';

/**
 * A content category of the HTML standard, for what an element may contain: `parts` is for elements such as `ul` that contain only
 * certain elements, `nothing` for those without content such as `br`.
 */
type Content = 'phrasing' | 'flow' | 'parts' | 'nothing';

interface ElementRule {
  /** The category that the element belongs to. */
  readonly kind: 'phrasing' | 'flow';
  /** The category of what the element may contain. */
  readonly holds: Content;
  /** The only elements that may contain it directly; empty if any may. */
  readonly parents: readonly string[];
  /** The attributes that the element keeps besides `title`, `lang` and `dir`, which every element keeps. */
  readonly attributes: readonly string[];
}

const splitWords = (list = ''): readonly string[] => list.split(' ').filter((word) => word !== '');

type Rule = readonly [names: string, kind: 'phrasing' | 'flow', holds: Content, attributes?: string, parents?: string];

/** Every allowed element: its names, its category, its content, the attributes it keeps, and its parents. */
const rules: readonly Rule[] = [
  ['kbd sub sup b strong i em s del ins mark small code samp var abbr q cite dfn span', 'phrasing', 'phrasing'],
  ['br wbr', 'phrasing', 'nothing'],
  ['a', 'phrasing', 'phrasing', 'href id name'],
  ['img', 'phrasing', 'nothing', 'src alt width height loading align'],
  ['picture', 'phrasing', 'parts'],
  ['video', 'phrasing', 'phrasing', 'src poster preload width height controls muted loop playsinline aria-label'],
  ['source', 'phrasing', 'nothing', 'src srcset media type', 'picture video'],
  ['h1 h2 h3 h4 h5 h6 p', 'flow', 'phrasing', 'align'],
  ['hr', 'flow', 'nothing'],
  ['div figure', 'flow', 'flow', 'align'],
  ['blockquote', 'flow', 'flow'],
  ['pre', 'flow', 'phrasing'],
  ['figcaption', 'flow', 'flow', '', 'figure'],
  ['details', 'flow', 'flow', 'open name'],
  ['summary', 'flow', 'phrasing', '', 'details'],
  ['table', 'flow', 'parts', 'align'],
  ['caption', 'flow', 'phrasing', '', 'table'],
  ['thead tbody tfoot', 'flow', 'parts', 'align', 'table'],
  ['tr', 'flow', 'parts', 'align', 'table thead tbody tfoot'],
  ['th td', 'flow', 'flow', 'align colspan rowspan scope', 'tr'],
  ['ul dl', 'flow', 'parts'],
  ['ol', 'flow', 'parts', 'start reversed'],
  ['li', 'flow', 'flow', '', 'ul ol'],
  ['dt', 'flow', 'phrasing', '', 'dl'],
  ['dd', 'flow', 'flow', '', 'dl'],
];

/** The rules by the name of the element. */
export const elements: ReadonlyMap<string, ElementRule> = new Map(
  rules.flatMap(([names, kind, holds, attributes, parents]) =>
    splitWords(names).map((name) => [
      name,
      { kind, holds, parents: splitWords(parents), attributes: splitWords(attributes) },
    ]),
  ),
);

/** Elements without text for readers, which are left out with everything in them. */
export const droppedElements: ReadonlySet<string> = new Set(
  'script style iframe object embed form template noscript svg math textarea title select button input'.split(' '),
);

/** A tag as its source has it. */
export interface Tag {
  /** Lowercase. */
  readonly name: string;
  readonly closing: boolean;
  /** The attributes in source order, with lowercase names. A repeated name is in the list too; its first value counts. */
  readonly attributes: readonly TagAttribute[];
  /** Offset behind it in the text. */
  readonly end: number;
}

/** An attribute of a tag. */
export interface TagAttribute {
  readonly name: string;
  /** The source between the quotes, in which entities are not resolved; empty for an attribute without a value. */
  readonly value: string;
  /** Offset of the value in the tag's source. */
  readonly offset: number;
}

const attribute = /\s+([A-Za-z_:@][\w:.@-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/y;
const opening = /<(\/?)([A-Za-z][A-Za-z0-9-]*)/y;
const ending = /\s*\/?>/y;

/** Reads the tag at an offset, whatever its name; null if no complete tag is there. */
export function readTag(text: string, offset: number): Tag | null {
  opening.lastIndex = offset;
  const [start, slash, name = ''] = opening.exec(text) ?? [];
  if (start === undefined) return null;
  const attributes: TagAttribute[] = [];
  let end = offset + start.length;
  for (;;) {
    attribute.lastIndex = end;
    const match = attribute.exec(text);
    if (match === null) break;
    end = attribute.lastIndex;
    const [, name = '', double, single, bare] = match;
    const value = double ?? single ?? bare ?? '';
    const quoteLength = double !== undefined || single !== undefined ? 1 : 0;
    attributes.push({ name: name.toLowerCase(), value, offset: end - offset - quoteLength - value.length });
  }
  ending.lastIndex = end;
  if (!ending.test(text)) return null;
  return { name: name.toLowerCase(), closing: slash === '/', attributes, end: ending.lastIndex };
}

/** Attributes with an address; all but `href` have that of an image or a video. */
export const addressAttributes: ReadonlySet<string> = new Set(['href', 'src', 'srcset', 'poster']);

/** Returns the address in an attribute, of a `srcset` the first, in which entities are not resolved; empty if it has none. */
export const readAddress = ({ name, value }: Pick<TagAttribute, 'name' | 'value'>): string =>
  name === 'srcset' ? (value.trim().split(/[\s,]/, 1)[0] ?? '') : value.trim();

/** Comments that change how a page is shown; every other comment is left out. */
export const markers = ['tabs:start', 'tabs:end', 'steps', 'cards'] as const;

/** Returns the text of a comment without `<!--`, `-->` and the spaces around it. */
export const readCommentText = (comment: string): string => comment.replace(/^<!--|-->$/g, '').trim();

/** Returns the offset behind the comment that begins at `offset`, or null; a comment that does not end is text. */
function findCommentEnd(text: string, offset: number): number | null {
  return text.startsWith('<!--', offset) ? findEnd(text, '-->', offset + 4) : null;
}

/**
 * Returns the offset behind the element without text for readers that a tag opens, or null if it opens none or the element does not
 * end.
 */
function findDroppedEnd(text: string, { name, closing, end }: Tag): number | null {
  if (closing || !droppedElements.has(name)) return null;
  return name === 'embed' || name === 'input' ? end : findEnd(text, `</${name}\\s*>`, end);
}

/** The offset from which each end tag is absent in the text being read, so that many openings without an end take linear time. */
const missing = { text: '', from: new Map<string, number>() };

function findEnd(text: string, pattern: string, from: number): number | null {
  if (missing.text !== text) {
    missing.text = text;
    missing.from.clear();
  }
  const absentFrom = missing.from.get(pattern);
  if (absentFrom !== undefined && from >= absentFrom) return null;
  const end = new RegExp(pattern, 'gi');
  end.lastIndex = from;
  if (end.test(text)) return end.lastIndex;
  missing.from.set(pattern, from);
  return null;
}

const isBlockTag = (name: string): boolean =>
  elements.get(name)?.kind === 'flow' || name === 'picture' || name === 'video';

/** A piece of HTML: an allowed tag, what is left out, or another tag, which is shown as text. */
interface HtmlPiece {
  readonly kind: 'tag' | 'dropped' | 'foreign';
  /**
   * Name of the element in lowercase; empty if it is dropped. For a foreign tag that `readTag` cannot read it is the beginning of
   * the tag, such as `<Tabs`.
   */
  readonly name: string;
  /** Offset behind it. */
  readonly end: number;
}

/** Reads the HTML at an offset; null if none begins there. */
function readHtml(text: string, offset: number): HtmlPiece | null {
  const tag = readTag(text, offset);
  const end = tag === null ? findCommentEnd(text, offset) : findDroppedEnd(text, tag);
  if (end !== null) return { kind: 'dropped', name: '', end };
  if (tag !== null) return { kind: elements.has(tag.name) ? 'tag' : 'foreign', name: tag.name, end: tag.end };
  const component = /^<\/?[A-Z][\w.]*(?=[\s/>])/.exec(text.slice(offset, offset + 64))?.[0];
  return component === undefined ? null : { kind: 'foreign', name: component, end: offset + component.length };
}

/**
 * Reads HTML in a line, as a rule of the parser: it becomes an `html_tag`, `html_dropped` or `html_foreign` token, or no token if
 * `silent` is true, and the position moves behind it. Returns false and changes nothing if none begins at the position.
 */
export function parseHtmlInline(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  const piece = src.charCodeAt(pos) === 0x3c ? readHtml(src, pos) : null;
  if (piece === null) return false;
  if (!silent) state.push(`html_${piece.kind}`, '', 0).content = src.slice(pos, piece.end);
  state.pos = piece.end;
  return true;
}

/**
 * Reads a block of HTML, as a rule of the parser. A block that begins with a block-level tag extends to the next blank line; one
 * that begins with a comment or a dropped element extends to the last line of that, across blank lines. It becomes an `html_block`
 * token without children, or no token if `silent` is true. Returns false if no block begins at the line.
 */
export function parseHtmlBlock(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const offset = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const piece = state.src.charCodeAt(offset) === 0x3c ? readHtml(state.src, offset) : null;
  if (piece === null || (piece.kind !== 'dropped' && !isBlockTag(piece.name))) return false;
  if (silent) return true;
  let next = startLine + 1;
  // A comment may contain blank lines, but ends with the list or quote that it is in.
  while (next < endLine && (state.sCount[next] ?? 0) >= state.blkIndent) {
    const start = state.bMarks[next] ?? 0;
    if (piece.kind === 'dropped' ? start >= piece.end : state.isEmpty(next)) break;
    next += 1;
  }
  state.line = next;
  const token = state.push('html_block', '', 0);
  token.map = [startLine, next];
  token.content = state.getLines(startLine, next, state.blkIndent, true).trimStart();
  token.children = [];
  return true;
}

const { unescapeAll } = new MarkdownIt().utils;

/** Returns HTML text with its entities resolved. Backslashes stay as they are: Markdown reads them as escapes and HTML does not. */
export const decodeEntities = (text: string): string => unescapeAll(text.replaceAll('\\', '\\\\'));
