/** What an import could not carry over: one line a case, or one a name with its count. */
import { compare } from '../content/fault.ts';

export interface Notice {
  /** Relative to the source folder, with `/`. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
}

export interface Report {
  add(file: string, line: number, message: string): void;
  /** Said once for each name, at its first place, with how often it was met. */
  count(file: string, line: number, name: string, message: string): void;
  /** By file and line. */
  notices(): Notice[];
}

export function createReport(): Report {
  const notices: Notice[] = [];
  const counted = new Map<string, Notice & { count: number }>();
  return {
    add: (file, line, message) => void notices.push({ file, line, message }),
    count(file, line, name, message) {
      const known = counted.get(name);
      if (known === undefined) counted.set(name, { file, line, message, count: 1 });
      else known.count += 1;
    },
    notices() {
      const repeated = [...counted.values()].map(({ file, line, message, count }) => ({
        file,
        line,
        message: count === 1 ? message : `${message} (${count} times in all)`,
      }));
      const unique = new Map([...notices, ...repeated].map((notice) => [JSON.stringify(notice), notice]));
      return [...unique.values()].sort(
        (a, b) => compare(a.file, b.file) || a.line - b.line || compare(a.message, b.message),
      );
    },
  };
}
