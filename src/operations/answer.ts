/** Answers a question about the price, the requirements, the latest release or a fact of facts.yaml in one line. */
import type { Catalog } from '../catalog/catalog.ts';
import { getReleasePath } from '../catalog/release-ids.ts';
import { listRanges } from '../catalog/requirements.ts';
import type { Content } from '../content/content.ts';
import {
  dayInWords,
  getWording,
  joinFacts,
  listPrices,
  writeChoice,
  writeDiskSpace,
  writeMemory,
  writePrice,
  writeProcessors,
  writeSystemRange,
} from '../content/facts.ts';
import { requirementsAnchor } from '../content/site-paths.ts';
import { findMeaning, findTopic, type Topic } from '../search/question.ts';
import type { DocumentName } from '../search/search.ts';

/** A fact that answers a question in one line of plain text. */
export interface Answer {
  readonly text: string;
  /** The path on the site of the page that has more about it, such as `/pricing`, with its anchor if it has one. */
  readonly path: string;
  /** The documents, by kind and key, that a search for the question finds first, in this order; empty if it prefers none. */
  readonly documents: readonly DocumentName[];
}

/** The answers of one revision as plain data; a snapshot of the site has a copy. */
export interface AnswerTable {
  /** The name of the product. */
  readonly product: string;
  /** The names of its paid plans; that of a free one is often a word with another meaning, such as "Free". */
  readonly plans: readonly string[];
  /** The vendor's facts, by the meaning of each question that they answer, as `findMeaning` returns it. */
  readonly facts: Readonly<Record<string, Answer>>;
  /** The answers of the topics; one without a known fact has none. */
  readonly topics: Readonly<Partial<Record<Topic, Answer>>>;
}

/** Returns the answer to a question, that of facts.yaml before that of a topic such as the price, or null if neither has one. */
export function findAnswer(question: string, { product, plans, facts, topics }: AnswerTable): Answer | null {
  const meaning = findMeaning(question, product);
  if (Object.hasOwn(facts, meaning)) return facts[meaning] ?? null;
  const topic = findTopic(question, [product, ...plans].join(' '));
  return topic === null ? null : (topics[topic] ?? null);
}

type Plan = Content['pricing']['plans'][number];

/** The answers of each revision, because collecting them takes longer than a search. */
const tables = new WeakMap<Catalog, AnswerTable>();

/**
 * Returns the answers of a revision, to topics and to the questions of facts.yaml: the same object for each call with a catalog.
 */
export function listAnswers(catalog: Catalog): AnswerTable {
  const table = tables.get(catalog) ?? createAnswers(catalog);
  tables.set(catalog, table);
  return table;
}

function createAnswers(catalog: Catalog): AnswerTable {
  const { facts, product, pricing } = catalog.content;
  const release = describeRelease(catalog);
  const requirements = describeRequirements(catalog);
  const factAnswers = facts.flatMap(({ questions, answer, href }) =>
    questions.map(
      (question) => [findMeaning(question, product.name), { text: answer, path: href, documents: [] }] as const,
    ),
  );
  return {
    product: product.name,
    plans: pricing.plans.filter(({ price }) => price.amount > 0).map(({ name }) => name),
    facts: Object.fromEntries(factAnswers.filter(([meaning]) => meaning !== '')),
    topics: {
      price: describePrices(catalog, (plan) => plan.price.amount > 0),
      free: describePrices(catalog, (plan) => plan.price.amount === 0),
      requirements,
      // The line names the systems on which the product runs; no document comes first, because a page may explain the others.
      platform: { ...requirements, documents: [] },
      ...(release && { release, download: release }),
    },
  };
}

const describeRelease = ({ content, latest }: Catalog): Answer | null =>
  latest && {
    text: joinFacts([
      `${content.product.name} ${latest.version}`,
      latest.publishedAtSource === 'feed' && dayInWords(latest.publishedAt, content.product.language),
    ]),
    path: getReleasePath(latest),
    documents: [{ kind: 'release', key: latest.version }],
  };

/**
 * Returns an answer with the prices of every plan, in the order of the plans. A search finds the plans that `comesFirst` selects
 * before the others.
 */
function describePrices({ content }: Catalog, comesFirst: (plan: Plan) => boolean): Answer {
  const { plans } = content.pricing;
  const orderedPlans = [...plans.filter(comesFirst), ...plans.filter((plan) => !comesFirst(plan))];
  return {
    text: joinFacts(plans.map((plan) => describePlan(plan, content))),
    path: '/pricing',
    documents: orderedPlans.map(({ id }) => ({ kind: 'plan', key: id })),
  };
}

function describeRequirements({ content, supported }: Catalog): Answer {
  const { words, product, requirements } = content;
  const systems = supported.flatMap((system) =>
    listRanges(system).map((range) =>
      [
        writeSystemRange({ ...range, os: system.os }, words),
        writeProcessors(system.os, range.archs, getWording(content)),
      ]
        .filter((part) => part !== '')
        .join(', '),
    ),
  );
  return {
    text: joinFacts([
      ...systems,
      `${words.memory}: ${writeMemory(requirements.memory_mb, product.language)}`,
      `${words.disk_space}: ${writeDiskSpace(requirements.disk_mb, product.language)}`,
    ]),
    path: `/#${requirementsAnchor}`,
    documents: [{ kind: 'requirements', key: 'requirements' }],
  };
}

/**
 * Returns a plan's name and all its prices in the product's language, such as "Sotto Pro: 29 USD once or 3 USD per month". If the
 * plan is free and is called "Free" in that language, that is its name alone.
 */
export function describePlan(plan: Plan, content: Content): string {
  const { free } = content.words;
  const prices = listPrices(plan).map((price) => (price.amount > 0 ? writePrice(price, getWording(content)) : free));
  const isNamedFree = plan.name.toLowerCase() === free.toLowerCase() && prices.every((price) => price === free);
  return isNamedFree ? plan.name : `${plan.name}: ${writeChoice([...new Set(prices)], content.product.language)}`;
}
