/** The answers that `colophon init` needs: from options, and otherwise from questions, which are repeated until the answer is valid. */
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf } from '../base/thrown.ts';
import type { FeedRelease } from '../feed/release.ts';
import { latestRelease, offeredRelease } from '../feed/selection.ts';
import { type Invocation, UsageError } from './command.ts';
import {
  describeReleases,
  describeWarning,
  inspectNamedSource,
  isRemote,
  signatureWarning,
} from './feed-inspection.ts';
import { counted, type Question } from './terminal.ts';

/** What is known about the application. */
export type Answers = Awaited<ReturnType<typeof readAnswers>>;

/** Returns what is wrong with an answer, as the end of a sentence about it, or null if nothing is. */
type Validate = (answer: string) => string | null;

/**
 * Reads the answers.
 *
 * @param ask asks the person at the terminal, or null if there is nobody
 * @throws UsageError for an invalid option, and an Error for a feed that a server would refuse
 */
export async function readAnswers(invocation: Invocation, ask: Question | null, defaultName: string) {
  const { value, flag, argument, terminal } = invocation;
  const read = createReader(invocation, ask);
  if (ask === null && value('name') === null) {
    const folder = argument === null ? '' : ` ${argument}`;
    throw new UsageError(`The application’s name is missing: colophon init${folder} --name "My App"`);
  }
  const name = await read('name', 'The application’s name', defaultName, upTo(60));
  const vendor = await read('vendor', 'Who makes it', name.slice(0, 80), upTo(80));
  const website = (await read('website', 'Its website (Enter for none)', '', validateUrl)) || null;
  for (;;) {
    const appcast = await read('appcast', 'Its update feed, a URL or a file (Enter for none)', '', () => null);
    const needsKey = appcast !== '' || value('public-key') !== null;
    const keyQuestion = 'SUPublicEDKey of its Info.plist (Enter for none)';
    const publicKey = (needsKey && (await read('public-key', keyQuestion, '', validateKey))) || null;
    const facts = { name, vendor, website, publicKey };
    // Without a feed, the folder gets a placeholder.
    if (appcast === '') return { ...facts, feed: null, fetchesNotes: flag('fetch-notes') };
    try {
      const feed = await readVendorFeed(appcast, publicKey, invocation);
      const isAsking = ask !== null && feed.linkedNotes > 0 && !flag('fetch-notes');
      if (!isAsking) return { ...facts, feed, fetchesNotes: flag('fetch-notes') };
      const releases = counted(feed.linkedNotes, 'release');
      const question = `Fetch the notes of ${releases}, which the feed only links to, to publish them here (yes or no)`;
      return { ...facts, feed, fetchesNotes: /^y(?:es)?$/i.test(await ask(question, 'no')) };
    } catch (error) {
      if (ask === null || value('appcast') !== null)
        throw new Error(`${messageOf(error)} Nothing was written.`, { cause: error });
      terminal.error(`${messageOf(error)}\n`);
    }
  }
}

/** Returns a function that reads an option's value or, without one, asks until the answer is valid. */
function createReader({ value, terminal }: Invocation, ask: Question | null) {
  return async (option: string, question: string, defaultAnswer: string, validate: Validate): Promise<string> => {
    for (;;) {
      const text = value(option);
      const answer = text ?? (await ask?.(question, defaultAnswer)) ?? defaultAnswer;
      const problem = validate(answer);
      if (problem === null) return answer;
      if (text !== null || ask === null) throw new UsageError(`--${option} ${problem}.`);
      terminal.error(`It ${problem}.\n`);
    }
  };
}

const upTo =
  (max: number): Validate =>
  ({ length }) =>
    length === 0 ? 'is needed' : length > max ? `may have ${max} characters, and has ${length}` : null;

const validateUrl: Validate = (url) =>
  url === '' || /^https?:\/\/[^\s/]+(\/\S*)?$/.test(url) ? null : `must be an http or https URL; it is \`${url}\``;

const validateKey: Validate = (key) =>
  key === '' || /^[A-Za-z0-9+/]{43}=$/.test(key) ? null : 'must be the base64 of 32 bytes, like SUPublicEDKey';

/** Reads the vendor's own feed. Throws an Error that names the fix if a server would refuse the feed. */
async function readVendorFeed(appcast: string, publicKey: string | null, { value, directory }: Invocation) {
  const baseUrl = value('feed-url');
  const problem = validateUrl(baseUrl ?? '');
  if (problem !== null) throw new UsageError(`--feed-url ${problem}.`);
  const isUrl = isRemote(appcast);
  const source = isUrl ? appcast : resolve(directory, appcast);
  if (!isUrl)
    await access(source).catch((error: unknown) => {
      const reason = `\`${appcast}\` cannot be read (${messageOf(error)})`;
      throw new Error(`--appcast must be the URL of a feed or a file; ${reason}.`);
    });
  // A key signs archives in any feed, and the feed itself only since Sparkle 2.9.
  const policy = publicKey === null ? 'off' : 'optional';
  const publicKeys = publicKey === null ? [] : [publicKey];
  const { snapshot, problem: refusal } = await inspectNamedSource(
    appcast,
    directory,
    { publicKeys, policy, baseUrl },
    null,
  );
  if (snapshot === null)
    throw new Error(`${refusal}${publicKey !== null && /signature/.test(refusal) ? ' Check --public-key.' : ''}`);
  const { releases, warnings, isSigned, bytes } = snapshot;
  const hasLinkedNotes = ({ notes, notesUrl, fullNotesUrl }: FeedRelease): boolean =>
    notes === '' && (notesUrl ?? fullNotesUrl) !== null;
  const isOptional = publicKey !== null && !isSigned;
  const gap = signatureWarning(snapshot, false);
  const protection = gap === null ? 'Its signature is valid.' : `Warning: ${gap}`;
  return {
    /** The feed in product.yaml: its URL, or the file in the folder, whose bytes are `file`. */
    source: isUrl ? source : 'appcast.xml',
    file: isUrl ? null : bytes,
    /** The URL where a feed from a file is published, or null. */
    baseUrl: isUrl ? null : baseUrl,
    /** Whether product.yaml has to allow an unsigned feed: there is a key, and the feed has no signature. */
    isOptional,
    latest: offeredRelease(releases) ?? latestRelease(releases),
    /** Number of releases whose notes are behind a link. */
    linkedNotes: releases.filter(hasLinkedNotes).length,
    /** Lines for the terminal. */
    summary: [
      `The feed has ${describeReleases(snapshot)}.`,
      isOptional ? unsignedFeed : protection,
      ...warnings.map((warning) => `Warning: ${describeWarning(warning)}`),
    ],
  };
}

const unsignedFeed =
  'It has no feed signature, which needs Sparkle 2.9; the key signs the archives. product.yaml therefore has `signature: optional`: once the feed is signed, its signature is checked with the key.';
