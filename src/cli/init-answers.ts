/** The answers that `colophon init` needs: from options, and otherwise from questions, which are repeated until the answer is valid. */
import { messageOf } from '../base/thrown.ts';
import { type Invocation, UsageError } from './command.ts';
import { type FeedReading, readVendorFeed } from './init-feed.ts';
import type { Question } from './terminal.ts';

/** What is known about the application. */
export interface Answers {
  readonly name: string;
  readonly vendor: string;
  readonly website: string | null;
  readonly publicKey: string | null;
  /** The vendor's feed, or null if the folder gets a placeholder. */
  readonly feed: FeedReading | null;
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
  const { value, flag, argument, directory, terminal } = invocation;
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
      const feed = await readVendorFeed({ source: appcast, directory, publicKey, feedUrl: value('feed-url') });
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

const notesQuestion = ({ linkedNotes }: FeedReading): string =>
  `${linkedNotes === 1 ? 'A release has its' : `${linkedNotes} releases have their`} notes behind a link. Fetch them to publish them here (yes or no)`;

const validateName: Validate = (name) =>
  name === '' ? 'is needed' : name.length > 60 ? `may have 60 characters, and has ${name.length}` : null;

const validateVendor: Validate = (vendor) =>
  vendor.length > 80 ? `may have 80 characters, and has ${vendor.length}` : null;

const validateWebsite: Validate = (url) =>
  url === '' || /^https?:\/\/[^\s/]+(\/\S*)?$/.test(url) ? null : `must be an http or https URL; it is \`${url}\``;

const validateKey: Validate = (key) =>
  key === '' || /^[A-Za-z0-9+/]{43}=$/.test(key) ? null : 'must be the base64 of 32 bytes, like SUPublicEDKey';
