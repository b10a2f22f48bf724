/** Converts zod schemas to JSON Schemas of tools: inlined, terse, and only of keywords that every client's validator knows. */
import type { z } from 'zod';
import { inputJsonSchema, type JsonSchema, outputJsonSchema } from '../base/json-schema.ts';
import type { JsonObject } from './message.ts';

/**
 * Creates the JSON Schema of a tool's arguments: closed, with bounds and defaults. Throws an Error for a union other than with
 * null.
 */
export const createInputSchema = (schema: z.ZodObject): JsonObject => ({
  // Some clients pass the schema on to an API that refuses an object without `properties`.
  properties: {},
  ...simplify(inputJsonSchema(schema), input),
  additionalProperties: false,
});

/**
 * Creates the JSON Schema of the structured content of a tool's results: open, because responses may get more fields, and without
 * bounds and lists of values. Throws an Error for a union other than with null.
 */
export function createOutputSchema(schema: z.ZodObject): JsonObject {
  const { description: _, ...simple } = simplify(outputJsonSchema(schema), output);
  return simple;
}

interface Style {
  readonly keywords: readonly (keyof JsonSchema)[];
  describe(text: string): string;
}

/**
 * Validators of older clients refuse to compile unknown keywords: `$schema`, formats, our own ones. A pattern says nothing to
 * a model that the description does not say better.
 */
const keywords = ['type', 'const', 'default', 'required'] as const;

const input: Style = {
  keywords: [...keywords, 'enum', 'minimum', 'maximum', 'minLength', 'maxLength'],
  describe: (text) => text.replace(/\.$/, ''),
};

/**
 * A model pays for every word of a listing: each field of a response has only the first clause of its description, and not
 * what its type says. There are no lists of values: a later response may have others, which a validating client would refuse.
 */
const output: Style = {
  keywords,
  describe: (text) =>
    text
      .replace(/([.;](\s.*)?|, or null.*)$/, '')
      .replace(/^(The|A) (.)/, (_, __, letter: string) => letter.toUpperCase())
      .replaceAll('’', "'"),
};

function simplify(schema: JsonSchema, style: Style): JsonObject {
  const { anyOf, description, properties = {}, items } = schema;
  const simple: Record<string, unknown> = anyOf === undefined ? {} : { ...mergeNull(anyOf, style) };
  for (const keyword of style.keywords) if (schema[keyword] !== undefined) simple[keyword] = schema[keyword];
  if (simple.maximum === Number.MAX_SAFE_INTEGER) delete simple.maximum;
  if (simple.const !== undefined) simple.type ??= typeof simple.const;
  // A constant needs no description, because its value is the description.
  else if (description !== undefined) simple.description = style.describe(description);
  const fields = Object.entries(properties).map(([name, property]) => [name, simplify(property, style)] as const);
  if (fields.length > 0) simple.properties = Object.fromEntries(fields);
  if (items !== undefined) {
    // The description of a list is about its entries, so the entries have none of their own.
    const { description: _, ...entry } = simplify(items, style);
    simple.items = entry;
  }
  return simple;
}

/**
 * Returns a union of one schema and null, given as its options, as one schema with two types. Throws an Error for any other union.
 */
function mergeNull(options: readonly JsonSchema[], style: Style): JsonObject {
  const [only, ...others] = options.filter(({ type }) => type !== 'null');
  if (only === undefined || others.length > 0) throw new Error('A tool’s schema may have no union but with null.');
  const simple = simplify(only, style);
  return { ...simple, type: [simple.type, 'null'] };
}
