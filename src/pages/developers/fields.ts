/** The fields of an input, a response or an object, as a tree that follows their JSON Schema. */
import { inputJsonSchema, isNullable, type JsonSchema, removeNull } from '../../base/json-schema.ts';
import type { Operation } from '../../operations/operation.ts';

/** One field, with what the reference says about it. */
export interface Field {
  readonly name: string;
  /** The names from the outermost object to this field, such as `platform.os`. */
  readonly path: string;
  /** Its type in words: "string", "integer or null", "array of objects". */
  readonly type: string;
  /** The object with a page of the reference that the field is or contains, by its name in the contract; null if there is none. */
  readonly object: string | null;
  /** Whether a request must send the field, or every response has it. */
  readonly required: boolean;
  /** Its description as Markdown; '' if the schema has none. */
  readonly description: string;
  /** The allowed values; empty if the schema does not list them. */
  readonly values: readonly string[];
  /** The allowed range in words, such as "1 to 100"; '' if there is none, and always in responses. */
  readonly range: string;
  /** The default value as JSON; null if there is none. */
  readonly preset: string | null;
  readonly place: 'path' | 'query' | 'body' | 'response';
  /** The fields within it; empty if its object has a page. */
  readonly fields: readonly Field[];
}

/** Returns the fields that an operation or another endpoint takes in its path and in its query, or with POST in its body. */
export function listInputFields({
  method,
  path,
  input,
}: Pick<Operation, 'path' | 'input'> & { readonly method: string }): Field[] {
  const rest = method === 'POST' ? 'body' : 'query';
  return listFields(inputJsonSchema(input), (name) => (path.includes(`{${name}}`) ? 'path' : rest));
}

/** Returns the fields of a response or of an object; none if the schema has no properties or is left out. */
export const listResponseFields = (schema: JsonSchema = {}): Field[] => listFields(schema, () => 'response');

function listFields(schema: JsonSchema, getPlace: (name: string) => Field['place'], prefix = ''): Field[] {
  const requiredNames = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([name, fieldSchema]) => {
    const property = removeNull(fieldSchema);
    const inner = property.type === 'array' ? removeNull(property.items ?? {}) : property;
    const path = prefix + name;
    const place = getPlace(name);
    return {
      name,
      path,
      type: describeType(fieldSchema),
      object: inner.$ref ?? null,
      required: requiredNames.has(name),
      description: fieldSchema.description ?? property.description ?? '',
      values: (property.const === undefined ? (property.enum ?? []) : [property.const]).map(String),
      range: place === 'response' ? '' : describeRange(property),
      preset: fieldSchema.default === undefined ? null : JSON.stringify(fieldSchema.default),
      place,
      fields: listFields(inner, () => place, `${path}.`),
    };
  });
}

const describeType = (schema: JsonSchema): string =>
  describePlainType(removeNull(schema)) + (isNullable(schema) ? ' or null' : '');

function describePlainType({ $ref, type, format, items, anyOf }: JsonSchema): string {
  if ($ref !== undefined) return 'object';
  if (anyOf !== undefined) return anyOf.map(describeType).join(' or ');
  if (type === 'array') return `array of ${makePlural(describePlainType(removeNull(items ?? {})))}`;
  return formats[format ?? ''] ?? type ?? 'anything';
}

const formats: Readonly<Record<string, string>> = { uri: 'URL', date: 'date', 'date-time': 'date and time' };

const makePlural = (type: string): string => (type === 'anything' ? type : `${type}s`);

function describeRange(schema: JsonSchema): string {
  const { type, enum: values, const: only } = schema;
  if (values !== undefined || only !== undefined) return '';
  if (type === 'integer' || type === 'number') return describeBounds(schema.minimum, schema.maximum, '');
  if (type === 'array') return describeBounds(schema.minItems, schema.maxItems, ' entries');
  return type === 'string' ? describeBounds(schema.minLength, schema.maxLength, ' characters') : '';
}

function describeBounds(min: number | undefined, max: number | undefined, unit: string): string {
  if (max === undefined || max >= Number.MAX_SAFE_INTEGER) return min === undefined ? '' : `at least ${min}${unit}`;
  return min === undefined || min === 0 ? `at most ${max}${unit}` : `${min} to ${max}${unit}`;
}
