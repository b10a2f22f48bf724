/** Converts zod schemas to JSON Schemas, each once for input and once for output. */
import { z } from 'zod';

/** A JSON Schema, with the keywords that this service reads. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Hint for the message about a missing field: what to send. */
  readonly 'x-hint'?: string;
  /** Other common names of the values, each with the value. */
  readonly 'x-aliases'?: Readonly<Record<string, string>>;
}

function createConverter(io: 'input' | 'output'): (schema: z.ZodType) => JsonSchema {
  const cache = new WeakMap<z.ZodType, JsonSchema>();
  return (schema) => {
    const jsonSchema = cache.get(schema) ?? (z.toJSONSchema(schema, { io }) as JsonSchema);
    cache.set(schema, jsonSchema);
    return jsonSchema;
  };
}

/**
 * Returns the JSON Schema of the values that a zod schema accepts; every call with the same zod schema object returns the same
 * object. Throws if JSON Schema cannot express it.
 */
export const inputJsonSchema = createConverter('input');

/**
 * Returns the JSON Schema of the values that a zod schema returns when it parses; every call with the same zod schema object
 * returns the same object. Throws if JSON Schema cannot express it.
 */
export const outputJsonSchema = createConverter('output');

/** Returns the only alternative besides null of a schema's `anyOf`; a schema that has several or none is returned unchanged. */
export function removeNull(schema: JsonSchema): JsonSchema {
  const others = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  return others.length === 1 && others[0] !== undefined ? others[0] : schema;
}

/** Returns whether null is one of a schema's alternatives, its `anyOf`. */
export const isNullable = ({ anyOf }: JsonSchema): boolean => anyOf?.some(({ type }) => type === 'null') ?? false;
