/** JSON Schemas of zod schemas: made once for each side, and typed as far as anything here reads them. */
import { z } from 'zod';

export interface JsonSchema {
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
  /** What to send, for the message about a missing field. */
  readonly 'x-hint'?: string;
  /** Other people's names for the values, each with ours. */
  readonly 'x-aliases'?: Readonly<Record<string, string>>;
}

const made = { input: new WeakMap<z.ZodType, JsonSchema>(), output: new WeakMap<z.ZodType, JsonSchema>() };

function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  let found = made[io].get(schema);
  if (found === undefined) {
    found = z.toJSONSchema(schema, { io }) as JsonSchema;
    made[io].set(schema, found);
  }
  return found;
}

/** Of what is sent. */
export const inputJsonSchema = (schema: z.ZodType): JsonSchema => jsonSchemaOf(schema, 'input');

/** The schema of what is returned. */
export const outputJsonSchema = (schema: z.ZodType): JsonSchema => jsonSchemaOf(schema, 'output');

/** The schema without `null` where it is nullable; otherwise the schema itself. */
export function withoutNull(schema: JsonSchema): JsonSchema {
  const others = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  return others.length === 1 && others[0] !== undefined ? others[0] : schema;
}

export const isNullable = ({ anyOf }: JsonSchema): boolean => anyOf?.some(({ type }) => type === 'null') ?? false;
