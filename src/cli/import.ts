/** `colophon import`: the documentation of another system as the pages, images, navigation and redirects of a content folder. */
import { statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { messageOf } from '../base/thrown.ts';
import { placeFiles } from '../import/file-places.ts';
import { gitDates } from '../import/git-dates.ts';
import { type Imported, importSite } from '../import/import.ts';
import { createReport } from '../import/report.ts';
import { type SystemName, systemNames } from '../import/site.ts';
import { type Recognized, recognize } from '../import/systems.ts';
import { readTree } from '../import/tree.ts';
import { type Command, type Invocation, UsageError } from './command.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { counted, type Terminal } from './terminal.ts';

export const importCommand: Command = {
  name: 'import',
  summary: 'Turn a documentation folder of another system into pages of a content folder.',
  argument: {
    name: 'SOURCE',
    help: 'The folder with the other system’s configuration, or one above it.',
    required: true,
  },
  options: {
    to: { value: 'DIR', help: 'The content folder; by default CONTENT_DIR, or else the current folder.' },
    from: { value: 'SYSTEM', choices: systemNames, help: 'The system, where the folder could be of several.' },
    language: { value: 'TAG', help: 'The language to import; by default the source’s own.' },
    version: { value: 'NAME', help: 'The version to import; by default the current one.' },
    format: { value: 'FORMAT', choices: ['text', 'json', 'github'], help: 'The format of the report.' },
    'dry-run': { help: 'Report only; write nothing.' },
  },
  details: `Reads Mintlify, Docusaurus, VitePress, Starlight, MkDocs (Material), Hugo and Jekyll. Writes docs/, assets/, navigation.yaml
and redirects.yaml, and reports with file and line what it could not carry over; docs/import.md says what becomes of what. Nothing of
the source is run. It never overwrites a file: when one is there with other content, nothing is written (exit code 1). Importing the
same folder again gives the same files.`,
  run: runImport,
};

async function runImport(invocation: Invocation): Promise<ExitCode> {
  const { terminal, value, directory } = invocation;
  const { imported, source } = await readSource(invocation);
  const folder = resolve(directory, value('to') ?? invocation.env.CONTENT_DIR ?? '.');
  const shown = relative(directory, folder) || '.';
  report(imported, relative(directory, source) || '.', value('format') ?? 'text', terminal);
  const placed = placeFiles(folder, imported.files, invocation.flag('dry-run'));
  if ('taken' in placed) {
    terminal.error(
      `${placed.taken.map((path) => join(shown, path)).join(', ')} would be overwritten; nothing was written.\n`,
    );
    return exitCodes.failed;
  }
  const { pages, assets, redirects, system, notices } = imported;
  const what =
    `${counted(pages, 'page')}, ${counted(assets, 'image or file')}, ${counted(redirects, 'redirect')}`.replace(
      'image or files',
      'images and files',
    );
  const done = invocation.flag('dry-run')
    ? 'would be written'
    : placed.written === 0
      ? 'were there already: nothing was written'
      : `are in ${shown}`;
  terminal.error(`From ${system}: ${what} ${done}. ${counted(notices.length, 'line')} to look at.\n`);
  return exitCodes.done;
}

/** The source, read and converted. Throws UsageError when it is of no known system, or of several. */
export async function readSource(invocation: Invocation): Promise<{ imported: Imported; source: string }> {
  const { argument, value, directory, env } = invocation;
  const named = resolve(directory, argument ?? '.');
  if (statSync(named, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`There is no folder \`${argument}\`.`);
  const only = systemNames.find((name) => name === value('from')) ?? null;
  const { system, folder, configuration } = oneOf(recognize(named, only), argument ?? '.', only);
  const source = join(named, folder);
  const notices = createReport();
  const tree = readTree(source);
  try {
    const site = system.read(tree, configuration, { language: value('language'), version: value('version') }, notices);
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
    `\`${named}\` could be ${places.join(' or ')}: ${isOneSystem ? 'name the folder' : 'choose one with --from, or name its folder'}.`,
  );
}

function report({ notices }: Imported, source: string, format: string, { out, paint }: Terminal): void {
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
