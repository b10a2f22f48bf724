/** Reads a documentation folder of another system for a command, and prints what could not be carried over. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../base/thrown.ts';
import { gitDates } from '../import/git-dates.ts';
import { type Imported, importSite } from '../import/import.ts';
import { createReport } from '../import/report.ts';
import { type SystemName, systemNames } from '../import/site.ts';
import { type Recognized, recognize } from '../import/systems.ts';
import { readTree } from '../import/tree.ts';
import { type Invocation, UsageError } from './command.ts';
import { counted, type Terminal } from './terminal.ts';

export interface SourceOptions {
  /** The folder as the caller named it, and where it is. */
  readonly named: string;
  readonly path: string;
  /** The system, where the folder could be of several. */
  readonly from: string | null;
  readonly language: string | null;
  readonly version: string | null;
  readonly env: Invocation['env'];
}

export interface ReadSource {
  readonly imported: Imported;
  /** The folder that holds the other system's configuration. */
  readonly source: string;
}

/** The source, read and converted. Throws UsageError when it is of no known system, or of several. */
export async function readSource({ named, path, from, language, version, env }: SourceOptions): Promise<ReadSource> {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`There is no folder \`${named}\`.`);
  const only = systemNames.find((name) => name === from) ?? null;
  const { system, folder, configuration } = oneOf(recognize(path, only), named, only);
  const source = join(path, folder);
  const notices = createReport();
  const tree = readTree(source);
  try {
    const site = system.read(tree, configuration, { language, version }, notices);
    if (site.pages.length === 0) throw new UsageError(`${configuration} is there, but there is no page to import.`);
    const history = await gitDates(source, env);
    if ('reason' in history) notices.add(configuration, 1, `pages have no dates from git: ${history.reason}.`);
    const dates = 'dates' in history ? history.dates : new Map<string, string>();
    return { imported: importSite({ tree, site, report: notices, dates }), source };
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`${configuration} cannot be read: ${messageOf(error)}`);
    throw error;
  }
}

/** `12 pages, 3 images and files, 4 redirects`. */
export function importedInWords({ pages, assets, redirects }: Imported): string {
  const files = assets === 1 ? '1 image or file' : `${assets} images and files`;
  return `${counted(pages, 'page')}, ${files}, ${counted(redirects, 'redirect')}`;
}

function oneOf(found: readonly Recognized[], named: string, only: SystemName | null): Recognized {
  const [first, second] = found;
  if (first === undefined) {
    const what =
      only === null
        ? 'a configuration of Mintlify, Docusaurus, VitePress, Starlight, MkDocs, Hugo or Jekyll'
        : `a configuration of ${only}`;
    throw new UsageError(`\`${named}\` has no ${what.replace(/^a /, '')}: name the folder that holds it.`);
  }
  if (second === undefined) return first;
  const places = found.map(({ system, folder, configuration }) => `${system.name} (${join(folder, configuration)})`);
  const isOneSystem = new Set(found.map(({ system }) => system.name)).size === 1;
  throw new UsageError(
    `\`${named}\` could be ${places.join(' or ')}: ${isOneSystem ? 'name the folder' : 'choose one with `colophon import --from`, or name its folder'}.`,
  );
}

/** What could not be carried over, one line each. */
export function printReport(
  { notices }: Imported,
  source: string,
  format: string | null,
  { out, paint }: Terminal,
): void {
  if (format === 'json') {
    out(
      `${JSON.stringify({ warnings: notices.map((notice) => ({ ...notice, file: join(source, notice.file), column: 1 })) })}\n`,
    );
    return;
  }
  for (const { file, line, message } of notices) {
    const path = join(source, file);
    if (format === 'github') out(`::warning file=${path},line=${line}::${message.replaceAll('%', '%25')}\n`);
    else out(`${path}:${line}: ${paint('yellow', 'warning:')} ${message}\n`);
  }
}
