/** What `colophon init` is told: flags first, then questions, each asked again until the answer can be used. */
import { messageOf } from '../base/thrown.ts';
import { type Invocation, UsageError } from './command.ts';
import { type FeedReading, readVendorFeed } from './init-feed.ts';
import type { Question } from './terminal.ts';

export interface Answers {
  readonly name: string;
  readonly vendor: string;
  readonly website: string | null;
  readonly publicKey: string | null;
  /** null: the folder gets a placeholder. */
  readonly feed: FeedReading | null;
  /** Whether the notes that the feed links to are fetched. */
  readonly fetchesNotes: boolean;
}

/** `ask` null: there is nobody to ask. Throws UsageError for what cannot be used, and an Error for a feed that cannot. */
export async function answersOf(
  { value, flag, argument, directory, terminal }: Invocation,
  ask: Question | null,
  presetName: string,
): Promise<Answers> {
  /** The option's value; otherwise what the person types, asked for again while `problemOf` objects to it. */
  const answer = async (option: string, question: string, preset: string, problemOf: Check): Promise<string> => {
    const given = value(option);
    if (given !== null || ask === null) {
      const problem = problemOf(given ?? preset);
      if (problem !== null) throw new UsageError(`--${option} ${problem}.`);
      return given ?? preset;
    }
    for (;;) {
      const said = await ask(question, preset);
      const problem = problemOf(said);
      if (problem === null) return said;
      terminal.error(`It ${problem}.\n`);
    }
  };
  if (ask === null && value('name') === null) {
    const folder = argument === null ? '' : ` ${argument}`;
    throw new UsageError(`The application’s name is missing: colophon init${folder} --name "My App"`);
  }
  const name = await answer('name', 'The application’s name', presetName, nameProblem);
  const vendor = await answer('vendor', 'Who makes it', name.slice(0, 80), vendorProblem);
  const website = (await answer('website', 'Its website (Enter for none)', '', websiteProblem)) || null;
  for (;;) {
    const appcast = await answer('appcast', 'Its update feed, a URL or a file (Enter for none)', '', anything);
    const key = appcast === '' && value('public-key') === null ? '' : await keyAnswer(answer);
    const facts = { name, vendor, website, publicKey: key || null };
    if (appcast === '') return { ...facts, feed: null, fetchesNotes: flag('fetch-notes') };
    try {
      const feed = await readVendorFeed({
        written: appcast,
        directory,
        publicKey: key || null,
        feedUrl: value('feed-url'),
      });
      const asks = ask !== null && feed.linkedNotes > 0 && !flag('fetch-notes');
      const fetchesNotes = asks ? isYes(await ask(notesQuestion(feed), 'no')) : flag('fetch-notes');
      return { ...facts, feed, fetchesNotes };
    } catch (thrown) {
      if (ask === null || value('appcast') !== null)
        throw new Error(`${messageOf(thrown)} Nothing was written.`, { cause: thrown });
      terminal.error(`${messageOf(thrown)}\n`);
    }
  }
}

/** What is wrong with the text that was typed, as the end of a sentence about it; null when nothing is. */
type Check = (said: string) => string | null;

const keyAnswer = (answer: (option: string, question: string, preset: string, check: Check) => Promise<string>) =>
  answer('public-key', 'SUPublicEDKey of its Info.plist (Enter for none)', '', keyProblem);

const notesQuestion = ({ linkedNotes }: FeedReading): string =>
  `${linkedNotes === 1 ? 'A release has its' : `${linkedNotes} releases have their`} notes behind a link. Fetch them to publish them here (yes or no)`;

const isYes = (said: string): boolean => /^y(?:es)?$/i.test(said);

const anything: Check = () => null;

const nameProblem: Check = (said) =>
  said === '' ? 'is needed' : said.length > 60 ? `may have 60 characters, and has ${said.length}` : null;

const vendorProblem: Check = (said) => (said.length > 80 ? `may have 80 characters, and has ${said.length}` : null);

const websiteProblem: Check = (said) =>
  said === '' || /^https?:\/\/[^\s/]+(\/\S*)?$/.test(said) ? null : `must be an http or https URL; it is \`${said}\``;

const keyProblem: Check = (said) =>
  said === '' || /^[A-Za-z0-9+/]{43}=$/.test(said) ? null : 'must be the base64 of 32 bytes, like SUPublicEDKey';
