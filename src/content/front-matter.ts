/** The front matter of pages, prompts and releases: its schemas, and the function that splits a file into front matter and text. */
import { z } from 'zod';
import { systemNames } from '../base/systems.ts';
import { createFileFault, type Fault } from './fault.ts';
import { channelName, day, object, optional, pattern, systemVersion, text, webAddress } from './field-schemas.ts';
import { aliasesSchema } from './redirects.ts';
import { validate } from './validation.ts';
import { readYaml, type YamlDocument } from './yaml.ts';

/** The front matter of a page in docs/. */
export const pageFrontMatterSchema = object('The front matter of a page in docs/; its text in Markdown follows.', {
  title: text(100).describe('The title of the page, in its heading, in menus and in search.'),
  description: optional(
    text(200),
    'One or two sentences below the title, in lists and for search engines; by default, lists and search engines get the first paragraph.',
  ),
  order: optional(
    z.int().min(0).max(9999),
    'The position of the page in the menu of its folder, lowest first; pages without one follow by file name. It has no effect if navigation.yaml lists the page.',
  ),
  updated: optional(day, 'The day of the last change, such as 2026-11-02; by default, the page shows none.'),
  search: z
    .boolean()
    .default(true)
    .describe('`false` excludes the page from the search of the site and of agents; the menu still has it.'),
  aliases: aliasesSchema.default([]).describe('Old paths that redirect to the page, such as `/guide/install`.'),
});

const argument = z.strictObject({
  name: pattern(/^[a-z][a-z0-9_]{0,39}$/, 'must be lowercase words joined by underscores').describe(
    'The argument’s name in lowercase words joined by underscores; `{name}` in the text is replaced by the value.',
  ),
  description: text(200).describe('The value that the user enters, in a few words.'),
  required: z.boolean().default(false).describe('Whether the value is required; an optional one may be empty.'),
});

/** The front matter of a prompt in prompts/. */
export const promptFrontMatterSchema = object('The front matter of a prompt for MCP clients; its text follows.', {
  title: text(100).describe('The title of the prompt in the menus of clients.'),
  description: text(300).describe('A sentence about what the prompt does or when to use it.'),
  arguments: z.array(argument).max(10).default([]).describe('The values that a client asks the user for.'),
  servers: z
    .array(z.enum(['product', 'docs']))
    .min(1)
    .default(['product'])
    .describe(
      'The MCP servers that have the prompt: `product` is /mcp; `docs` is /mcp/docs, which has only the documentation and the FAQ.',
    ),
});

const hexadecimal = (digits: number) =>
  pattern(new RegExp(`^[0-9a-f]{${digits}}$`), `must be ${digits} hexadecimal digits in lower case`).optional();

const download = z.strictObject({
  url: webAddress.describe('The http or https URL of the file.'),
  os: optional(
    z.enum(systemNames),
    'The file’s system; by default, the one in its name. A file for an unknown system is left out.',
  ),
  arch: optional(
    z.enum(['arm64', 'x86_64', 'universal']),
    'The file’s processor, `universal` for both; by default, it follows from its name or `minimums.arch`.',
  ),
  min_version: optional(systemVersion, 'The oldest system version for the file; by default that of `minimums`.'),
  max_version: optional(systemVersion, 'The newest system version for the file; by default, there is no limit.'),
  size: optional(z.int().min(1).max(1e15), 'The size of the file in bytes, shown next to the download.'),
  sha256: hexadecimal(64).describe('The SHA-256 of the file in 64 lowercase hexadecimal digits, shown next to it.'),
  sha512: hexadecimal(128).describe('The SHA-512 of the file in 128 lowercase hexadecimal digits, for the API.'),
});

/** The front matter of a file in releases/, which a release needs that no feed has. */
export const releaseFrontMatterSchema = object('The front matter of a release that no feed lists; its notes follow.', {
  date: day.describe('The day of the release, such as 2026-11-02.'),
  channel: optional(channelName, 'The channel of the release, such as `beta`; by default, the default channel.'),
  downloads: z
    .array(download)
    .min(1)
    .max(50)
    .describe('The files to download; of files in the same format for the same computers, the first is preferred.'),
});
/**
 * The `date` (YYYY-MM-DD), the `channel` and the `downloads`, at least one, of a release that no feed has; `channel` is undefined
 * for the default one, and each optional key of a download where the file has none.
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
