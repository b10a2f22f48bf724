/** `colophon init`: creates a content folder that can be served, from options, questions and the vendor's own feed. */
import { stat } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { formatFault } from '../content/fault.ts';
import { loadContent } from '../content/load.ts';
import { type Command, exitCodes, type Invocation, UsageError } from './command.ts';
import { convertSource, describeImport, placeFiles, printNotices } from './import.ts';
import { type Answers, readAnswers } from './init-answers.ts';
import { createStarterFiles } from './starter.ts';
import { counted } from './terminal.ts';

export const init: Command = {
  name: 'init',
  summary: 'Create a content folder for your application, filled in from its feed if you name one.',
  argument: { name: 'DIR', help: 'The folder to create; by default the current folder.' },
  options: {
    name: { value: 'TEXT', help: 'The application’s name.' },
    vendor: { value: 'TEXT', help: 'The vendor’s name.' },
    website: { value: 'URL', help: 'The application’s website.' },
    appcast: { value: 'URL', help: 'Its update feed, a URL or a file, which is read now to fill in the folder.' },
    'feed-url': {
      value: 'URL',
      help: 'The URL where a feed from a file is published; relative URLs are resolved against it.',
    },
    'public-key': { value: 'KEY', help: 'SUPublicEDKey from its Info.plist, to verify the feed’s signature.' },
    docs: {
      value: 'FOLDER',
      help: 'Its documentation in another system, which is imported as `colophon import` does.',
    },
    'fetch-notes': { help: 'Fetch the release notes that the feed only links to.' },
    yes: { help: 'Do not ask anything, even on a terminal.' },
  },
  details: `On a terminal, it asks for what the options leave out. It never overwrites a file, and
adds no page to a folder that has docs/, such as one that \`colophon import\` filled. A feed from a file is copied into the
folder. The folder is ready to serve; \`colophon check\` lists the placeholder texts that you have to replace.`,
  async run(invocation) {
    const { terminal, directory, argument } = invocation;
    const folder = resolve(directory, argument ?? '.');
    const entry = await stat(folder).catch(() => null);
    if (entry !== null && !entry.isDirectory()) throw new UsageError(`\`${argument}\` is a file; name a folder.`);
    const docs = invocation.value('docs');
    const request = { name: docs ?? '', system: null, language: null, version: null };
    const imported = docs === null ? null : await convertSource(invocation, request);
    const isAsking = terminal.isInteractive && !invocation.flag('yes');
    const answers = isAsking
      ? await terminal.prompt((ask) => readAnswers(invocation, ask, basename(folder)))
      : await readAnswers(invocation, null, '');
    const docsEntry = await stat(join(folder, 'docs')).catch(() => null);
    const starter = createStarterFiles(answers, imported !== null || docsEntry?.isDirectory() === true);
    const files = new Map([...starter, ...(imported?.files ?? [])]);
    if (placeFiles(folder, files, false, invocation) === null) return exitCodes.failed;
    const shown = relative(directory, folder) || '.';
    terminal.out(`Made ${shown}: ${[...starter.keys()].join(', ')}\n`);
    if (imported !== null) {
      printNotices(imported, null, invocation);
      terminal.out(describeImport(imported, ''));
    }
    printFeed(answers, invocation);
    const loaded = await loadContent(folder);
    if ('faults' in loaded) {
      // Files that were there before have errors.
      for (const fault of loaded.faults) terminal.error(`${formatFault(fault)}\n`);
      return exitCodes.configuration;
    }
    const place = shown === '.' ? '' : ` ${shown}`;
    terminal.out(
      `Next: colophon dev${place}, and edit the files while it runs; colophon check${place} lists what is left.\n`,
    );
    return exitCodes.done;
  },
};

function printFeed({ feed, fetchesNotes }: Answers, { terminal }: Invocation): void {
  if (feed === null) return;
  for (const line of feed.summary) terminal.out(`${line}\n`);
  if (feed.linkedNotes === 0 || fetchesNotes) return;
  const releases = counted(feed.linkedNotes, 'release');
  terminal.out(`${releases} with notes behind a link: \`notes: fetch\` under feed publishes them here.\n`);
}
