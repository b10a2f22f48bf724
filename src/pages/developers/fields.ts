/** The fields of an input or a response, flattened from their schema into rows that a table can show. */
import type { z } from 'zod';
import { inputJsonSchema, isNullable, type JsonSchema, outputJsonSchema, withoutNull } from '../../base/json-schema.ts';
import type { Operation } from '../../operations/operation.ts';

export interface Field {
  /** Such as `data[].platform.os`. */
  readonly path: string;
  /** In words: "string", "integer or null", "array of objects". */
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
  /** The values allowed, where they are counted. */
  readonly values: readonly string[];
  /** The range allowed, in words: "1 to 100"; '' when the type says it all. */
  readonly range: string;
  /** As JSON, or null. */
  readonly preset: string | null;
  readonly place: 'path' | 'query' | 'body' | 'answer';
}

/** What is allowed, the default and the place, where the description does not say it already. */
export function fieldNotes({ values, range, description, preset, place }: Field): string {
  const unsaid = values.filter((value) => !description.includes(`\`${value}\``)).length > 0;
  const listed = values.length > 12 ? [`one of ${values.length} values`] : values.map((value) => `\`${value}\``);
  return [
    ...(unsaid ? [listed.join(', ')] : []),
    ...(range === '' || description.includes(range) ? [] : [range]),
    ...(preset === null ? [] : [`default \`${preset}\``]),
    ...(place === 'path' ? ['in the path'] : []),
  ].join('; ');
}

/** `getRelease.version` of what is sent, `getRelease.response.platform.os` of what is returned. */
export const fieldAnchor = (operationId: string, { place, path }: Field): string =>
  `${operationId}.${place === 'answer' ? 'response.' : ''}${path.replaceAll('[]', '')}`;

/** "required" for what must be sent, "optional" for what a response may lack. */
export function fieldMark({ place, required }: Field): string {
  if (place === 'answer') return required ? '' : 'optional';
  return required ? 'required' : '';
}

/** Returns the fields that an operation or another endpoint takes. */
export function inputFields({ method, path, input }: Pick<Operation, 'path' | 'input'> & { readonly method: string }) {
  const placeOf = (name: string): Field['place'] => {
    if (path.includes(`{${name}}`)) return 'path';
    return method === 'POST' ? 'body' : 'query';
  };
  return rowsOf(inputJsonSchema(input), placeOf);
}

/** What an endpoint returns. */
export const responseFields = (schema: z.ZodObject): Field[] => rowsOf(outputJsonSchema(schema), () => 'answer');

function rowsOf(schema: JsonSchema, placeOf: (name: string) => Field['place'], prefix = ''): Field[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([name, written]) => {
    const property = withoutNull(written);
    const path = prefix + name;
    const place = placeOf(name);
    const row: Field = {
      path,
      type: typeInWords(written),
      required: required.has(name),
      description: written.description ?? property.description ?? '',
      values: valuesOf(property),
      range: place === 'answer' ? '' : rangeInWords(property),
      preset: written.default === undefined ? null : JSON.stringify(written.default),
      place,
    };
    const inner = property.type === 'array' ? withoutNull(property.items ?? {}) : property;
    const below = property.type === 'array' ? `${path}[].` : `${path}.`;
    return [row, ...rowsOf(inner, () => place, below)];
  });
}

function typeInWords(schema: JsonSchema): string {
  return plainType(withoutNull(schema)) + (isNullable(schema) ? ' or null' : '');
}

function plainType({ type, format, items, anyOf }: JsonSchema): string {
  if (anyOf !== undefined) return anyOf.map(typeInWords).join(' or ');
  if (type === 'array') return `array of ${plural(plainType(withoutNull(items ?? {})))}`;
  if (format === 'uri') return 'URL';
  if (format === 'date') return 'date';
  if (format === 'date-time') return 'date and time';
  return type ?? 'anything';
}

const plural = (type: string): string => (type === 'anything' ? type : `${type}s`);

function valuesOf({ enum: values, const: only }: JsonSchema): string[] {
  if (only !== undefined) return [String(only)];
  return values?.map(String) ?? [];
}

function rangeInWords(schema: JsonSchema): string {
  const { type, enum: values, const: only } = schema;
  if (values !== undefined || only !== undefined) return '';
  if (type === 'integer' || type === 'number') return between(schema.minimum, schema.maximum, '');
  if (type === 'array') return between(schema.minItems, schema.maxItems, ' entries');
  return type === 'string' ? between(schema.minLength, schema.maxLength, ' characters') : '';
}

function between(least: number | undefined, most: number | undefined, unit: string): string {
  if (most === undefined || most >= Number.MAX_SAFE_INTEGER) {
    return least === undefined ? '' : `at least ${least}${unit}`;
  }
  return least === undefined || least === 0 ? `at most ${most}${unit}` : `${least} to ${most}${unit}`;
}
