/** `colophon import`: converts the documentation of another system to pages, images, navigation and redirects of a content folder. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { Argument, Option } from 'commander';
import { systemClock } from '../base/clock.ts';
import type { Fault } from '../content/fault.ts';
import { fetchLinked } from '../feed/fetch.ts';
import { type Command, exitCodes, type Invocation, UsageError } from './command.ts';
import { formatOption, printReport } from './report.ts';
import { formatCount } from './terminal.ts';

/** Name of the package that converts folders; it is separate because a server never needs it. */
const importPackage: string = '@colophon/import';

/** The option of every command that imports. */
export const fetchImagesOption = new Option('--fetch-images', 'Copy the images that pages show from other hosts.');

/** Maximum time for an image on another host, in milliseconds. */
const imageDeadlineMs = 30_000;

/** The command `import`; its code for each system is in a package of its own. */
export const importCommand: Command = {
  name: 'import',
  summary: 'Turn a documentation folder of another system into pages of a content folder.',
  argument: new Argument('<SOURCE>', 'The folder with the other system’s configuration, or one above it.'),
  options: [
    new Option('--to <DIR>', 'The content folder; by default CONTENT_DIR, or else the current folder.'),
    new Option('--from <SYSTEM>', 'The system, where the folder could be of several.'),
    new Option('--language <TAG>', 'The language to import; by default the source’s own.'),
    new Option('--version <NAME>', 'The version to import; by default the current one.'),
    fetchImagesOption,
    formatOption,
    new Option('--dry-run', 'Report only; write nothing.'),
  ],
  details: `Reads Mintlify, Docusaurus, VitePress, Starlight, MkDocs (Material), Hugo and Jekyll, and any other folder as plain
Markdown (mdBook, GitBook, Fumadocs, MyST, Obsidian, GitHub Pages). Writes docs/, assets/, navigation.yaml
and redirects.yaml, and reports with file and line what it could not carry over. See docs/import.md for how each element is converted.
It never runs code from the source, and never overwrites a file: if one exists with other content, nothing is written (exit code 1).
Importing the same folder again gives the same files.`,
  async run(invocation) {
    const { terminal, value, flag, directory, env } = invocation;
    const importResult = await convertSource(invocation, invocation.argument ?? '.');
    const folder = resolve(directory, value('to') ?? env.CONTENT_DIR ?? '.');
    printNotices(importResult, invocation);
    const fileCount = placeFiles(folder, importResult.files, invocation);
    if (fileCount === null) return exitCodes.failed;
    const nothing = flag('dry-run') ? 'would be written' : 'were there already: nothing was written';
    const outcome = fileCount === 0 ? nothing : `are in ${relative(directory, folder) || '.'}`;
    terminal.error(
      `${describeImport(importResult)} ${outcome}. ${formatCount(importResult.notices.length, 'line')} to look at.\n`,
    );
    return exitCodes.done;
  },
};

/**
 * Converts the folder `name`, relative to the command's directory, with the options --from, --language, --version and
 * --fetch-images, without writing anything.
 *
 * @throws UsageError if the folder cannot be imported, or if the package that converts folders is not installed.
 */
export async function convertSource(
  { directory, env, value, flag }: Invocation,
  name: string,
): Promise<ImportedFolder> {
  const { importer }: { importer: Importer } = await import(importPackage).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError(
      `Importing is a separate package. Run the same command as \`npx --package=colophon --package=${importPackage} colophon …\`.`,
    );
  });
  const [system, language, version] = [value('from'), value('language'), value('version')];
  const fetchImage = flag('fetch-images') ? fetchRemoteImage : null;
  const path = resolve(directory, name);
  const result = await importer.importFolder({ name, path, system, language, version, env, fetchImage });
  if ('refused' in result) throw new UsageError(result.refused);
  return result;
}

/**
 * Fetches an image under the rules for what a feed links to: https, no private network, few redirects, a maximum size. Rejects with
 * FeedFault for any failure; that the file is an image is not checked.
 */
async function fetchRemoteImage(url: string): Promise<Buffer> {
  const { signal } = new AbortController();
  const { bytes } = await fetchLinked(url, null, { deadlineMs: imageDeadlineMs, signal, now: systemClock.now() });
  return bytes;
}

/**
 * Prints what could not be carried over as warnings, in the form that --format names, with the paths of the source relative to the
 * caller's directory. If there is nothing, it prints nothing, or for `json` an object without warnings.
 */
export function printNotices({ notices, source }: ImportedFolder, { directory, terminal, value }: Invocation): void {
  const folder = relative(directory, source);
  const warnings = notices.map((notice) => ({ ...notice, file: join(folder, notice.file), column: 1 }));
  printReport({ errors: [], warnings }, value('format'), terminal);
}

/** Returns the beginning of a sentence, such as `From hugo: 12 pages, 3 images and files, 0 redirects`, always with all three counts. */
export function describeImport({ system, pages, assets, redirects }: ImportedFolder): string {
  const files = assets === 1 ? '1 image or file' : `${assets} images and files`;
  return `From ${system}: ${formatCount(pages, 'page')}, ${files}, ${formatCount(redirects, 'redirect')}`;
}

/**
 * Writes the files that are missing into a folder and returns how many it wrote, 0 with --dry-run. A file that is there with the
 * same bytes does not count. If any would overwrite something else, it prints which, writes nothing, and returns null.
 *
 * @param files the contents by path below the folder
 */
export function placeFiles(
  folder: string,
  files: ReadonlyMap<string, string | Buffer>,
  { terminal, directory, flag }: Invocation,
): number | null {
  const entries = [...files].map(([path, content]) => ({ place: join(folder, path), content }));
  const { missing = [], taken = [] } = Object.groupBy(entries, ({ place, content }) => {
    if (!existsSync(place)) return 'missing';
    return statSync(place).isFile() && readFileSync(place).equals(Buffer.from(content)) ? 'equal' : 'taken';
  });
  if (taken.length > 0) {
    const names = taken.map(({ place }) => relative(directory, place)).join(', ');
    terminal.error(`${names} would be overwritten; nothing was written.\n`);
    return null;
  }
  if (flag('dry-run')) return 0;
  for (const { place, content } of missing) {
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, content, { flag: 'wx' });
  }
  return missing.length;
}

/** A line of the source that could not be carried over: `file`, relative to the source folder, `line`, and why as `message`. */
export type ImportNotice = Omit<Fault, 'column'>;

/** A documentation folder of another system, converted into the files of a content folder. */
export interface ImportedFolder {
  /** Name of the system that the folder was written for, such as `docusaurus`. */
  readonly system: string;
  /** Absolute path of the folder that contains the other system's configuration. */
  readonly source: string;
  /** File contents by path below the content folder, sorted by path. */
  readonly files: ReadonlyMap<string, string | Buffer>;
  readonly notices: readonly ImportNotice[];
  /** Number of pages among the files. */
  readonly pages: number;
  /** Number of images and other files among the files. */
  readonly assets: number;
  /** Number of redirects in redirects.yaml. */
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
  /** Fetches an image from another host, or null if such images stay where they are. */
  readonly fetchImage: ((url: string) => Promise<Buffer>) | null;
}

/** The interface that the package `@colophon/import` exports as `importer`. */
export interface Importer {
  /** Names of all systems that can be imported. */
  readonly systemNames: readonly string[];
  /** Converts a folder without writing anything, or returns why it cannot be imported and what to do. */
  importFolder(request: ImportRequest): Promise<ImportedFolder | { readonly refused: string }>;
}
