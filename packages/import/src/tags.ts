/** Finds where tags, shortcodes, containers and indented blocks begin and end in a text without code. */
import { commentMark } from './code-placeholders.ts';

/** The syntax that an element is written in. */
export type ElementKind = 'tag' | 'shortcode' | 'directive' | 'indented' | 'comment' | 'group';

/** The syntax that a text may contain besides tags, and lookups for its parts. A syntax whose flag is absent is text. */
export interface ScanOptions {
  readonly isMdx: boolean;
  readonly shortcodes?: boolean;
  readonly directives?: boolean;
  /** Whether `{% name %}` … `{% endname %}` are elements, as GitBook writes them; their names begin with `%`. */
  readonly blockTags?: boolean;
  readonly indented?: boolean;
  /** Returns the value of an expression, or undefined if it is not literal. */
  evaluate(expression: string): unknown;
  /** Returns the comment whose placeholder has this number, with its delimiters, or an empty text if none has it. */
  comment(index: number): string;
}

/** The beginning or the end of an element; `void` is both. */
export interface Tag {
  readonly type: 'open' | 'close' | 'void';
  readonly kind: ElementKind;
  /** Name of the element; the whole comment for a comment, and empty for a fragment of MDX and for an end of a container. */
  readonly name: string;
  /** Offset of its first character. */
  readonly from: number;
  /** Offset behind its last character. */
  readonly to: number;
  /**
   * Literal values by name, true for an attribute without a value; undefined for what is not literal. It is absent for comments,
   * fragments and ends of indented blocks.
   */
  readonly attributes?: ReadonlyMap<string, unknown>;
  /** Number of colons of a container; absent for other kinds. */
  readonly weight?: number;
}

/** Returns the tags of a text, whose code and comments are placeholders, in the order in which they begin. */
export function findTags(text: string, options: ScanOptions): Tag[] {
  const tags: Tag[] = options.indented === true ? findIndentedBlocks(text) : [];
  if (options.directives === true) tags.push(...findDirectives(text));
  let end = 0;
  for (const { index } of text.matchAll(/[<{\uE004]/g)) {
    const tag = index < end ? null : readTag(text, index, options);
    if (tag === null) continue;
    tags.push(tag);
    end = tag.to;
  }
  const rank = { close: 0, void: 1, open: 1 };
  return tags.sort((a, b) => a.from - b.from || rank[a.type] - rank[b.type] || b.to - a.to);
}

function readTag(text: string, from: number, options: ScanOptions): Tag | null {
  if (text[from] === '\uE004') {
    const [mark = '', index] = matchAt(commentMark, text, from) ?? [];
    return { type: 'void', kind: 'comment', name: options.comment(Number(index)), from, to: from + mark.length };
  }
  if (text[from] === '{' && options.blockTags === true) return readBlockTag(text, from);
  if (text[from] === '{') return options.shortcodes === true ? readShortcode(text, from) : null;
  // The `<` of `[label](<address>)` belongs to a link and that of `\<` is text, so neither begins a tag.
  if (text[from - 1] === '\\' || text.slice(from - 2, from) === '](') return null;
  const [fragment, slash] = options.isMdx ? (matchAt(/<(\/?)>/y, text, from) ?? []) : [];
  if (fragment === undefined) return readJsxTag(text, from, options.evaluate);
  return { type: slash === '' ? 'open' : 'close', kind: 'tag', name: '', from, to: from + fragment.length };
}

const shortcode = /\{\{([<%])\s*(\/?)\s*([\w./-]+)((?:"(?:\\.|[^"\\])*"|\uE002\d+\uE003|[^"])*?)\s*(\/?)\s*([>%])\}\}/y;
const shortcodeWord = /([\w-]+)\s*=\s*("(?:\\.|[^"\\])*"|[^\s"]+)|"((?:\\.|[^"\\])*)"|([^\s"=]+)/g;

/**
 * Reads the Hugo shortcode at `from`, `{{< name "a" key="b" >}}` or with percent signs; the attribute `_delimiter` says with which,
 * and words without a key have the keys `0`, `1` and so on. Returns null if there is none.
 */
function readShortcode(text: string, from: number): Tag | null {
  const [whole, open, slash, name = '', parameters = '', selfClosing, close] = matchAt(shortcode, text, from) ?? [];
  if (whole === undefined || (open === '<') !== (close === '>')) return null;
  const attributes = new Map<string, unknown>([['_delimiter', open]]);
  const readWord = (word: string): string => word.replace(/\\(["\\])/g, '$1');
  let position = 0;
  for (const [, key, value = '', quoted, bare] of parameters.matchAll(shortcodeWord)) {
    if (key !== undefined) attributes.set(key, readWord(value.startsWith('"') ? value.slice(1, -1) : value));
    else attributes.set(String(position++), readWord(quoted ?? bare ?? ''));
  }
  const type = slash === '/' ? 'close' : selfClosing === '/' ? 'void' : 'open';
  return { type, kind: 'shortcode', name, attributes, from, to: from + whole.length };
}

const blockTag = /\{%\s*(end)?([a-z][\w-]*)((?:"[^"]*"|[^"%]|%(?!\}))*?)\s*%\}/y;
/** The tags of GitBook that contain nothing, except where an end follows. */
const lonelyTags = new Set(['embed', 'file', 'include', 'vars']);

/**
 * Reads the block tag of GitBook at `from`, `{% name "a" key="b" %}`; its name gets `%` in front, and text without a key has the
 * key `0`. Returns null if there is none.
 */
function readBlockTag(text: string, from: number): Tag | null {
  const [whole, end, name = '', parameters = ''] = matchAt(blockTag, text, from) ?? [];
  if (whole === undefined) return null;
  const to = from + whole.length;
  const entries = [...parameters.matchAll(/([\w-]+)=(?:"([^"]*)"|(\S+))/g)].map(
    ([, key = '', quoted, bare]) => [key, quoted ?? bare] as const,
  );
  const first = /^\s*"([^"]*)"/.exec(parameters)?.[1];
  const attributes = new Map<string, unknown>(first === undefined ? entries : [['0', first], ...entries]);
  const isVoid = lonelyTags.has(name) && !text.startsWith(`{% end${name}`, text.indexOf('{% end', to));
  const type = end !== undefined ? 'close' : isVoid ? 'void' : 'open';
  return { type, kind: 'shortcode', name: `%${name}`, from, to, attributes };
}

/**
 * Returns the beginnings `:::name title` of containers, whose attribute `title` is undefined without one, and the colons that end
 * them, in the order of the text.
 */
function findDirectives(text: string): Tag[] {
  const lines = text.matchAll(/^([ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)?)(:{3,})[ \t]*([A-Za-z][\w-]*)?([^\n]*)$/gm);
  return [...lines].flatMap(({ 0: line, 1: prefix = '', 2: colons = '', 3: name = '', 4: rest = '', index }) => {
    if (name === '' && rest.trim() !== '') return [];
    const [, bracketed] = /^\[(.*)\](?:\{[^}]*\})?\s*$/.exec(rest.trim()) ?? [];
    const title = (bracketed ?? rest).replace(/\s*\{[^{}]*\}\s*$/, '').trim();
    const attributes = new Map([['title', title === '' ? undefined : title]]);
    const place = { from: index + prefix.length, to: index + line.length, weight: colons.length };
    return [{ type: name === '' ? 'close' : 'open', kind: 'directive', name, attributes, ...place }];
  });
}

const blockHead =
  /^([ \t]*)(!!!|\?\?\?\+?|===[+!]?)[ \t]+(?:([A-Za-z][\w-]*)(?:[ \t]+[\w ]+?)?)?[ \t]*(?:"(.*)")?[ \t]*$/;

/**
 * Returns the beginnings and ends, in the order of the text, of the blocks of MkDocs, which contain what is indented by at least
 * two more columns than their head, with blank lines. Their names are `admonition`, `details` and `tab`; their attributes are
 * `type`, in lower case, and `title`, undefined without one, and `open`, a boolean.
 */
function findIndentedBlocks(text: string): Tag[] {
  const tags: Tag[] = [];
  const open: { readonly indent: number; readonly name: string }[] = [];
  let from = 0;
  let lastEnd = 0;
  const closeTo = (indent: number): void => {
    for (let top = open.at(-1); top !== undefined && indent <= top.indent + 1; top = open.at(-1)) {
      open.pop();
      tags.push({ type: 'close', kind: 'indented', name: top.name, from: lastEnd, to: lastEnd });
    }
  };
  for (const line of text.split('\n')) {
    const indent = line.replaceAll('\t', '    ').search(/\S/);
    if (indent !== -1) {
      closeTo(indent);
      lastEnd = from + line.length;
      const [, space = '', marker = '', type, title] = blockHead.exec(line) ?? [];
      if (type !== undefined || title !== undefined) {
        const name = marker.startsWith('=') ? 'tab' : marker === '!!!' ? 'admonition' : 'details';
        const entries = { type: type?.toLowerCase(), title, open: marker.endsWith('+') };
        const attributes = new Map(Object.entries(entries));
        tags.push({ type: 'open', kind: 'indented', name, from: from + space.length, to: lastEnd, attributes });
        open.push({ indent, name });
      }
    }
    from += line.length + 1;
  }
  closeTo(-1);
  return tags;
}

const voidTags = new Set('br wbr hr img input source col link meta embed area track'.split(' '));
const tagStart = /<(\/?)([A-Za-z][\w.:-]*)(?=[\s/>])/y;
const tagEnd = /\s*(\/?)>/y;
/** An attribute with its value in double or single quotes or bare, or up to the brace of its value or of a spread. */
const attributePattern =
  /\s+(?:([A-Za-z_:@#$][\w:.@$-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`{}]+)|(?=\{)))?|(?=\{))/y;

/**
 * Reads the tag at `from` as HTML, Vue and JSX write it, or returns null if there is none. `evaluate` gives the value of an
 * expression in braces, undefined if it is not literal.
 */
function readJsxTag(text: string, from: number, evaluate: (expression: string) => unknown): Tag | null {
  const [start, slash, name = ''] = matchAt(tagStart, text, from) ?? [];
  if (start === undefined) return null;
  const attributes = new Map<string, unknown>();
  let offset = from + start.length;
  for (;;) {
    const [end, selfClosing] = matchAt(tagEnd, text, offset) ?? [];
    if (end !== undefined) {
      const type = slash === '/' ? 'close' : selfClosing === '/' || voidTags.has(name.toLowerCase()) ? 'void' : 'open';
      return { type, kind: 'tag', name, from, to: offset + end.length, attributes };
    }
    const [whole, key, ...values] = matchAt(attributePattern, text, offset) ?? [];
    if (whole === undefined) return null;
    offset += whole.length;
    const value = values.find((candidate) => candidate !== undefined);
    if (text[offset] === '{' && value === undefined) {
      const close = findClosingBrace(text, offset);
      if (close === null) return null;
      // A spread, `{...props}`, has no key, and its attributes are left out.
      if (key !== undefined) attributes.set(key, evaluate(text.slice(offset + 1, close - 1)));
      offset = close;
    } else if (key !== undefined) attributes.set(key, value === undefined ? true : decodeEntities(value));
  }
}

/** Returns the offset behind the brace that closes the one at `offset`, or null if none does; quotes and braces within are skipped. */
function findClosingBrace(text: string, offset: number): number | null {
  let depth = 0;
  for (let index = offset; index < text.length; index += 1) {
    const letter = text[index] ?? '';
    if (letter === '{') depth += 1;
    else if (letter === '}') {
      depth -= 1;
      if (depth === 0) return index + 1;
    } else index += Math.max(0, (matchAt(quotedText, text, index)?.[0].length ?? 0) - 1);
  }
  return null;
}

/** Only a template literal may contain line breaks, so that an apostrophe in prose opens nothing. */
const quotedText = /"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`/y;

function matchAt(pattern: RegExp, text: string, offset: number): RegExpExecArray | null {
  pattern.lastIndex = offset;
  return pattern.exec(text);
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  '#39': "'",
};

const decodeEntities = (text: string): string =>
  text.replace(/&(\w+|#39);/g, (entity, name) => entities[String(name)] ?? entity);
