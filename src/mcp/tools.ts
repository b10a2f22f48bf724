/** The tools: for each an operation, the names its arguments go by here, and what to do when it cannot answer. */

import { z } from 'zod';
import { listLimit, searchLimit } from '../base/request-limits.ts';
import { checkCompatibility } from '../operations/compatibility.ts';
import type { Body } from '../operations/context.ts';
import { listDocs } from '../operations/docs.ts';
import {
  archInput,
  characters,
  cursorInput,
  invalidRequest,
  limitInput,
  osVersionInput,
  queryInput,
} from '../operations/input.ts';
import { getPricing, getRequirements, listFeatures } from '../operations/product.ts';
import { releaseSchema } from '../operations/release-body.ts';
import { getLatestRelease, getRelease, listReleases } from '../operations/releases.ts';
import { listOf, paginationSchema } from '../operations/schemas.ts';
import type { Search } from '../operations/search.ts';
import type { Searchable } from '../operations/searchable.ts';
import { pagePartSchema, questionFor } from './page-part.ts';
import { defineOperationTool, defineTool, type ServerKey } from './tool.ts';

const cursor = cursorInput.describe('From next_cursor.');
const limit = (bounds: { most: number; preset: number }) => limitInput(bounds).describe('How many.');

const startAgain = 'Call again without cursor to start from the first page.';
const whenFeedIsDown = 'Everything except releases still works.';

/** On one server: the operation that searches what the server has, and what that is. */
interface Searching {
  readonly server: ServerKey;
  readonly operation: Search;
  readonly searched: readonly Searchable[];
  /** What the tool finds, in the words of its description. */
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
        excerpt: z.string().describe('The match is **bold**.'),
        score: z.number().describe('Higher is better.'),
        markdown_url: z.string().describe('As markdown.'),
      }),
    )
    .describe('Best first.'),
  pagination: paginationSchema.describe('How to continue.'),
  searched_for: z.string().optional().describe('The corrected query.'),
});

/** The REST response with the ids that `fetch` takes. */
function searchHits({ data, pagination, searched_for }: Body): Body {
  const results = Array.isArray(data) ? data.map(hit) : [];
  return { results, pagination, ...(searched_for !== undefined && { searched_for }) };
}

function hit({ object, slug, id, title, url, section, section_url, excerpt, score, markdown_url }: Body): Body {
  return { id: `${object}:${slug ?? id}`, title, url, section, section_url, excerpt, score, markdown_url };
}

export const searchTool = ({ server, operation, searched, finds }: Searching) =>
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
      limit: limit({ ...searchLimit, preset: 8 }),
      cursor,
    }),
    output: searchHitsSchema,
    advice: { invalid_cursor: startAgain },
    question: ({ query, ...rest }) => ({ operation, input: { q: query, ...rest } }),
    project: searchHits,
  });

export const fetchTool = ({ server, searched }: Pick<Searching, 'server' | 'searched'>) =>
  defineTool({
    name: 'fetch',
    servers: [server],
    title: 'Fetch a page',
    description:
      'One search result as markdown, with its URL to cite. Long pages come in parts: while metadata.next_offset is not null, call again with it as offset.',
    input: z.strictObject({
      id: characters(1, 500)
        .meta({ 'x-hint': 'send the id of a search result, such as doc:quickstart' })
        .describe('id of a search result, slug, or URL.'),
      offset: z.int().min(0).default(0).describe('In characters.'),
      max_chars: z.int().min(500).max(40_000).default(20_000).describe('At most.'),
    }),
    output: pagePartSchema(searched.map(({ kind }) => kind)),
    advice: {
      not_found: 'Call search to find its id.',
      invalid_request: 'Call again with a smaller offset.',
      upstream_unavailable: whenFeedIsDown,
    },
    question: (input, context) => questionFor(searched, input, context),
  });

export const listPages = defineTool({
  name: 'list_docs',
  servers: ['docs'],
  title: 'List pages',
  description:
    'Every documentation page of {product} in reading order. Use it to see what there is; search when you look for something.',
  input: z.strictObject({ limit: limit({ ...listLimit, preset: 20 }), cursor }),
  output: listDocs.output,
  advice: { invalid_cursor: startAgain },
  question: (input) => ({ operation: listDocs, input }),
});

/**
 * What only an updater acts on is in every response, but not in its schema: a model pays for each word of a listing, and
 * responses may have more fields than their schema says.
 */
const shownRelease = releaseSchema.omit({
  critical_below: true,
  minimum_update_version: true,
  minimum_autoupdate_version: true,
  phased_rollout: true,
  signature: true,
  published_at_time: true,
  notes_format: true,
  published_at_source: true,
  full_notes_url: true,
});

export const release = defineTool({
  name: 'get_release',
  servers: ['product'],
  title: 'Get a release',
  description:
    'One release of {product}: date, notes, download and requirements. Without version, the one that its updater offers to the newest Mac, or to a Mac with the given os_version and arch. Use it for the current version and what is new in it.',
  input: z.strictObject({
    version: z
      .string()
      .optional()
      .meta({ maxLength: 300 })
      .describe('Exact version, or version+build; the latest when left out.'),
    channel: z.string().optional().meta({ maxLength: 64 }).describe('Also offers this channel, such as beta.'),
    os_version: osVersionInput.optional().describe('The Mac’s OS version, such as 14.5.'),
    arch: archInput.optional(),
  }),
  output: shownRelease,
  advice: {
    not_found: 'Call list_releases for every version.',
    unprocessable: 'Tell the user the reason; no release runs there.',
    upstream_unavailable: whenFeedIsDown,
  },
  question: ({ version, ...computer }) => {
    if (version === undefined || version === 'latest') return { operation: getLatestRelease, input: computer };
    const [field] = Object.entries(computer).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    if (field === undefined) return { operation: getRelease, input: { version } };
    const detail = `${field} chooses the latest release for a Mac: send it without version, or version without it.`;
    throw invalidRequest([{ field, code: 'invalid_value', detail }]);
  },
});

export const releases = defineTool({
  name: 'list_releases',
  servers: ['product'],
  title: 'List releases',
  description:
    'Releases of {product}, newest first, with their notes. Use it to see what changed since a version; pass cursor to get more until you reach it.',
  input: z.strictObject({
    limit: limit(listLimit),
    cursor,
    channel: z.string().optional().meta({ maxLength: 64 }).describe('Adds this channel, such as beta.'),
  }),
  output: listOf(shownRelease),
  advice: { invalid_cursor: startAgain, upstream_unavailable: whenFeedIsDown },
  question: (input) => ({ operation: listReleases, input }),
});

export const compatibility = defineOperationTool(checkCompatibility, {
  name: 'check_compatibility',
  title: 'Check compatibility',
  description:
    'Whether {product} runs on a given OS version and processor, with every reason if not. Use it instead of comparing versions yourself.',
  advice: {
    invalid_request: 'Correct the argument and call again.',
    unprocessable: 'Correct os_version and call again, or ask the user for it.',
  },
});

export const requirements = defineOperationTool(getRequirements, {
  name: 'get_requirements',
  title: 'Get system requirements',
  description:
    'What {product} needs: oldest OS version, processors, disk, memory, and every permission with what it unlocks.',
});

export const features = defineOperationTool(listFeatures, {
  name: 'list_features',
  title: 'List features',
  description:
    'What {product} can do, whether each feature works on the device, and which permission it needs (get_requirements lists them).',
});

export const pricing = defineOperationTool(getPricing, {
  name: 'get_pricing',
  title: 'Get pricing',
  description: 'What {product} costs: plans, what each includes, and what each language model backend costs.',
});
