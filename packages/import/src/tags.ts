/** Finds where tags, shortcodes, containers and indented blocks begin and end in a text without code. */
import { commentMark } from './vault.ts';

export type ElementKind = 'tag' | 'shortcode' | 'directive' | 'indented' | 'comment' | 'group';

export interface ScanOptions {
  readonly isMdx: boolean;
  readonly shortcodes?: boolean;
  readonly directives?: boolean;
  readonly indented?: boolean;
  /** An expression's value, or undefined. */
  evaluate(expression: string): unknown;
  comment(index: number): string;
}

export interface Tag {
  readonly type: 'open' | 'close' | 'void';
  readonly kind: ElementKind;
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly attributes: ReadonlyMap<string, unknown>;
  /** Of a container: its colons. */
  readonly weight: number;
}

const none: ReadonlyMap<string, unknown> = new Map();

export function findTags(text: string, options: ScanOptions): Tag[] {
  const tags: Tag[] = options.indented === true ? indentedTags(text) : [];
  if (options.directives === true) tags.push(...directiveTags(text));
  let end = 0;
  for (const { index } of text.matchAll(/[<{\uE004]/g)) {
    const found = index < end ? null : tagAt(text, index, options);
    if (found === null) continue;
    tags.push(found);
    end = found.to;
  }
  const rank = { close: 0, void: 1, open: 1 };
  return tags.sort((a, b) => a.from - b.from || rank[a.type] - rank[b.type] || b.to - a.to);
}

function tagAt(text: string, at: number, options: ScanOptions): Tag | null {
  if (text[at] === '\uE004') {
    commentMark.lastIndex = at;
    const [whole = '', index] = commentMark.exec(text) ?? [];
    const name = options.comment(Number(index));
    return { type: 'void', kind: 'comment', name, from: at, to: at + whole.length, attributes: none, weight: 0 };
  }
  if (text[at] === '{') return options.shortcodes === true ? readShortcode(text, at) : null;
  if (text[at - 1] === '\\') return null;
  const fragment = options.isMdx ? /^<(\/?)>/.exec(text.slice(at, at + 3)) : null;
  if (fragment !== null) {
    const type = fragment[1] === '' ? 'open' : 'close';
    return { type, kind: 'tag', name: '', from: at, to: at + fragment[0].length, attributes: none, weight: 0 };
  }
  return readJsxTag(text, at, options.evaluate);
}

const shortcode = /\{\{([<%])\s*(\/?)\s*([\w./-]+)((?:"(?:\\.|[^"\\])*"|\uE002\d+\uE003|[^"])*?)\s*(\/?)\s*([>%])\}\}/y;
const shortcodeWord = /([\w-]+)\s*=\s*("(?:\\.|[^"\\])*"|[^\s"]+)|"((?:\\.|[^"\\])*)"|([^\s"=]+)/g;

/**
 * The Hugo shortcode that begins at `at`, `{{< name "a" key="b" >}}` or with percent signs; `_delimiter` says with which. Null
 * where none does.
 */
function readShortcode(text: string, at: number): Tag | null {
  shortcode.lastIndex = at;
  const [found, open, slash, name = '', written = '', selfClosing, close] = shortcode.exec(text) ?? [];
  if (found === undefined || (open === '<') !== (close === '>')) return null;
  const attributes = new Map<string, unknown>([['_delimiter', open]]);
  let position = 0;
  for (const [, key, value = '', quoted, bare] of written.matchAll(shortcodeWord)) {
    if (key !== undefined) attributes.set(key, unescaped(value.startsWith('"') ? value.slice(1, -1) : value));
    else {
      attributes.set(String(position), unescaped(quoted ?? bare ?? ''));
      position += 1;
    }
  }
  const type = slash === '/' ? 'close' : selfClosing === '/' ? 'void' : 'open';
  return { type, kind: 'shortcode', name, attributes, from: at, to: at + found.length, weight: 0 };
}

const unescaped = (text: string): string => text.replace(/\\(["\\])/g, '$1');

/** `:::name title`, and the colons that end it. */
function directiveTags(text: string): Tag[] {
  const tags: Tag[] = [];
  for (const found of text.matchAll(
    /^([ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)?)(:{3,})[ \t]*([A-Za-z][\w-]*)?([^\n]*)$/gm,
  )) {
    const [whole, prefix = '', colons = '', name = '', rest = ''] = found;
    const from = found.index + prefix.length;
    const to = found.index + whole.length;
    if (name === '' && rest.trim() !== '') continue;
    const attributes = new Map([['title', directiveTitle(rest)]]);
    const type = name === '' ? 'close' : 'open';
    tags.push({ type, kind: 'directive', name, from, to, attributes, weight: colons.length });
  }
  return tags;
}

function directiveTitle(rest: string): string | undefined {
  const [, bracketed] = /^\[(.*)\](?:\{[^}]*\})?\s*$/.exec(rest.trim()) ?? [];
  const title = (bracketed ?? rest).replace(/\s*\{[^{}]*\}\s*$/, '').trim();
  return title === '' ? undefined : title;
}

const indentedHead =
  /^([ \t]*)(!!!|\?\?\?\+?|===[+!]?)[ \t]+(?:([A-Za-z][\w-]*)(?:[ \t]+[\w ]+?)?)?[ \t]*(?:"(.*)")?[ \t]*$/;

/** The block of a head is what is indented by four more columns, blank lines within it included. */
function indentedTags(text: string): Tag[] {
  const tags: Tag[] = [];
  const open: { indent: number; name: string }[] = [];
  let at = 0;
  let lastEnd = 0;
  const closeTo = (indent: number): void => {
    for (let top = open.at(-1); top !== undefined && indent <= top.indent + 1; top = open.at(-1)) {
      open.pop();
      const { name } = top;
      tags.push({ type: 'close', kind: 'indented', name, from: lastEnd, to: lastEnd, attributes: none, weight: 0 });
    }
  };
  for (const line of text.split('\n')) {
    const indent = line.replaceAll('\t', '    ').search(/\S/);
    if (indent !== -1) {
      closeTo(indent);
      const [, space, marker = '', type, title] = indentedHead.exec(line) ?? [];
      if (space !== undefined && (type !== undefined || title !== undefined)) {
        const name = marker.startsWith('=') ? 'tab' : marker === '!!!' ? 'admonition' : 'details';
        const attributes = new Map<string, unknown>([
          ['type', type?.toLowerCase()],
          ['title', title],
          ['open', marker.endsWith('+')],
        ]);
        const from = at + space.length;
        tags.push({ type: 'open', kind: 'indented', name, from, to: at + line.length, attributes, weight: 0 });
        open.push({ indent, name });
      }
      lastEnd = at + line.length;
    }
    at += line.length + 1;
  }
  closeTo(-1);
  return tags;
}

const voids = new Set('br wbr hr img input source col link meta embed area track'.split(' '));
const tagStart = /<(\/?)([A-Za-z][\w.:-]*)(?=[\s/>])/y;
const blankSpace = /\s*/y;
const tagEnd = /\s*(\/?)>/y;
const attributeName = /[A-Za-z_:@#$][\w:.@$-]*|v-[\w:.-]+/y;
const quotedValue = /"([^"]*)"|'([^']*)'/y;
const bareValue = /[^\s"'=<>`{}]+/y;

/** Reads the tag at `at` as HTML, Vue and JSX write it: values in quotes, in braces, bare, or none. Returns null if there is no tag. */
function readJsxTag(text: string, at: number, evaluate: (expression: string) => unknown): Tag | null {
  const start = matchAt(tagStart, text, at);
  if (start === null) return null;
  const attributes = new Map<string, unknown>();
  let end = at + start[0].length;
  for (;;) {
    const last = matchAt(tagEnd, text, end);
    if (last !== null) {
      const { 1: slash, 2: name = '' } = start;
      const type = slash === '/' ? 'close' : last[1] === '/' || voids.has(name.toLowerCase()) ? 'void' : 'open';
      return { type, kind: 'tag', name, from: at, to: end + last[0].length, attributes, weight: 0 };
    }
    const space = matchAt(blankSpace, text, end)?.[0].length ?? 0;
    if (space === 0) return null;
    const next = readAttribute(text, end + space, attributes, evaluate);
    if (next === null) return null;
    end = next;
  }
}

/** Returns the end of the attribute at `at`, or null if there is no attribute. */
function readAttribute(
  text: string,
  at: number,
  attributes: Map<string, unknown>,
  evaluate: (expression: string) => unknown,
): number | null {
  // Spread, or a kramdown-like mark: neither says anything that is kept.
  if (text[at] === '{') return closingBrace(text, at);
  const key = matchAt(attributeName, text, at)?.[0];
  if (key === undefined) return null;
  const from = at + key.length;
  const equals = /^\s*=\s*/.exec(text.slice(from, from + 50))?.[0];
  if (equals === undefined) {
    attributes.set(key, true);
    return from;
  }
  const value = from + equals.length;
  if (text[value] === '{') {
    const end = closingBrace(text, value);
    if (end !== null) attributes.set(key, evaluate(text.slice(value + 1, end - 1)));
    return end;
  }
  const found = matchAt(quotedValue, text, value);
  if (found !== null) {
    attributes.set(key, withoutEntities(found[1] ?? found[2] ?? ''));
    return value + found[0].length;
  }
  const word = matchAt(bareValue, text, value)?.[0];
  if (word === undefined) return null;
  attributes.set(key, withoutEntities(word));
  return value + word.length;
}

/** Behind the brace that closes the one at `at`; quotes and braces within are skipped. */
function closingBrace(text: string, at: number): number | null {
  let depth = 0;
  for (let index = at; index < Math.min(text.length, at + 200_000); index += 1) {
    const letter = text[index] ?? '';
    if (letter === '{') depth += 1;
    else if (letter === '}') {
      depth -= 1;
      if (depth === 0) return index + 1;
    } else if (letter === '"' || letter === "'" || letter === '`') {
      const close = closingQuote(text, index, letter);
      if (close !== null) index = close;
    }
  }
  return null;
}

/** Returns the place of the closing quote, or null. Only a template literal may span lines, so that an apostrophe in prose opens nothing. */
function closingQuote(text: string, at: number, quote: string): number | null {
  for (let index = at + 1; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === quote) return index;
    else if (text[index] === '\n' && quote !== '`') return null;
  }
  return null;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
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

const withoutEntities = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|apos|nbsp|#39);/g, (written, entity) => entities[String(entity)] ?? written);
