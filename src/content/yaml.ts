/** Reads YAML 1.2 (core schema, without aliases and tags) into plain values, with the position of each for diagnostics. */
import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  Scalar,
  visit,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import { createLineMap, type Position } from '../base/line-map.ts';
import { getValue, type Path } from '../base/value-path.ts';
import type { Fault } from './fault.ts';

/** A YAML text that was read, whether or not it is valid. */
export interface YamlDocument {
  readonly file: string;
  /**
   * The plain value: an empty map for an empty text, null for a text that is not YAML. An alias in it is null, and a key that is
   * repeated or no plain text is left out with its value.
   */
  readonly value: unknown;
  readonly faults: readonly Fault[];
  /**
   * Returns the position of the value at `path`; for an empty value the position of its key; for a missing one that of the
   * nearest value around it.
   */
  at(path: Path): Position;
  /**
   * Returns the position of the key that `path` ends with, or of the entry if that is an index; that of the nearest value’s key if
   * it is missing.
   */
  atKey(path: Path): Position;
  /**
   * Returns the position of an occurrence of `text`, counted from 0, in the source of the scalar at `path`; that of the
   * scalar if the source has no such occurrence.
   */
  atText(path: Path, text: string, occurrence: number): Position;
  /** Creates the fault of the value at `path`, at the position that `at` returns; it is not added to `faults`. */
  faultAt(path: Path, message: string): Fault;
  /** Creates the fault of the key that `path` ends with, at the position that `atKey` returns; it is not added to `faults`. */
  faultAtKey(path: Path, message: string): Fault;
  /** Returns the source of the value at `path`, or null if it is empty; that of the nearest value around it if it is missing. */
  getSourceText(path: Path): string | null;
}

/** Maximum number of syntax errors reported of one text: one slip can make a parser stumble at every line after it. */
const maxSyntaxErrors = 20;

/** The pairs of each map, by key. */
type PairsByMap = Map<YAMLMap, Map<string, Pair<Node, Node | null>>>;

/**
 * Reads a YAML text into its value, its faults and the positions of its parts. It does not throw.
 * @param firstLine the line of `file` that the text starts at, such as 2 for front matter
 */
export function readYaml(file: string, text: string, firstLine = 1): YamlDocument {
  const positionAt = createLineMap(text, firstLine);
  const document = parseDocument(text, {
    schema: 'core',
    // The library would compare every key with every other one; `removeInvalidNodes` looks up each key once.
    uniqueKeys: false,
    resolveKnownTags: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  const faults: Fault[] = [];
  const report = (offset: number, message: string) => void faults.push({ file, ...positionAt(offset), message });
  for (const error of [...document.errors, ...document.warnings].slice(0, maxSyntaxErrors)) {
    const isOpenQuote = error.code === 'MISSING_CHAR' && error.message.endsWith('quote');
    if (isOpenQuote) report(findOpenQuote(document, error.pos[0]), 'this quote is not closed.');
    else report(error.pos[0], describeSyntaxError(error));
  }
  const isYaml = faults.length === 0;
  const root = isYaml ? document.contents : null;
  const pairs: PairsByMap = root === null ? new Map() : removeInvalidNodes(document, positionAt, report);

  /**
   * Returns the offsets of the value at `path` and of its key, which is the start of the value itself for a list entry and the
   * root; for an empty value all three are the key's, and for a missing one they are those of the nearest value around it.
   */
  const find = (path: Path): { start: number; end: number; key: number } => {
    let node: Node | null = root;
    let key: Node | null = null;
    for (const segment of path) {
      const pair = isMap<Node, Node>(node) ? pairs.get(node)?.get(String(segment)) : undefined;
      const item = isSeq<Node>(node) ? node.items[Number(segment)] : pair?.value;
      if (item === undefined) break;
      node = item;
      key = pair?.key ?? null;
    }
    const [start, end] = getRange(node);
    const [keyStart] = getRange(key ?? node);
    return end > start ? { start, end, key: keyStart } : { start: keyStart, end: keyStart, key: keyStart };
  };
  const at = (path: Path) => positionAt(find(path).start);
  const atKey = (path: Path) => positionAt(find(path).key);
  return {
    file,
    value: isYaml && root === null ? {} : root && document.toJS(),
    faults,
    at,
    atKey,
    atText(path, phrase, occurrence) {
      const { start, end } = find(path);
      let offset = text.indexOf(phrase, start);
      for (let count = 0; count < occurrence && offset !== -1; count += 1) offset = text.indexOf(phrase, offset + 1);
      return positionAt(offset === -1 || offset >= end ? start : offset);
    },
    faultAt: (path, message) => ({ file, ...at(path), message }),
    faultAtKey: (path, message) => ({ file, ...atKey(path), message }),
    getSourceText(path) {
      const { start, end } = find(path);
      return text.slice(start, end) || null;
    },
  };
}

/**
 * Reports aliases, which become null in the document, texts with half of a character (a lone surrogate), and keys that are repeated
 * or are not plain text, which are removed with their values. Returns the pairs of each map.
 */
function removeInvalidNodes(
  document: Document.Parsed,
  positionAt: (offset: number) => Position,
  report: (offset: number, message: string) => void,
): PairsByMap {
  const pairsByMap: PairsByMap = new Map();
  visit(document, {
    Map(_, map) {
      const pairs = new Map<string, Pair<Node, Node | null>>();
      for (const pair of (map as YAMLMap<Node, Node | null>).items) {
        const key = isScalar(pair.key) && pair.key.value !== null ? String(pair.key.value) : null;
        const [offset] = getRange(pair.key);
        const earlier = key === null ? undefined : pairs.get(key);
        if (key === null) report(offset, 'a key must be plain text.');
        else if (earlier === undefined) pairs.set(key, pair);
        else report(offset, `\`${key}\` is set twice; line ${positionAt(getRange(earlier.key)[0]).line} has it too.`);
      }
      map.items = [...pairs.values()];
      pairsByMap.set(map, pairs);
    },
    Alias(_, alias) {
      report(getRange(alias)[0], `aliases are not read: write the value of \`*${alias.source}\` out here.`);
      const empty = new Scalar(null);
      empty.range = alias.range ?? null;
      return empty;
    },
    Scalar(_, { value, range }) {
      if (typeof value === 'string' && !value.isWellFormed())
        report(
          range?.[0] ?? 0,
          'this has half of a character: write both `\\u` escapes of it, or the character itself.',
        );
    },
  });
  return pairsByMap;
}

const getRange = (node: Node | null | undefined): readonly [number, number] => [
  node?.range?.[0] ?? 0,
  node?.range?.[1] ?? 0,
];

/** Returns the offset where the quoted text starts whose end the parser missed at `offset`; 0 if there is none. */
function findOpenQuote(document: Document.Parsed, offset: number): number {
  let start = 0;
  visit(document, {
    Scalar(_, { type, range }) {
      if (type?.startsWith('QUOTE') && range && range[0] < offset) start = range[0];
    },
  });
  return start;
}

function describeSyntaxError({ code, message }: YAMLError): string {
  if (code === 'RESOURCE_EXHAUSTION') return 'this is nested too deeply.';
  if (code === 'TAG_RESOLVE_FAILED') return `tags are not read: remove this one (${message}).`;
  if (code === 'MULTIPLE_DOCS') return 'a second document starts here: remove the line of `---`.';
  if (code === 'BLOCK_AS_IMPLICIT_KEY')
    return 'this reads as a map inside a map: put text that has `: ` in it in quotes.';
  return `this is not valid YAML: ${message.replace(/\.$/, '')}.`;
}

/** Returns the paths of the entries of the list at the path `list`, each with its index at the end; none if there is no list. */
export function listPaths({ value }: YamlDocument, list: Path): Path[] {
  const entries = getValue(value, list);
  return Array.isArray(entries) ? entries.map((_, index) => [...list, index]) : [];
}

/** Returns the ids of the entries of the list at the top-level key `list`, without those that are no text; empty without a list. */
export const listIds = (document: YamlDocument, list: string): Set<string> =>
  new Set(findIds(document, list).map(({ id }) => id));

/**
 * Returns the ids of the entries of the list at the top-level key `list`, repeated ones too, each with the path of the `id` itself;
 * an entry whose `id` is no text is left out, and without a list there are none.
 */
export const findIds = (document: YamlDocument, list: string): { id: string; path: Path }[] =>
  listPaths(document, [list]).flatMap((entry) => {
    const path = [...entry, 'id'];
    const id = getValue(document.value, path);
    return typeof id === 'string' ? [{ id, path }] : [];
  });
