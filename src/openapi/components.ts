/** The named schemas of the contract, as JSON Schema, for production and for the sandbox. */
import { z } from 'zod';
import type { Operation } from '../operations/operation.ts';
import { problemSchema } from '../operations/problem.ts';
import { openEnums, toPascalCase } from './open-enums.ts';

/** A JSON Schema as the document contains it. */
export type JsonSchema = Record<string, unknown>;

/** Returns the name of an operation’s response among the components: its own, or one from the id, such as `RunBatchResult`. */
export const getOutputName = ({ id, outputName }: Operation): string => outputName ?? `${toPascalCase(id)}Result`;

/** Returns the name of the body that an operation reads, among the components, such as `RunBatchRequest`. */
export const getBodyName = ({ id }: Operation): string => `${toPascalCase(id)}Request`;

/** Returns a reference to the schema with this name among the components. */
export const createRef = (name: string): JsonSchema => ({ $ref: schemaPath + name });

/**
 * Returns the schemas of the operations’ responses and of their `components`, of the bodies that POST operations read, of problems,
 * and `others`, by their names in alphabetical order. `closed` has the names of those of `others` that describe requests, whose
 * lists of values stay closed. Throws an Error if a schema has the name that a list of values gets.
 */
export function createComponentSchemas(
  operations: readonly Operation[],
  others: Readonly<Record<string, z.ZodType>>,
  closed: ReadonlySet<string> = new Set(),
): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  const namedOutputs = operations.map((operation) => ({
    [getOutputName(operation)]: operation.output,
    ...operation.components,
  }));
  const sources: Record<string, z.ZodType> = Object.assign({ Problem: problemSchema }, others, ...namedOutputs);
  for (const [id, schema] of Object.entries(sources)) registry.add(schema, { id });
  const document = z.toJSONSchema(registry, {
    uri: (id) => schemaPath + id,
    override: ({ jsonSchema }) => tidy(jsonSchema),
  });
  const schemas: Record<string, JsonSchema> = {};
  for (const [name, { $schema: _, $id: __, ...schema }] of Object.entries(document.schemas)) schemas[name] = schema;
  openEnums(schemas, closed);
  for (const operation of operations) {
    if (operation.method === 'POST') schemas[getBodyName(operation)] = createInputSchema(operation.input);
  }
  return sortByName(schemas);
}

/**
 * Returns the schemas with those of the sandbox, in alphabetical order: `Problem`, the responses of `operations` and the items of
 * those that are lists also occur as `Sandbox…`, with the required field `sandbox`, which is true. The given record stays
 * unchanged.
 */
export function addSandbox(
  schemas: Record<string, JsonSchema>,
  operations: readonly Operation[],
): Record<string, JsonSchema> {
  const responses = ['Problem', ...operations.map(getOutputName)];
  const items = responses.map((name) => findItemName(schemas[name]) ?? name);
  const variants = [...responses, ...items].map((name) => [`Sandbox${name}`, toSandboxSchema(schemas[name] ?? {})]);
  return sortByName({ ...schemas, ...Object.fromEntries(variants) });
}

/** Returns the record with its keys in alphabetical order. */
export const sortByName = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * Returns the JSON Schema of what a request sends, with open objects and without `x-hint` and `x-aliases`, which only the server's
 * error messages use.
 */
export function createInputSchema(schema: z.ZodObject): InputSchema {
  const jsonSchema = z.toJSONSchema(schema, { io: 'input', override: ({ jsonSchema }) => tidy(jsonSchema) });
  const { $schema: _, ...described } = jsonSchema as InputSchema;
  return described;
}

interface InputSchema extends JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/**
 * Changes a schema of zod, without those inside it, in place into that of the document: objects are open, because clients ignore
 * unknown fields, a choice with null is merged, and what only the server reads, or a format says better, is removed.
 */
function tidy(schema: JsonSchema): void {
  mergeNull(schema);
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.const !== undefined && schema.type === undefined) schema.type = typeof schema.const;
  for (const name of ['x-hint', 'x-aliases']) delete schema[name];
}

/**
 * Rewrites "X or null" in place as one schema with two types, which is easier to read and to generate code from than a union. It
 * stays a union if X is a reference or has no single type, or is an enumeration: generators write code that does not compile for
 * an enumeration with null in it.
 */
function mergeNull(schema: JsonSchema): void {
  if (!Array.isArray(schema.anyOf) || schema.anyOf.length !== 2) return;
  const other = schema.anyOf.find((member) => member.type !== 'null');
  if (!schema.anyOf.some((member) => member.type === 'null') || typeof other?.type !== 'string') return;
  if (other.enum !== undefined) return;
  const { anyOf: _, ...rest } = schema;
  const mergedSchema = { ...other, ...rest, type: [other.type, 'null'] };
  for (const name of Object.keys(schema)) delete schema[name];
  Object.assign(schema, mergedSchema);
}

function toSandboxSchema(schema: JsonSchema): JsonSchema {
  const { properties, required } = schema as Listing & { required?: string[] };
  const sandbox = { type: 'boolean', const: true, description: 'Marks fixture data of the sandbox.' };
  const item = findItemName(schema);
  const data = item !== null && { data: { ...properties?.data, items: createRef(`Sandbox${item}`) } };
  return { ...schema, properties: { ...properties, ...data, sandbox }, required: [...(required ?? []), 'sandbox'] };
}

const schemaPath = '#/components/schemas/';

interface Listing {
  readonly properties?: { readonly data?: { readonly items?: { readonly $ref?: string } } };
}

/** Returns the name of the schema of a list's items, or null if the schema is no list or its items have no name. */
function findItemName(schema: JsonSchema | undefined): string | null {
  const { properties } = (schema ?? {}) as Listing;
  return properties?.data?.items?.$ref?.slice(schemaPath.length) ?? null;
}
