/** Creates the source of a system: a folder, the caller's choices, and the report of losses. */
import { toRecord, toText } from './front-matter.ts';
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
  /** Returns the caller's choice or, without one, `preset`. Throws a ChoiceFault if it is neither that nor in `names`. */
  choose(option: 'language' | 'version', names: readonly string[], preset: string): string;
  /** Throws a ChoiceFault if the caller chose a language or a version and `choose` was not called for that option. */
  refuseOtherChoices(): void;
  /** Reports which language is imported and which are not; reports nothing if `others` is empty. */
  warnOfLanguages(language: string, others: readonly string[]): void;
}

/** The error of a choice that the source does not have; `message` says which it has. */
export class ChoiceFault extends Error {}

/**
 * Returns the key of the locale that has the caller's language as its key or `lang`, or `root` if the caller chose none. Throws a
 * ChoiceFault if no locale has it.
 */
export function chooseLocale(locales: Readonly<Record<string, unknown>>, source: Source): string {
  const keys = Object.keys(locales);
  const langs = keys.map((key) => toText(toRecord(locales[key]).lang) ?? key);
  const choice = source.choose('language', [...keys, ...langs], 'root');
  return keys.includes(choice) ? choice : (keys[langs.indexOf(choice)] ?? 'root');
}

type Parts = Omit<Source, 'warn' | 'warnOfLanguages' | 'choose' | 'refuseOtherChoices'>;

/** Adds the functions that report losses at the configuration, and those for the caller's choices, to the other parts of a source. */
export function createSource(parts: Parts): Source {
  const { tree, configuration, report } = parts;
  const warn = (message: string, text = ''): void =>
    report.add(configuration, findLine(tree, configuration, text), message);
  const askedOptions = new Set<string>();
  const choose: Source['choose'] = (option, names, preset) => {
    askedOptions.add(option);
    const choice = parts[option] ?? preset;
    if (choice === preset || names.includes(choice)) return choice;
    const choices = [...new Set(names.length > 0 ? names : [preset])].join(', ');
    const rule = choices === '' ? 'has nothing to choose here' : `must be one of ${choices}`;
    throw new ChoiceFault(`--${option} ${rule}; you sent ${choice}.`);
  };
  return {
    ...parts,
    warn,
    choose,
    refuseOtherChoices() {
      for (const option of ['language', 'version'] as const) if (!askedOptions.has(option)) choose(option, [], '');
    },
    warnOfLanguages(language, others) {
      const message = `imported is the language ${language}; left out are ${others.join(', ')} (--language chooses another).`;
      if (others.length > 0) warn(message);
    },
  };
}
