/** The answers that `colophon init` needs: from options, and otherwise from questions, which are repeated until the answer is valid. */
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf } from '../base/thrown.ts';
import type { FeedRelease, FeedSnapshot } from '../feed/release.ts';
import { latestRelease, offeredRelease } from '../feed/selection.ts';
import { type Invocation, UsageError } from './command.ts';
import { describeReleases, describeWarning, inspectFeed } from './feed-inspection.ts';
import type { Question } from './terminal.ts';

/** Facts that the vendor's own feed contributes to the folder. */
export interface VendorFeed {
  /** The feed in product.yaml: its URL, or the file in the folder. */
  readonly source: string;
  /** The bytes of that file, or null for a URL. */
  readonly file: Buffer | null;
  /** The URL where a feed from a file is published, or null. */
  readonly baseUrl: string | null;
  /** Whether product.yaml has to allow an unsigned feed: there is a key, and the feed has no signature. */
  readonly isOptional: boolean;
  readonly latest: FeedRelease | null;
  /** Number of releases whose notes are behind a link. */
  readonly linkedNotes: number;
  /** Lines for the terminal. */
  readonly summary: readonly string[];
}

/** What is known about the application. */
export interface Answers {
  readonly name: string;
  readonly vendor: string;
  readonly website: string | null;
  readonly publicKey: string | null;
  /** The vendor's feed, or null if the folder gets a placeholder. */
  readonly feed: VendorFeed | null;
  /** Whether the notes that the feed links to are fetched. */
  readonly fetchesNotes: boolean;
}

/** Returns what is wrong with an answer, as the end of a sentence about it, or null if nothing is. */
type Validate = (answer: string) => string | null;

/**
 * Reads the answers.
 *
 * @param ask asks the person at the terminal, or null if there is nobody
 * @throws UsageError for an invalid option, and an Error for a feed that a server would refuse
 */
export async function readAnswers(invocation: Invocation, ask: Question | null, defaultName: string): Promise<Answers> {
  const { value, flag, argument, terminal } = invocation;
  const read = createReader(invocation, ask);
  if (ask === null && value('name') === null) {
    const folder = argument === null ? '' : ` ${argument}`;
    throw new UsageError(`The application’s name is missing: colophon init${folder} --name "My App"`);
  }
  const name = await read('name', 'The application’s name', defaultName, validateName);
  const vendor = await read('vendor', 'Who makes it', name.slice(0, 80), validateVendor);
  const website = (await read('website', 'Its website (Enter for none)', '', validateWebsite)) || null;
  for (;;) {
    const appcast = await read('appcast', 'Its update feed, a URL or a file (Enter for none)', '', () => null);
    const needsKey = appcast !== '' || value('public-key') !== null;
    const keyQuestion = 'SUPublicEDKey of its Info.plist (Enter for none)';
    const publicKey = (needsKey && (await read('public-key', keyQuestion, '', validateKey))) || null;
    const facts = { name, vendor, website, publicKey };
    if (appcast === '') return { ...facts, feed: null, fetchesNotes: flag('fetch-notes') };
    try {
      const feed = await readVendorFeed(appcast, publicKey, invocation);
      const isAsking = ask !== null && feed.linkedNotes > 0 && !flag('fetch-notes');
      const fetchesNotes = isAsking ? /^y(?:es)?$/i.test(await ask(notesQuestion(feed), 'no')) : flag('fetch-notes');
      return { ...facts, feed, fetchesNotes };
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
    const text = value(option);
    if (text !== null || ask === null) {
      const problem = validate(text ?? defaultAnswer);
      if (problem !== null) throw new UsageError(`--${option} ${problem}.`);
      return text ?? defaultAnswer;
    }
    for (;;) {
      const answer = await ask(question, defaultAnswer);
      const problem = validate(answer);
      if (problem === null) return answer;
      terminal.error(`It ${problem}.\n`);
    }
  };
}

const notesQuestion = ({ linkedNotes }: VendorFeed): string =>
  `${linkedNotes === 1 ? 'A release has its' : `${linkedNotes} releases have their`} notes behind a link. Fetch them to publish them here (yes or no)`;

const validateName: Validate = (name) =>
  name === '' ? 'is needed' : name.length > 60 ? `may have 60 characters, and has ${name.length}` : null;

const validateVendor: Validate = (vendor) =>
  vendor.length > 80 ? `may have 80 characters, and has ${vendor.length}` : null;

const validateWebsite: Validate = (url) =>
  url === '' || /^https?:\/\/[^\s/]+(\/\S*)?$/.test(url) ? null : `must be an http or https URL; it is \`${url}\``;

const validateKey: Validate = (key) =>
  key === '' || /^[A-Za-z0-9+/]{43}=$/.test(key) ? null : 'must be the base64 of 32 bytes, like SUPublicEDKey';

/** Reads the feed. Throws an Error that names the fix if a server would refuse the feed. */
async function readVendorFeed(
  appcast: string,
  publicKey: string | null,
  { value, directory }: Invocation,
): Promise<VendorFeed> {
  const baseUrl = value('feed-url');
  const problem = validateWebsite(baseUrl ?? '');
  if (problem !== null) throw new UsageError(`--feed-url ${problem}.`);
  const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(appcast);
  const source = isUrl ? appcast : resolve(directory, appcast);
  if (!isUrl)
    await access(source).catch((error: unknown) => {
      const reason = `\`${appcast}\` cannot be read (${messageOf(error)})`;
      throw new Error(`--appcast must be the URL of a feed or a file; ${reason}.`);
    });
  // A key signs archives in any feed, and the feed itself only since Sparkle 2.9.
  const policy = publicKey === null ? 'off' : 'optional';
  const publicKeys = publicKey === null ? [] : [publicKey];
  const inspection = await inspectFeed({ source, publicKeys, policy, baseUrl, languages: [] });
  if (inspection.kind !== 'good') {
    const hint = publicKey !== null && /signature/.test(inspection.problem) ? ' Check --public-key.' : '';
    throw new Error(`${inspection.problem}${hint}`);
  }
  const { snapshot } = inspection;
  const { releases, warnings, isSigned, bytes } = snapshot;
  const hasLinkedNotes = ({ notes, notesUrl, fullNotesUrl }: FeedRelease): boolean =>
    notes === '' && (notesUrl ?? fullNotesUrl) !== null;
  return {
    source: isUrl ? source : 'appcast.xml',
    file: isUrl ? null : bytes,
    baseUrl: isUrl ? null : baseUrl,
    isOptional: publicKey !== null && !isSigned,
    latest: offeredRelease(releases) ?? latestRelease(releases),
    linkedNotes: releases.filter(hasLinkedNotes).length,
    summary: [
      describeReleases(snapshot),
      explainSignature(snapshot, publicKey),
      ...warnings.map((warning) => `Warning: ${describeWarning(warning)}`),
    ],
  };
}

function explainSignature({ isSigned, verifiedBy }: FeedSnapshot, publicKey: string | null): string {
  if (verifiedBy !== null) return 'Its signature is valid.';
  if (isSigned) return 'It is signed, but the signature is not checked: add your SUPublicEDKey to feed.public_keys.';
  return publicKey === null
    ? 'It is not signed (feed signatures need Sparkle 2.9). Sign it and add your SUPublicEDKey to feed.public_keys, or set `signature: optional` under feed to serve it unsigned.'
    : 'It has no feed signature, which needs Sparkle 2.9; the key signs the archives. product.yaml therefore has `signature: optional`: once the feed is signed, its signature is checked with the key.';
}
