/** Finds the fact that answers a question: a price, the requirements, the latest release, a download, or a fact of the vendor. */
import { linesOf, stemmerFor, stopWords, translate } from './language.ts';
import type { DocumentName } from './search.ts';
import { eachWord, fold } from './words.ts';

const topicNames = ['price', 'requirements', 'release', 'download'] as const;
/** The subject of a question that a fact answers. */
export type Topic = (typeof topicNames)[number];

/** A fact that answers a question in one line. */
export interface Answer {
  readonly text: string;
  /** The path of the page that has more about it, with its anchor. */
  readonly path: string;
  /** The documents that a search for the question finds first. */
  readonly documents: readonly DocumentName[];
}

/** The answers of one revision as plain data; a snapshot of the site has a copy. */
export interface AnswerTable {
  /** The name of the product. */
  readonly product: string;
  /** The names of its plans. */
  readonly plans: readonly string[];
  /** The vendor's facts, by the meaning of each question that they answer. */
  readonly facts: Readonly<Record<string, Answer>>;
  /** The answers of the topics; one without a known fact has none. */
  readonly topics: Readonly<Partial<Record<Topic, Answer>>>;
}

/** Returns the answer to a question, or null if no fact answers it. */
export function findAnswer(question: string, { product, plans, facts, topics }: AnswerTable): Answer | null {
  const meaning = findMeaning(question, product);
  if (Object.hasOwn(facts, meaning)) return facts[meaning] ?? null;
  const topic = findTopic(question, [product, ...plans].join(' '));
  return topic === null ? null : (topics[topic] ?? null);
}

const stem = stemmerFor('en');
/** Stop words, except those that ask for a quantity: "how many Macs" is not about Macs. */
const emptyStems: ReadonlySet<string> = new Set([...stopWords].filter((word) => !/^(many|much)$/.test(word)).map(stem));
const stemPhrase = (phrase: string): string => phrase.split(' ').map(stem).join(' ');

/** The words of each topic in questions.txt: stems of words and phrases of which a question has at least one, and all stems it may have. */
const topicWords = linesOf('english/questions.txt').map((line) => {
  const [name, keys = '', others = ''] = line.split(/ = | \| /);
  const allowed = new Set(stemPhrase(`${keys}, ${others}`.replaceAll(',', '')).split(' '));
  return { topic: topicNames.find((topic) => topic === name), keys: keys.split(', ').map(stemPhrase), allowed };
});

/** Returns the stems of the words of a question, translated into English as far as the word lists go. */
function listStems(question: string): string[] {
  const stems: string[] = [];
  eachWord(question, (start, end) => {
    const folded = fold(question.slice(start, end));
    const word = translate(folded) ?? folded;
    if (word !== '') stems.push(stem(word));
  });
  return stems;
}

/** Returns the stems that carry a question's meaning: sorted, and without stop words and the words in `names`. */
function listMeaningful(question: string, names: string): string[] {
  const named = listStems(names);
  return [...new Set(listStems(question))].filter((word) => !emptyStems.has(word) && !named.includes(word)).sort();
}

/** Returns a text that is the same for all questions with the same meaning, or '' if no word carries any. */
export const findMeaning = (question: string, names: string): string => listMeaningful(question, names).join(' ');

/** Returns the topic of a question that is about nothing else, apart from the words in `names`, or null. */
export function findTopic(question: string, names: string): Topic | null {
  const text = ` ${listStems(question).join(' ')} `;
  const meaning = listMeaningful(question, names);
  const found = topicWords.find(
    ({ keys, allowed }) => keys.some((key) => text.includes(` ${key} `)) && meaning.every((word) => allowed.has(word)),
  );
  return found?.topic ?? null;
}
