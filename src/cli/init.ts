/** `colophon init`: a content folder that works at once, filled from flags, questions and the vendor's own feed. */
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { formatFault } from '../content/fault.ts';
import { loadContent } from '../content/load.ts';
import { type Command, UsageError } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import { placeFiles } from './file-places.ts';
import { convertSource, describeImport, printReport } from './import-source.ts';
import { type Answers, answersOf } from './init-answers.ts';
import { type StarterFacts, starterFiles } from './starter-folder.ts';
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
    'public-key': {
      value: 'KEY',
      help: 'SUPublicEDKey from its Info.plist, to verify the feed’s signature.',
    },
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
    const nearest = await stat(folder).catch(() => null);
    if (nearest !== null && !nearest.isDirectory()) throw new UsageError(`\`${argument}\` is a file; name a folder.`);
    const docs = invocation.value('docs');
    const options = { system: null, language: null, version: null };
    const imported = docs === null ? null : await convertSource(invocation, { name: docs, ...options });
    const asks = terminal.isInteractive && !invocation.flag('yes');
    const answers = asks
      ? await terminal.converse((ask) => answersOf(invocation, ask, basename(folder)))
      : await answersOf(invocation, null, '');
    const hasPages = imported !== null || (await stat(join(folder, 'docs')).catch(() => null))?.isDirectory() === true;
    const files = starterFiles(factsOf(answers, hasPages));
    const pages = imported?.files ?? new Map<string, string>();
    const placed = placeFiles(folder, pages, true);
    const taken = [...(await existing(folder, [...files.keys()])), ...('taken' in placed ? placed.taken : [])];
    if (taken.length > 0) {
      terminal.error(
        `${taken.map((path) => join(folder, path)).join(', ')} would be overwritten; nothing was written.\n`,
      );
      return exitCodes.failed;
    }
    for (const [path, content] of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content, { flag: 'wx' });
    }
    placeFiles(folder, pages, false);
    const loaded = await loadContent(folder);
    const near = relative(directory, folder) || '.';
    terminal.out(`Made ${near}: ${[...files.keys()].join(', ')}\n`);
    if (imported !== null) {
      printReport(imported, relative(directory, imported.source) || '.', null, terminal);
      terminal.out(
        `From ${imported.system}: ${describeImport(imported)}. ${counted(imported.notices.length, 'line')} to look at.\n`,
      );
    }
    for (const line of answers.feed?.said ?? []) terminal.out(`${line}\n`);
    const linked = answers.feed?.linkedNotes ?? 0;
    if (linked > 0 && !answers.fetchesNotes)
      terminal.out(
        `${counted(linked, 'release')} with notes behind a link: \`notes: fetch\` under feed publishes them here.\n`,
      );
    if ('faults' in loaded) {
      // Other files were there before, and they have faults.
      for (const fault of loaded.faults) terminal.error(`${formatFault(fault)}\n`);
      return exitCodes.configuration;
    }
    const place = near === '.' ? '' : ` ${near}`;
    terminal.out(
      `Next: colophon dev${place}, and edit the files while it runs; colophon check${place} lists what is left.\n`,
    );
    return exitCodes.done;
  },
};

function factsOf({ name, vendor, website, publicKey, feed, fetchesNotes }: Answers, hasPages: boolean): StarterFacts {
  const minimum = feed?.latest?.minimumOsVersion ?? null;
  return {
    name,
    vendor,
    website,
    publicKey,
    feed,
    fetchesNotes,
    hasPages,
    // product.yaml takes at most three numbers.
    minimumOsVersion: minimum !== null && /^\d{1,3}(\.\d{1,3}){0,2}$/.test(minimum) ? minimum : null,
    requiresArm64: feed?.latest?.requiresArm64 ?? false,
    today: new Date(systemClock.now()).toISOString().slice(0, 10),
  };
}

async function existing(folder: string, paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) if ((await stat(join(folder, path)).catch(() => null)) !== null) found.push(path);
  return found;
}
