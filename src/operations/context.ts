/** The context of an operation: one catalog from start to end, and the facts of this service. */
import type { Catalog } from '../catalog/catalog.ts';
import type { Cursors } from '../catalog/cursor.ts';
import type { FeedStatus } from '../feed/release.ts';
import type { ExportRequest } from '../jobs/exporter.ts';
import type { Principal } from '../oauth/verify.ts';
import type { Job } from '../store/jobs.ts';
import type { ApiVersion } from './versions.ts';

/** A response body as it is sent: snake_case fields, JSON values. */
export type Body = Readonly<Record<string, unknown>>;

/** The result of an operation. Its markdown is written only on request. */
export interface Outcome {
  readonly body: Body;
  markdown(): string;
}

/** The maximum numbers of requests and of other events, per minute unless stated. */
export interface RateLimits {
  /** Requests of the API, OAuth and MCP without a token, from one address. */
  readonly anonymous: number;
  /** Requests with a token, of one client. */
  readonly authenticated: number;
  /** Requests of the sandbox, from one address. */
  readonly sandbox: number;
  /** Requests of the site's pages and files, from one address. */
  readonly pages: number;
  /** Total requests with a token from one address, over all clients. */
  readonly address: number;
  /** Clients registered from one address, per hour. */
  readonly registration: number;
  /** Tokens issued to one client. */
  readonly issue: number;
  /** Refused tokens of one address. */
  readonly refused: number;
}

/** Facts that are the same for every request of this process. */
export interface Service {
  /** The origin without a trailing slash, the only source of absolute URLs. */
  readonly baseUrl: string;
  /** The date that names this build, `YYYY-MM-DD`. */
  readonly apiVersion: string;
  readonly limits: RateLimits;
  readonly versions: readonly ApiVersion[];
}

/** One result of a batch: a GET's body, or a problem document. */
export interface BatchResult {
  readonly status: number;
  readonly body: Body;
}

/** Everything that an operation may read: the catalog, the caller, and the addresses that its response contains. */
export interface Context {
  readonly environment: 'production' | 'sandbox';
  readonly service: Service;
  readonly catalog: Catalog;
  readonly cursors: Cursors;
  /** `{base_url}/api/v1`, or `{base_url}/api/v1/sandbox` in the sandbox. */
  readonly apiRoot: string;
  /** The root of the catalog's pages: `{base_url}`, or `{base_url}/sandbox`. */
  readonly siteRoot: string;
  feedStatus(): FeedStatus;
  /** Returns milliseconds since 1970, for facts that depend on the date; content never does. */
  now(): number;
  /**
   * Runs GETs of this API by their paths relative to the API root, within one request, and returns the results in the same
   * order; null outside of a request.
   */
  readonly getAll: ((paths: readonly string[]) => Promise<BatchResult[]>) | null;
  /** The client that the request's token identifies, or null without a token. */
  readonly principal: Principal | null;
  /** The caller's export jobs; outside of a request null, or in the sandbox those of `createExampleExports`. */
  readonly exports: CallerExports | null;
}

/** The export jobs that one caller may start and read. */
export interface CallerExports {
  /**
   * Starts a job and returns it; a repeated request with the same Idempotency-Key returns the job of the first one. Rejects with
   * `idempotency_conflict` if the key was sent with another body.
   */
  start(request: ExportRequest): Promise<Job>;
  /**
   * Returns the job; if a GET in production asks to wait, once the job is finished or that time, at most 10 seconds, has passed.
   * Rejects with `not_found` if the job is unknown, expired or, in production, another client's.
   */
  find(id: string): Promise<Job>;
}

/** Returns the body of an outcome; in the sandbox a copy, where it and each object in its `data` have `sandbox: true`. */
export function getBody({ environment }: Pick<Context, 'environment'>, { body }: Pick<Outcome, 'body'>): Body {
  if (environment === 'production') return body;
  const { data } = body;
  return { ...body, ...(Array.isArray(data) && { data: data.map(markItem) }), sandbox: true };
}

const markItem = (item: unknown): unknown =>
  typeof item === 'object' && item !== null ? { ...item, sandbox: true } : item;

/** The first line of markdown in the sandbox, with the blank line after it. */
export const sandboxNote = '> Sandbox: fixed fixture data, not the product’s.\n\n';
