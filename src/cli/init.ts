/** `colophon init`: a content folder that works at once, filled from flags, questions and the vendor's own feed. */
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { messageOf } from '../base/thrown.ts';
import { formatFault } from '../content/fault.ts';
import { loadContent } from '../content/load.ts';
import { acceptFeed, noHistory } from '../feed/acceptance.ts';
import { FeedFault } from '../feed/fault.ts';
import { fetchFeed } from '../feed/fetch.ts';
import { createNotesReader } from '../feed/notes.ts';
import type { FeedRelease } from '../feed/release.ts';
import { latestRelease } from '../feed/selection.ts';
import { type Command, type Invocation, UsageError } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import { type StarterFacts, starterFiles } from './starter-folder.ts';
import type { Question } from './terminal.ts';

export const init: Command = {
  name: 'init',
  summary: 'Make a content folder for your application, from your own feed where you name it.',
  argument: { name: 'DIR', help: 'The folder to make; the one that you stand in when left out.' },
  options: {
    name: { value: 'TEXT', help: 'The application’s name.' },
    vendor: { value: 'TEXT', help: 'Who makes it.' },
    website: { value: 'URL', help: 'Its website.' },
    appcast: { value: 'URL', help: 'Its update feed: read now, and what it says is filled in.' },
    'public-key': { value: 'KEY', help: 'SUPublicEDKey of its Info.plist; the feed is verified with it.' },
    yes: { help: 'Ask nothing, even on a terminal.' },
  },
  details: `On a terminal it asks for what the flags leave out. It never overwrites a file. The folder passes \`colophon check\`
and can be served at once; the texts in it say what to write in their place.`,
  async run(invocation) {
    const { terminal, directory, argument } = invocation;
    const folder = resolve(directory, argument ?? '.');
    const asks = terminal.isInteractive && !invocation.flag('yes');
    const answers = asks
      ? await terminal.converse((ask) => answersOf(invocation, ask, basename(folder)))
      : await answersOf(invocation, async (_, preset) => preset, '');
    const feed = answers.appcast === null ? null : await readFeed(answers.appcast, answers.publicKey);
    const files = starterFiles(factsOf(answers, feed));
    const taken = await existing(folder, [...files.keys()]);
    if (taken.length > 0) {
      terminal.error(
        `${taken.map((path) => join(folder, path)).join(', ')} would be overwritten; nothing was written.\n`,
      );
      return exitCodes.failed;
    }
    for (const [path, text] of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text, { flag: 'wx' });
    }
    const loaded = await loadContent(folder);
    const near = relative(directory, folder) || '.';
    terminal.out(`Made ${near}: ${[...files.keys()].join(', ')}\n`);
    for (const line of feed?.said ?? []) terminal.out(`${line}\n`);
    if ('faults' in loaded) {
      // Other files were there before, and they have faults.
      for (const fault of loaded.faults) terminal.error(`${formatFault(fault)}\n`);
      return exitCodes.configuration;
    }
    const place = near === '.' ? '' : ` ${near}`;
    terminal.out(
      `Next: colophon dev${place}, and change the files while it runs; colophon check${place} finds what is left.\n`,
    );
    return exitCodes.done;
  },
};

interface Answers {
  readonly name: string;
  readonly vendor: string;
  readonly website: string | null;
  readonly appcast: string | null;
  readonly publicKey: string | null;
}

/** Flags first, then questions. Throws UsageError for what cannot be used. */
async function answersOf({ value }: Invocation, ask: Question, presetName: string): Promise<Answers> {
  const answer = async (option: string, question: string, preset: string): Promise<string> =>
    value(option) ?? (await ask(question, preset));
  const name = await answer('name', 'The application’s name', presetName);
  if (name === '') throw new UsageError('The application’s name is missing: colophon init my-app --name "My App"');
  if (name.length > 60) throw new UsageError(`The name may have 60 characters; it has ${name.length}.`);
  const vendor = await answer('vendor', 'Who makes it', name.slice(0, 80));
  const website = (await answer('website', 'Its website (Enter for none)', '')) || null;
  const appcast = (await answer('appcast', 'The URL of its update feed (Enter for none)', '')) || null;
  const publicKey =
    appcast === null ? value('public-key') : (await answer('public-key', 'SUPublicEDKey (Enter for none)', '')) || null;
  if (website !== null && !/^https?:\/\/[^\s/]+(\/\S*)?$/.test(website)) {
    throw new UsageError(`--website must be an http or https URL; it is \`${website}\`.`);
  }
  if (appcast !== null && !/^https?:\/\/\S+$/.test(appcast)) {
    throw new UsageError(`--appcast must be the URL of a feed; it is \`${appcast}\`.`);
  }
  if (publicKey !== null && !/^[A-Za-z0-9+/]{43}=$/.test(publicKey)) {
    throw new UsageError('--public-key must be the base64 of 32 bytes, as SUPublicEDKey has it.');
  }
  return { name, vendor, website, appcast, publicKey };
}

interface FeedReading {
  readonly latest: FeedRelease | null;
  readonly said: readonly string[];
}

/** Throws an Error that names the fix: a folder is not made around a feed that a server would refuse. */
async function readFeed(url: string, publicKey: string | null): Promise<FeedReading> {
  try {
    const signal = new AbortController().signal;
    const fetched = await fetchFeed(url, { validators: null, deadlineMs: 15_000, signal, now: systemClock.now() });
    const publicKeys = publicKey === null ? [] : [publicKey];
    const policy = publicKey === null ? 'off' : 'required';
    const rules = { publicKeys, policy, stepBack: 'warn', accept: null } as const;
    const bytes = fetched.bytes ?? Buffer.alloc(0);
    const accepted = await acceptFeed(bytes, null, noHistory, rules, {
      address: fetched.url,
      languages: [],
      notes: createNotesReader(),
    });
    const { releases = [], verifiedBy = null, warnings = [] } = accepted?.snapshot ?? {};
    const latest = latestRelease(releases);
    const signature =
      verifiedBy === null
        ? 'Its signature was not checked: add your SUPublicEDKey to feed.public_keys.'
        : 'Its signature is good.';
    const minimum = latest?.minimumOsVersion ?? null;
    const macs = `${minimum === null ? 'no minimum of macOS' : `macOS ${minimum} or later`}${latest?.requiresArm64 ? ', Apple silicon' : ''}`;
    const said = [
      `The feed has ${releases.length} release${releases.length === 1 ? '' : 's'}; the latest is ${latest?.version} (${macs}). ${signature}`,
      ...warnings.map(({ line, message }) => `Warning: ${line === null ? '' : `line ${line}: `}${message}`),
    ];
    return { latest, said };
  } catch (thrown) {
    const hint = thrown instanceof FeedFault && thrown.kind === 'refused' ? ' Check --public-key.' : '';
    throw new Error(`${messageOf(thrown)}${hint} Nothing was written.`, { cause: thrown });
  }
}

function factsOf(answers: Answers, feed: FeedReading | null): StarterFacts {
  const minimum = feed?.latest?.minimumOsVersion ?? null;
  return {
    ...answers,
    // product.yaml takes at most three numbers.
    minimumOsVersion: minimum !== null && /^\d{1,3}(\.\d{1,3}){0,2}$/.test(minimum) ? minimum : null,
    requiresArm64: feed?.latest?.requiresArm64 ?? false,
    latest: feed?.latest?.version ?? null,
    today: new Date(systemClock.now()).toISOString().slice(0, 10),
  };
}

async function existing(folder: string, paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) if ((await stat(join(folder, path)).catch(() => null)) !== null) found.push(path);
  return found;
}
