/** Creates the source of a system: a folder, the caller's choices, and the report of losses. */
import type { Report } from './report.ts';
import { findLine, type SourceTree } from './tree.ts';

/** The folder that a system reads, and the caller's choices. */
export interface Source {
  readonly tree: SourceTree;
  /** Path of the configuration that the system was recognized by, or `.` if there is none. */
  readonly configuration: string;
  /** Language to import, or null for the source's default. */
  readonly language: string | null;
  /** Version to import, or null for the source's default. */
  readonly version: string | null;
  readonly report: Report;
  /** Reports a loss at the line of the configuration that first contains `text`, or at line 1. */
  warn(message: string, text?: string): void;
  /** Reports which language is imported and which are not; says nothing if there are no `others`. */
  warnOfLanguages(language: string, others: readonly string[]): void;
}

/** Adds the two functions that report losses at the configuration to the other parts of a source. */
export function createSource(parts: Omit<Source, 'warn' | 'warnOfLanguages'>): Source {
  const { tree, configuration, report } = parts;
  const warn = (message: string, text = ''): void =>
    report.add(configuration, findLine(tree, configuration, text), message);
  return {
    ...parts,
    warn,
    warnOfLanguages(language, others) {
      const message = `imported is the language ${language}; left out are ${others.join(', ')} (--language chooses another).`;
      if (others.length > 0) warn(message);
    },
  };
}
