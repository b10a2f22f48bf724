/** Creates docs/content-files.md from the schemas of the content folder: each file with an example and a table of its keys. */
import { z } from 'zod';
import { writeCodes } from '../src/base/list-in-words.ts';
import { contentSchemas, yamlFiles, yamlNames } from '../src/content/schemas.ts';
import { contentExamples } from './content-examples.ts';

/**
 * The path of the Markdown files whose front matter a schema describes, as code in Markdown, by the schema's name. Other schemas
 * are in YAML files, which their titles name.
 */
const files: Readonly<Record<string, string>> = {
  page: '`docs/**/*.md`',
  prompt: '`prompts/NAME.md`',
  release: '`releases/VERSION.md`',
};

/** Sentences about a file that follow the description of its schema, which covers only the front matter. */
const notes: Readonly<Record<string, string>> = {
  page: '`docs/guides/setup.md` is the page /docs/guides/setup. A file named `index.md` or `README.md` is the page of its folder.',
  prompt: 'The name of the file is the name of the prompt.',
  release:
    '`releases/2.1.0.md` is release 2.1.0. A file without front matter has only the notes of a release that a source lists.',
};

interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

/** Returns the Markdown of docs/content-files.md. */
export function formatContentFilesPage(): string {
  const sections = Object.entries(contentSchemas).map(([name, { title, schema }]) => {
    const json = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' }) as JsonSchema;
    const example = contentExamples[name] ?? '';
    const isFrontMatter = files[name] !== undefined;
    const code = isFrontMatter ? `---\n${example}---\n` : example;
    return [
      `## ${files[name] ?? `\`${title}\``}`,
      [json.description, notes[name]].filter((text) => text !== undefined).join(' '),
      `\`\`\`${isFrontMatter ? 'markdown' : 'yaml'}\n${code}\`\`\``,
      name === 'words' ? formatWords(json) : formatTable(['Key', 'Value', 'Meaning'], listKeys(json)),
    ].join('\n\n');
  });
  const required = yamlNames.filter((name) => yamlFiles[name].absent === null).map((name) => `${name}.yaml`);
  return `<!-- Written by npm run openapi; do not edit. -->

# Files of a content folder

Look up what each file of a content folder contains, and what each of its keys does.

Every folder has ${writeCodes(required)}, and at least one page
in \`docs/\`; all other files are optional. \`colophon init\` creates a folder, and \`colophon check\` lists its errors with line and column.
[feed.md](feed.md) explains the sources of releases, and [markdown.md](markdown.md) what pages and answers may contain.

[schemas/](../schemas) has a JSON Schema for each file. With it, an editor completes the keys and shows their meaning. In VS Code with the YAML extension, begin
the file with the path of its schema:

\`\`\`yaml
# yaml-language-server: $schema=../node_modules/colophon/schemas/product.schema.json
\`\`\`

In the tables, a key after \`[]\` is in each entry of a list, and \`KEY\` is a key that you choose. Keys that are not **required** may be left out. An
\`id\` consists of lowercase words joined by hyphens, such as \`push-to-talk\`, and occurs once in its list.

${sections.join('\n\n')}
`;
}

/** Returns the rest of the section of words.yaml: what its values may be, and each key with its English text. */
function formatWords({ properties: { links, ...words } = {} }: JsonSchema): string {
  const [first] = Object.values(words);
  const rows = Object.entries(words).map(([key, word]) => [`\`${key}\``, String(word.default)]);
  return `Each value is ${first === undefined ? '' : describeValue(first, (word) => word)}. Keep words in braces, such as \`{name}\`: the site replaces them with values.
\`links\` is a map of ${links?.description?.replace('The', 'the') ?? ''}

${formatTable(['Key', 'English'], rows)}`;
}

/** Returns a Markdown table without a line break at its end; `|` is escaped in cells, and a line break there becomes a space. */
function formatTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const formatRow = (cells: readonly string[]) =>
    `| ${cells.map((text) => text.replaceAll('|', '\\|').replace(/\s+/g, ' ')).join(' | ')} |`;
  return [formatRow(columns), `|${'---|'.repeat(columns.length)}`, ...rows.map(formatRow)].join('\n');
}

/**
 * Returns the rows of the table of a file, each with three cells: the path of a key as code, what its value may be, and its
 * meaning. A map whose keys an earlier map has too refers to that one, so that no keys are listed twice. `root` is the schema of
 * the file.
 */
function listKeys(root: JsonSchema): string[][] {
  const earlierMaps = new Map<string, JsonSchema>();
  const resolve: Resolve = (schema) =>
    schema.$ref === undefined ? schema : (root.$defs?.[schema.$ref.replace('#/$defs/', '')] ?? {});

  /** Returns the map at `path` or in the list there, with its own path, or null if there is none. */
  const findMap = (value: JsonSchema, path: string): { path: string; map: JsonSchema } | null => {
    const schema = resolve(value);
    if (schema.properties !== undefined) return { path, map: schema };
    if (schema.items !== undefined) return findMap(schema.items, `${path}[]`);
    return (schema.anyOf ?? []).map((variant) => findMap(variant, path)).find((inner) => inner !== null) ?? null;
  };

  const listRows = (map: JsonSchema, prefix: string, except: readonly string[]): string[][] =>
    Object.entries(map.properties ?? {})
      .filter(([key]) => !except.includes(key))
      .flatMap(([key, schema]) => {
        const path = `${prefix}${key}`;
        const inner = findMap(schema, path);
        const earlier = inner && findSameKeys(inner.map, earlierMaps);
        if (inner !== null && earlier === null) earlierMaps.set(inner.path, inner.map);
        const innerRows = inner === null ? [] : listRows(inner.map, `${inner.path}.`, earlier?.keys ?? []);
        const value = [
          map.required?.includes(key) ? '**required**, ' : '',
          describeValue(schema, resolve),
          earlier === null ? '' : ` with ${earlier.text}${innerRows.length > 0 ? ' and these' : ''}`,
          describeDefault(schema.default),
        ].join('');
        return [[`\`${path}\``, value, schema.description ?? ''], ...listItemRows(schema, path, resolve), ...innerRows];
      });

  return listRows(root, '', []);
}

/** Returns the schema that a reference names (an empty one if it is missing), or the schema itself if it is no reference. */
type Resolve = (schema: JsonSchema) => JsonSchema;

/**
 * Returns the keys that a map has in common with the first of the earlier maps that contains all its keys or only keys of it, and
 * words that refer to them; null if there is no such map. `earlier` has the maps by their paths. Keys are the same if they have
 * equal schemas and both are required or neither is.
 */
function findSameKeys(
  map: JsonSchema,
  earlier: ReadonlyMap<string, JsonSchema>,
): { keys: readonly string[]; text: string } | null {
  const describe = ({ properties, required = [] }: JsonSchema, key: string): string =>
    JSON.stringify([properties?.[key], required.includes(key)]);
  const ownKeys = Object.keys(map.properties ?? {});
  for (const [path, other] of earlier) {
    const keys = ownKeys.filter((key) => describe(map, key) === describe(other, key));
    const isWhole = keys.length === Object.keys(other.properties ?? {}).length;
    if (!isWhole && keys.length < ownKeys.length) continue;
    return { keys, text: isWhole ? `the keys of \`${path}\`` : `${writeCodes(keys)} of \`${path}\`` };
  }
  return null;
}

/**
 * Returns an array with at most one row, like those of `listKeys`: for the entries of a list of lists, or for those of a map with
 * any keys if the schema of its values has a description. `path` is that of the list or map.
 */
function listItemRows(
  { items, propertyNames, additionalProperties: values }: JsonSchema,
  path: string,
  resolve: Resolve,
) {
  if (items?.type === 'array') return [[`\`${path}[]\``, describeValue(items, resolve), items.description ?? '']];
  if (typeof values !== 'object' || values.description === undefined) return [];
  const meaning = `Key: ${propertyNames?.description ?? ''} Value: ${values.description}`;
  return [[`\`${path}.KEY\``, describeValue(values, resolve), meaning]];
}

/**
 * Returns what a default adds to the description of a value, such as "; `en` by default"; '' for none and for an empty list or map.
 */
function describeDefault(value: unknown): string {
  if (value === undefined || /^(?:\[\]|\{\})$/.test(JSON.stringify(value))) return '';
  return `; \`${typeof value === 'string' && /^\w+$/.test(value) ? value : JSON.stringify(value)}\` by default`;
}

/** Returns the values that a schema allows in a few words of Markdown, such as `text of up to 60 characters`. */
function describeValue(value: JsonSchema, resolve: Resolve): string {
  const schema = resolve(value);
  if (schema.enum !== undefined) return `one of ${schema.enum.map((choice) => `\`${choice}\``).join(', ')}`;
  if (schema.anyOf !== undefined) return describeVariants(schema.anyOf, resolve);
  switch (schema.type) {
    case 'null':
      return 'null';
    case 'string':
      return `text${describeLength(schema)}`;
    case 'integer':
      return `a whole number${describeRange(schema)}`;
    case 'number':
      return `a number${describeRange(schema)}`;
    case 'boolean':
      return '`true` or `false`';
    case 'array':
      return `a list of ${describeItems(schema, resolve)}`;
    default:
      return typeof schema.additionalProperties === 'object'
        ? `a map of ${describeMany(schema.additionalProperties, resolve)}`
        : 'a map';
  }
}

/** Returns the variants in words: `a map, or a list of up to 10 such maps` if one is a list of the other. */
function describeVariants(variants: readonly JsonSchema[], resolve: Resolve): string {
  const [one, list] = variants;
  if (one === undefined || JSON.stringify(list?.items) !== JSON.stringify(one))
    return variants.map((variant) => describeValue(variant, resolve)).join(', or ');
  return `${describeValue(one, resolve)}, or a list of ${describeCount(list)}${one.properties === undefined ? 'of them' : 'such maps'}`;
}

/** Returns the entries of a list in words, such as `up to 8 maps`, or `one or more of` the values that are allowed. */
function describeItems(list: JsonSchema, resolve: Resolve): string {
  const { enum: choices } = list.items ?? {};
  if (choices !== undefined) return `one or more of ${choices.map((choice) => `\`${choice}\``).join(', ')}`;
  return `${describeCount(list)}${describeMany(list.items ?? {}, resolve)}`;
}

function describeCount({ minItems = 0, maxItems }: JsonSchema = {}): string {
  if (maxItems === undefined) return '';
  return minItems > 1 ? `${minItems} to ${maxItems} ` : `up to ${maxItems} `;
}

/**
 * Returns several values of a schema in words, such as `texts of up to 60 characters`; all that are neither texts nor lists are
 * `maps`.
 */
function describeMany(value: JsonSchema, resolve: Resolve): string {
  const schema = resolve(value);
  if (schema.anyOf !== undefined) return schema.anyOf.map((variant) => describeMany(variant, resolve)).join(' and ');
  if (schema.type === 'string') return `texts${describeLength(schema)}`;
  return schema.type === 'array' ? `lists of ${describeItems(schema, resolve)}` : 'maps';
}

const describeLength = ({ maxLength }: JsonSchema): string =>
  maxLength === undefined ? '' : ` of up to ${maxLength} characters`;

/**
 * Returns the range of a number, such as " from 1 to 5" or " from 1" without a maximum, and '' without a minimum. A maximum above
 * 10^12, which only computers have, counts as none.
 */
function describeRange({ minimum, maximum }: JsonSchema): string {
  if (minimum === undefined) return '';
  return maximum === undefined || maximum > 1e12 ? ` from ${minimum}` : ` from ${minimum} to ${maximum}`;
}
