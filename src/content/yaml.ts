/** Reads YAML into plain values and keeps where each of them stands. */
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml';
import type { Fault } from './content.ts';
import type { Position } from './text.ts';

export type Path = readonly PropertyKey[];

export interface YamlDocument {
  readonly file: string;
  /** An empty map in an empty document; what is faulty is left out. */
  readonly value: unknown;
  readonly faults: readonly Fault[];
  /** Of the value at `path`, or of its key where it has no text; of the nearest value around it where there is none. */
  at(path: Path): Position;
  /** Of the key that `path` ends with. */
  atKey(path: Path): Position;
  /** Of the occurrence of `text`, counted from 0, in what is written for the scalar at `path`; else of the scalar. */
  atText(path: Path, text: string, occurrence: number): Position;
  /** What is written for the scalar at `path`, without quotes, or null. */
  sourceOf(path: Path): string | null;
}

/** YAML 1.2 core schema, without aliases. `firstLine` is the line of the file that `text` starts at. */
export function readYaml(file: string, text: string, firstLine = 1): YamlDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    schema: 'core',
    lineCounter: lines,
    // It compares every key with every other; the keys are compared below.
    uniqueKeys: false,
    resolveKnownTags: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  const faults: Fault[] = [];
  const position = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line) + firstLine - 1, column: Math.max(1, col) };
  };
  const say = (offset: number, message: string) => faults.push({ file, ...position(offset), message });

  // One slip can make a parser stumble at every line after it.
  for (const { pos, code, message } of [...document.errors, ...document.warnings].slice(0, 20)) {
    const [start] = pos;
    if (code === 'MISSING_CHAR' && message.endsWith('quote'))
      say(openQuote(document, start), 'this quote is not closed.');
    else say(start, syntaxMessage(code, message));
  }
  const value = faults.length > 0 ? null : document.contents === null ? {} : toValue(document.contents, say, position);

  const find = (path: Path) => findNode(document.contents, path);
  const startOf = ({ node, key }: Found): number => (isWritten(node) ? rangeOf(node)[0] : rangeOf(key ?? node)[0]);
  return {
    file,
    value,
    faults,
    at: (path) => position(startOf(find(path))),
    atKey: (path) => {
      const found = find(path);
      return position(rangeOf(found.key ?? found.node)[0]);
    },
    atText: (path, wanted, occurrence) => {
      const found = find(path);
      const [start, end] = rangeOf(found.node);
      let at = text.indexOf(wanted, start);
      for (let count = 0; count < occurrence && at !== -1; count += 1) at = text.indexOf(wanted, at + 1);
      return position(at === -1 || at >= end ? startOf(found) : at);
    },
    sourceOf: (path) => {
      const { node } = find(path);
      return isScalar(node) ? (node.source ?? null) : null;
    },
  };
}

type AnyNode = Node | null | undefined;

interface Found {
  node: AnyNode;
  key: AnyNode;
}

/** The node at `path`, or the innermost that there is on the way to it. */
function findNode(root: AnyNode, path: Path): Found {
  let found: Found = { node: root, key: null };
  for (const segment of path) {
    let next: Found | null = null;
    if (isMap<Node, Node>(found.node)) {
      next = pairsOf(found.node).get(String(segment)) ?? null;
    } else if (isSeq<Node>(found.node) && typeof segment === 'number') {
      const item = found.node.items[segment];
      if (item !== undefined) next = { node: item, key: null };
    }
    if (next === null) break;
    found = next;
  }
  return found;
}

/** The values of a map by key; made once for each map, since a large one may have a fault at every key. */
function pairsOf(map: YAMLMap<Node, Node | null>): ReadonlyMap<string, Found> {
  let pairs = pairsByMap.get(map);
  if (pairs === undefined) {
    pairs = new Map();
    for (const { key, value } of map.items) {
      const name = keyText(key);
      if (name !== null && !pairs.has(name)) pairs.set(name, { node: value, key });
    }
    pairsByMap.set(map, pairs);
  }
  return pairs;
}

const pairsByMap = new WeakMap<object, Map<string, Found>>();

function toValue(
  node: AnyNode,
  say: (offset: number, message: string) => void,
  position: (offset: number) => Position,
): unknown {
  if (isScalar(node)) return node.value;
  if (isSeq<Node>(node)) return node.items.map((item) => toValue(item, say, position));
  if (isMap<Node, Node>(node)) return toObject(node, say, position);
  if (isAlias(node)) say(rangeOf(node)[0], `aliases are not read: write the value of \`*${node.source}\` out here.`);
  return null;
}

function toObject(
  map: YAMLMap<Node, Node | null>,
  say: (offset: number, message: string) => void,
  position: (offset: number) => Position,
): object {
  const seen = new Map<string, number>();
  const object = {};
  for (const { key, value } of map.items) {
    const name = keyText(key);
    const [offset] = rangeOf(key);
    if (name === null) {
      say(offset, 'a key must be plain text.');
      continue;
    }
    const before = seen.get(name);
    if (before !== undefined) {
      say(offset, `\`${name}\` is set twice; line ${position(before).line} has it too.`);
      continue;
    }
    seen.set(name, offset);
    // Defined, not assigned, so that a key named __proto__ is a key.
    const member = toValue(value, say, position);
    Object.defineProperty(object, name, { value: member, enumerable: true, configurable: true, writable: true });
  }
  return object;
}

/** A key's text; null for none and for a key that is itself a map or a list. */
const keyText = (key: AnyNode): string | null => (isScalar(key) && key.value !== null ? String(key.value) : null);

const rangeOf = (node: AnyNode): readonly [number, number] => [node?.range?.[0] ?? 0, node?.range?.[1] ?? 0];

const isWritten = (node: AnyNode): boolean => rangeOf(node)[1] > rangeOf(node)[0];

/** Where the quoted text starts whose end the parser missed at `offset`. */
function openQuote(document: Document.Parsed, offset: number): number {
  let start = 0;
  visit(document, {
    Scalar(_key, { type, range }) {
      if (type?.startsWith('QUOTE') && range && range[0] < offset) start = range[0];
    },
  });
  return start;
}

function syntaxMessage(code: string, message: string): string {
  if (code === 'RESOURCE_EXHAUSTION') return 'this is nested too deeply.';
  if (code === 'TAG_RESOLVE_FAILED') return `tags are not read: remove this one (${message}).`;
  if (code === 'MULTIPLE_DOCS') return 'a second document starts here: remove the line of `---`.';
  if (code === 'BLOCK_AS_IMPLICIT_KEY')
    return 'this reads as a map inside a map: put text that has `: ` in it in quotes.';
  return `this is not valid YAML: ${message.replace(/\.$/, '')}.`;
}
