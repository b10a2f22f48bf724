/** Lists the faults that a zod schema finds in a value, as facts; the caller writes the messages. */
import { z } from 'zod';
import { inputJsonSchema, type JsonSchema } from './json-schema.ts';
import { findNearMisses } from './near-miss.ts';
import { getValue, type Path } from './value-path.ts';

/**
 * A fault of a value: its place (`path`, `given` and `schema`), and the problem there by its `kind`, which is `unknown key`,
 * `invalid key`, `missing`, `shape`, `choice`, `type`, `size` or `form`. The other members depend on `kind`, such as `allowed` and
 * `suggestions` of a `choice`, or `bound` of a `size`.
 */
export type SchemaFault = Readonly<Place & Problem>;

interface Place {
  /** The path of the value, or of the key that should not be there. */
  path: Path;
  /** The value that was sent, or undefined if it is missing. */
  given: unknown;
  /** The schema of the value; empty if no value is allowed. */
  schema: JsonSchema;
}

type Problem =
  | { kind: 'unknown key'; known: readonly string[]; suggestions: readonly string[] }
  | { kind: 'invalid key'; reasons: readonly string[] }
  | { kind: 'missing' }
  /** The value has none of several shapes; `expected` has zod's names of them. */
  | { kind: 'shape'; expected: readonly string[] }
  | { kind: 'choice'; allowed: readonly string[]; suggestions: readonly string[] }
  /** The value has another type; `expected` is zod's name of the right one. */
  | { kind: 'type'; expected: string }
  /** The value is too small or too big; `bound` is the nearest size or number that is allowed. */
  | { kind: 'size'; of: 'characters' | 'items' | 'number'; is: 'small' | 'big'; bound: string }
  /** The text is malformed. If `isPattern`, the message describes the whole text. */
  | { kind: 'form'; message: string; isPattern: boolean };

/** Maximum number of unknown keys that are reported for one object; a hostile one may have thousands. */
const maxUnknownKeys = 20;

/**
 * Returns the faults that zod found when `schema` parsed `input`, in zod's order. At most 20 unknown keys of an object are among
 * them. A value with several possible shapes has only the faults of the first shape of its type.
 */
export const listSchemaFaults = (schema: z.ZodType, { issues }: z.ZodError, input: unknown): SchemaFault[] =>
  issues.flatMap((issue) => describeIssue(schema, issue, input));

function describeIssue(schema: z.ZodType, issue: z.core.$ZodIssue, input: unknown): SchemaFault[] {
  const { path } = issue;
  if (issue.code === 'invalid_union') {
    const nearest = issue.errors.find(
      (issues) => !issues.some((inner) => inner.path.length === 0 && inner.code === 'invalid_type'),
    );
    if (nearest !== undefined) {
      return nearest.flatMap((inner) => describeIssue(schema, { ...inner, path: [...path, ...inner.path] }, input));
    }
  }
  if (issue.code === 'unrecognized_keys') {
    const names = listKeys(findSchema(schema, path));
    return issue.keys.slice(0, maxUnknownKeys).map((key) => ({
      path: [...path, key],
      given: getValue(input, [...path, key]),
      schema: {},
      kind: 'unknown key',
      known: names,
      suggestions: findNearMisses(key, names),
    }));
  }
  const part = findSchema(schema, path);
  const place = { path, given: getValue(input, path), schema: part === undefined ? {} : inputJsonSchema(part) };
  return [{ ...place, ...describeProblem(issue, place) }];
}

function describeProblem(issue: z.core.$ZodIssue, { given, schema }: Place): Problem {
  if (issue.code === 'invalid_key') {
    return { kind: 'invalid key', reasons: issue.issues.map(({ message }) => message) };
  }
  if (given === undefined) return { kind: 'missing' };
  switch (issue.code) {
    case 'invalid_union':
      return {
        kind: 'shape',
        expected: issue.errors.flatMap(([first]) => (first?.code === 'invalid_type' ? [first.expected] : [])),
      };
    case 'invalid_type':
      return { kind: 'type', expected: issue.expected };
    case 'invalid_value': {
      const values = issue.values.map(String);
      const alias = schema['x-aliases']?.[String(given).toLowerCase()];
      return { kind: 'choice', allowed: values, suggestions: alias ? [alias] : findNearMisses(String(given), values) };
    }
    case 'too_small':
      return { kind: 'size', of: toMeasure(issue.origin), is: 'small', bound: String(issue.minimum) };
    case 'too_big':
      return { kind: 'size', of: toMeasure(issue.origin), is: 'big', bound: String(issue.maximum) };
    default:
      return (
        findLengthProblem(given, schema) ?? {
          kind: 'form',
          message: issue.message,
          isPattern: issue.code === 'invalid_format',
        }
      );
  }
}

/**
 * Returns the problem of a text's length, which schemas count in code points and zod in UTF-16 units. Returns null if there is none
 * or the value is no text.
 */
function findLengthProblem(
  value: unknown,
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY }: JsonSchema,
): Problem | null {
  if (typeof value !== 'string') return null;
  const length = [...value].length;
  if (length >= minLength && length <= maxLength) return null;
  const is = length < minLength ? 'small' : 'big';
  return { kind: 'size', of: 'characters', is, bound: String(is === 'small' ? minLength : maxLength) } as const;
}

const toMeasure = (origin: string): 'characters' | 'items' | 'number' =>
  origin === 'string' ? 'characters' : origin === 'array' ? 'items' : 'number';

function findSchema(schema: z.ZodType, path: Path): z.ZodType | undefined {
  let current: unknown = schema;
  for (const part of path) {
    const inner = unwrap(current, typeof part === 'number' ? z.ZodArray : z.ZodObject);
    if (inner instanceof z.ZodObject) current = inner.shape[String(part)];
    else if (inner instanceof z.ZodArray) current = inner.element;
    else if (inner instanceof z.ZodRecord) current = inner.valueType;
    else return undefined;
  }
  return current instanceof z.ZodType ? current : undefined;
}

function listKeys(schema: z.ZodType | undefined): string[] {
  const inner = unwrap(schema);
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
}

function unwrap(schema: unknown, shape: typeof z.ZodArray | typeof z.ZodObject = z.ZodObject): unknown {
  let inner = schema;
  while (
    inner instanceof z.ZodDefault ||
    inner instanceof z.ZodPrefault ||
    inner instanceof z.ZodOptional ||
    inner instanceof z.ZodNullable ||
    inner instanceof z.ZodLazy ||
    inner instanceof z.ZodUnion
  ) {
    // A union counts as its option of the type `shape`, because only a map or a list contains further values.
    inner = inner instanceof z.ZodUnion ? inner.options.find((option) => option instanceof shape) : inner.unwrap();
  }
  return inner;
}
