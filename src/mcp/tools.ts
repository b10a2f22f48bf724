/** The tools: for each its texts, its schemas, the operation that answers it, and what to do when it cannot answer. */
import { z } from 'zod';
import { listLimit, searchLimit } from '../base/request-limits.ts';
import { decodeUri } from '../base/uri.ts';
import { findAnswer, listAnswers } from '../operations/answer.ts';
import { checkCompatibility } from '../operations/compatibility.ts';
import type { Body } from '../operations/context.ts';
import { listDocs } from '../operations/docs.ts';
import {
  archInput,
  createInvalidRequest,
  createLimitSchema,
  cursorInput,
  osInput,
  osVersionInput,
  queryInput,
} from '../operations/input.ts';
import { featureSchema, getPricing, getRequirements, listFeatures, planSchema } from '../operations/product.ts';
import { buildSchema, releaseSchema } from '../operations/release-body.ts';
import { getLatestRelease, getRelease, listReleases } from '../operations/releases.ts';
import { createListSchema, paginationSchema } from '../operations/schemas.ts';
import { nameLanguage, type Search } from '../operations/search.ts';
import type { Searchable } from '../operations/searchable.ts';
import { callOperation, createOperationTool, defineTool, type ServerKey, type ToolDefinition } from './tool.ts';

const cursor = cursorInput.describe('From next_cursor.');
const limit = (bounds: Parameters<typeof createLimitSchema>[0]) => createLimitSchema(bounds).describe('How many.');

const startAgain = 'Call again without cursor to start from the first page.';

/** The advice for a release that cannot be read because the feed is unavailable. */
export const whenFeedIsDown = 'Everything except releases still works.';

/** The kinds of documents that one server searches, and the operation that searches them. */
export interface SearchScope {
  readonly server: ServerKey;
  readonly operation: Search;
  readonly searched: readonly Searchable[];
  /** The kinds in words, as the tool's description lists them. */
  readonly finds: string;
}

const searchHitsSchema = z.object({
  results: z
    .array(
      z.object({
        id: z.string().describe('For fetch.'),
        title: z.string().describe('Of its page.'),
        url: z.string().describe('Its page.'),
        section: z.string().nullable().describe('Its heading.'),
        section_url: z.string().describe('Cite this.'),
        excerpt: z.string().describe('Match in **bold**.'),
        score: z.number().describe('Higher is better.'),
        markdown_url: z.string().describe('As markdown.'),
      }),
    )
    .describe('Best first.'),
  answer: z
    .object({ text: z.string().describe('The fact.'), url: z.string().describe('Cite this.') })
    .optional()
    .describe('Fact that answers the question, if there is one.'),
  pagination: paginationSchema.describe('How to continue.'),
  searched_for: z.string().optional().describe('The corrected query.'),
  advice: z.string().optional().describe('Next step.'),
});

/**
 * Converts a result of REST to one with the ID that `fetch` takes: that of the section if the match is in a section of a page.
 * `section` is null for a match outside of sections, as in REST.
 */
function toHit({ object, slug, id, title, url, section, section_url, excerpt, score, markdown_url }: Body): Body {
  const [, fragment] = object === 'doc' && section !== null ? String(section_url).split('#') : [];
  const name = `${object}:${slug ?? id}${fragment === undefined ? '' : `#${decodeUri(fragment)}`}`;
  return { id: name, title, url, section, section_url, excerpt, score, markdown_url };
}

/**
 * Returns the next step after a search that found nothing, or that found something by words of another language than `language`,
 * that of the documentation.
 */
const advise = (language: string, isFound: boolean, server: ServerKey): string =>
  isFound
    ? `${nameLanguage(language)} Search in that language.`
    : `Nothing matches. ${nameLanguage(language)} Search for fewer or other words${server === 'docs' ? ', or call list_docs for every page' : ''}.`;

/**
 * Creates the tool `search` of a server, which runs the API's search over the kinds that the server searches. The first page of a
 * search over all of them also has `answer`, a fact that answers the question, which is absent if there is none.
 */
export const searchTool = ({ server, operation, searched, finds }: SearchScope): ToolDefinition =>
  defineTool({
    name: 'search',
    servers: [server],
    title: `Search ${finds.split(',')[0]}`,
    description: `Search ${finds} of {product}. Use it first for any question about using, setting up or fixing it; then fetch the best result. Two to five words work best.`,
    input: z.strictObject({
      query: queryInput.describe('Words; "quoted" for a phrase.'),
      type: z
        .enum(searched.map(({ kind }) => kind))
        .optional()
        .describe('Only this kind.'),
      limit: limit({ ...searchLimit, default: 8 }),
      cursor,
    }),
    output: searchHitsSchema,
    advice: { invalid_cursor: startAgain },
    async handle({ query: q, ...options }, context) {
      const { content, search } = await callOperation(operation, { q, ...options }, context);
      const { data, pagination, searched_for, documentation_language: language } = content;
      const results = Array.isArray(data) ? data.map(toHit) : [];
      const fact =
        options.cursor === undefined && options.type === undefined ? findAnswer(q, listAnswers(context.catalog)) : null;
      const body = {
        ...(fact && { answer: { text: fact.text, url: context.siteRoot + fact.path } }),
        results,
        pagination,
        ...(searched_for !== undefined && { searched_for }),
        ...(typeof language === 'string' && { advice: advise(language, results.length > 0, server) }),
      };
      return { content: body, search };
    },
  });

/** The tool `list_docs` of the documentation server, which returns the pages in reading order, 20 at once by default. */
export const listPagesTool = defineTool({
  name: 'list_docs',
  servers: ['docs'],
  title: 'List pages',
  description:
    'Every documentation page of {product} in reading order. Use it to see what there is; search when you look for something.',
  input: z.strictObject({ limit: limit({ ...listLimit, default: 20 }), cursor }),
  output: listDocs.output,
  advice: { invalid_cursor: startAgain },
  handle: (input, context) => callOperation(listDocs, input, context),
});

/** The addresses of pages, which the schemas of tools leave out for brevity; responses have them all the same. */
const addresses = { url: true, markdown_url: true } as const;

/**
 * The schema of a release without the fields that only an updater or a program uses: a model pays for each word of a listing.
 * Responses have these fields all the same.
 */
const briefReleaseSchema = releaseSchema
  .extend({ builds: z.array(buildSchema.omit({ sha512: true, signature: true })).describe('Every file.') })
  .omit({
    critical_below: true,
    minimum_update_version: true,
    minimum_autoupdate_version: true,
    phased_rollout: true,
    signature: true,
    published_at_time: true,
    notes_format: true,
    published_at_source: true,
    full_notes_url: true,
    ...addresses,
  });

/** The schema of a release in a listing, whose builds have the facts by which a reader chooses one. */
const listedReleaseSchema = briefReleaseSchema.extend({
  builds: z.array(buildSchema.pick({ os: true, arch: true, download_url: true })).describe('Every file.'),
});

/**
 * The tool `get_release`, which returns the latest release, for any computer or a given one, or the release of a version. It fails
 * with `invalid_request` for a version other than `latest` together with any other argument.
 */
export const releaseTool = defineTool({
  name: 'get_release',
  servers: ['product'],
  title: 'Get a release',
  description:
    'One release of {product}: date, notes, download and requirements. Without version, the one its updater offers to the newest computer, or to the given os, os_version and arch; builds has every download. Use it for the current version and what is new in it.',
  input: z.strictObject({
    version: z
      .string()
      .optional()
      .meta({ maxLength: 300 })
      .describe('Exact version, or version+build; the latest when left out.'),
    channel: z.string().optional().meta({ maxLength: 64 }).describe('Also offers this channel, such as beta.'),
    os: osInput.optional(),
    os_version: osVersionInput.optional(),
    arch: archInput.optional(),
  }),
  output: briefReleaseSchema,
  advice: {
    not_found: 'Call list_releases for every version.',
    unprocessable: 'Tell the user the reason; no release runs there.',
    upstream_unavailable: whenFeedIsDown,
  },
  async handle({ version = 'latest', ...computer }, context) {
    if (version === 'latest') return callOperation(getLatestRelease, computer, context);
    const [field] = Object.keys(computer);
    if (field === undefined) return callOperation(getRelease, { version }, context);
    const detail = `${field} chooses the latest release for a computer: send it without version, or version without it.`;
    throw createInvalidRequest([{ field, code: 'invalid_value', detail }]);
  },
});

/** The tool `list_releases`, which returns the releases, newest first, or only those that are newer than the version `since`. */
export const releasesTool = defineTool({
  name: 'list_releases',
  servers: ['product'],
  title: 'List releases',
  description:
    'Releases of {product}, newest first, with their notes. Use it to see what changed: since leaves only what is newer than a version. Pass cursor for more.',
  input: z.strictObject({
    limit: limit(listLimit),
    cursor,
    channel: z.string().optional().meta({ maxLength: 64 }).describe('Adds this channel, such as beta.'),
    since: z.string().optional().meta({ maxLength: 300 }).describe('A version; only newer ones.'),
  }),
  output: createListSchema(listedReleaseSchema),
  advice: {
    invalid_cursor: startAgain,
    not_found: 'Call again without since for every version.',
    upstream_unavailable: whenFeedIsDown,
  },
  handle: (input, context) => callOperation(listReleases, input, context),
});

/** The tool `check_compatibility`, which returns whether a computer runs the application, and the reasons if not. */
export const compatibilityTool = defineTool({
  ...createOperationTool(checkCompatibility),
  name: 'check_compatibility',
  title: 'Check compatibility',
  description:
    'Whether {product} runs on a given OS version and processor, with every reason if not, and the last release that does run. Use it instead of comparing versions yourself.',
  advice: {
    invalid_request: 'Correct the argument and call again.',
    unprocessable: 'Correct os_version and call again, or ask the user for it.',
  },
});

/** The tool `get_requirements`, which has no arguments and returns the system requirements. */
export const requirementsTool = defineTool({
  ...createOperationTool(getRequirements),
  name: 'get_requirements',
  title: 'Get system requirements',
  description:
    'What {product} needs: oldest OS version and processors on each system, disk, memory, and every permission with what it unlocks. For one computer, call check_compatibility.',
});

/** The tool `list_features`, which returns the features; its schema leaves out the addresses of their pages. */
export const featuresTool = defineTool({
  ...createOperationTool(listFeatures),
  output: createListSchema(featureSchema.omit(addresses)),
  name: 'list_features',
  title: 'List features',
  description:
    'What {product} can do, whether each feature works on the device, and the permission it needs (get_requirements lists them).',
});

/** The tool `get_pricing`, which returns the plans, and the cost of each language model backend. */
export const pricingTool = defineTool({
  ...createOperationTool(getPricing),
  output: getPricing.output.extend({
    data: z.array(planSchema.omit({ ...addresses, prices: true })).describe('The plans.'),
  }),
  name: 'get_pricing',
  title: 'Get pricing',
  description: 'What {product} costs: plans, what each includes, and what each language model backend costs.',
});
