/** Validates input against its schema; a failure names for every fault what is allowed and what was sent. */
import { z } from 'zod';
import { ApiError, type FieldError } from '../base/api-error.ts';
import type { JsonSchema } from '../base/json-schema.ts';
import { writeCodes } from '../base/list-in-words.ts';
import { findNearMisses, writeDidYouMean } from '../base/near-miss.ts';
import { queryLength } from '../base/request-limits.ts';
import { listSchemaFaults, type SchemaFault } from '../base/schema-faults.ts';
import { systemNames } from '../base/systems.ts';
import { formatPath, type Path } from '../base/value-path.ts';
import { maxCursorLength } from '../catalog/cursor.ts';

/** Creates the schema of a string of `min` to `max` characters, counted in code points as JSON Schema does, not in UTF-16 units. */
export const createTextSchema = (min: number, max: number): z.ZodString =>
  z
    .string()
    .refine((value) => {
      let count = 0;
      for (const _ of value) count += 1;
      return count >= min && count <= max;
    })
    .meta({ minLength: min, maxLength: max });

/**
 * Creates the schema of the parameter `limit`, the number of items on a page of a list: a whole number from 1 to `max`, or
 * `default` when left out. Anything else is a fault: a text is not converted, and a larger number not reduced.
 */
export const createLimitSchema = ({ max, default: standard }: { max: number; default: number }) =>
  z.int().min(1).max(max).default(standard).describe(`How many items to return, 1 to ${max}.`);

/** The schema of the cursor of the next page, which is left out for the first page. */
export const cursorInput = z
  .string()
  .optional()
  .meta({ maxLength: maxCursorLength })
  .describe('The cursor of the next page: `pagination.next_cursor` from the previous page, unchanged.');

/** The schema of a search query. */
export const queryInput = createTextSchema(queryLength.min, queryLength.max).meta({
  'x-hint': `send ${queryLength.min} to ${queryLength.max} characters to search for`,
});

/** The schema of an operating system's name; for one of its aliases, such as `mac`, a failure suggests the name. */
export const osInput = z
  .enum(systemNames)
  .meta({
    'x-hint': 'send macOS, Windows or Linux',
    'x-aliases': {
      mac: 'macOS',
      osx: 'macOS',
      darwin: 'macOS',
      win: 'Windows',
      win32: 'Windows',
      ubuntu: 'Linux',
      debian: 'Linux',
    },
  })
  .describe('The operating system; the product’s main one when left out.');

/** The schema of an OS version. The catalog refuses texts that are no version, and names the nearest one. */
export const osVersionInput = z
  .string()
  .meta({ 'x-hint': 'send an OS version such as 14.5', maxLength: 64, examples: ['14.5'] })
  .describe('An OS version such as `14.5`, or `11`, `23H2` or `10.0.22631` for Windows.');

/** The schema of a processor; for one of its aliases, such as `intel`, a failure suggests the name. */
export const archInput = z
  .enum(['arm64', 'x86_64'])
  .meta({
    'x-hint': 'send arm64 or x86_64',
    'x-aliases': {
      aarch64: 'arm64',
      apple: 'arm64',
      amd64: 'x86_64',
      x64: 'x86_64',
      x86: 'x86_64',
      intel: 'x86_64',
    },
  })
  .describe('The processor: `arm64` is Apple silicon, `x86_64` is Intel.');

/**
 * Returns the validated input; fields that are not in the schema are left out unless it is strict or loose. Throws
 * `invalid_request` with one entry in `errors` for each invalid field, and for at most 20 unknown ones of an object.
 */
export function parseInput<S extends z.ZodObject>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const errors = new Map<string, FieldError>();
  const suggestions: string[] = [];
  for (const fault of listSchemaFaults(schema, result.error, input)) {
    const field = formatField(fault.path);
    if (errors.has(field)) continue;
    errors.set(field, { field, code: chooseCode(fault), detail: describeFault(fault, field) });
    suggestions.push(...listSuggestions(fault));
  }
  throw createInvalidRequest([...errors.values()], suggestions);
}

/**
 * Creates `not_found` for a name that does not exist, with at most three of `names` that are similar. `thing` is what has the name,
 * such as "page", and `next` a sentence that says how to list all names.
 */
export function createUnknownNameError(thing: string, name: string, names: readonly string[], next: string): ApiError {
  const suggestions = findNearMisses(name, names);
  const detail = `No ${thing} ${quote(name)}.${writeDidYouMean(suggestions)}`;
  return new ApiError('not_found', detail, { suggestions, next });
}

/** Returns a name as a failure quotes it: its first 64 code points in backticks, with no mark for what is cut off. */
export const quote = (name: string): string => `\`${[...name].slice(0, 64).join('')}\``;

/** Creates `invalid_request` from one or more faults. Its detail is that of a single fault, and lists the fields of several. */
export function createInvalidRequest(errors: FieldError[], suggestions: string[] = []): ApiError {
  const detail =
    errors.length === 1
      ? (errors[0]?.detail ?? '')
      : `${errors.length} parts of the request are invalid: ${errors.map(({ field }) => field).join(', ')}. See \`errors\`.`;
  return new ApiError('invalid_request', detail, { errors, ...(suggestions.length > 0 && { suggestions }) });
}

const codes: Readonly<Record<SchemaFault['kind'], string>> = {
  'unknown key': 'unknown',
  'invalid key': 'malformed',
  missing: 'required',
  shape: 'malformed',
  choice: 'invalid_value',
  type: 'malformed',
  size: 'out_of_range',
  form: 'malformed',
};

/** Returns whether a parameter was sent more than once, which a query reads as an array. */
const isRepeated = ({ given, kind, schema }: SchemaFault): boolean =>
  Array.isArray(given) &&
  given.length > 1 &&
  kind !== 'unknown key' &&
  schema.type !== 'array' &&
  schema.type !== 'object';

/** Returns whether a query has digits for an integer that is beyond the safe ones of JavaScript, from -(2 ** 53 - 1) to 2 ** 53 - 1. */
const isHugeInteger = ({ given, schema }: SchemaFault): boolean =>
  schema.type === 'integer' &&
  typeof given === 'string' &&
  /^-?\d+$/.test(given) &&
  !Number.isSafeInteger(Number(given));

function chooseCode(fault: SchemaFault): string {
  if (isRepeated(fault)) return 'repeated';
  return isHugeInteger(fault) ? 'out_of_range' : codes[fault.kind];
}

const listSuggestions = (fault: SchemaFault): readonly string[] =>
  'suggestions' in fault && !isRepeated(fault) ? fault.suggestions : [];

/** Returns a sentence about an invalid value: what its schema allows, and what was sent. */
function describeFault(fault: SchemaFault, field: string): string {
  const { given, schema, kind } = fault;
  if (Array.isArray(given) && isRepeated(fault)) {
    return `${field} can be given only once; you sent ${given.length} values.`;
  }
  const sentText = `you sent ${show(given)}`;
  switch (kind) {
    case 'unknown key':
      return `${field} is not known here.${writeDidYouMean(fault.suggestions)}`;
    case 'missing':
      return `${field} is required${schema['x-hint'] ? `: ${schema['x-hint']}` : ''}.`;
    case 'choice':
      return `${field} must be ${writeCodes(fault.allowed, 'or')}; ${sentText}.${writeDidYouMean(fault.suggestions)}`;
    case 'size':
      return `${field} must ${describeSize(fault)}.`;
    case 'form':
      return `${field} must be ${schema['x-hint'] ?? `of the form ${schema.pattern}`}; ${sentText}.`;
    default:
      return `${field} must be ${describeType(schema)}; ${sentText}.`;
  }
}

function describeSize({ of, given, schema }: Extract<SchemaFault, { kind: 'size' }>): string {
  const { minLength = 0, maxLength, minItems = 0, maxItems } = schema;
  if (of === 'characters') {
    return `be ${minLength} to ${maxLength} characters long; you sent ${[...String(given)].length}`;
  }
  if (of === 'items') {
    return `have ${minItems} to ${maxItems} entries; you sent ${Array.isArray(given) ? given.length : show(given)}`;
  }
  return `be${describeRange(schema)}; you sent ${show(given)}`;
}

const describeRange = ({ minimum, maximum }: JsonSchema): string =>
  minimum !== undefined && maximum !== undefined ? ` between ${minimum} and ${maximum}` : '';

function describeType(schema: JsonSchema): string {
  switch (schema.type) {
    case 'integer':
      return `a whole number${describeRange(schema)}`;
    case 'string':
      return 'a string';
    case 'array':
      return 'an array';
    case 'boolean':
      return 'true or false';
    default:
      return 'an object';
  }
}

/**
 * Returns a value as an error may quote it: a text as JSON on one line, cut after 60 characters with `…`, "an array" or "an object"
 * without its content, and any other value as text, such as `null` or `undefined`.
 */
function show(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  const text = String(value);
  const shortText = [...text].slice(0, 60).join('');
  return typeof value === 'string' ? `${JSON.stringify(shortText)}${shortText === text ? '' : '…'}` : shortText;
}

const formatField = (path: Path): string => formatPath(path) || 'body';
