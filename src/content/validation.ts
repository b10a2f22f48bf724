/** Holds a YAML document against its schema and says, at the offending place, what is wrong and what is right. */
import { z } from 'zod';
import { codesInWords } from '../base/list-in-words.ts';
import { didYouMean, nearMisses } from '../base/near-miss.ts';
import { nameOf, type Path, valueAt } from '../base/value-path.ts';
import type { Fault } from './content.ts';
import type { YamlDocument } from './yaml-document.ts';

export interface Validated<T> {
  /** Null when there is a fault. */
  readonly value: T | null;
  readonly faults: readonly Fault[];
}

/** `whole` names the document in messages, such as `the file`. */
export function validate<T>(schema: z.ZodType<T>, document: YamlDocument, whole: string): Validated<T> {
  if (document.faults.length > 0) return { value: null, faults: document.faults };
  const result = schema.safeParse(document.value);
  if (result.success) return { value: result.data, faults: [] };
  return { value: null, faults: result.error.issues.flatMap((issue) => faultsOf(issue, schema, document, whole)) };
}

function faultsOf(issue: z.core.$ZodIssue, schema: z.ZodType, document: YamlDocument, whole: string): Fault[] {
  const { file } = document;
  const { path } = issue;
  const name = path.length === 0 ? whole : `\`${nameOf(path)}\``;

  if (issue.code === 'invalid_union') {
    const nearest = issue.errors.find(
      (issues) => !issues.some((inner) => inner.path.length === 0 && inner.code === 'invalid_type'),
    );
    if (nearest !== undefined) {
      return nearest.flatMap((inner) =>
        faultsOf({ ...inner, path: [...path, ...inner.path] }, schema, document, whole),
      );
    }
    return [{ file, ...document.at(path), message: `${name} must be text or a map.` }];
  }
  if (issue.code === 'unrecognized_keys') {
    const valid = keysOf(schemaAt(schema, path));
    return issue.keys.map((key) => {
      const suggestions = nearMisses(key, valid);
      const hint = suggestions.length > 0 ? didYouMean(suggestions) : ` The keys here are ${codesInWords(valid)}.`;
      return { file, ...document.atKey([...path, key]), message: `\`${key}\` is not a key here.${hint}` };
    });
  }
  if (issue.code === 'invalid_key') {
    const reasons = issue.issues.map(({ message }) => message).join(', ');
    return [{ file, ...document.atKey(path), message: `${name}: a key here ${reasons}.` }];
  }
  const given = valueAt(document.value, path);
  if (given === undefined) {
    const purpose = schemaAt(schema, path)?.description;
    const message = `${name} is missing${purpose === undefined ? '' : `: ${lowerFirst(purpose)}`}`;
    return [{ file, ...document.at(path.slice(0, -1)), message: sentence(message) }];
  }
  return [{ file, ...document.at(path), message: sentence(`${name} ${problem(issue, given, document, path)}`) }];
}

function problem(issue: z.core.$ZodIssue, given: unknown, document: YamlDocument, path: Path): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeProblem(issue.expected, given, document.sourceOf(path));
    case 'invalid_value': {
      const values = issue.values.map(String);
      const suggestions = typeof given === 'string' ? nearMisses(given, values) : [];
      return `must be ${codesInWords(values, 'or')}, not ${show(given)}.${didYouMean(suggestions)}`;
    }
    case 'too_small':
      if (issue.origin === 'string') return 'is empty';
      if (issue.origin === 'array')
        return `needs at least ${issue.minimum === 1 ? 'one item' : `${issue.minimum} items`}`;
      return `must be at least ${issue.minimum}, not ${show(given)}`;
    case 'too_big':
      if (typeof given === 'string')
        return `has ${given.trim().length} characters; at most ${issue.maximum} are allowed`;
      if (Array.isArray(given)) return `has ${given.length} items; at most ${issue.maximum} are allowed`;
      return `must be at most ${issue.maximum}, not ${show(given)}`;
    case 'invalid_format':
      return `${issue.message}; it is ${show(given)}`;
    default:
      return `${issue.message}: ${show(given)}`;
  }
}

function typeProblem(expected: string, given: unknown, source: string | null): string {
  const empty = given === null ? 'is empty: it ' : '';
  switch (expected) {
    case 'string':
      if (typeof given === 'number' || typeof given === 'boolean') {
        return `must be text: put it in quotes, "${source ?? String(given)}"`;
      }
      return `${empty}must be text`;
    case 'boolean':
      return `${empty}must be true or false${given === null ? '' : `, not ${show(given)}`}`;
    case 'int':
      return `${empty}must be a whole number${given === null ? '' : `, not ${show(given)}`}`;
    case 'number':
      return `${empty}must be a number${given === null ? '' : `, not ${show(given)}`}`;
    case 'array':
      return `${empty}must be a list, each item after a \`- \``;
    default:
      return `${empty}must be a map, with a \`key: value\` on each line`;
  }
}

function schemaAt(schema: z.ZodType, path: Path): z.ZodType | undefined {
  let current: unknown = schema;
  for (const part of path) {
    const inner = unwrap(current);
    if (inner instanceof z.ZodObject) current = inner.shape[String(part)];
    else if (inner instanceof z.ZodArray) current = inner.element;
    else if (inner instanceof z.ZodRecord) current = inner.valueType;
    else return undefined;
  }
  return current instanceof z.ZodType ? current : undefined;
}

function keysOf(schema: z.ZodType | undefined): string[] {
  const inner = unwrap(schema);
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
}

function unwrap(schema: unknown): unknown {
  let inner = schema;
  while (
    inner instanceof z.ZodDefault ||
    inner instanceof z.ZodPrefault ||
    inner instanceof z.ZodOptional ||
    inner instanceof z.ZodNullable ||
    inner instanceof z.ZodLazy ||
    inner instanceof z.ZodUnion
  ) {
    // Of several shapes the map is the one that has keys.
    inner =
      inner instanceof z.ZodUnion ? inner.options.find((option) => option instanceof z.ZodObject) : inner.unwrap();
  }
  return inner;
}

const sentence = (text: string): string => (/[.?]$/.test(text) ? text : `${text}.`);

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

function show(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'a map';
  const text = String(value).replace(/\s+/g, ' ');
  return `\`${text.length > 60 ? `${text.slice(0, 60)}…` : text}\``;
}
