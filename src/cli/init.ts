/** `colophon init`: creates a content folder that can be served, from options, questions and the vendor's own feed. */
import { stat } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { Argument, Option } from 'commander';
import { type Command, exitCodes, UsageError } from './command.ts';
import { loadValidContent } from './content-folder.ts';
import { convertSource, describeImport, fetchImagesOption, placeFiles, printNotices } from './import.ts';
import { readAnswers } from './init-answers.ts';
import { createStarterFiles } from './starter.ts';
import { formatCount } from './terminal.ts';

/** The command `init`. */
export const init: Command = {
  name: 'init',
  summary: 'Create a content folder for your application, filled in from its releases if you name them.',
  argument: new Argument('[DIR]', 'The folder to create; by default the current folder.'),
  options: [
    new Option('--name <TEXT>', 'The application’s name.'),
    new Option('--vendor <TEXT>', 'The vendor’s name.'),
    new Option('--website <URL>', 'The application’s website.'),
    new Option(
      '--appcast, --releases <SOURCE>',
      'Its update feed, a URL or a file, or its repository, such as acme/larder.',
    ),
    new Option('--feed-url <URL>', 'The URL where a feed from a file is published, for the relative URLs in it.'),
    new Option('--public-key <KEY>', 'SUPublicEDKey from its Info.plist, or `pubkey` of tauri.conf.json.'),
    new Option('--docs <FOLDER>', 'Its documentation in another system, imported as `colophon import` does.'),
    fetchImagesOption,
    new Option('--fetch-notes', 'Fetch the release notes that the feed only links to.'),
    new Option('--yes', 'Do not ask anything, even on a terminal.'),
  ],
  details: `On a terminal, it asks for what the options leave out. It never overwrites a file, and adds no page to a folder that has
docs/. SOURCE is an appcast, latest*.yml of electron-builder (those for other systems are looked for next to it), latest.json of
Tauri, or a GitHub repository; a file is copied into the folder. Without a source, the folder has a placeholder in releases/. The
folder is ready to serve; \`colophon check\` lists the placeholder texts that you have to replace.`,
  async run(invocation) {
    const { terminal, directory, argument, value, flag } = invocation;
    const folder = resolve(directory, argument ?? '.');
    const isFolder = async (path: string) => (await stat(path).catch(() => null))?.isDirectory();
    if ((await isFolder(folder)) === false) throw new UsageError(`\`${argument}\` is a file; name a folder.`);
    const docs = value('docs');
    const importResult = docs === null ? null : await convertSource(invocation, docs);
    const isAsking = terminal.isInteractive && !flag('yes');
    const { feed, fetchesNotes, ...facts } = isAsking
      ? await terminal.prompt((ask) => readAnswers(invocation, ask, basename(folder)))
      : await readAnswers(invocation, null, '');
    const hasPages = importResult !== null || (await isFolder(join(folder, 'docs'))) === true;
    const starter = createStarterFiles({ ...facts, feed, fetchesNotes }, hasPages);
    if (placeFiles(folder, new Map([...starter, ...(importResult?.files ?? [])]), invocation) === null)
      return exitCodes.failed;
    const place = relative(directory, folder);
    terminal.out(`Made ${place || '.'}: ${[...starter.keys()].join(', ')}\n`);
    if (importResult !== null) {
      printNotices(importResult, invocation);
      terminal.out(
        `${describeImport(importResult)}. ${formatCount(importResult.notices.length, 'line')} to look at.\n`,
      );
    }
    for (const line of feed?.summary ?? []) terminal.out(`${line}\n`);
    if (feed !== null && feed.linkedNotes > 0 && !fetchesNotes) {
      const releases = formatCount(feed.linkedNotes, 'release');
      terminal.out(`${releases} with notes behind a link: \`notes: fetch\` under feed publishes them here.\n`);
    }
    // Files that were in the folder before may have errors, which this loading reports.
    await loadValidContent(folder);
    const target = place === '' ? '' : ` ${place}`;
    terminal.out(
      `Next: colophon dev${target}, and edit the files while it runs; colophon check${target} lists what is left.\n`,
    );
    return exitCodes.done;
  },
};
