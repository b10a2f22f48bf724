/** The shapes of front matter: of pages and of prompts. */
import { z } from 'zod';
import { day, text } from './field-schemas.ts';
import { aliasesSchema } from './redirects.ts';

/** The front matter of a page in docs/. */
export const pageFrontMatterSchema = z
  .strictObject({
    title: text(100).describe('What the page is about, for headings and lists.'),
    description: text(200)
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
    title: text(100).describe('What the prompt does, as a menu shows it.'),
    description: text(300).describe('When to use it.'),
    arguments: z
      .array(
        z.strictObject({
          name: z
            .string()
            .regex(/^[a-z][a-z0-9_]{0,39}$/, 'must be lowercase words joined by underscores')
            .describe('Stands in the text as `{name}`.'),
          description: text(200).describe('What to give.'),
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
