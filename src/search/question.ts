/** Finds what a question is about, so that a fact can answer it: a price, the requirements, the latest release, a download. */
import { createStemmer, readLines, stopWords, translate } from './language.ts';
import { foldWords } from './words.ts';

const topicNames = ['price', 'free', 'requirements', 'platform', 'release', 'download'] as const;
/** The subject of a question that a fact answers. */
export type Topic = (typeof topicNames)[number];

const stem = createStemmer('en');
/** Stop words, except those that ask for a quantity: "how many Macs" is not about Macs. */
const emptyStems: ReadonlySet<string> = new Set([...stopWords].filter((word) => !/^(many|much)$/.test(word)).map(stem));
const stemPhrase = (phrase: string): string => phrase.split(' ').map(stem).join(' ');

/** The words of each topic in questions.txt: stems of words and phrases of which a question has at least one, and all stems it may have. */
const topicWords = readLines('english/questions.txt').map((line) => {
  const [name, keys = '', others = ''] = line.split(/ = | \| /);
  const stems = new Set(stemPhrase(`${keys}, ${others}`.replaceAll(',', '')).split(' '));
  return { topic: topicNames.find((topic) => topic === name), keys: keys.split(', ').map(stemPhrase), allowed: stems };
});

/** Returns the stems of the words of a question, translated into English as far as the word lists go. */
function listStems(question: string): string[] {
  const words = foldWords(question);
  const stems: string[] = [];
  for (let place = 0; place < words.length; ) {
    const { length, english } = translate(words.slice(place)) ?? { length: 1, english: words[place] ?? '' };
    if (english !== '') stems.push(stem(english));
    place += length;
  }
  return stems;
}

/** Returns the stems that carry a question's meaning: sorted, and without stop words and the words in `names`. */
function listMeaningful(question: string, names: string): string[] {
  const nameStems = listStems(names);
  return [...new Set(listStems(question))].filter((word) => !emptyStems.has(word) && !nameStems.includes(word)).sort();
}

/**
 * Returns a text that is the same for all questions with the same meaning, or '' if no word carries any. The words in `names`, such
 * as the product's name, carry none.
 */
export const findMeaning = (question: string, names: string): string => listMeaningful(question, names).join(' ');

/** Returns the topic of a question that is about nothing else, apart from the words in `names`, or null. */
export function findTopic(question: string, names: string): Topic | null {
  const text = ` ${listStems(question).join(' ')} `;
  const meaning = listMeaningful(question, names);
  const topic = topicWords.find(
    ({ keys, allowed }) => keys.some((key) => text.includes(` ${key} `)) && meaning.every((word) => allowed.has(word)),
  );
  return topic?.topic ?? null;
}
