/** Faults of a content folder: how they are formatted and sorted, and the suggestions in them. */
import { join, relative } from 'node:path';
import type { Position } from '../base/line-map.ts';
import { findNearMisses } from '../base/near-miss.ts';

/** Something that is wrong with a content folder, at the position where it is written. */
export interface Fault extends Position {
  /** Path of the file, relative to the folder, with `/`. */
  readonly file: string;
  readonly message: string;
}

/** Formats a fault as `docs/quickstart.md:12:7: message`, which editors and terminals make clickable. */
export const formatFault = ({ file, line, column, message }: Fault): string => `${file}:${line}:${column}: ${message}`;

/** Creates the fault of a file or folder as a whole, at line 1 and column 1. */
export const createFileFault = (file: string, message: string): Fault => ({ file, line: 1, column: 1, message });

/**
 * Returns a copy of the fault whose file is relative to `directory` or, if it is not below that, is joined to `folder`; always with
 * `/`.
 *
 * @param folder path of the content folder that the fault is about
 */
export function toFaultFrom(directory: string, folder: string, fault: Fault): Fault {
  const path = join(folder, fault.file);
  const near = relative(directory, path);
  return { ...fault, file: (near.startsWith('..') ? path : near || '.').replaceAll('\\', '/') };
}

/** Returns faults sorted by file, line, column and message, without those that have all four in common with another. */
export function sortFaults(faults: Iterable<Fault>): Fault[] {
  const unique = new Map<string, Fault>();
  for (const fault of faults) unique.set(formatFault(fault), fault);
  return [...unique.values()].sort(
    (a, b) => compare(a.file, b.file) || a.line - b.line || a.column - b.column || compare(a.message, b.message),
  );
}

/** Compares two texts by UTF-16 code units, for `sort`: the order is the same on every machine. */
export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Returns up to three of `names`, the nearest to `input` first; none if no name is near. */
export type Suggest = (input: string, names: readonly string[] | ReadonlySet<string>) => string[];

/**
 * Creates the lookup of near misses for one check of a whole folder. Each call compares with every name; the call with which all of
 * them would make more than 200,000 comparisons, and every call after it, returns none.
 */
export function createSuggestions(): Suggest {
  let comparisons = 200_000;
  return (input, names) => {
    comparisons -= 'size' in names ? names.size : names.length;
    return comparisons < 0 ? [] : findNearMisses(input, names);
  };
}
