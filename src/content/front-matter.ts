/** The front matter of pages, prompts and releases: its schemas, and the function that splits a file into front matter and text. */
import { z } from 'zod';
import { systemNames } from '../base/systems.ts';
import { createFileFault, type Fault } from './fault.ts';
import { channelName, day, object, pattern, text as shortText, systemVersion, webAddress } from './field-schemas.ts';
import { aliasesSchema } from './redirects.ts';
import { validate } from './validation.ts';
import { readYaml, type YamlDocument } from './yaml.ts';

/** The front matter of a page in docs/. */
export const pageFrontMatterSchema = object('The front matter of a page in docs/.', {
  title: shortText(100).describe('What the page is about, for headings and lists.'),
  description: shortText(200)
    .optional()
    .describe('One or two sentences for lists and search engines; the page’s first paragraph when left out.'),
  order: z
    .int()
    .min(0)
    .max(9999)
    .optional()
    .describe(
      'The page’s place in its folder, the lowest first, where navigation.yaml does not say; pages without one follow by file name.',
    ),
  updated: day.optional().describe('The day of the last change, such as 2026-11-02; no date is shown when left out.'),
  search: z
    .boolean()
    .default(true)
    .describe('`false` keeps the page out of search, here and by agents; it stays in the menu.'),
  aliases: aliasesSchema.default([]).describe('Old paths of the page, such as `/guide/install`, that lead here.'),
});

const argument = z.strictObject({
  name: pattern(/^[a-z][a-z0-9_]{0,39}$/, 'must be lowercase words joined by underscores').describe(
    'Stands in the text as `{name}`.',
  ),
  description: shortText(200).describe('What to give.'),
  required: z.boolean().default(false),
});

/** The front matter of a prompt in prompts/. */
export const promptFrontMatterSchema = object('The front matter of a prompt in prompts/.', {
  title: shortText(100).describe('What the prompt does, as a menu shows it.'),
  description: shortText(300).describe('When to use it.'),
  arguments: z.array(argument).max(10).default([]),
  servers: z
    .array(z.enum(['product', 'docs']))
    .min(1)
    .default(['product'])
    .describe(
      'The MCP servers that offer it: `product` is /mcp; `docs` is /mcp/docs, which has only documentation and FAQ.',
    ),
});

const hexadecimal = (digits: number) =>
  pattern(new RegExp(`^[0-9a-f]{${digits}}$`), `must be ${digits} hexadecimal digits in lower case`).optional();

const download = z.strictObject({
  url: webAddress.describe('The URL of the file.'),
  os: z.enum(systemNames).optional().describe('The system that it is for; read from the file’s name when left out.'),
  arch: z.enum(['arm64', 'x86_64', 'universal']).optional().describe('The processors that run it.'),
  min_version: systemVersion.optional().describe('The oldest version of the system that runs it.'),
  max_version: systemVersion.optional().describe('The newest version of the system that runs it.'),
  size: z.int().min(1).max(1e15).optional().describe('Its size in bytes.'),
  sha256: hexadecimal(64),
  sha512: hexadecimal(128),
});

/** The front matter of a file in releases/, which a release needs that no feed has. */
export const releaseFrontMatterSchema = object('The front matter of a file in releases/.', {
  date: day.describe('The day of the release.'),
  channel: channelName
    .optional()
    .describe('The channel of the release, such as `beta`; the default one when left out.'),
  downloads: z.array(download).min(1).max(50).describe('The files that people download, the preferred one first.'),
});
/**
 * The date, the channel and the downloads of a release that no feed has; `channel` is undefined for the default one, and each
 * optional key of a download where the file has none.
 */
export type ReleaseFrontMatter = z.output<typeof releaseFrontMatterSchema>;

/** A Markdown file in two parts. */
export interface SplitFile {
  readonly frontMatter: YamlDocument;
  /** The text from its first line that is not blank; empty if there is none. */
  readonly body: string;
  /** Line of the file that `body` starts at; the one after the last if it is empty. */
  readonly bodyLine: number;
}

/**
 * Splits a file. Front matter is the YAML between a first line of `---` and the next such line; a file without these two lines is a
 * fault, and the faults of the YAML are in `frontMatter`.
 */
export function splitFrontMatter(file: string, text: string): SplitFile | { fault: Fault } {
  const lines = text.split('\n');
  const isRule = (line: string | undefined) => line?.trimEnd() === '---';
  if (!isRule(lines[0])) {
    const message = 'the front matter is missing: start with a line of `---`, its keys and another `---`.';
    return { fault: createFileFault(file, message) };
  }
  const end = lines.findIndex((line, index) => index > 0 && isRule(line));
  if (end === -1) {
    return { fault: createFileFault(file, 'the front matter does not end: put a line of `---` after its keys.') };
  }
  const first = lines.findIndex((line, index) => index > end && line.trim() !== '');
  const bodyStart = first === -1 ? lines.length : first;
  return {
    frontMatter: readYaml(file, lines.slice(1, end).join('\n'), 2),
    body: lines.slice(bodyStart).join('\n'),
    bodyLine: bodyStart + 1,
  };
}

/** A Markdown file whose front matter was validated. */
export interface ParsedFile<T> extends SplitFile {
  /** The front matter, or null if it is invalid. */
  readonly value: T | null;
  readonly faults: readonly Fault[];
}

/**
 * Splits a file and validates its front matter. Returns only a fault for a file that cannot be split; every other fault is in the
 * `faults` of the result.
 * @param emptyMessage the fault of a file without text
 */
export function parseMarkdownFile<T>(
  file: string,
  text: string,
  schema: z.ZodType<T>,
  emptyMessage: string,
): ParsedFile<T> | { fault: Fault } {
  const parts = splitFrontMatter(file, text);
  if ('fault' in parts) return parts;
  const { value, faults } = validate(schema, parts.frontMatter, 'the front matter');
  const isEmpty = parts.body === '';
  const empty = isEmpty ? [{ file, line: parts.bodyLine - 1, column: 1, message: emptyMessage }] : [];
  return { ...parts, value, faults: [...faults, ...empty] };
}

/** Turns a text into lower-case letters, digits and single hyphens; empty if it has no letter or digit that this works for. */
export const toUrlName = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** Returns the fault of the first of `names`, the parts of a file’s address, that cannot be a part of a URL; none if all can. */
export function findNameFaults(file: string, names: readonly string[]): Fault[] {
  const name = names.find((part) => !/^[a-z0-9-]+$/.test(part));
  if (name === undefined) return [];
  const better = toUrlName(name);
  const hint = better === '' ? '' : ` Rename it to \`${better}\`.`;
  const rule = 'may have only lowercase letters, digits and hyphens, since it becomes part of a URL.';
  return [createFileFault(file, `\`${name}\` ${rule}${hint}`)];
}
