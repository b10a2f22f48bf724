/** The front matter of pages and prompts: its schemas, and what splits a Markdown file into front matter and text. */
import { z } from 'zod';
import { type Fault, fileFault } from './fault.ts';
import { day, text as shortText } from './field-schemas.ts';
import { aliasesSchema } from './redirects.ts';
import { readYaml, type YamlDocument } from './yaml.ts';

/** A Markdown file in two parts. */
export interface SplitFile {
  readonly frontMatter: YamlDocument;
  /** The text from its first line that is not blank; empty if there is none. */
  readonly body: string;
  /** Line of the file that `body` starts at. */
  readonly bodyLine: number;
}

/** Splits a file. Front matter is the YAML between a first line of `---` and the next such line. */
export function splitFrontMatter(file: string, text: string): SplitFile | { fault: Fault } {
  const lines = text.split('\n');
  const isRule = (line: string | undefined) => line?.trimEnd() === '---';
  if (!isRule(lines[0])) {
    return {
      fault: fileFault(file, 'the front matter is missing: start with a line of `---`, its keys and another `---`.'),
    };
  }
  const end = lines.findIndex((line, index) => index > 0 && isRule(line));
  if (end === -1)
    return { fault: fileFault(file, 'the front matter does not end: put a line of `---` after its keys.') };
  let first = end + 1;
  while (first < lines.length && lines[first]?.trim() === '') first += 1;
  return {
    frontMatter: readYaml(file, lines.slice(1, end).join('\n'), 2),
    body: lines.slice(first).join('\n'),
    bodyLine: first + 1,
  };
}

/** The front matter of a page in docs/. */
export const pageFrontMatterSchema = z
  .strictObject({
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
    aliases: aliasesSchema.default([]).describe('Old paths of the page, such as `/guide/install`, that lead here.'),
  })
  .describe('The front matter of a page in docs/.');

/** The front matter of a prompt in prompts/. */
export const promptFrontMatterSchema = z
  .strictObject({
    title: shortText(100).describe('What the prompt does, as a menu shows it.'),
    description: shortText(300).describe('When to use it.'),
    arguments: z
      .array(
        z.strictObject({
          name: z
            .string()
            .regex(/^[a-z][a-z0-9_]{0,39}$/, 'must be lowercase words joined by underscores')
            .describe('Stands in the text as `{name}`.'),
          description: shortText(200).describe('What to give.'),
          required: z.boolean().default(false),
        }),
      )
      .max(10)
      .default([]),
    servers: z
      .array(z.enum(['product', 'docs']))
      .min(1)
      .default(['product'])
      .describe(
        'The MCP servers that offer it: `product` is /mcp; `docs` is /mcp/docs, which can only search and fetch.',
      ),
  })
  .describe('The front matter of a prompt in prompts/.');
