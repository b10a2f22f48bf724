/** The shapes of the files of facts: questions, prices, features, requirements, synonyms. */
import { z } from 'zod';
import type { LinkSpan } from '../markdown/markdown.ts';
import { identifier, object, optional, pattern, text } from './field-schemas.ts';
import { placeSchema } from './keywords.ts';
import { type Placeholders, publishMarkdown } from './published.ts';

const faqEntry = z.strictObject({
  id: identifier.describe('The question’s id, such as `offline` for the address /faq/offline.'),
  category: text(60).describe('The heading under which the question is listed.'),
  question: text(200).describe('The question, as a user asks it.'),
  answer: text(4000).describe('The answer, in Markdown.'),
});

/** The schema of faq.yaml. */
export const faqSchema = object('Questions and answers, on the page /faq and each on its own page.', {
  entries: z.array(faqEntry).describe('The questions in their order; `[]` if there are none.'),
});

/** A question of the FAQ, with its `id` and `category`, and with its answer as plain text and as Markdown. */
export type FaqEntry = z.infer<typeof faqSchema>['entries'][number] & {
  /** `answer` as plain text, one block a line and code as it is written, with the marks of `base/plain-text.ts`. */
  readonly text: string;
  /** `answer` as it is published: without comments and other things that are not for readers. */
  readonly markdown: string;
  /** The links in `markdown`. */
  readonly links: readonly LinkSpan[];
  /** The facts such as `{latest.version}` in `answer` and `markdown`, or null if `answer` has none. */
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
  amount: z.number().min(0).max(1_000_000).describe('The amount in the currency’s main unit: 29 is 29 dollars.'),
  currency: pattern(/^[A-Z]{3}$/, 'must be an ISO 4217 code such as USD').describe(
    'The currency as an ISO 4217 code, such as `USD`.',
  ),
  interval: z
    .enum(['once', 'month', 'year'])
    .nullable()
    .describe('How often the amount is charged; null if nothing is charged.'),
  unit: text(40)
    .nullable()
    .default(null)
    .describe('The thing that one price buys, if customers can buy several, such as `seat`; null for a flat price.'),
});
/** A price of a plan; `interval` is null if nothing is charged, and `unit` is null for a flat price. */
export type Price = z.infer<typeof price>;

const plan = z.strictObject({
  id: identifier.describe('The plan’s id, such as `pro` for the address /pricing#pro and the fact `{price.pro}`.'),
  name: text(60).describe('The plan’s name.'),
  price: price.describe('The main price, which is shown first.'),
  prices: optional(
    z.array(price).min(1).max(20),
    'Further prices of the same plan: in other currencies, or for other intervals.',
  ),
  description: text(400).describe('Who the plan is for; the front page shows the first sentence.'),
  includes: z.array(text(200)).max(30).describe('The things that the plan includes, as a list on /pricing.'),
});

const backend = z.strictObject({
  id: identifier.describe('The backend’s id, which the API returns.'),
  name: text(60).describe('The backend’s name.'),
  runs_on_device: z.boolean().describe('Whether the backend runs on the computer, so that no text leaves it.'),
  cost: text(200).describe('The cost in words, with the amount, the currency and the unit.'),
  description: text(400).describe('One or two sentences about the backend.'),
});

/** The schema of pricing.yaml. */
export const pricingSchema = object('The prices of the application, on the page /pricing.', {
  plans: z.array(plan).min(1).describe('The plans in their order, at least one; a free application has a free plan.'),
  backends: z
    .array(backend)
    .default([])
    .describe('The language model backends that the application can use, in a table on /pricing; none by default.'),
});
/**
 * The value of pricing.yaml: the plans and the backends in their order; `backends` is empty if the file has none. `prices` of a
 * plan has further prices only, and is undefined if there are none.
 */
export type Pricing = z.infer<typeof pricingSchema>;

const feature = z.strictObject({
  id: identifier.describe('The feature’s id, such as `dictation` for the address /#feature-dictation.'),
  name: text(80).describe('The feature’s name.'),
  description: text(400).describe('One or two sentences about what the feature does.'),
  on_device: z.boolean().describe('Whether the feature sends no data off the computer; the site marks the others.'),
  permission: identifier
    .nullable()
    .default(null)
    .describe(
      'The id of the permission in requirements.yaml without which the feature does not work; null if there is none. Mention a permission that only improves the feature in `description`.',
    ),
});
/** A feature of the application; `permission` is the id of one in requirements.yaml, or null if the feature needs none. */
export type Feature = z.infer<typeof feature>;

/** The schema of features.yaml. */
export const featuresSchema = object('The things that the application can do, on the front page.', {
  features: z.array(feature).describe('The features in their order; `[]` if there are none.'),
});

const permission = z.strictObject({
  id: identifier.describe('The permission’s id, such as `microphone` for the address /#permission-microphone.'),
  name: text(80).describe('The permission’s name, as the system’s settings show it.'),
  required: z.boolean().describe('Whether the application is useless without the permission.'),
  unlocks: text(400).describe('The things that work once the user has granted it.'),
});

/** The schema of requirements.yaml. */
export const requirementsSchema = object(
  'Requirements in addition to the system versions and processors of product.yaml, on the front page.',
  {
    disk_mb: z.int().min(1).describe('The required disk space, in megabytes.'),
    memory_mb: z.int().min(1).describe('The required memory, in megabytes; 8192 is shown as 8 GB.'),
    permissions: z.array(permission).describe('The system permissions that the application needs; `[]` for none.'),
  },
);

const synonym = z
  .string()
  .trim()
  .max(60)
  .regex(/[\p{L}\p{N}]/u, 'must have a letter or a digit');

/** The schema of synonyms.yaml. */
export const synonymsSchema = object('Synonyms for search, which already has general ones for content in English.', {
  groups: z
    .array(z.array(synonym).min(2).max(20).describe('Words or short phrases with the same meaning.'))
    .max(500)
    .default([])
    .describe('Groups of synonyms: a search for one entry of a group also finds the others.'),
});
/** The groups of synonyms.yaml: each is a list of words or phrases with the same meaning. An empty list by default. */
export type Synonyms = z.infer<typeof synonymsSchema>['groups'];

/** The schema of facts.yaml. */
export const factsSchema = object('One-line answers, which search shows above its results.', {
  facts: z
    .array(
      z.strictObject({
        questions: z
          .array(text(100))
          .min(1)
          .max(20)
          .describe(
            'Ways to ask the question. A search with the same words shows the answer; their order and forms, the product’s name and words such as “the” do not matter.',
          ),
        answer: text(200).describe('The answer, as one line of plain text that is complete without the question.'),
        href: placeSchema.describe('The page or section with the details, such as `/docs/quickstart#install`.'),
      }),
    )
    .max(200)
    .default([])
    .describe('The answers, each with its questions.'),
});
/** The facts of facts.yaml, each with its questions, its answer and the path of the details. An empty list by default. */
export type Facts = z.infer<typeof factsSchema>['facts'];
