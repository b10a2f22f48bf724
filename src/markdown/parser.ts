/** Parses markdown into tokens and finds where in the source each link's destination stands. */
import MarkdownIt, { type Env, type Token } from 'markdown-it';
import footnotes from 'markdown-it-footnote';
import { markedLists, tabs } from './components.ts';
import { alerts, bareUrl, headingIds, imageSizes, tasks } from './dialect-rules.ts';
import { addressAttributes, addressIn, elements, htmlBlock, htmlInline, piecesOf, readTag } from './html-reader.ts';
import { cellRuns, lineRuns, locate, type Run } from './runs.ts';

/**
 * `page` is what a content folder's pages and answers are written in; `notes` is for what others wrote, such as the notes of a
 * feed: the same without HTML, footnotes and components.
 */
export type Dialect = 'page' | 'notes';

/** The destination of a link as the source writes it; offsets into the source, `end` exclusive. */
export interface Destination {
  start: number;
  end: number;
  /** As written, with markdown's escapes and entities resolved, not yet percent-encoded. */
  href: string;
  image: boolean;
  kind: 'inline' | 'autolink' | 'definition' | 'bare' | 'attribute';
}

export interface Parsed {
  /** The source with every line ended by `\n`; offsets and token lines are about this text. */
  readonly source: string;
  readonly tokens: readonly Token[];
  /** In the order of the source. A reference definition counts once, however often it is used. */
  readonly destinations: readonly Destination[];
  /** By `link_open` or `image` token: the destination as written. */
  readonly hrefs: ReadonlyMap<Token, string>;
  /** Where tags, comments and code stand in the source, in its order. */
  readonly marks: readonly Mark[];
}

/** Something that is not read as markdown. */
export interface Mark {
  readonly kind: 'tag' | 'dropped' | 'foreign' | 'code';
  /** Offsets into the source, `end` exclusive. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Never throws, and takes time in proportion to the source. */
export function parse(text: string, dialect: Dialect = 'notes'): Parsed {
  const source = text.replace(/\r\n?/g, '\n');
  const env: Env = {};
  const trace: Trace = { runs: new Map(), spots: new Map(), definitions: [] };
  traces.set(env, trace);
  const tokens = (dialect === 'page' ? pageMarkdown : markdown).parse(source, env);
  return { source, tokens, ...resolve(tokens, trace) };
}

/** What is safe to follow: no address that runs code, carries its own content, or reads the reader's disk. */
export function isSafeLink(url: string): boolean {
  // Browsers ignore control characters in a scheme.
  return !/^(javascript|vbscript|data|file|blob|filesystem|view-source):/i.test(url.replace(/[\0-\x20]+/g, ''));
}

/** What the states below note while the parser runs. */
interface Trace {
  runs: Map<Token, Run[]>;
  /** By link or image token: the parser's position and end when it made the token. */
  spots: Map<Token, { pos: number; posMax: number }>;
  definitions: { token: Token; destination: Destination }[];
}

const traces = new WeakMap<Env, Trace>();
const isBlank = (code: number) => code === 0x20 || code === 0x09 || code === 0x0a;

class TracingBlockState extends MarkdownIt.StateBlock {
  private row: Token | null = null;
  private cells: Run[][] | null = null;

  override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
    const token = super.push(type, tag, nesting);
    const trace = traces.get(this.env);
    if (trace === undefined) return token;
    if (type === 'tr_open') {
      this.row = token;
      this.cells = null;
    } else if (type === 'inline') {
      trace.runs.set(token, this.runsOf(this.tokens.at(-2)));
    } else if (type === 'reference_definition') {
      const { start, end, href } = lastDestination;
      trace.definitions.push({ token, destination: { start, end, href, image: false, kind: 'definition' } });
    }
    return token;
  }

  /** Of the inline content inside `opener`: a paragraph, a heading or a cell. */
  private runsOf(opener: Token | undefined): Run[] {
    if (opener?.type === 'th_open' || opener?.type === 'td_open') {
      const line = this.row?.map?.[0] ?? 0;
      const at = (this.bMarks[line] ?? 0) + (this.tShift[line] ?? 0);
      this.cells ??= cellRuns(this.src.slice(at, this.eMarks[line]), at);
      return this.cells.shift() ?? [];
    }
    const [first, end] = opener?.map ?? [0, 0];
    if (opener?.markup.startsWith('#')) {
      return [
        { start: 0, at: this.skipSpaces((this.bMarks[first] ?? 0) + (this.tShift[first] ?? 0) + opener.markup.length) },
      ];
    }
    return lineRuns(this, first, end);
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

/** Goes through the tokens in order and gives each link its destination. */
function resolve(tokens: readonly Token[], trace: Trace): Pick<Parsed, 'destinations' | 'hrefs' | 'marks'> {
  const marks: Mark[] = [];
  const hrefs = new Map<Token, string>();
  const destinations = trace.definitions.map(({ destination }) => destination);
  const byLabel = new Map<unknown, Destination>();
  for (const { token, destination } of trace.definitions) {
    const label = token.meta?.label;
    if (!byLabel.has(label)) byLabel.set(label, destination);
  }

  const visit = (token: Token, content: string, base: number, runs: readonly Run[]) => {
    const spot = trace.spots.get(token);
    if (spot === undefined) return;
    const image = token.type === 'image';
    const at = base + spot.pos;
    if (token.type === 'code_inline' || token.type.startsWith('html_')) {
      mark(token, content, at, runs);
      return;
    }
    if (token.markup === 'bare') {
      const href = String(token.attrGet('href'));
      const from = locate(runs, base + spot.pos - Number(token.meta?.scheme));
      hrefs.set(token, href);
      if (from !== null) destinations.push({ start: from, end: from + href.length, href, image: false, kind: 'bare' });
      return;
    }
    if (image) for (const child of token.children ?? []) visit(child, content, at + 2, runs);
    const definition = token.meta === null ? undefined : byLabel.get(token.meta.label);
    if (definition !== undefined) {
      if (image) definition.image = true;
      hrefs.set(token, definition.href);
      return;
    }
    const auto = token.markup === 'autolink';
    const found = auto
      ? autolinkAt(content, at, token)
      : destinationAt(content, image ? at + 2 + token.content.length : base + spot.posMax);
    hrefs.set(token, found.href);
    const start = locate(runs, found.start);
    if (start === null) return;
    const end = found.end === found.start ? start : (locate(runs, found.end - 1) ?? start) + 1;
    destinations.push({ start, end, href: found.href, image, kind: auto ? 'autolink' : 'inline' });
  };

  const range = (runs: readonly Run[], from: number, to: number) => {
    const start = locate(runs, from);
    return start === null ? null : { start, end: (locate(runs, to - 1) ?? start) + 1 };
  };
  const mark = (token: Token, content: string, at: number, runs: readonly Run[]) => {
    const kind = markKinds[token.type];
    const text = kind === 'code' ? codeAt(content, at, token) : token.content;
    const place = range(runs, at, at + text.length);
    if (kind === undefined || place === null) return;
    marks.push({ kind, ...place, text });
    if (kind === 'tag') addAddresses(text, at, runs);
  };
  const addAddresses = (text: string, at: number, runs: readonly Run[]) => {
    const tag = readTag(text, 0)?.tag;
    if (tag === undefined || tag.closing) return;
    const taken = elements.get(tag.name)?.attributes ?? [];
    for (const attribute of tag.attributes) {
      const image = addressAttributes.get(attribute.name);
      if (image === undefined || !taken.includes(attribute.name)) continue;
      const written = addressIn(attribute);
      const from = at + attribute.offset + attribute.value.indexOf(written);
      const place = range(runs, from, from + Math.max(1, written.length));
      if (place === null || written === '') continue;
      destinations.push({
        ...place,
        href: markdown.utils.unescapeAll(written.replaceAll('\\', '\\\\')),
        image,
        kind: 'attribute',
      });
    }
  };

  for (const token of tokens) {
    const runs = trace.runs.get(token);
    if (runs === undefined) continue;
    for (const child of token.children ?? []) visit(child, token.content, 0, runs);
    if (token.type !== 'html_block') continue;
    for (const { kind, text, at } of piecesOf(token.content)) {
      const place = range(runs, at, at + text.length);
      if (kind !== 'text' && place !== null) marks.push({ kind, ...place, text });
      if (kind === 'tag') addAddresses(text, at, runs);
    }
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

/** The code with its backticks; the parser drops a space at both ends. */
function codeAt(content: string, at: number, { markup, content: code }: Token): string {
  const end = content.indexOf(markup, at + markup.length + code.length);
  return content.slice(at, end === -1 ? undefined : end + markup.length);
}

function autolinkAt(content: string, at: number, token: Token): { start: number; end: number; href: string } {
  const start = at + 1;
  const end = content.indexOf('>', start);
  const written = content.slice(start, end);
  const mail = String(token.attrGet('href')).startsWith('mailto:') && !/^mailto:/i.test(written);
  return { start, end, href: mail ? `mailto:${written}` : written };
}

/** Of an inline link whose label ends at `labelEnd`. */
function destinationAt(content: string, labelEnd: number): { start: number; end: number; href: string } {
  let start = labelEnd + 2;
  while (start < content.length && isBlank(content.charCodeAt(start))) start += 1;
  const { ok, pos, str } = parseLinkDestination(content, start, content.length);
  return ok ? { start, end: pos, href: str } : { start, end: start, href: '' };
}

/** The definition rule calls the helper last for the destination that it takes. */
let lastDestination = { start: 0, end: 0, href: '' };

/** The rules of both dialects. */
function createParser() {
  const made = new MarkdownIt({ html: false, linkify: false, typographer: false });
  const { parseLinkDestination } = made.helpers;
  made.helpers = {
    ...made.helpers,
    parseLinkDestination(text, start, max) {
      const found = parseLinkDestination(text, start, max);
      lastDestination = { start, end: found.pos, href: found.str };
      return found;
    },
  };
  made.block.State = TracingBlockState;
  made.inline.State = TracingInlineState;
  made.validateLink = isSafeLink;
  made.inline.ruler.before('autolink', 'bare_url', bareUrl);
  made.core.ruler.push('alerts', alerts);
  made.core.ruler.push('tasks', tasks);
  return made;
}

export const markdown = createParser();
const { parseLinkDestination } = markdown.helpers;

const pageMarkdown = createParser();
pageMarkdown.use(footnotes);
pageMarkdown.inline.ruler.disable('footnote_inline');
pageMarkdown.block.ruler.at(
  'html_block',
  htmlBlock((state, token, runs) => traces.get(state.env)?.runs.set(token, runs)),
  { alt: ['paragraph', 'reference', 'blockquote', 'list'] },
);
pageMarkdown.inline.ruler.at('html_inline', htmlInline);
pageMarkdown.core.ruler.push('heading_ids', headingIds);
pageMarkdown.core.ruler.push('image_sizes', imageSizes);
pageMarkdown.core.ruler.push('marked_lists', markedLists);
pageMarkdown.core.ruler.push('tabs', tabs);
