/** What an operation may use: one catalog from start to end, and the facts of this service. */
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

/** Requests a minute in each bucket, and the further limits, a minute unless said. */
export interface RateLimits {
  readonly anonymous: number;
  readonly authenticated: number;
  readonly sandbox: number;
  readonly pages: number;
  /** Requests of all clients of one address together. */
  readonly address: number;
  /** Clients registered from one address, an hour. */
  readonly registration: number;
  /** Tokens issued to one client. */
  readonly issue: number;
  /** Refused tokens of one address. */
  readonly refused: number;
}

/** What is the same for every request of this process. */
export interface Service {
  /** The origin, without a slash at its end. The only source of absolute URLs. */
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

export interface Context {
  readonly environment: 'production' | 'sandbox';
  readonly service: Service;
  readonly catalog: Catalog;
  readonly cursors: Cursors;
  /** `{base_url}/api/v1`, or the sandbox's root. */
  readonly apiRoot: string;
  /** Where the pages of what is in the catalog are: `{base_url}`, or `{base_url}/sandbox`. */
  readonly siteRoot: string;
  feedStatus(): FeedStatus;
  /** Milliseconds since 1970; for what is true only from a date on, never for content. */
  now(): number;
  /**
   * Runs GETs of this API by their paths relative to the API root, within one request, and returns the results in the same
   * order; null outside of a request.
   */
  readonly getAll: ((paths: readonly string[]) => Promise<BatchResult[]>) | null;
  /** Whoever the request's token speaks for; null without one. */
  readonly principal: Principal | null;
  /** The caller's export jobs; null outside of a request. */
  readonly exports: CallerExports | null;
}

/** Export jobs as one caller may start and read them. */
export interface CallerExports {
  start(request: ExportRequest): Promise<Job>;
  /** Throws `not_found` for a job that is not there, or not the caller's. */
  find(id: string): Promise<Job>;
}

/** The body of an outcome; from the sandbox, marked, and so is each item of a list. */
export function bodyOf({ environment }: Pick<Context, 'environment'>, { body }: Pick<Outcome, 'body'>): Body {
  if (environment === 'production') return body;
  const { data } = body;
  return { ...body, ...(Array.isArray(data) && { data: data.map(marked) }), sandbox: true };
}

const marked = (item: unknown): unknown =>
  typeof item === 'object' && item !== null ? { ...item, sandbox: true } : item;

/** What the markdown of the sandbox begins with. */
export const sandboxNote = '> Sandbox: fixed fixture data, not the product’s.\n\n';
