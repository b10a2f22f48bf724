/** Collects the losses of an import: a line for each, or one line with a count for all losses with the same name. */
import { compare, type ImportNotice } from 'colophon/authoring';

/** The lines about what an import could not carry over. */
export interface Report {
  /** Adds a loss at a line, from 1, of a file of the source. */
  add(file: string, line: number, message: string): void;
  /**
   * Adds a loss that is reported once for each name: at the place and with the message of the first, and with the number of all
   * behind it, such as ` (2 times in all)`, if there are more.
   */
  count(file: string, line: number, name: string, message: string): void;
  /** Returns all lines, each once, sorted by file, line and message. */
  notices(): ImportNotice[];
}

/** Creates a report without lines. */
export function createReport(): Report {
  const notices: ImportNotice[] = [];
  const noticesByName = new Map<string, ImportNotice & { count: number }>();
  return {
    add: (file, line, message) => void notices.push({ file, line, message }),
    count(file, line, name, message) {
      const earlier = noticesByName.get(name);
      if (earlier === undefined) noticesByName.set(name, { file, line, message, count: 1 });
      else earlier.count += 1;
    },
    notices() {
      const summaries = [...noticesByName.values()].map(({ file, line, message, count }) => ({
        file,
        line,
        message: count === 1 ? message : `${message} (${count} times in all)`,
      }));
      const unique = new Map([...notices, ...summaries].map((notice) => [JSON.stringify(notice), notice]));
      return [...unique.values()].sort(
        (a, b) => compare(a.file, b.file) || a.line - b.line || compare(a.message, b.message),
      );
    },
  };
}
