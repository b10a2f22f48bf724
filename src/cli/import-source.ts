/** Converts a documentation folder of another system for a command, and prints what could not be carried over. */
import { join, resolve } from 'node:path';
import { type Invocation, UsageError } from './command.ts';
import type { ImportedFolder, Importer, ImportRequest } from './importer.ts';
import { printReport } from './report.ts';
import { counted, type Terminal } from './terminal.ts';

/** Name of the package that converts folders; it is separate because a server never needs it. */
const importPackage: string = '@colophon/import';

/**
 * Converts the folder `name`, relative to the command's directory, without writing anything.
 *
 * @throws UsageError if the folder cannot be imported, or if the package that converts folders is not installed.
 */
export async function convertSource(
  { directory, env }: Invocation,
  request: Pick<ImportRequest, 'name' | 'system' | 'language' | 'version'>,
): Promise<ImportedFolder> {
  const importer = await loadImporter();
  const result = await importer.importFolder({ ...request, path: resolve(directory, request.name), env });
  if ('refused' in result) throw new UsageError(result.refused);
  return result;
}

async function loadImporter(): Promise<Importer> {
  try {
    return ((await import(importPackage)) as { importer: Importer }).importer;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError(
      `Importing is a separate package. Run the same command as \`npx --package=colophon --package=${importPackage} colophon …\`.`,
    );
  }
}

/** Describes what was imported, such as `12 pages, 3 images and files, 4 redirects`. */
export function describeImport({ pages, assets, redirects }: ImportedFolder): string {
  const files = assets === 1 ? '1 image or file' : `${assets} images and files`;
  return `${counted(pages, 'page')}, ${files}, ${counted(redirects, 'redirect')}`;
}

/** Prints what could not be carried over; `source` is the folder relative to the caller's. */
export function printNotices(
  { notices }: ImportedFolder,
  source: string,
  format: string | null,
  terminal: Terminal,
): void {
  const warnings = notices.map(({ file, line, message }) => ({ file: join(source, file), line, column: 1, message }));
  printReport({ errors: [], warnings }, format, terminal);
}
