/** Reads what a question is about, so that a fact can answer it: a price, the requirements, the latest release, a download. */
import { linesOf, stemmerFor, stopWords, translate } from './language.ts';
import { eachWord, fold } from './words.ts';

const topicNames = ['price', 'requirements', 'release', 'download'] as const;
/** The subject of a question that a fact answers. */
export type Topic = (typeof topicNames)[number];

const stem = stemmerFor('en');
/** Stop words, except those that ask for a quantity: "how many Macs" is not about Macs. */
const emptyStems: ReadonlySet<string> = new Set([...stopWords].filter((word) => !/^(many|much)$/.test(word)).map(stem));
const stemPhrase = (phrase: string): string => phrase.split(' ').map(stem).join(' ');

/** The words of each topic in questions.txt: stems of words and phrases of which a question has at least one, and all stems it may have. */
const topics = linesOf('english/questions.txt').map((line) => {
  const [name, keys = '', others = ''] = line.split(/ = | \| /);
  const allowed = new Set(stemPhrase(`${keys}, ${others}`.replaceAll(',', '')).split(' '));
  return { topic: topicNames.find((topic) => topic === name), keys: keys.split(', ').map(stemPhrase), allowed };
});

/** Returns the stems of the words of a question, translated into English as far as the word lists go. */
function stemsOf(question: string): string[] {
  const stems: string[] = [];
  eachWord(question, (start, end) => {
    const folded = fold(question.slice(start, end));
    const word = translate(folded) ?? folded;
    if (word !== '') stems.push(stem(word));
  });
  return stems;
}

/** Returns the stems that carry a question's meaning, sorted: without stop words and the words in `names`. */
export function meaningOf(question: string, names: string): string[] {
  const named = stemsOf(names);
  return [...new Set(stemsOf(question))].filter((word) => !emptyStems.has(word) && !named.includes(word)).sort();
}

/** Returns the topic of a question that is about nothing else, apart from the words in `names`, or null. */
export function findTopic(question: string, names: string): Topic | null {
  const text = ` ${stemsOf(question).join(' ')} `;
  const meaning = meaningOf(question, names);
  const found = topics.find(
    ({ keys, allowed }) => keys.some((key) => text.includes(` ${key} `)) && meaning.every((word) => allowed.has(word)),
  );
  return found?.topic ?? null;
}
