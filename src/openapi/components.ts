/** The named schemas of the contract, as JSON Schema, for production and for the sandbox. */
import { z } from 'zod';
import { checkCompatibility, compatibilitySchema } from '../operations/compatibility.ts';
import { docEntrySchema, docSchema, listDocs } from '../operations/docs.ts';
import { jobSchema } from '../operations/exports.ts';
import { faqSchema, listFaq } from '../operations/faq.ts';
import type { Operation } from '../operations/operation.ts';
import { problemSchema } from '../operations/problem.ts';
import { featureSchema, getPricing, listFeatures, planSchema, requirementsSchema } from '../operations/product.ts';
import { listReleases, releaseSchema } from '../operations/releases.ts';
import { search, searchResultSchema } from '../operations/search.ts';
import { indexSchema } from '../operations/service-index.ts';
import { oauthSchemas } from './oauth-schemas.ts';

export type JsonSchema = Record<string, unknown>;

const named: Readonly<Record<string, z.ZodType>> = {
  Compatibility: compatibilitySchema,
  Doc: docSchema,
  DocEntry: docEntrySchema,
  DocList: listDocs.output,
  Faq: faqSchema,
  FaqList: listFaq.output,
  Feature: featureSchema,
  FeatureList: listFeatures.output,
  Index: indexSchema,
  Job: jobSchema,
  Plan: planSchema,
  Pricing: getPricing.output,
  Problem: problemSchema,
  Release: releaseSchema,
  ReleaseList: listReleases.output,
  Requirements: requirementsSchema,
  SearchResult: searchResultSchema,
  SearchResultList: search.output,
};

/** A schema's name among the components: its own, or one made from the operation's id. */
export function outputName(operation: Operation): string {
  if (operation.id === checkCompatibility.id) return 'Compatibility';
  const found = Object.entries(named).find(([, schema]) => schema === operation.output);
  return found?.[0] ?? `${operation.id.slice(0, 1).toUpperCase()}${operation.id.slice(1)}Result`;
}

/** Every schema by its name; those that an operation answers with also as `Sandbox…`, with the member `sandbox`. */
export function componentSchemas(operations: readonly Operation[]): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  const answers = new Set(['Problem', ...operations.map(outputName)]);
  const all = new Map<string, z.ZodType>(Object.entries({ ...named, ...oauthSchemas }));
  for (const operation of operations) all.set(outputName(operation), operation.output);
  for (const [id, schema] of all) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => tidy(jsonSchema),
  });
  const made: Record<string, JsonSchema> = {};
  for (const [name, schema] of Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { $schema: _, $id: __, ...rest } = schema as JsonSchema;
    made[name] = rest;
    if (answers.has(name)) made[`Sandbox${name}`] = inSandbox(rest);
  }
  return made;
}

/** The JSON Schema of an operation's input, without what is only for messages. */
export function inputSchema(operation: Operation): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(operation.input, {
    io: 'input',
    override: ({ jsonSchema }) => tidy(jsonSchema),
  }) as JsonSchema;
  return schema;
}

/** Clients ignore unknown members, so no object is closed; a format says more than its regular expression. */
function tidy(schema: JsonSchema): void {
  mergeNull(schema);
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.const !== undefined && schema.type === undefined) schema.type = typeof schema.const;
  for (const name of ['x-hint', 'x-aliases']) delete schema[name];
}

/** "X or null" as one type with two names: easier to read, and to generate code from, than a union of schemas. */
function mergeNull(schema: JsonSchema): void {
  if (!Array.isArray(schema.anyOf) || schema.anyOf.length !== 2) return;
  const other = schema.anyOf.find((member) => member.type !== 'null');
  if (!schema.anyOf.some((member) => member.type === 'null') || typeof other?.type !== 'string') return;
  const { anyOf: _, ...rest } = schema;
  const merged = { ...other, ...rest, type: [other.type, 'null'] };
  if (Array.isArray(other.enum)) merged.enum = [...other.enum, null];
  for (const name of Object.keys(schema)) delete schema[name];
  Object.assign(schema, merged);
}

function inSandbox(schema: JsonSchema): JsonSchema {
  const { properties, required } = schema as { properties: JsonSchema; required?: string[] };
  const sandbox = { type: 'boolean', const: true, description: 'Marks fixture data of the sandbox.' };
  return { ...schema, properties: { ...properties, sandbox }, required: [...(required ?? []), 'sandbox'] };
}
