/** `colophon import`: the documentation of another system as the pages, images, navigation and redirects of a content folder. */
import { join, relative, resolve } from 'node:path';
import type { Command, Invocation } from './command.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { placeFiles } from './file-places.ts';
import { convertSource, describeImport, printNotices } from './import-source.ts';
import { formatOption } from './report.ts';
import { counted } from './terminal.ts';

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
  const { terminal, value, directory, env } = invocation;
  const imported = await convertSource(invocation, {
    name: invocation.argument ?? '.',
    system: value('from'),
    language: value('language'),
    version: value('version'),
  });
  const folder = resolve(directory, value('to') ?? env.CONTENT_DIR ?? '.');
  const shown = relative(directory, folder) || '.';
  printNotices(imported, relative(directory, imported.source) || '.', value('format'), terminal);
  const placed = placeFiles(folder, imported.files, invocation.flag('dry-run'));
  if ('taken' in placed) {
    terminal.error(
      `${placed.taken.map((path) => join(shown, path)).join(', ')} would be overwritten; nothing was written.\n`,
    );
    return exitCodes.failed;
  }
  const { system, notices } = imported;
  const done = invocation.flag('dry-run')
    ? 'would be written'
    : placed.written === 0
      ? 'were there already: nothing was written'
      : `are in ${shown}`;
  terminal.error(
    `From ${system}: ${describeImport(imported)} ${done}. ${counted(notices.length, 'line')} to look at.\n`,
  );
  return exitCodes.done;
}
