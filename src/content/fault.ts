/** Faults of a content folder: how they are written, and the order they are reported in. */
import { join, relative } from 'node:path';
import type { Fault } from './content.ts';

/** `docs/quickstart.md:12:7: message`, the form that editors and terminals make clickable. */
export const formatFault = ({ file, line, column, message }: Fault): string => `${file}:${line}:${column}: ${message}`;

/** About a file or folder as a whole. */
export const fileFault = (file: string, message: string): Fault => ({ file, line: 1, column: 1, message });

/** The fault of a folder as somebody in `directory` names its file. */
export function faultFrom(directory: string, folder: string, fault: Fault): Fault {
  const path = join(folder, fault.file);
  const near = relative(directory, path);
  return { ...fault, file: (near.startsWith('..') ? path : near || '.').replaceAll('\\', '/') };
}

/** By file, line and column; what is said twice of one place is said once. */
export function sortFaults(faults: Iterable<Fault>): Fault[] {
  const unique = new Map<string, Fault>();
  for (const fault of faults) unique.set(formatFault(fault), fault);
  return [...unique.values()].sort(
    (a, b) => compare(a.file, b.file) || a.line - b.line || a.column - b.column || compare(a.message, b.message),
  );
}

/** By UTF-16 units, the same on every machine. */
export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
