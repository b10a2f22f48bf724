/** Where each value of a YAML text stands, found from plain data: whoever asks needs no parser. */
import type { Fault } from './content.ts';
import type { Position } from './text.ts';

export type Path = readonly PropertyKey[];

/** What a YAML text says, as plain data that a thread can send. */
export interface YamlReading {
  /** An empty map for an empty text; invalid parts are left out. */
  readonly value: unknown;
  readonly faults: readonly Fault[];
  /**
   * Where each value stands, in the order of a walk through `value`: `fields` numbers for each. Empty: nothing is known.
   */
  readonly places: Uint32Array;
}

/** Of each value in `places`: the offsets of its start, its end and its key (or itself), and how many values it holds, itself included. */
export const fields = 4;

export interface YamlDocument {
  readonly file: string;
  readonly value: unknown;
  readonly faults: readonly Fault[];
  /** Of the value at `path`, or of its key where it has no text; of the nearest value around it where there is none. */
  at(path: Path): Position;
  /** Of the key that `path` ends with. */
  atKey(path: Path): Position;
  /** Of the occurrence of `text`, counted from 0, in what is written for the scalar at `path`; else of the scalar. */
  atText(path: Path, text: string, occurrence: number): Position;
  /** What is written for the value at `path`, or null. */
  sourceOf(path: Path): string | null;
}

/** `firstLine` is the line of the file that `text` starts at. */
export function createYamlDocument(file: string, text: string, reading: YamlReading, firstLine = 1): YamlDocument {
  const { value, faults, places } = reading;
  const find = createFinder(value, places);
  const field = (entry: number, index: number): number => places[entry * fields + index] ?? 0;
  const startOf = (entry: number): number => field(entry, field(entry, 1) > field(entry, 0) ? 0 : 2);
  const position = createPositions(text, firstLine);
  return {
    file,
    value,
    faults,
    at: (path) => position(startOf(find(path))),
    atKey: (path) => position(field(find(path), 2)),
    atText(path, wanted, occurrence) {
      const entry = find(path);
      let at = text.indexOf(wanted, field(entry, 0));
      for (let count = 0; count < occurrence && at !== -1; count += 1) at = text.indexOf(wanted, at + 1);
      return position(at === -1 || at >= field(entry, 1) ? startOf(entry) : at);
    },
    sourceOf(path) {
      const entry = find(path);
      return text.slice(field(entry, 0), field(entry, 1)) || null;
    },
  };
}

/** Gives the number, in the walk, of the value at a path, or of the innermost that there is on the way to it. */
function createFinder(value: unknown, places: Uint32Array): (path: Path) => number {
  const below = new Map<number, ReadonlyMap<string, number>>();
  /** The numbers of what a value holds, by key; made once for each, since a large list may be asked for all of them. */
  const childrenOf = (entry: number, held: object): ReadonlyMap<string, number> => {
    let children = below.get(entry);
    if (children === undefined) {
      let next = entry + 1;
      const made = new Map<string, number>();
      for (const key of Object.keys(held)) {
        made.set(key, next);
        next += places[next * fields + 3] ?? 1;
      }
      children = made;
      below.set(entry, children);
    }
    return children;
  };
  return (path) => {
    let entry = 0;
    let held = value;
    for (const segment of path) {
      if (places.length === 0 || typeof held !== 'object' || held === null) break;
      const next = childrenOf(entry, held).get(String(segment));
      if (next === undefined) break;
      entry = next;
      held = Reflect.get(held, segment);
    }
    return entry;
  };
}

/** Lines and columns of offsets; the lines are found when the first is asked for. */
export function createPositions(text: string, firstLine: number): (offset: number) => Position {
  let starts: number[] | null = null;
  return (offset) => {
    if (starts === null) {
      starts = [0];
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    }
    let low = 0;
    for (let high = starts.length - 1; low < high; ) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + firstLine, column: offset - (starts[low] ?? 0) + 1 };
  };
}
