/** Input at the border: validates it against its schema and says of every fault what is allowed and what was sent. */
import { z } from 'zod';
import { ApiError, type FieldError } from '../base/api-error.ts';
import { inputJsonSchema, type JsonSchema, schemaAt } from '../base/json-schema.ts';
import { didYouMean, nearMisses } from '../base/near-miss.ts';
import { queryLength } from '../base/request-limits.ts';
import { nameOf, type Path, valueAt } from '../base/value-path.ts';
import { mostCharacters } from '../catalog/cursor.ts';

/** A string of `least` to `most` characters, counted in code points as JSON Schema does, not in UTF-16 units. */
export const characters = (least: number, most: number) =>
  z
    .string()
    .refine((value) => {
      let count = 0;
      for (const _ of value) count += 1;
      return count >= least && count <= most;
    })
    .meta({ minLength: least, maxLength: most });

/** A page's size. */
export const limitInput = ({ most, preset }: { most: number; preset: number }) =>
  z.int().min(1).max(most).default(preset).describe(`How many items to return, 1 to ${most}.`);

export const cursorInput = z
  .string()
  .optional()
  .meta({ maxLength: mostCharacters })
  .describe('The cursor of the next page: `pagination.next_cursor` from the previous page, unchanged.');

/** What is searched for. */
export const queryInput = characters(queryLength.least, queryLength.most).meta({
  'x-hint': `send ${queryLength.least} to ${queryLength.most} characters to search for`,
});

/** A computer's operating system. What is no version is refused with the nearest one. */
export const osVersionInput = z
  .string()
  .meta({ 'x-hint': 'send an OS version such as 14.5', maxLength: 64, examples: ['14.5'] })
  .describe('An OS version such as `14.5`.');

/** A computer's processor. */
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

/** Validates; throws `invalid_request` with one entry in `errors` for each invalid field. */
export function parseInput<S extends z.ZodObject>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const errors = new Map<string, FieldError>();
  const suggestions: string[] = [];
  for (const issue of result.error.issues) {
    const described = describeIssue(schema, issue, input);
    if (errors.has(described.error.field)) continue;
    errors.set(described.error.field, described.error);
    suggestions.push(...described.suggestions);
  }
  throw invalidRequest([...errors.values()], suggestions);
}

/** The `invalid_request` of a list of faults. */
export function invalidRequest(errors: FieldError[], suggestions: string[] = []): ApiError {
  const detail =
    errors.length === 1
      ? (errors[0]?.detail ?? '')
      : `${errors.length} parts of the request are invalid: ${errors.map(({ field }) => field).join(', ')}. See \`errors\`.`;
  return new ApiError('invalid_request', detail, { errors, ...(suggestions.length > 0 && { suggestions }) });
}

function describeIssue(schema: z.ZodObject, issue: z.core.$ZodIssue, input: unknown) {
  const extra = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const path = extra === undefined ? issue.path : [...issue.path, extra];
  const field = fieldName(path);
  if (extra !== undefined) {
    const parent = schemaAt(inputJsonSchema(schema), issue.path);
    const suggestions = nearMisses(extra, Object.keys(parent.properties ?? {}));
    const detail = `${field} is not known here.${didYouMean(suggestions)}`;
    return { error: { field, code: 'unknown', detail }, suggestions };
  }
  const at = schemaAt(inputJsonSchema(schema), path);
  const { code, detail, suggestions } = describeFault(at, field, valueAt(input, path));
  return { error: { field, code, detail }, suggestions };
}

/** What is wrong with one value, by its schema. */
function describeFault(schema: JsonSchema, field: string, value: unknown) {
  const sent = `you sent ${show(value)}`;
  const fault = (code: string, detail: string, suggestions: string[] = []) => ({ code, detail, suggestions });
  const { minimum, maximum } = schema;
  if (value === undefined) {
    return fault('required', `${field} is required${schema['x-hint'] ? `: ${schema['x-hint']}` : ''}.`);
  }
  // A query gives an array for a parameter that was sent more than once; a body may hold one anywhere.
  if (Array.isArray(value) && value.length > 1 && schema.type !== 'array' && schema.type !== 'object') {
    return fault('repeated', `${field} can be given only once; you sent ${value.length} values.`);
  }
  if (schema.enum || schema.const !== undefined) {
    const names = (schema.enum ?? [schema.const]).map(String);
    const alias = schema['x-aliases']?.[String(value).toLowerCase()];
    const suggestions = alias ? [alias] : nearMisses(String(value), names);
    const allowed = names.map((name) => `\`${name}\``).join(names.length === 2 ? ' or ' : ', ');
    return fault('invalid_value', `${field} must be ${allowed}; ${sent}.${didYouMean(suggestions)}`, suggestions);
  }
  if (schema.type === 'integer') {
    const range = minimum !== undefined && maximum !== undefined ? ` between ${minimum} and ${maximum}` : '';
    if (typeof value !== 'number' || !Number.isInteger(value)) {
      return fault('malformed', `${field} must be a whole number${range}; ${sent}.`);
    }
    return fault('out_of_range', `${field} must be${range}; ${sent}.`);
  }
  if (schema.type === 'string') {
    const { minLength = 0, maxLength } = schema;
    if (typeof value !== 'string') return fault('malformed', `${field} must be a string; ${sent}.`);
    const length = [...value].length;
    if (length < minLength || (maxLength !== undefined && length > maxLength)) {
      return fault(
        'out_of_range',
        `${field} must be ${minLength} to ${maxLength} characters long; you sent ${length}.`,
      );
    }
    return fault('malformed', `${field} must be ${schema['x-hint'] ?? `of the form ${schema.pattern}`}; ${sent}.`);
  }
  if (schema.type === 'array' && Array.isArray(value)) {
    const { minItems = 0, maxItems } = schema;
    return fault('out_of_range', `${field} must have ${minItems} to ${maxItems} entries; you sent ${value.length}.`);
  }
  return fault('malformed', `${field} must be ${schema.type === 'array' ? 'an array' : 'an object'}; ${sent}.`);
}

/** A value as an error may quote it: short, on one line. */
function show(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  const text = String(value);
  const cut = [...text].slice(0, 60).join('');
  return typeof value === 'string' ? `${JSON.stringify(cut)}${cut === text ? '' : '…'}` : cut;
}

const fieldName = (path: Path): string => nameOf(path) || 'body';
