/** Collects the answers that `colophon init` needs from options, or from questions that are repeated until the answer is valid. */
import { getMessage } from '../base/thrown.ts';
import { locateSource } from '../content/source-location.ts';
import { publicKeySchema } from '../content/source-schema.ts';
import { type Invocation, UsageError } from './command.ts';
import { readSources } from './init-sources.ts';
import { formatCount, type Question } from './terminal.ts';

/**
 * The facts about the application from the options or the answers: `name`, `vendor`, `website`, `publicKey` (base64) and `feed`,
 * the result of `readSources`; the last three are null if there is none. `fetchesNotes` is whether product.yaml gets
 * `notes: fetch`.
 */
export type Answers = Awaited<ReturnType<typeof readAnswers>>;

/** Returns what is wrong with an answer, as the end of a sentence about it, or null if nothing is. */
type Validate = (answer: string) => string | null;

/**
 * Reads what `colophon init` needs to know from its options, and asks for what is missing if there is somebody to ask. Without an
 * answer, the vendor has the application's name, cut to 80 characters, the website, the key and the feed are null, and notes are
 * not fetched.
 *
 * @param ask asks the person at the terminal, or null if there is nobody
 * @param defaultName the application's name if the person only presses Enter
 * @throws UsageError for an invalid option, or if there is no name and nobody to ask, and an Error for a feed named by an option
 * that a server would refuse; one that an answer names is asked for again
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
  const feedUrl = (await read('feed-url', null, '', validateUrl)) || null;
  for (;;) {
    const source = await read('releases', sourceQuestion, '', () => null);
    const publicKey = (await read('public-key', mayHaveKey(source) ? keyQuestion : null, '', validateKey)) || null;
    const facts = { name, vendor, website, publicKey };
    // Without a source, the folder gets an example release, which the vendor replaces.
    if (source === '') return { ...facts, feed: null, fetchesNotes: false };
    try {
      const feed = await readSources({ source, publicKey, feedUrl }, invocation);
      if (ask === null || feed.linkedNotes === 0 || flag('fetch-notes'))
        return { ...facts, feed, fetchesNotes: flag('fetch-notes') };
      const releases = formatCount(feed.linkedNotes, 'release');
      const question = `Fetch the notes of ${releases}, which the feed only links to, to publish them here (yes or no)`;
      return { ...facts, feed, fetchesNotes: /^y(?:es)?$/i.test(await ask(question, 'no')) };
    } catch (error) {
      if (ask === null || value('releases') !== null)
        throw new Error(`${getMessage(error)} Nothing was written.`, { cause: error });
      terminal.error(`${getMessage(error)}\n`);
    }
  }
}

const sourceQuestion = 'Its update feed, a URL or a file, or its repository, such as acme/larder (Enter for none)';
const keyQuestion = 'Its public key: SUPublicEDKey, or `pubkey` of tauri.conf.json (Enter for none)';

/** Returns whether a source may be signed, judged by its name: repositories and YAML files never are. */
const mayHaveKey = (source: string): boolean =>
  source !== '' && locateSource(source).kind !== 'github' && !/\.ya?ml$/i.test(source);

/**
 * Returns a function that reads an option's value or, without one, asks until the answer is valid. It returns the default if
 * `question` is null or there is nobody to ask, and throws UsageError for an invalid value that cannot be asked for again.
 */
function createReader({ value, terminal }: Invocation, ask: Question | null) {
  return async (
    option: string,
    question: string | null,
    defaultAnswer: string,
    validate: Validate,
  ): Promise<string> => {
    for (;;) {
      const text = value(option);
      const answer = text ?? (question === null ? null : await ask?.(question, defaultAnswer)) ?? defaultAnswer;
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
  key === '' || publicKeySchema.safeParse(key).success ? null : 'must be the base64 of 32 bytes, like SUPublicEDKey';
