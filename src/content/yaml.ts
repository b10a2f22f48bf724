/** Reads YAML 1.2 (core schema, without aliases and tags) into plain values, with the position of each for diagnostics. */
import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  Scalar,
  visit,
  type YAMLMap,
} from 'yaml';
import type { Position } from '../base/line-map.ts';
import type { Path } from '../base/value-path.ts';
import type { Fault } from './fault.ts';

export interface YamlDocument {
  readonly file: string;
  /** The plain value: an empty map for an empty text, null for a text that is not YAML; invalid parts are left out. */
  readonly value: unknown;
  readonly faults: readonly Fault[];
  /**
   * Returns the position of the value at `path`; for an empty value the position of its key; for a missing one that of the
   * nearest value around it.
   */
  at(path: Path): Position;
  /** Returns the position of the key that `path` ends with. */
  atKey(path: Path): Position;
  /**
   * Returns the position of an occurrence of `text`, counted from 0, in the source of the scalar at `path`; that of the
   * scalar if the source has no such occurrence.
   */
  atText(path: Path, text: string, occurrence: number): Position;
  /** Returns the source of the value at `path`, or null if it is empty. */
  sourceOf(path: Path): string | null;
}

/** Maximum number of syntax errors reported of one text: one slip can make a parser stumble at every line after it. */
const maxSyntaxErrors = 20;

type Entries = Map<string, Pair<Node, Node | null>>;

/**
 * Reads a text. It does not throw.
 * @param firstLine the line of `file` that the text starts at, such as 2 for front matter
 */
export function readYaml(file: string, text: string, firstLine = 1): YamlDocument {
  // Filled here, because the parser leaves out lines inside what it cannot read.
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (const { index } of text.matchAll(/\n/g)) lines.addNewLine(index + 1);
  const document = parseDocument(text, {
    schema: 'core',
    // The library compares every key with every other; `readEntries` looks each up once.
    uniqueKeys: false,
    resolveKnownTags: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  const faults: Fault[] = [];
  const position = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: line + firstLine - 1, column: col };
  };
  const report = (offset: number, message: string) => void faults.push({ file, ...position(offset), message });
  for (const { pos, code, message } of [...document.errors, ...document.warnings].slice(0, maxSyntaxErrors)) {
    const isOpenQuote = code === 'MISSING_CHAR' && message.endsWith('quote');
    if (isOpenQuote) report(findOpenQuote(document, pos[0]), 'this quote is not closed.');
    else report(pos[0], describeSyntaxError(code, message));
  }
  const isValid = faults.length === 0 && document.contents !== null;
  const entries = isValid ? removeInvalidNodes(document, position, report) : new Map<YAMLMap, Entries>();
  const emptyValue = faults.length === 0 ? {} : null;

  /** Returns the innermost node on the way to `path`, and its key if it is a map's value. */
  const find = (path: Path): { node: Node | null; key: Node | null } => {
    let place: { node: Node | null; key: Node | null } = { node: isValid ? document.contents : null, key: null };
    for (const segment of path) {
      const { node } = place;
      const pair = isMap<Node, Node>(node) ? entries.get(node)?.get(String(segment)) : undefined;
      const item = isSeq<Node>(node) ? node.items[Number(segment)] : undefined;
      if (pair === undefined && item === undefined) break;
      place = pair === undefined ? { node: item ?? null, key: null } : { node: pair.value, key: pair.key };
    }
    return place;
  };
  const startOf = ({ node, key }: ReturnType<typeof find>): number => {
    const [start, end] = rangeOf(node);
    return end > start ? start : rangeOf(key ?? node)[0];
  };
  return {
    file,
    value: isValid ? document.toJS() : emptyValue,
    faults,
    at: (path) => position(startOf(find(path))),
    atKey(path) {
      const { node, key } = find(path);
      return position(rangeOf(key ?? node)[0]);
    },
    atText(path, wanted, occurrence) {
      const place = find(path);
      const [start, end] = rangeOf(place.node);
      let offset = text.indexOf(wanted, start);
      for (let count = 0; count < occurrence && offset !== -1; count += 1) offset = text.indexOf(wanted, offset + 1);
      return position(offset === -1 || offset >= end ? startOf(place) : offset);
    },
    sourceOf(path) {
      const [start, end] = rangeOf(find(path).node);
      return text.slice(start, end) || null;
    },
  };
}

/** Reports aliases and the keys that are repeated or are not plain text, takes them out of the document, and returns the entries of each map by key. */
function removeInvalidNodes(
  document: Document.Parsed,
  position: (offset: number) => Position,
  report: (offset: number, message: string) => void,
): Map<YAMLMap, Entries> {
  const entriesByMap = new Map<YAMLMap, Entries>();
  visit(document, {
    Map(_, map) {
      const entries: Entries = new Map();
      for (const pair of (map as YAMLMap<Node, Node | null>).items) {
        const key = isScalar(pair.key) && pair.key.value !== null ? String(pair.key.value) : null;
        const [offset] = rangeOf(pair.key);
        const earlier = key === null ? undefined : entries.get(key);
        if (key === null) report(offset, 'a key must be plain text.');
        else if (earlier === undefined) entries.set(key, pair);
        else {
          const { line } = position(rangeOf(earlier.key)[0]);
          report(offset, `\`${key}\` is set twice; line ${line} has it too.`);
        }
      }
      map.items = [...entries.values()];
      entriesByMap.set(map, entries);
    },
    Alias(_, alias) {
      report(rangeOf(alias)[0], `aliases are not read: write the value of \`*${alias.source}\` out here.`);
      const empty = new Scalar(null);
      empty.range = alias.range ?? null;
      return empty;
    },
  });
  return entriesByMap;
}

const rangeOf = (node: Node | null | undefined): readonly [number, number] => [
  node?.range?.[0] ?? 0,
  node?.range?.[1] ?? 0,
];

/** Returns where the quoted text starts whose end the parser missed at `offset`. */
function findOpenQuote(document: Document.Parsed, offset: number): number {
  let start = 0;
  visit(document, {
    Scalar(_, { type, range }) {
      if (type?.startsWith('QUOTE') && range && range[0] < offset) start = range[0];
    },
  });
  return start;
}

function describeSyntaxError(code: string, message: string): string {
  if (code === 'RESOURCE_EXHAUSTION') return 'this is nested too deeply.';
  if (code === 'TAG_RESOLVE_FAILED') return `tags are not read: remove this one (${message}).`;
  if (code === 'MULTIPLE_DOCS') return 'a second document starts here: remove the line of `---`.';
  if (code === 'BLOCK_AS_IMPLICIT_KEY')
    return 'this reads as a map inside a map: put text that has `: ` in it in quotes.';
  return `this is not valid YAML: ${message.replace(/\.$/, '')}.`;
}
