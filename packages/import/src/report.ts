/** What an import could not carry over: one line a case, or one a name with its count. */
import { compare, type ImportNotice } from 'colophon/authoring';

export interface Report {
  add(file: string, line: number, message: string): void;
  /** Said once for each name, at its first place, with how often it was met. */
  count(file: string, line: number, name: string, message: string): void;
  /** By file and line. */
  notices(): ImportNotice[];
}

export function createReport(): Report {
  const notices: ImportNotice[] = [];
  const counted = new Map<string, ImportNotice & { count: number }>();
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
