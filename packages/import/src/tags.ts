/** Finds where tags, shortcodes, containers and indented blocks begin and end in a text without code. */
import { readJsxTag } from './jsx-tag.ts';
import { commentMark } from './vault.ts';

export type ElementKind = 'tag' | 'shortcode' | 'directive' | 'indented' | 'comment' | 'group';

export interface ScanOptions {
  readonly isMdx: boolean;
  readonly shortcodes: boolean;
  readonly directives: boolean;
  readonly indented: boolean;
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

const voids = new Set('br wbr hr img input source col link meta embed area track'.split(' '));
const none: ReadonlyMap<string, unknown> = new Map();

export function findTags(text: string, options: ScanOptions): Tag[] {
  const tags: Tag[] = options.indented ? indentedTags(text) : [];
  if (options.directives) tags.push(...directiveTags(text));
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
  if (text[at] === '{') return options.shortcodes ? readShortcode(text, at) : null;
  if (text[at - 1] === '\\') return null;
  const fragment = options.isMdx ? /^<(\/?)>/.exec(text.slice(at, at + 3)) : null;
  if (fragment !== null) {
    const type = fragment[1] === '' ? 'open' : 'close';
    return { type, kind: 'tag', name: '', from: at, to: at + fragment[0].length, attributes: none, weight: 0 };
  }
  const tag = readJsxTag(text, at, options.evaluate);
  if (tag === null) return null;
  const type = tag.closing ? 'close' : tag.selfClosing || voids.has(tag.name.toLowerCase()) ? 'void' : 'open';
  return { type, kind: 'tag', name: tag.name, from: at, to: tag.end, attributes: tag.attributes, weight: 0 };
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
      tags.push({
        type: 'close',
        kind: 'indented',
        name: top.name,
        from: lastEnd,
        to: lastEnd,
        attributes: none,
        weight: 0,
      });
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
