/** Exports: a whole collection as one file, which a job writes in the background. */
import { z } from 'zod';
import { writeDuration } from '../base/amount-in-words.ts';
import { ApiError } from '../base/api-error.ts';
import { writeCodes } from '../base/list-in-words.ts';
import { codes } from '../base/problem-codes.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { exportFormatNames, exportFormats, readExportFormat } from '../jobs/exporter.ts';
import { maxWaitMs } from '../jobs/jobs.ts';
import type { Principal } from '../oauth/verify.ts';
import { createQueuedJob, type Job, jobLifetime, type NewJob } from '../store/jobs.ts';
import type { Body, CallerExports, Context } from './context.ts';
import { joinBlocks } from './markdown.ts';
import { defineOperation, type Operation } from './operation.ts';
import { createProblemDocument, problemSchema } from './problem.ts';
import { createKindSchema, object, text } from './schemas.ts';

/** The source of a resource's exports: yields all of its items, one at a time. */
export interface ExportSource {
  /** Name of the items, such as "documentation pages". */
  readonly called: string;
  /** Returns whether a request for an export is refused because the product has no items. */
  isEmpty(catalog: Catalog): boolean;
  /** Returns one function for each item, in the order of the file. Throws ApiError if the items cannot be read now. */
  items(context: Context): readonly ItemMaker[];
}

/**
 * A function that creates one item of an export when its turn comes, so that not all are in memory at once. If it throws or
 * rejects, the exporter rejects with the same.
 */
export type ItemMaker = () => ExportItem | Promise<ExportItem>;

/** One item of an export, for both formats. */
export interface ExportItem {
  /** The object that the API returns, which is the item in a JSON file. */
  readonly body: Body;
  /** The fields above the text in a Markdown file, in their order; null is written as `null`. */
  readonly frontMatter: Readonly<Record<string, string | number | null | readonly string[]>>;
  /** The Markdown of the item, without front matter. */
  readonly text: string;
}

/** Sources by the name of their resource, which is the value of `resource` in a request. */
export type ExportSources = ReadonlyMap<string, ExportSource>;

const resultSchema = z.object({
  url: z.url().describe('The file. It is public and never changes.'),
  media_type: z
    .enum(exportFormatNames.map((name) => exportFormats[name].mediaType))
    .describe('The file’s media type; the encoding is UTF-8.'),
  size_bytes: z.int().min(0).max(1_000_000_000).describe('The file’s size.'),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('The SHA-256 of the file’s bytes, in hexadecimal.'),
  revision: text(64, 'The revision of the content in the file.'),
  expires_at: z.iso.datetime().describe('The time at which the file expires.'),
});

const createJobSchema = (resources: readonly string[]) =>
  object('An export job.', {
    object: createKindSchema('job'),
    id: text(80, 'The job’s ID. An Idempotency-Key determines it.'),
    status: z.enum(['queued', 'running', 'completed', 'failed']).describe('The job’s progress.'),
    resource: z.enum(resources).describe('The resource that is exported.'),
    format: z.enum(exportFormatNames).describe('The file’s format.'),
    poll_url: z.url().describe('The URL to poll.'),
    created_at: z.iso.datetime().describe('The time at which the job was started.'),
    result: resultSchema.optional().describe('The file; present if `status` is `completed`.'),
    error: problemSchema
      .optional()
      .describe('Why the job failed; present if `status` is `failed`. `request_id` is the job’s ID.'),
  });

const exportFacts = {
  path: '/exports',
  tag: 'Exports',
  scope: 'export:docs',
  tokenRequired: true,
} as const;

/** Creates the operation that starts a job and the one that reads it. `sources` has everything that can be exported, by name. */
export function exportOperations(sources: ExportSources): Operation[] {
  const resources = [...sources.keys()].toSorted();
  const output = createJobSchema(resources);
  const jobOutput = { output, outputName: 'Job', markdown: writeJob } as const;
  const startExport = defineOperation({
    ...exportFacts,
    ...jobOutput,
    id: 'startExport',
    keepsKeys: true,
    followUp: ({ poll_url }) => ({ url: String(poll_url), afterSeconds: pollSeconds }),
    method: 'POST',
    summary: 'Start an export',
    description: `Starts a job that writes a whole collection to one file, and returns immediately. Poll the URL in \`Location\` until \`status\` is \`completed\`; \`result.url\` is the file. Jobs belong to the client that started them and are kept for ${writeDuration(jobLifetime)}. With an Idempotency-Key, a retry returns the same job. Needs a token with the scope \`export:docs\`; the sandbox needs none.`,
    status: 202,
    errors: ['invalid_request', 'payload_too_large', 'unsupported_media_type', 'unprocessable', 'idempotency_conflict'],
    examples: [
      { summary: 'The documentation as one markdown file', input: { resource: 'docs', format: 'markdown' } },
      { summary: 'The FAQ as JSON', input: { resource: 'faq', format: 'json' } },
    ],
    input: z.object({
      resource: z.enum(resources).describe(`The resource to export: ${writeCodes(resources, 'or')}.`),
      format: z
        .enum(exportFormatNames)
        .describe(exportFormatNames.map((name) => `\`${name}\`: ${exportFormats[name].description}.`).join(' ')),
    }),
    async run(context, { resource, format }) {
      requireItems(context, resource, sources);
      return createJobBody(context, await requireCallerExports(context).start({ resource, format }));
    },
  });

  const getExport = defineOperation({
    ...exportFacts,
    ...jobOutput,
    id: 'getExport',
    waits: true,
    followUp: ({ poll_url, status }) =>
      status === 'queued' || status === 'running' ? { url: String(poll_url), afterSeconds: pollSeconds } : null,
    path: '/exports/{job_id}',
    summary: 'Get an export job',
    description: `The job’s progress. If \`status\` is \`completed\`, \`result.url\` is the file; if it is \`failed\`, \`error\` contains the reason. With \`Prefer: wait=${maxWaitMs / 1000}\`, the response arrives as soon as the job finishes, or after at most ${writeDuration(maxWaitMs)}. In the sandbox, each poll advances the job by one state.`,
    errors: ['not_found'],
    examples: [{ summary: 'A finished job', input: { job_id: exampleJob.id } }],
    input: z.object({ job_id: z.string().meta({ maxLength: 80 }).describe('The job’s ID.') }),
    run: async (context, { job_id }) => createJobBody(context, await requireCallerExports(context).find(job_id)),
  });
  return [startExport, getExport];
}

/** How long a client should wait before it polls a job again, in seconds. */
const pollSeconds = 1;

function requireCallerExports({ exports }: Context): CallerExports {
  if (exports === null) throw new Error('an export runs within a request');
  return exports;
}

function requireItems({ catalog }: Context, resource: string, sources: ExportSources): void {
  const source = sources.get(resource);
  if (source?.isEmpty(catalog) !== true) return;
  const { name } = catalog.content.product;
  throw new ApiError('unprocessable', `${name} has no ${source.called}. Export another resource.`);
}

type JobBody = z.input<ReturnType<typeof createJobSchema>>;

/**
 * Returns a job as the API shows it, with the URL where to poll it. `result`, with the URL of the file, is absent until the job is
 * completed, and `error`, a problem document, unless it failed.
 */
function createJobBody(context: Context, job: Job): JobBody {
  const { service, apiRoot, environment } = context;
  const { baseUrl } = service;
  const pollUrl = `${apiRoot}/exports/${job.id}`;
  const place = { baseUrl, instance: pollUrl.slice(baseUrl.length), requestId: job.id };
  return {
    object: 'job',
    id: job.id,
    status: job.status,
    resource: job.resource,
    format: readExportFormat(job.format),
    poll_url: pollUrl,
    created_at: formatTime(job.createdAt),
    ...(job.artifact !== null && { result: describeResult(baseUrl, job, job.artifact) }),
    ...(job.failure !== null && {
      error: createProblemDocument(describeFailure(job.failure), {
        ...place,
        sandbox: environment === 'sandbox',
      }) as z.input<typeof problemSchema>,
    }),
  };
}

function describeResult(
  baseUrl: string,
  job: Job,
  { hash, size }: NonNullable<Job['artifact']>,
): z.input<typeof resultSchema> {
  const sha256 = Buffer.from(hash).toString('hex');
  const { extension, mediaType } = exportFormats[readExportFormat(job.format)];
  return {
    url: `${baseUrl}/exports/${sha256}.${extension}`,
    media_type: mediaType,
    size_bytes: size,
    sha256,
    revision: job.revision ?? '',
    expires_at: formatTime((job.finishedAt ?? job.createdAt) + jobLifetime),
  };
}

function describeFailure({ code, detail, retryAfter }: NonNullable<Job['failure']>): ApiError {
  const knownCode = codes.find((name) => name === code) ?? 'internal_error';
  return new ApiError(knownCode, detail, retryAfter === undefined ? {} : { retryAfter });
}

const formatTime = (milliseconds: number): string => new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z');

function writeJob({ id, status, resource, format, poll_url, result, error }: JobBody): string {
  return joinBlocks(
    `# Export ${id}: ${status}`,
    `\`${resource}\` as \`${format}\`.`,
    result !== undefined && `The file, ${result.size_bytes} bytes, kept until ${result.expires_at}: <${result.url}>`,
    error !== undefined && `\`${error.code}\`: ${error.detail}`,
    result === undefined && error === undefined && `Poll again in a second: <${poll_url}>`,
  );
}

/** The finished job that the sandbox always has, so that the contract's examples never change. */
export const exampleJob = {
  id: 'job_4zq1h8k2m6n0p5r74zq1h8k2m6n0p5r7',
  resource: 'docs',
  format: 'markdown',
  createdAt: Date.parse('2026-11-21T09:00:00Z'),
} as const;

/** The caller in the examples of operations that require a token. */
export const examplePrincipal: Principal = {
  clientId: 'cl_0A1b2C3d4E5f6G7h',
  scopes: ['export:docs'],
  expiresAt: Date.parse('2026-11-21T10:00:00Z'),
  identityType: 'anonymous',
};

/**
 * Returns the export jobs of a context in which examples are run: `start` returns a queued job with a fixed id and stores nothing,
 * and `find` is the parameter, which finds the sandbox's jobs.
 */
export const createExampleExports = (find: CallerExports['find']): CallerExports => ({
  find,
  start: async (request) => createQueuedJob({ ...newJob, ...request }),
});

const newJob: Omit<NewJob, 'resource' | 'format'> = {
  id: 'job_7r5p0n6m2k8h1qz47r5p0n6m2k8h1qz4',
  clientId: examplePrincipal.clientId,
  createdAt: exampleJob.createdAt,
};
