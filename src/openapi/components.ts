/** The named schemas of the contract, as JSON Schema, for production and for the sandbox. */
import { z } from 'zod';
import type { Operation } from '../operations/operation.ts';
import { problemSchema } from '../operations/problem.ts';
import { oauthRequestNames, oauthSchemas } from './oauth-schemas.ts';
import { openEnums } from './open-enums.ts';

export type JsonSchema = Record<string, unknown>;

/** The name of an operation's answer among the components: its own, or one made from the id. */
export const outputNameOf = ({ id, outputName }: Operation): string =>
  outputName ?? `${id.slice(0, 1).toUpperCase()}${id.slice(1)}Result`;

/** Every schema by its name; those that an operation returns, and the items of its lists, also as `Sandbox…`, with the field `sandbox`. */
export function componentSchemas(operations: readonly Operation[]): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  const answers = new Set(['Problem', ...operations.map(outputNameOf)]);
  const all = new Map<string, z.ZodType>(Object.entries({ Problem: problemSchema, ...oauthSchemas }));
  for (const operation of operations) {
    all.set(outputNameOf(operation), operation.output);
    for (const [name, schema] of Object.entries(operation.components ?? {})) all.set(name, schema);
  }
  for (const [id, schema] of all) registry.add(schema, { id });
  const written = z.toJSONSchema(registry, {
    uri: (id) => `${schemaPath}${id}`,
    override: ({ jsonSchema }) => tidy(jsonSchema),
  });
  const made: Record<string, JsonSchema> = {};
  for (const [name, schema] of Object.entries(written.schemas)) {
    const { $schema: _, $id: __, ...rest } = schema as JsonSchema;
    made[name] = rest;
  }
  openEnums(made, oauthRequestNames);
  for (const name of [...answers]) answers.add(itemOf(made[name]) ?? name);
  for (const name of answers) made[`Sandbox${name}`] = inSandbox(made[name] ?? {});
  return Object.fromEntries(Object.entries(made).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The JSON Schema of an operation's input, without what is only for messages. */
export function inputSchema(operation: Operation): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(operation.input, {
    io: 'input',
    override: ({ jsonSchema }) => tidy(jsonSchema),
  }) as JsonSchema;
  return schema;
}

/** Clients ignore unknown fields, so no object is closed; a format says more than its regular expression. */
function tidy(schema: JsonSchema): void {
  mergeNull(schema);
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.const !== undefined && schema.type === undefined) schema.type = typeof schema.const;
  for (const name of ['x-hint', 'x-aliases']) delete schema[name];
}

/**
 * "X or null" as one type with two names: easier to read, and to generate code from, than a union of schemas. A list of values stays
 * in one: generators write code that does not compile for a list with null in it.
 */
function mergeNull(schema: JsonSchema): void {
  if (!Array.isArray(schema.anyOf) || schema.anyOf.length !== 2) return;
  const other = schema.anyOf.find((member) => member.type !== 'null');
  if (!schema.anyOf.some((member) => member.type === 'null') || typeof other?.type !== 'string') return;
  if (other.enum !== undefined) return;
  const { anyOf: _, ...rest } = schema;
  const merged = { ...other, ...rest, type: [other.type, 'null'] };
  for (const name of Object.keys(schema)) delete schema[name];
  Object.assign(schema, merged);
}

function inSandbox(schema: JsonSchema): JsonSchema {
  const { properties, required } = schema as Listing & { required?: string[] };
  const sandbox = { type: 'boolean', const: true, description: 'Marks fixture data of the sandbox.' };
  const item = itemOf(schema);
  const data = item !== null && { data: { ...properties?.data, items: { $ref: `${schemaPath}Sandbox${item}` } } };
  return { ...schema, properties: { ...properties, ...data, sandbox }, required: [...(required ?? []), 'sandbox'] };
}

const schemaPath = '#/components/schemas/';

interface Listing {
  readonly properties?: { readonly data?: { readonly items?: { readonly $ref?: string } } };
}

/** The name of the schema of a list's items; null for what is no list. */
function itemOf(schema: JsonSchema | undefined): string | null {
  const { properties } = (schema ?? {}) as Listing;
  return properties?.data?.items?.$ref?.slice(schemaPath.length) ?? null;
}
