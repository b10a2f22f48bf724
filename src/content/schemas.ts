/** The shapes of the YAML files of a content folder: the one source of their validation, their JSON Schemas and their types. */
import { z } from 'zod';
import type { LinkSpan } from '../markdown/markdown.ts';
import { navigationSchema, readNavigation } from './navigation-schema.ts';
import { aliasesSchema, redirectsSchema } from './redirects-schema.ts';
import { wordsSchema } from './words.ts';

const text = (most: number) => z.string().trim().min(1).max(most);
const identifier = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lowercase words joined by hyphens, such as `push-to-talk`')
  .max(64);
const webAddress = z
  .string()
  .regex(/^https?:\/\/[^\s/]+(\/\S*)?$/, 'must be an http or https URL')
  .max(500);
const emailAddress = z
  .string()
  .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'must be an email address')
  .max(200);
const osVersion = z
  .string()
  .regex(/^\d{1,3}(\.\d{1,3}){0,2}$/, 'must be a version such as "14.0", in quotes so that YAML keeps it as text');

/** `YYYY-MM-DD`, and a day that exists. YAML reads an unquoted date as text here, since the core schema has no dates. */
const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date such as 2026-11-02')
  .refine((value) => {
    const date = new Date(`${value}T00:00:00Z`);
    return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
  }, 'is not a valid date');

/** BCP 47, as `lang` takes it; one that Intl does not know is refused by name rather than served. */
const languageTag = z
  .string()
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a BCP 47 language tag such as `en`, `de` or `pt-BR`')
  .max(35)
  .refine((tag) => isLanguage(tag), 'is not a BCP 47 language tag, such as `en`, `de` or `pt-BR`');

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

const architecture = z.enum(['arm64', 'x86_64']);
export type Architecture = z.infer<typeof architecture>;

export const productSchema = z
  .strictObject({
    name: text(60).describe('The application’s name.'),
    tagline: text(120).describe('One line that says what the application is.'),
    description: text(400).describe('Two or three sentences for listings and search engines.'),
    language: languageTag
      .default('en')
      .describe(
        'The language of the content (BCP 47): text direction, dates and search follow it. words.yaml translates the site’s own words.',
      ),
    category: text(60).default('UtilitiesApplication').describe('schema.org applicationCategory.'),
    vendor: z
      .strictObject({
        name: text(80),
        url: webAddress.optional(),
        email: emailAddress.optional().describe('Where users write to.'),
        security_email: emailAddress.optional().describe('Where security researchers write to.'),
        security_expires: day
          .optional()
          .describe('When security.txt expires; by default a year after the server’s build.'),
      })
      .describe('Who makes the application.'),
    links: z
      .record(identifier, webAddress)
      .default({})
      .describe('Named links, such as `website`, `support` or `source`.'),
    look: z
      .strictObject({
        accent: z
          .string()
          .regex(/^#[0-9a-fA-F]{6}$/, 'must be a color such as "#1f6feb", in quotes')
          .default('#1f5fd0'),
        logo: text(200).optional().describe('A file under assets/, such as `assets/logo.svg`.'),
      })
      .prefault({})
      .describe(
        'How the site looks. Its icon is assets/favicon.svg, .png or .ico, else the logo if it is square, else made from the name; link previews show assets/social.png, and phones assets/apple-touch-icon.png.',
      ),
    navigation: z
      .array(
        z.strictObject({
          title: text(30),
          href: z
            .string()
            .regex(
              /^(\/(?!\/)|https?:\/\/[^\s/])\S*$/,
              'must be a path of the site such as `/pricing`, or an http or https URL',
            )
            .max(500),
        }),
      )
      .min(1)
      .max(8)
      .optional()
      .describe('The links at the top of every page; what the site has when left out.'),
    crawlers: z
      .strictObject({
        ai_training: z.boolean().describe('Whether language models may be trained on the site; no when left out.'),
      })
      .optional()
      .describe('What robots.txt allows beyond search.'),
    platform: z
      .strictObject({
        os: text(40).default('macOS').describe('The operating system’s name.'),
        tested_up_to: osVersion.optional().describe('The newest OS version that the vendor has tested.'),
      })
      .prefault({}),
    minimums: z
      .strictObject({
        os_version: osVersion.describe('The oldest OS version that runs the application.'),
        arch: z.array(architecture).min(1).describe('The processors that run it.'),
      })
      .describe('The minimum requirements.'),
    feed: z
      .strictObject({
        source: text(1000).describe('An https URL of a Sparkle appcast, or a path in this folder.'),
        public_keys: z
          .array(z.string().regex(/^[A-Za-z0-9+/]{43}=$/, 'must be the base64 of 32 bytes, as in SUPublicEDKey'))
          .max(10)
          .default([])
          .describe('Ed25519 keys of which any may sign the feed (SUPublicEDKey).'),
        signature: z
          .enum(['required', 'optional', 'off'])
          .optional()
          .describe('`required` is the default when there is a key, else `off`.'),
        base_url: webAddress
          .optional()
          .describe('The URL that the feed is published at, when `source` is a file: relative URLs in it start there.'),
        accept: z
          .string()
          .regex(/^(sha256:)?[0-9a-f]{64}$/, 'must be the SHA-256 that the refusal names')
          .optional()
          .describe(
            'The SHA-256 of a feed to accept although its highest build went down. Remove it once it was used.',
          ),
        notes: z
          .enum(['feed', 'fetch'])
          .default('feed')
          .describe('`fetch` gets the release notes that the feed only links to, once for each release.'),
        interval_seconds: z.int().min(60).max(86_400).default(300).describe('How often the feed is asked for.'),
      })
      .describe('The application’s own update feed.'),
  })
  .describe('The product: name, vendor, look, feed and minimums.');

export const faqSchema = z
  .strictObject({
    entries: z.array(
      z.strictObject({
        id: identifier,
        category: text(60),
        question: text(200),
        answer: text(4000).describe('Markdown.'),
      }),
    ),
  })
  .describe('Frequently asked questions, in the order they are listed.');
export type FaqEntry = z.infer<typeof faqSchema>['entries'][number] & {
  /** The answer as plain text, one block a line. */
  readonly text: string;
  /** The answer as others are given it: without comments and other things that are not for readers. */
  readonly markdown: string;
  /** Where its links stand in `markdown`. */
  readonly links: readonly LinkSpan[];
};

export const pricingSchema = z
  .strictObject({
    plans: z
      .array(
        z.strictObject({
          id: identifier,
          name: text(60),
          price: z.strictObject({
            amount: z.number().min(0).max(1_000_000).describe('In the currency’s main unit: 29 is 29 dollars.'),
            currency: z.string().regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code such as USD'),
            interval: z.enum(['once', 'month', 'year']).nullable().describe('null when nothing is charged.'),
            unit: text(40)
              .nullable()
              .default(null)
              .describe('What one price buys when a customer can buy several, such as `seat`; null for a flat price.'),
          }),
          description: text(400),
          includes: z.array(text(200)).max(30),
        }),
      )
      .min(1),
    backends: z
      .array(
        z.strictObject({
          id: identifier,
          name: text(60),
          runs_on_device: z.boolean(),
          cost: text(200).describe('In words, with the amount, the currency and the unit.'),
          description: text(400),
        }),
      )
      .default([]),
  })
  .describe('What the application costs, and what each backend costs.');
export type Pricing = z.infer<typeof pricingSchema>;
export type Price = Pricing['plans'][number]['price'];

export const featuresSchema = z
  .strictObject({
    features: z.array(
      z.strictObject({
        id: identifier,
        name: text(80),
        description: text(400),
        on_device: z.boolean().describe('Whether it works without sending anything off the computer.'),
        permission: identifier
          .nullable()
          .describe(
            'The id, in requirements.yaml, of a permission without which the feature does not work; null if it needs no further permission. Mention permissions that only improve it in the description.',
          ),
      }),
    ),
  })
  .describe('What the application can do.');
export type Feature = z.infer<typeof featuresSchema>['features'][number];

const requirementsSchema = z
  .strictObject({
    disk_mb: z.int().min(1).describe('Megabytes of disk space.'),
    memory_mb: z.int().min(1).describe('Megabytes of memory.'),
    permissions: z.array(
      z.strictObject({
        id: identifier,
        name: text(80).describe('As System Settings shows it.'),
        required: z.boolean().describe('Whether the application is useless without it.'),
        unlocks: text(400).describe('What the user gets for granting it.'),
      }),
    ),
  })
  .describe('What the application needs beyond the OS version and processor in product.yaml.');

export const synonymsSchema = z
  .strictObject({
    groups: z
      .array(
        z
          .array(
            z
              .string()
              .trim()
              .max(60)
              .regex(/[\p{L}\p{N}]/u, 'must have a letter or a digit'),
          )
          .min(2)
          .max(20)
          .describe('Words, or phrases of a few words, that mean the same.'),
      )
      .max(500)
      .default([])
      .describe('Search finds each entry of a group by every other one.'),
  })
  .describe('Words that mean the same in this product, in addition to those that search knows for any software.');
export type Synonyms = z.infer<typeof synonymsSchema>['groups'];

/** The front matter of a page in docs/. */
export const pageFrontMatterSchema = z
  .strictObject({
    title: text(100).describe('What the page is about, for headings and lists.'),
    description: text(200)
      .optional()
      .describe('One or two sentences for lists and search engines; the page’s first paragraph when left out.'),
    order: z
      .int()
      .min(0)
      .max(9999)
      .optional()
      .describe(
        'The page’s place in its folder, the lowest first, where navigation.yaml does not say; pages without one follow by file name.',
      ),
    updated: day.optional().describe('The day of the last change, such as 2026-11-02; no date is shown when left out.'),
    aliases: aliasesSchema.default([]).describe('Old paths of the page, such as `/guide/install`, that lead here.'),
  })
  .describe('The front matter of a page in docs/.');

/** The front matter of a prompt in prompts/. */
export const promptFrontMatterSchema = z
  .strictObject({
    title: text(100).describe('What the prompt does, as a menu shows it.'),
    description: text(300).describe('When to use it.'),
    arguments: z
      .array(
        z.strictObject({
          name: z
            .string()
            .regex(/^[a-z][a-z0-9_]{0,39}$/, 'must be lowercase words joined by underscores')
            .describe('Stands in the text as `{name}`.'),
          description: text(200).describe('What to give.'),
          required: z.boolean().default(false),
        }),
      )
      .max(10)
      .default([]),
    servers: z
      .array(z.enum(['product', 'docs']))
      .min(1)
      .default(['product'])
      .describe(
        'The MCP servers that offer it: `product` is /mcp; `docs` is /mcp/docs, which can only search and fetch.',
      ),
  })
  .describe('The front matter of a prompt in prompts/.');

/** Markdown in a YAML file as it was read. */
export interface ReadText {
  /** One block a line. */
  readonly plain: string;
  readonly markdown: string;
  readonly spans: readonly LinkSpan[];
}

/** By where it stands. */
export type ReadTexts = (list: string, index: number, key: string) => ReadText;

/** A YAML file of the folder, and what is checked in it beside its shape. */
export interface YamlFile<S extends z.ZodObject = z.ZodObject, V = unknown> {
  readonly schema: S;
  /** What a folder without the file has; null: every folder has the file. */
  readonly absent: z.input<S> | null;
  /** Its lists whose entries have an `id`, which may occur once. */
  readonly ids: readonly string[];
  /** The markdown in it, as a list and the key of its entries: its links are checked. */
  readonly markdown: readonly (readonly [list: string, key: string])[];
  /** What the content holds of it. */
  read(value: z.output<S>, texts: ReadTexts): V;
}

const yamlFile = <S extends z.ZodObject, V>(file: YamlFile<S, V>): YamlFile<S, V> => file;

/** Every YAML file by its name without `.yaml`, which is also the name under which the content holds it. */
export const yamlFiles = {
  product: yamlFile({ schema: productSchema, absent: null, ids: [], markdown: [], read: (product) => product }),
  faq: yamlFile({
    schema: faqSchema,
    absent: null,
    ids: ['entries'],
    markdown: [['entries', 'answer']],
    read: ({ entries }, texts): readonly FaqEntry[] =>
      entries.map((entry, index) => {
        const { plain, markdown, spans } = texts('entries', index, 'answer');
        return { ...entry, text: plain, markdown, links: spans };
      }),
  }),
  pricing: yamlFile({
    schema: pricingSchema,
    absent: null,
    ids: ['plans', 'backends'],
    markdown: [],
    read: (pricing) => pricing,
  }),
  features: yamlFile({
    schema: featuresSchema,
    absent: null,
    ids: ['features'],
    markdown: [],
    read: ({ features }): readonly Feature[] => features,
  }),
  requirements: yamlFile({
    schema: requirementsSchema,
    absent: null,
    ids: ['permissions'],
    markdown: [],
    read: (requirements) => requirements,
  }),
  navigation: yamlFile({
    schema: navigationSchema,
    absent: {},
    ids: [],
    markdown: [],
    read: ({ pages }) => (pages === undefined ? null : readNavigation(pages)),
  }),
  redirects: yamlFile({
    schema: redirectsSchema,
    absent: { redirects: [] },
    ids: [],
    markdown: [],
    read: ({ redirects }) => redirects,
  }),
  synonyms: yamlFile({
    schema: synonymsSchema,
    absent: {},
    ids: [],
    markdown: [],
    read: ({ groups }): Synonyms => groups,
  }),
  words: yamlFile({ schema: wordsSchema, absent: {}, ids: [], markdown: [], read: (words) => words }),
};

export type YamlName = keyof typeof yamlFiles;

export const yamlNames = Object.keys(yamlFiles) as readonly YamlName[];

/** What a folder's YAML files hold. */
export type YamlContent = { readonly [N in YamlName]: ReturnType<(typeof yamlFiles)[N]['read']> };

/** Every schema by the name under which it is published: `schemas/<name>.schema.json`. */
export const contentSchemas: Readonly<Record<string, { readonly title: string; readonly schema: z.ZodObject }>> = {
  ...Object.fromEntries(
    Object.entries(yamlFiles).map(([name, { schema }]) => [name, { title: `${name}.yaml`, schema }]),
  ),
  page: { title: 'Page front matter', schema: pageFrontMatterSchema },
  prompt: { title: 'Prompt front matter', schema: promptFrontMatterSchema },
};
