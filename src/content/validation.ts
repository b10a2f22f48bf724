/** Validates a YAML document against its schema; each fault has its position, what is wrong and what is right. */
import { z } from 'zod';
import { writeCodes } from '../base/list-in-words.ts';
import { writeDidYouMean } from '../base/near-miss.ts';
import { listSchemaFaults, type SchemaFault } from '../base/schema-faults.ts';
import { formatPath } from '../base/value-path.ts';
import type { Fault } from './fault.ts';
import type { YamlDocument } from './yaml.ts';

/** The result of a validation. */
export interface Validated<T> {
  /** Null if there is a fault. */
  readonly value: T | null;
  readonly faults: readonly Fault[];
}

/**
 * Validates a document. One that has faults of its own is not compared with the schema, and only those are returned; an empty one
 * is compared as a map without keys. In messages, `whole` names the document, such as `the file`.
 */
export function validate<T>(schema: z.ZodType<T>, document: YamlDocument, whole: string): Validated<T> {
  if (document.faults.length > 0) return { value: null, faults: document.faults };
  const result = schema.safeParse(document.value);
  if (result.success) return { value: result.data, faults: [] };
  const list = Array.isArray(document.value) ? findListKey(schema) : null;
  if (list !== null)
    return {
      value: null,
      faults: [document.faultAt([], `${whole} begins with a list: write \`${list}:\`, and the list below it.`)],
    };
  const faults = listSchemaFaults(schema, result.error, document.value).map((fault) =>
    createFault(fault, document, whole),
  );
  return { value: null, faults };
}

/** Returns the name of the only top-level key of a schema whose value is a list, or null if there are none or several. */
function findListKey(schema: z.ZodType): string | null {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input' });
  const [key, ...others] = Object.keys(properties).filter((name) => Object(properties[name]).type === 'array');
  return key === undefined || others.length > 0 ? null : key;
}

function createFault(fault: SchemaFault, document: YamlDocument, whole: string): Fault {
  const { path } = fault;
  const name = path.length === 0 ? whole : `\`${formatPath(path)}\``;
  switch (fault.kind) {
    case 'shape':
      return document.faultAt(path, `${name} must be ${fault.expected.map(nameType).join(' or ')}.`);
    case 'unknown key': {
      const hint = writeDidYouMean(fault.suggestions) || ` The keys here are ${writeCodes(fault.known)}.`;
      return document.faultAtKey(path, `\`${String(path.at(-1))}\` is not a key here.${hint}`);
    }
    case 'invalid key':
      return document.faultAtKey(path, `${name}: a key here ${fault.reasons.join(', ')}.`);
    case 'missing': {
      const { description } = fault.schema;
      const purpose = description === undefined ? '' : `: ${lowerFirst(description)}`;
      return document.faultAt(path.slice(0, -1), toSentence(`${name} is missing${purpose}`));
    }
    default:
      return document.faultAt(path, toSentence(`${name} ${describeProblem(fault, document.getSourceText(path))}`));
  }
}

/**
 * Returns what follows the name of the value in the message of a fault, such as `must be a number`; `source` is the value as it is
 * written, or null if it is empty.
 */
function describeProblem(
  fault: Extract<SchemaFault, { kind: 'choice' | 'type' | 'size' | 'form' }>,
  source: string | null,
): string {
  const { given } = fault;
  switch (fault.kind) {
    case 'type':
      return describeType(fault.expected, given, source);
    case 'choice': {
      // A value that is not text is no misspelled word, so it gets no suggestions.
      const suggestions = typeof given === 'string' ? fault.suggestions : [];
      return `must be ${writeCodes(fault.allowed, 'or')}, not ${show(given)}.${writeDidYouMean(suggestions)}`;
    }
    case 'size':
      return describeSize(fault);
    case 'form':
      return `${fault.message}${fault.isPattern ? '; it is ' : ': '}${show(given)}`;
  }
}

function describeSize({ of, is, bound, given }: Extract<SchemaFault, { kind: 'size' }>): string {
  if (is === 'small') {
    if (of === 'characters') return 'is empty';
    if (of === 'items') return `needs at least ${bound === '1' ? 'one item' : `${bound} items`}`;
    return `must be at least ${bound}, not ${show(given)}`;
  }
  if (typeof given === 'string') return `has ${given.trim().length} characters; at most ${bound} are allowed`;
  if (Array.isArray(given)) return `has ${given.length} items; at most ${bound} are allowed`;
  return `must be at most ${bound}, not ${show(given)}`;
}

/** The types of values as their authors know them, by zod's name; every other one is a map. */
const types: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  array: 'a list, each item after a `- `',
};

const nameType = (type: string): string => types[type] ?? 'a map, with a `key: value` on each line';

function describeType(expectedType: string, value: unknown, source: string | null): string {
  const type = nameType(expectedType);
  if (value === null) return `is empty: it must be ${type}`;
  if (expectedType === 'string' && (typeof value === 'number' || typeof value === 'boolean')) {
    return `must be text: put it in quotes, "${source ?? String(value)}"`;
  }
  return `must be ${type}${['boolean', 'int', 'number'].includes(expectedType) ? `, not ${show(value)}` : ''}`;
}

const toSentence = (text: string): string => (/[.?]$/.test(text) ? text : `${text}.`);

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

function show(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'a map';
  const text = String(value).replace(/\s+/g, ' ');
  return `\`${text.length > 60 ? `${text.slice(0, 60)}…` : text}\``;
}
