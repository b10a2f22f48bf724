/** Reads YAML into plain values and keeps where each of them stands. */
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml';
import type { Fault } from './content.ts';
import { createPositions, createYamlDocument, fields, type YamlDocument, type YamlReading } from './yaml-document.ts';

/** YAML 1.2 core schema, without aliases. `firstLine` is the line of the file that `text` starts at. */
export const readYaml = (file: string, text: string, firstLine = 1): YamlDocument =>
  createYamlDocument(file, text, parseYaml(file, text, firstLine), firstLine);

/** As `readYaml`, without the text. */
export function parseYaml(file: string, text: string, firstLine = 1): YamlReading {
  const document = parseDocument(text, {
    schema: 'core',
    // It compares every key with every other; the keys are compared below.
    uniqueKeys: false,
    resolveKnownTags: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  const faults: Fault[] = [];
  const position = createPositions(text, firstLine);
  const say = (offset: number, message: string) => faults.push({ file, ...position(offset), message });

  // One slip can make a parser stumble at every line after it.
  for (const { pos, code, message } of [...document.errors, ...document.warnings].slice(0, 20)) {
    const [start] = pos;
    if (code === 'MISSING_CHAR' && message.endsWith('quote'))
      say(openQuote(document, start), 'this quote is not closed.');
    else say(start, syntaxMessage(code, message));
  }
  const places: number[] = [];
  const { contents } = document;
  if (faults.length > 0 || contents === null) {
    return { value: contents === null && faults.length === 0 ? {} : null, faults, places: new Uint32Array() };
  }
  const lineOf = (offset: number): number => position(offset).line;
  const value = toValue(contents, null, { places, say, lineOf });
  return { value, faults, places: Uint32Array.from(places) };
}

type AnyNode = Node | null | undefined;

interface Walk {
  readonly places: number[];
  say(offset: number, message: string): void;
  lineOf(offset: number): number;
}

/** The value of a node, whose place and those of what it holds are added to the walk. */
function toValue(node: AnyNode, key: AnyNode, walk: Walk): unknown {
  const { places } = walk;
  const at = places.length;
  const [start, end] = rangeOf(node);
  places.push(start, end, rangeOf(key ?? node)[0], 1);
  const value = heldBy(node, walk);
  places[at + fields - 1] = (places.length - at) / fields;
  return value;
}

function heldBy(node: AnyNode, walk: Walk): unknown {
  if (isScalar(node)) return node.value;
  if (isSeq<Node>(node)) return node.items.map((item) => toValue(item, null, walk));
  if (isMap<Node, Node>(node)) return toObject(node, walk);
  if (isAlias(node))
    walk.say(rangeOf(node)[0], `aliases are not read: write the value of \`*${node.source}\` out here.`);
  return null;
}

function toObject(map: YAMLMap<Node, Node | null>, walk: Walk): object {
  const pairs = new Map<string, Pair<Node, Node | null>>();
  for (const pair of map.items) {
    const name = keyText(pair.key);
    const [offset] = rangeOf(pair.key);
    const before = name === null ? undefined : pairs.get(name);
    if (name === null) walk.say(offset, 'a key must be plain text.');
    else if (before === undefined) pairs.set(name, pair);
    else walk.say(offset, `\`${name}\` is set twice; line ${walk.lineOf(rangeOf(before.key)[0])} has it too.`);
  }
  const object = {};
  // Defined, not assigned, so that a key named __proto__ is a key. The values are walked as the object lists its keys.
  for (const name of pairs.keys()) Object.defineProperty(object, name, { ...member, value: null });
  for (const name of Object.keys(object)) {
    const pair = pairs.get(name);
    Object.defineProperty(object, name, { ...member, value: toValue(pair?.value, pair?.key, walk) });
  }
  return object;
}

const member = { enumerable: true, configurable: true, writable: true };

/** A key's text; null for none and for a key that is itself a map or a list. */
const keyText = (key: AnyNode): string | null => (isScalar(key) && key.value !== null ? String(key.value) : null);

const rangeOf = (node: AnyNode): readonly [number, number] => [node?.range?.[0] ?? 0, node?.range?.[1] ?? 0];

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
