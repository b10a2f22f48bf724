/** The shapes of the files of facts: questions, prices, features, requirements, synonyms. */
import { z } from 'zod';
import type { LinkSpan } from '../markdown/markdown.ts';
import { identifier, object, pattern, text } from './field-schemas.ts';
import { placeSchema } from './keywords.ts';
import { type Placeholders, publishMarkdown } from './published.ts';

/** The schema of faq.yaml. */
export const faqSchema = object('Frequently asked questions, in the order they are listed.', {
  entries: z.array(
    z.strictObject({
      id: identifier,
      category: text(60),
      question: text(200),
      answer: text(4000).describe('Markdown.'),
    }),
  ),
});

/** A question of the FAQ with its answer, as plain text and as Markdown. */
export type FaqEntry = z.infer<typeof faqSchema>['entries'][number] & {
  /** `answer` as plain text, one block a line and code as it is written, with the marks of `base/plain-text.ts`. */
  readonly text: string;
  /** `answer` as it is published: without comments and other things that are not for readers. */
  readonly markdown: string;
  /** The links in `markdown`. */
  readonly links: readonly LinkSpan[];
  /** The facts in `answer` and `markdown`, or null if there are none. */
  readonly placeholders: Placeholders | null;
};

/** Returns the questions in their order, each with what is published of its answer. */
export const readFaq = ({ entries }: z.output<typeof faqSchema>): readonly FaqEntry[] =>
  entries.map((entry) => {
    const { parsed, markdown, links, placeholders } = publishMarkdown(entry.answer);
    const blocks = parsed.sections.flatMap(({ text, code }) => [text, code]).filter((block) => block !== '');
    return { ...entry, text: blocks.join('\n'), markdown, links, placeholders };
  });

const price = z.strictObject({
  amount: z.number().min(0).max(1_000_000).describe('In the currency’s main unit: 29 is 29 dollars.'),
  currency: pattern(/^[A-Z]{3}$/, 'must be an ISO 4217 code such as USD'),
  interval: z.enum(['once', 'month', 'year']).nullable().describe('null when nothing is charged.'),
  unit: text(40)
    .nullable()
    .default(null)
    .describe('What one price buys when a customer can buy several, such as `seat`; null for a flat price.'),
});
/** A price of a plan: `amount` in the main unit of the currency, `interval` null if nothing is charged, `unit` null for a flat price. */
export type Price = z.infer<typeof price>;

const plan = z.strictObject({
  id: identifier,
  name: text(60),
  price,
  prices: z
    .array(price)
    .min(1)
    .max(20)
    .optional()
    .describe('Further prices of the same plan: in other currencies, or for other intervals.'),
  description: text(400),
  includes: z.array(text(200)).max(30),
});

const backend = z.strictObject({
  id: identifier,
  name: text(60),
  runs_on_device: z.boolean(),
  cost: text(200).describe('In words, with the amount, the currency and the unit.'),
  description: text(400),
});

/** The schema of pricing.yaml. */
export const pricingSchema = object('What the application costs, and what each backend costs.', {
  plans: z.array(plan).min(1),
  backends: z.array(backend).default([]),
});
/**
 * The value of pricing.yaml: the plans and the backends in their order; `backends` is empty if the file has none. `prices` of a
 * plan has further prices only, and is undefined if there are none.
 */
export type Pricing = z.infer<typeof pricingSchema>;

const feature = z.strictObject({
  id: identifier,
  name: text(80),
  description: text(400),
  on_device: z.boolean().describe('Whether it works without sending anything off the computer.'),
  permission: identifier
    .nullable()
    .default(null)
    .describe(
      'The id, in requirements.yaml, of a permission without which the feature does not work; null if it needs no further permission. Mention permissions that only improve it in the description.',
    ),
});
/** A feature of the application; `permission` is the id of one in requirements.yaml, or null if the feature needs none. */
export type Feature = z.infer<typeof feature>;

/** The schema of features.yaml. */
export const featuresSchema = object('What the application can do.', { features: z.array(feature) });

const permission = z.strictObject({
  id: identifier,
  name: text(80).describe('As System Settings shows it.'),
  required: z.boolean().describe('Whether the application is useless without it.'),
  unlocks: text(400).describe('What the user gets for granting it.'),
});

/** The schema of requirements.yaml. */
export const requirementsSchema = object(
  'What the application needs beyond the OS version and processor in product.yaml.',
  {
    disk_mb: z.int().min(1).describe('Megabytes of disk space.'),
    memory_mb: z.int().min(1).describe('Megabytes of memory.'),
    permissions: z.array(permission),
  },
);

const synonym = z
  .string()
  .trim()
  .max(60)
  .regex(/[\p{L}\p{N}]/u, 'must have a letter or a digit');

/** The schema of synonyms.yaml. */
export const synonymsSchema = object(
  'Words that mean the same in this product, in addition to those that search knows for any software.',
  {
    groups: z
      .array(z.array(synonym).min(2).max(20).describe('Words, or phrases of a few words, that mean the same.'))
      .max(500)
      .default([])
      .describe('Search finds each entry of a group by every other one.'),
  },
);
/** The groups of synonyms.yaml: each is a list of words or phrases that mean the same. */
export type Synonyms = z.infer<typeof synonymsSchema>['groups'];

/** The schema of facts.yaml. */
export const factsSchema = object('Questions that one line answers, which search shows above its results.', {
  facts: z
    .array(
      z.strictObject({
        questions: z
          .array(text(100))
          .min(1)
          .max(20)
          .describe(
            'Ways to ask. Their order, small words such as "the" and the name of the product do not matter; any other word must be there.',
          ),
        answer: text(200).describe('One line of plain text that is true by itself.'),
        href: placeSchema.describe('The place that says more, as in keywords.yaml.'),
      }),
    )
    .max(200)
    .default([]),
});
/** The facts of facts.yaml: ways to ask, the answer as one line of plain text, and the path of the site that says more. */
export type Facts = z.infer<typeof factsSchema>['facts'];
