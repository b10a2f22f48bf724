/** The named schemas of the contract, as JSON Schema, for production and for the sandbox. */
import { z } from 'zod';
import type { Operation } from '../operations/operation.ts';
import { problemSchema } from '../operations/problem.ts';
import { oauthRequests, oauthSchemas } from './oauth-schemas.ts';
import { openEnums } from './open-enums.ts';

export type JsonSchema = Record<string, unknown>;

/** Returns the name of an operation's response among the components: its own, or one from the id. */
export const outputNameOf = ({ id, outputName }: Operation): string =>
  outputName ?? `${id.slice(0, 1).toUpperCase()}${id.slice(1)}Result`;

/** Returns every schema by its name. Responses and the items of lists also occur as `Sandbox…`, with the field `sandbox`. */
export function componentSchemas(operations: readonly Operation[]): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  const responses = new Set(['Problem', ...operations.map(outputNameOf)]);
  const sources = new Map<string, z.ZodType>(Object.entries({ Problem: problemSchema, ...oauthSchemas }));
  for (const operation of operations) {
    sources.set(outputNameOf(operation), operation.output);
    for (const [name, schema] of Object.entries(operation.components ?? {})) sources.set(name, schema);
  }
  for (const [id, schema] of sources) registry.add(schema, { id });
  const converted = z.toJSONSchema(registry, {
    uri: (id) => `${schemaPath}${id}`,
    override: ({ jsonSchema }) => tidy(jsonSchema),
  });
  const schemas: Record<string, JsonSchema> = {};
  for (const [name, schema] of Object.entries(converted.schemas)) {
    const { $schema: _, $id: __, ...rest } = schema as JsonSchema;
    schemas[name] = rest;
  }
  openEnums(schemas, new Set(Object.keys(oauthRequests)));
  for (const name of [...responses]) responses.add(itemOf(schemas[name]) ?? name);
  for (const name of responses) schemas[`Sandbox${name}`] = inSandbox(schemas[name] ?? {});
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the JSON Schema of what a request sends, without the keywords that only messages use. */
export function inputSchema(schema: z.ZodObject): JsonSchema {
  const { $schema: _, ...converted } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => tidy(jsonSchema),
  }) as JsonSchema;
  return converted;
}

/** Opens objects, because clients ignore unknown fields, and removes the regular expression where a format says more. */
function tidy(schema: JsonSchema): void {
  mergeNull(schema);
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.const !== undefined && schema.type === undefined) schema.type = typeof schema.const;
  for (const name of ['x-hint', 'x-aliases']) delete schema[name];
}

/**
 * Writes "X or null" as one schema with two types, which is easier to read and to generate code from than a union. An enumeration
 * stays a union: generators write code that does not compile for an enumeration with null in it.
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

/** Returns the name of the schema of a list's items, or null if the schema is no list. */
function itemOf(schema: JsonSchema | undefined): string | null {
  const { properties } = (schema ?? {}) as Listing;
  return properties?.data?.items?.$ref?.slice(schemaPath.length) ?? null;
}
