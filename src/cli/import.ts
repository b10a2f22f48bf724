/** `colophon import`: the documentation of another system as the pages, images, navigation and redirects of a content folder. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type Command, type ExitCode, exitCodes, type Invocation, UsageError } from './command.ts';
import { formatOption, printReport } from './report.ts';
import { counted } from './terminal.ts';

/** Name of the package that converts folders; it is separate because a server never needs it. */
const importPackage: string = '@colophon/import';

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
    from: { value: 'SYSTEM', help: 'The system, where the folder could be of several.' },
    language: { value: 'TAG', help: 'The language to import; by default the source’s own.' },
    version: { value: 'NAME', help: 'The version to import; by default the current one.' },
    format: formatOption,
    'dry-run': { help: 'Report only; write nothing.' },
  },
  details: `Reads Mintlify, Docusaurus, VitePress, Starlight, MkDocs (Material), Hugo and Jekyll. Writes docs/, assets/, navigation.yaml
and redirects.yaml, and reports with file and line what it could not carry over; docs/import.md says what becomes of what. Nothing of
the source is run. It never overwrites a file: when one is there with other content, nothing is written (exit code 1). Importing the
same folder again gives the same files.`,
  run: runImport,
};

async function runImport(invocation: Invocation): Promise<ExitCode> {
  const { terminal, value, flag, directory, env } = invocation;
  const imported = await convertSource(invocation, {
    name: invocation.argument ?? '.',
    system: value('from'),
    language: value('language'),
    version: value('version'),
  });
  const folder = resolve(directory, value('to') ?? env.CONTENT_DIR ?? '.');
  printNotices(imported, value('format'), invocation);
  const written = placeFiles(folder, imported.files, flag('dry-run'), invocation);
  if (written === null) return exitCodes.failed;
  const done = flag('dry-run')
    ? 'would be written'
    : written === 0
      ? 'were there already: nothing was written'
      : `are in ${relative(directory, folder) || '.'}`;
  terminal.error(describeImport(imported, ` ${done}`));
  return exitCodes.done;
}

/**
 * Converts the folder `name`, relative to the command's directory, without writing anything.
 *
 * @throws UsageError if the folder cannot be imported, or if the package that converts folders is not installed.
 */
export async function convertSource(
  { directory, env }: Invocation,
  request: Pick<ImportRequest, 'name' | 'system' | 'language' | 'version'>,
): Promise<ImportedFolder> {
  const { importer }: { importer: Importer } = await import(importPackage).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError(
      `Importing is a separate package. Run the same command as \`npx --package=colophon --package=${importPackage} colophon …\`.`,
    );
  });
  const result = await importer.importFolder({ ...request, path: resolve(directory, request.name), env });
  if ('refused' in result) throw new UsageError(result.refused);
  return result;
}

/** Prints what could not be carried over, with the paths of the source relative to the caller's directory. */
export function printNotices(
  { notices, source }: ImportedFolder,
  format: string | null,
  { directory, terminal }: Invocation,
): void {
  const warnings = notices.map(({ file, line, message }) => {
    const path = join(relative(directory, source), file);
    return { file: path, line, column: 1, message };
  });
  printReport({ errors: [], warnings }, format, terminal);
}

/** Returns a sentence such as `From hugo: 12 pages, 3 images and files, 4 redirects are in site.`, where `done` is the end. */
export function describeImport({ system, pages, assets, redirects, notices }: ImportedFolder, done: string): string {
  const files = assets === 1 ? '1 image or file' : `${assets} images and files`;
  const numbers = `${counted(pages, 'page')}, ${files}, ${counted(redirects, 'redirect')}`;
  return `From ${system}: ${numbers}${done}. ${counted(notices.length, 'line')} to look at.\n`;
}

/**
 * Writes all files into a folder and returns how many were missing. Writes none on a dry run, and none if one of them would overwrite other
 * content: then it prints which, and returns null.
 */
export function placeFiles(
  folder: string,
  files: ReadonlyMap<string, string | Buffer>,
  isDryRun: boolean,
  { terminal, directory }: Invocation,
): number | null {
  const missing: [string, string | Buffer][] = [];
  const taken: string[] = [];
  for (const [path, content] of files) {
    const place = join(folder, path);
    if (!existsSync(place)) missing.push([place, content]);
    else if (!statSync(place).isFile() || !readFileSync(place).equals(Buffer.from(content)))
      taken.push(relative(directory, place));
  }
  if (taken.length > 0) {
    terminal.error(`${taken.join(', ')} would be overwritten; nothing was written.\n`);
    return null;
  }
  for (const [place, content] of isDryRun ? [] : missing) {
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, content, { flag: 'wx' });
  }
  return missing.length;
}

/** A line of the source that could not be carried over. */
export interface ImportNotice {
  /** Path relative to the source folder, with `/` as separator. */
  readonly file: string;
  /** Line number, counted from 1. */
  readonly line: number;
  readonly message: string;
}

/** A documentation folder of another system, converted into the files of a content folder. */
export interface ImportedFolder {
  /** Name of the system that the folder was written for, such as `docusaurus`. */
  readonly system: string;
  /** Absolute path of the folder that contains the other system's configuration. */
  readonly source: string;
  /** File contents by path below the content folder, sorted by path. */
  readonly files: ReadonlyMap<string, string | Buffer>;
  readonly notices: readonly ImportNotice[];
  /** Number of pages, of images and other files, and of redirects among the files. */
  readonly pages: number;
  readonly assets: number;
  readonly redirects: number;
}

/** The folder to import and what to take from it. */
export interface ImportRequest {
  /** The folder as the caller named it, used in messages. */
  readonly name: string;
  /** Absolute path of that folder. */
  readonly path: string;
  /** Name of the system, or null to recognize it. */
  readonly system: string | null;
  /** Language tag to import, or null for the source's default. */
  readonly language: string | null;
  /** Version to import, or null for the source's default. */
  readonly version: string | null;
  /** Environment of the `git` process that reads the pages' dates. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The interface that the package `@colophon/import` exports as `importer`. */
export interface Importer {
  /** Names of all systems that can be imported. */
  readonly systemNames: readonly string[];
  /** Converts a folder without writing anything, or returns why it cannot be imported and what to do. */
  importFolder(request: ImportRequest): Promise<ImportedFolder | { readonly refused: string }>;
}
