/** Batch: several GET operations of this API in one round trip. */
import { z } from 'zod';
import { ApiError } from '../base/api-error.ts';
import { maxBatchOperations } from '../base/request-limits.ts';
import { joinBlocks } from './markdown.ts';
import { defineOperation } from './operation.ts';
import { createKindSchema, object, objects, text } from './schemas.ts';

/** The operation that runs several GET operations, and returns their results in the same order. */
export const batch = defineOperation({
  id: 'runBatch',
  method: 'POST',
  path: '/batch',
  tag: 'Batch',
  summary: 'Run several GET operations at once',
  description: `Runs up to ${maxBatchOperations} operations in one request, which counts once against the rate limit. The status is 200 even if some operations fail: check the \`status\` of each result. The \`body\` of a failed operation is a problem document.`,
  errors: ['invalid_request', 'payload_too_large', 'unprocessable', 'unsupported_media_type', 'idempotency_conflict'],
  requireSize: requireBatchSize,
  examples: [
    {
      summary: 'A release and a page that does not exist',
      input: {
        operations: [
          { id: 'release', method: 'GET', path: '/releases/latest' },
          { id: 'page', method: 'GET', path: '/docs/quikstart' },
        ],
      },
    },
  ],
  input: z.object({
    operations: z
      .array(
        z.object({
          id: z.string().min(1).max(128).describe('Chosen by you; returned with the result.'),
          method: z.literal('GET').describe('Only `GET`.'),
          path: z.string().min(1).max(2048).describe('Relative to the API root, with its query string.'),
        }),
      )
      .min(1)
      .meta({ maxItems: maxBatchOperations })
      .describe(`1 to ${maxBatchOperations} operations.`),
  }),
  output: object('The results of a batch.', {
    object: createKindSchema('batch'),
    results: objects('The results, in the order of the operations.', maxBatchOperations, {
      id: text(128, 'The operation’s ID.'),
      status: z.int().min(200).max(599).describe('The status of the GET.'),
      body: z.looseObject({}).describe('The body of the GET, or a problem document.'),
    }),
  }),
  async run(context, { operations }) {
    requireUniqueIds(operations);
    const { getAll } = context;
    if (getAll === null) throw new Error('a batch runs within a request');
    const results = await getAll(operations.map(({ path }) => path));
    return {
      object: 'batch' as const,
      results: results.map((result, index) => ({ id: operations[index]?.id ?? '', ...result })),
    };
  },
  markdown: ({ results }) =>
    joinBlocks(
      '# Batch results',
      ...results.map(
        ({ id, status, body }) => `## ${id}: ${status}\n\n\`\`\`json\n${JSON.stringify(body, null, 2)}\n\`\`\``,
      ),
    ),
});

/** Throws `payload_too_large` (413, not 400) if a parsed body has more operations than one batch may have. Any other body passes. */
function requireBatchSize(body: unknown): void {
  const operations = typeof body === 'object' && body !== null ? Reflect.get(body, 'operations') : undefined;
  if (!Array.isArray(operations) || operations.length <= maxBatchOperations) return;
  throw new ApiError(
    'payload_too_large',
    `A batch can have at most ${maxBatchOperations} operations; you sent ${operations.length}. Split it.`,
  );
}

function requireUniqueIds(operations: readonly { id: string }[]): void {
  const seenIds = new Set<string>();
  for (const { id } of operations) {
    if (seenIds.has(id)) {
      throw new ApiError(
        'unprocessable',
        `Two operations have the id ${JSON.stringify(id)}. Use a different id for each.`,
      );
    }
    seenIds.add(id);
  }
}
