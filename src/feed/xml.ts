/** Reads an appcast's XML strictly: no document type, no entities, Sparkle's names whatever their prefix. */
import { TextDecoder } from 'node:util';
import { parseXml, XmlDocumentType, XmlElement, XmlText } from '@rgrove/parse-xml';
import { createLineMap, type Position } from '../base/line-map.ts';
import { getMessage } from '../base/thrown.ts';
import { FeedFault } from './fault.ts';

/** An element of a feed, with its names in Sparkle's namespace written alike. */
export interface XmlNode {
  /** `sparkle:name` when it is in Sparkle's namespace, else the name as it is written. */
  readonly name: string;
  /** Attribute values by name; names in Sparkle's namespace are written `sparkle:name`, whatever prefix the feed uses. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlNode[];
  /** All text below it, untrimmed, with references resolved and without comments. */
  readonly text: string;
  /** The line of the document that it starts on, from 1. */
  readonly line: number;
}

/**
 * Parses XML, and returns its root element. Throws a FeedFault (`refused`) for anything that is not well-formed XML without a
 * document type, in an encoding that `decode` reads, with at most `maxTags` tags and not nested too deep.
 */
export function readXml(bytes: Uint8Array): XmlNode {
  // XML 1.0 section 2.11 requires `\n` for all line breaks; the parser's own conversion is slow for many of them.
  const text = decode(bytes).replace(/\r\n?/g, '\n');
  if (isCrowded(text)) throw createRefusal(`it has more than ${maxTags} tags`);
  try {
    const document = parseXml(text, { preserveDocumentType: true, includeOffsets: true });
    if (document.children.some((node) => node instanceof XmlDocumentType)) {
      throw createRefusal('it has a DOCTYPE; remove it, an appcast needs none');
    }
    if (document.root === null) throw createRefusal('it has no root element');
    return createNode(document.root, new Map(), createLineMap(text));
  } catch (thrown) {
    if (thrown instanceof FeedFault) throw thrown;
    if (thrown instanceof RangeError) throw createRefusal('its elements are nested too deep');
    throw createRefusal(getFirstLine(getMessage(thrown)), thrown);
  }
}

/** A tag costs the parser a thousand times its length in memory; 5,000 items have some 200,000. */
const maxTags = 500_000;

function isCrowded(text: string): boolean {
  let count = 0;
  for (let offset = text.indexOf('<'); offset !== -1; offset = text.indexOf('<', offset + 1)) count += 1;
  return count > maxTags;
}

const createRefusal = (why: string, cause?: unknown): FeedFault =>
  new FeedFault('refused', `The feed is not valid XML: ${why}.`, { cause });

/** Returns the first line of a parser's message, 200 characters at most, without its full stop and the excerpt that follows. */
const getFirstLine = (message: string): string => (message.split('\n', 1)[0] ?? '').replace(/\.$/, '').slice(0, 200);

const encodings: Readonly<Record<string, string>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'utf-8',
  ascii: 'utf-8',
  'iso-8859-1': 'windows-1252',
  latin1: 'windows-1252',
  'windows-1252': 'windows-1252',
};

/**
 * Decodes the bytes of a document: by its byte order mark, else as UTF-16 by its first bytes, else by its declaration, else as UTF-8.
 * Throws a FeedFault (`refused`) for another encoding and for invalid bytes.
 */
function decode(bytes: Uint8Array): string {
  const [first = 0, second = 0] = bytes;
  let encoding: string | undefined = 'utf-8';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) encoding = 'utf-16be';
  else if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) encoding = 'utf-16le';
  else if (first !== 0xef) {
    const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
    const declaredEncoding = /^<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']/.exec(start)?.[1];
    if (declaredEncoding !== undefined) encoding = encodings[declaredEncoding.toLowerCase()];
    if (encoding === undefined) throw createRefusal(`it is in the encoding ${declaredEncoding}; save it as UTF-8`);
  }
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (thrown) {
    throw createRefusal(`its bytes are not valid ${encoding}; save it as UTF-8`, thrown);
  }
}

/** Returns the children with a name, in their order. */
export const findChildren = (node: XmlNode, name: string): XmlNode[] =>
  node.children.filter((candidate) => candidate.name === name);

/** Returns the first child with a name, or null if there is none. */
export const findChild = (node: XmlNode, name: string): XmlNode | null => findChildren(node, name)[0] ?? null;

/** Returns the trimmed text of the first child with a name, or null if there is no such child or its text is blank. */
export const readChildText = (node: XmlNode, name: string): string | null => findChild(node, name)?.text.trim() || null;

/** Returns the trimmed value of an attribute, or null if it is missing or blank, or `node` is null. */
export const getAttribute = (node: XmlNode | null, name: string): string | null =>
  node?.attributes.get(name)?.trim() || null;

/**
 * Returns a copy of the node with one child of each name. If there are several (one for each xml:lang), it is the child of the first
 * of `languages` that has one, else the English one, else the first. An element without xml:lang is English.
 *
 * @param languages preferred languages, best first, as BCP 47 tags
 */
export function selectLanguage(node: XmlNode, languages: readonly string[]): XmlNode {
  const languageRanges = [...languages, 'en'].flatMap((language) => listRanges(language.toLowerCase()));
  const children = [...Map.groupBy(node.children, ({ name }) => name).values()].flatMap((candidates) => {
    const tags = candidates.map(({ attributes }) => (attributes.get('xml:lang') || 'en').toLowerCase());
    const range = languageRanges.find((matches) => tags.some(matches));
    return candidates[range === undefined ? 0 : tags.findIndex(range)] ?? [];
  });
  return { ...node, children };
}

/**
 * Returns tests of a lower-case tag for a language, the strictest first: the tag itself, ever shorter ones (RFC 4647 section 3.4),
 * any other of the language.
 */
function listRanges(language: string): ((tag: string) => boolean)[] {
  const parts = language.split('-');
  const prefixes = parts.map((_, index) => parts.slice(0, parts.length - index).join('-'));
  return [
    ...prefixes.map((prefix) => (tag: string) => tag === prefix),
    (tag: string) => tag.split('-')[0] === parts[0],
  ];
}

const sparkleNamespace = 'http://www.andymatuschak.org/xml-namespaces/sparkle';

/** The namespace of each prefix; the default namespace has the prefix ''. */
type Scope = ReadonlyMap<string, string>;

function createNode(element: XmlElement, outer: Scope, positionAt: (offset: number) => Position): XmlNode {
  const scope = createScope(element, outer);
  const attributes = new Map<string, string>();
  for (const [name, value] of Object.entries(element.attributes)) {
    // A default namespace does not apply to attributes (Namespaces in XML 1.0, section 6.2).
    attributes.set(name.includes(':') ? resolveSparkleName(name, scope) : name, value);
  }
  let children: XmlNode[] | null = null;
  return {
    name: resolveSparkleName(element.name, scope),
    attributes,
    // The nodes are created when they are first read, because most of a large document is never read.
    get children() {
      children ??= element.children
        .filter((child): child is XmlElement => child instanceof XmlElement)
        .map((child) => createNode(child, scope, positionAt));
      return children;
    },
    get text() {
      return readText(element);
    },
    get line() {
      return positionAt(element.start).line;
    },
  };
}

/** Returns the text of an element and of all within it, without recursion, so that depth is no matter. */
function readText(element: XmlElement): string {
  const texts: string[] = [];
  const open: unknown[] = [element];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node instanceof XmlText) texts.push(node.text);
    else if (node instanceof XmlElement) for (const child of node.children.toReversed()) open.push(child);
  }
  return texts.join('');
}

function createScope(element: XmlElement, outer: Scope): Scope {
  let scope: Map<string, string> | null = null;
  for (const [name, value] of Object.entries(element.attributes)) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
    scope ??= new Map(outer);
    scope.set(name.slice('xmlns:'.length), value);
  }
  return scope ?? outer;
}

/**
 * Returns a name with the prefix `sparkle:` if it is in Sparkle's namespace. Others stay as written, so that a literal `sparkle:` that is
 * bound elsewhere still counts.
 */
function resolveSparkleName(name: string, scope: Scope): string {
  const colon = name.indexOf(':');
  const namespace = scope.get(colon === -1 ? '' : name.slice(0, colon));
  return namespace === sparkleNamespace ? `sparkle:${name.slice(colon + 1)}` : name;
}
