/** JSON Schemas for tools: inlined, terse, and only of keywords that every client's validator knows. */
import type { z } from 'zod';
import { inputJsonSchema, outputJsonSchema } from '../base/json-schema.ts';

export type JsonSchema = { readonly [keyword: string]: unknown };

/** What a caller may send: closed, with bounds and defaults. */
export const inputSchemaOf = (schema: z.ZodObject): JsonSchema => ({
  // Some clients hand the schema on to an API that refuses an object without this field.
  properties: {},
  ...plain({ ...inputJsonSchema(schema) }, input),
  additionalProperties: false,
});

/** What the structured content looks like: open, since responses may get more fields, and without bounds on our own data. */
export function outputSchemaOf(schema: z.ZodObject): JsonSchema {
  const { description: _, ...made } = plain({ ...outputJsonSchema(schema) }, output);
  return made;
}

interface Style {
  readonly keywords: readonly string[];
  describe(text: string): string;
}

/**
 * Validators of older clients refuse to compile what they do not know: `$schema`, formats, our own keywords. Patterns
 * say nothing to a model that the description does not say better.
 */
const keywords = ['type', 'const', 'default', 'required'];

const input: Style = {
  keywords: [...keywords, 'enum', 'minimum', 'maximum', 'minLength', 'maxLength'],
  describe: (text) => text.replace(/\.$/, ''),
};

/**
 * A model pays for every word of a listing: each response field gets only the first clause of its description, and not
 * what the type says. No lists of values: a response may get more of them, and a client that validates would refuse it.
 */
const output: Style = {
  keywords,
  describe: (text) =>
    text
      .replace(/([.;](\s.*)?|, or null.*)$/, '')
      .replace(/^(The|A) (.)/, (_, __, letter: string) => letter.toUpperCase())
      .replaceAll('’', "'"),
};

type Node = Readonly<Record<string, unknown>>;

function plain(node: Node, style: Style): JsonSchema {
  const { anyOf, description, properties, items } = node;
  const made: Record<string, unknown> = Array.isArray(anyOf) ? { ...orNull(anyOf, style) } : {};
  for (const keyword of style.keywords) if (node[keyword] !== undefined) made[keyword] = node[keyword];
  if (made.maximum === Number.MAX_SAFE_INTEGER) delete made.maximum;
  if (made.const !== undefined) made.type ??= typeof made.const;
  // One value is all that there is to say of it.
  else if (typeof description === 'string') made.description = style.describe(description);
  if (isNode(properties) && Object.keys(properties).length > 0) {
    const entries = Object.entries(properties).filter((entry): entry is [string, Node] => isNode(entry[1]));
    made.properties = Object.fromEntries(entries.map(([name, property]) => [name, plain(property, style)]));
  }
  if (isNode(items)) {
    // The list's own description speaks of its entries.
    const { description: _, ...entry } = plain(items, style);
    made.items = entry;
  }
  return made;
}

/** "This, or null" as one schema with two types. */
function orNull(options: readonly unknown[], style: Style): JsonSchema {
  const [only, ...others] = options.filter(isNode).filter(({ type }) => type !== 'null');
  if (only === undefined || others.length > 0) throw new Error('A tool’s schema may have no union but with null.');
  const made = plain(only, style);
  return { ...made, type: [made.type, 'null'] };
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
