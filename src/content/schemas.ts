/** The YAML files of a content folder: the one list of their validation, their JSON Schemas and their types. */
import type { z } from 'zod';
import {
  type Facts,
  type Feature,
  factsSchema,
  faqSchema,
  featuresSchema,
  pricingSchema,
  readFaq,
  requirementsSchema,
  type Synonyms,
  synonymsSchema,
} from './fact-schemas.ts';
import { pageFrontMatterSchema, promptFrontMatterSchema, releaseFrontMatterSchema } from './front-matter.ts';
import { keywordsSchema, readKeywords } from './keywords.ts';
import { navigationSchema, readNavigation } from './navigation.ts';
import { productSchema, readProduct } from './product-schema.ts';
import { redirectsSchema } from './redirects.ts';
import { wordsSchema } from './words.ts';
import type { YamlDocument } from './yaml.ts';

/** A YAML file of the folder, and what is checked in it in addition to its shape. */
export interface YamlFile<S extends z.ZodObject = z.ZodObject, V = unknown> {
  readonly schema: S;
  /** The value that a folder without the file has; null if every folder has the file. */
  readonly absent: z.input<S> | null;
  /** The lists whose entries have an `id`, which may occur once; none if left out. */
  readonly ids?: readonly string[];
  /** The Markdown in the file, as a list and the key of its entries; the links in it are checked. None if left out. */
  readonly markdown?: readonly (readonly [list: string, key: string])[];
  /** Converts the valid value to the value of the content. */
  read(value: z.output<S>): V;
}

const yamlFile = <S extends z.ZodObject, V>(file: YamlFile<S, V>): YamlFile<S, V> => file;

/** Every YAML file by its name without `.yaml`, which is also the name under which the content holds it. */
export const yamlFiles = {
  product: yamlFile({ schema: productSchema, absent: null, read: readProduct }),
  faq: yamlFile({
    schema: faqSchema,
    absent: null,
    ids: ['entries'],
    markdown: [['entries', 'answer']],
    read: readFaq,
  }),
  pricing: yamlFile({ schema: pricingSchema, absent: null, ids: ['plans', 'backends'], read: (pricing) => pricing }),
  features: yamlFile({
    schema: featuresSchema,
    absent: null,
    ids: ['features'],
    read: ({ features }): readonly Feature[] => features,
  }),
  requirements: yamlFile({
    schema: requirementsSchema,
    absent: null,
    ids: ['permissions'],
    read: (requirements) => requirements,
  }),
  navigation: yamlFile({
    schema: navigationSchema,
    absent: {},
    read: ({ pages }) => (pages === undefined ? null : readNavigation(pages)),
  }),
  redirects: yamlFile({ schema: redirectsSchema, absent: { redirects: [] }, read: ({ redirects }) => redirects }),
  facts: yamlFile({ schema: factsSchema, absent: {}, read: ({ facts }): Facts => facts }),
  synonyms: yamlFile({ schema: synonymsSchema, absent: {}, read: ({ groups }): Synonyms => groups }),
  keywords: yamlFile({ schema: keywordsSchema, absent: {}, read: readKeywords }),
  words: yamlFile({ schema: wordsSchema, absent: {}, read: (words) => words }),
};

/** The name of a YAML file without `.yaml`. */
export type YamlName = keyof typeof yamlFiles;

/** The names of all YAML files. */
export const yamlNames = Object.keys(yamlFiles) as readonly YamlName[];

/** The YAML files of a folder, valid or not, by name. */
export type Documents = Readonly<Record<YamlName, YamlDocument>>;

/** The values of a folder's YAML files as `read` returns them; only `navigation` may be null, if it lists no pages. */
export type YamlContent = { readonly [N in YamlName]: ReturnType<(typeof yamlFiles)[N]['read']> };

/** Every schema by the name under which it is published: `schemas/<name>.schema.json`. */
export const contentSchemas: Readonly<Record<string, { readonly title: string; readonly schema: z.ZodObject }>> = {
  ...Object.fromEntries(
    Object.entries(yamlFiles).map(([name, { schema }]) => [name, { title: `${name}.yaml`, schema }]),
  ),
  page: { title: 'Page front matter', schema: pageFrontMatterSchema },
  prompt: { title: 'Prompt front matter', schema: promptFrontMatterSchema },
  release: { title: 'Release front matter', schema: releaseFrontMatterSchema },
};
