/** Answers a question about the price, the requirements, the latest release or a fact of facts.yaml in one line. */
import type { Catalog } from '../catalog/catalog.ts';
import { releasePath } from '../catalog/release-ids.ts';
import { listRanges } from '../catalog/requirements.ts';
import type { Content } from '../content/content.ts';
import {
  choiceInLanguage,
  dayInWords,
  diskInWords,
  factsInWords,
  memoryInWords,
  priceInLanguage,
  pricesOf,
  processorsInWords,
  rangeInWords,
  wordingOf,
} from '../content/facts.ts';
import { requirementsAnchor } from '../content/site-paths.ts';
import { findTopic, meaningOf, type Topic } from '../search/question.ts';
import type { DocumentName } from '../search/search.ts';

export interface Answer {
  readonly text: string;
  /** The path of the page that has more about it, with its anchor. */
  readonly path: string;
  /** What a search for the question should find first. */
  readonly documents: readonly DocumentName[];
}

/** Returns the answer to a question, or null if no fact answers it. */
export function findAnswer(question: string, catalog: Catalog): Answer | null {
  const { content } = catalog;
  const fact = listFacts(content).get(meaningOf(question, content.product.name).join(' '));
  if (fact !== undefined) return { text: fact.answer, path: fact.href, documents: [] };
  const names = [content.product.name, ...content.pricing.plans.map(({ name }) => name)].join(' ');
  const topic = findTopic(question, names);
  return topic === null ? null : answers[topic](catalog);
}

const describeRelease = ({ content, latest }: Catalog): Answer | null =>
  latest && {
    text: factsInWords([
      `${content.product.name} ${latest.version}`,
      latest.publishedAtSource === 'feed' && dayInWords(latest.publishedAt, content.product.language),
    ]),
    path: releasePath(latest),
    documents: [{ kind: 'release', key: latest.version }],
  };

const answers: Readonly<Record<Topic, (catalog: Catalog) => Answer | null>> = {
  price: ({ content }) => ({
    text: factsInWords(content.pricing.plans.map((plan) => planInWords(plan, content))),
    path: '/pricing',
    documents: content.pricing.plans.map(({ id }) => ({ kind: 'plan', key: id })),
  }),
  requirements: ({ content, supported }) => {
    const { words, product, requirements } = content;
    return {
      text: factsInWords([
        ...supported.flatMap((system) =>
          listRanges(system).map((range) =>
            [
              rangeInWords({ ...range, os: system.os }, words),
              processorsInWords(system.os, range.archs, wordingOf(content)),
            ]
              .filter((part) => part !== '')
              .join(', '),
          ),
        ),
        `${words.memory}: ${memoryInWords(requirements.memory_mb, product.language)}`,
        `${words.disk_space}: ${diskInWords(requirements.disk_mb, product.language)}`,
      ]),
      path: `/#${requirementsAnchor}`,
      documents: [{ kind: 'requirements', key: 'requirements' }],
    };
  },
  release: describeRelease,
  download: describeRelease,
};

/** Returns a plan's name and all its prices, such as "Sotto Pro: 29 USD once"; only the name of a plan that is called "Free" and is free. */
export function planInWords(plan: Content['pricing']['plans'][number], content: Content): string {
  const { free } = content.words;
  const prices = pricesOf(plan).map((price) => (price.amount > 0 ? priceInLanguage(price, wordingOf(content)) : free));
  const isNamedFree = plan.name.toLowerCase() === free.toLowerCase() && prices.every((price) => price === free);
  return isNamedFree ? plan.name : `${plan.name}: ${choiceInLanguage([...new Set(prices)], content.product.language)}`;
}

/** The facts of each revision by the meaning of their questions, because reading all of them takes longer than a search. */
const factsByMeaning = new WeakMap<Content['facts'], ReadonlyMap<string, Content['facts'][number]>>();

function listFacts({ facts, product }: Content): ReadonlyMap<string, Content['facts'][number]> {
  const known = factsByMeaning.get(facts);
  if (known !== undefined) return known;
  const entries = facts.flatMap((fact) =>
    fact.questions.map((question) => [meaningOf(question, product.name).join(' '), fact] as const),
  );
  const byMeaning = new Map(entries.filter(([meaning]) => meaning !== ''));
  factsByMeaning.set(facts, byMeaning);
  return byMeaning;
}
