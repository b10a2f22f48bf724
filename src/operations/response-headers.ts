/** The headers of responses that clients may read: one table for the writer, CORS and the contract. */
import type { Operation } from './operation.ts';

/** The description of a header in OpenAPI (the Header Object). */
export interface HeaderObject {
  readonly description: string;
  readonly required?: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}

const text = (description: string, example: string, extra: Record<string, unknown> = {}): HeaderObject => ({
  description,
  required: true,
  schema: { type: 'string', examples: [example], ...extra },
});

const count = (description: string, example: number): HeaderObject => ({
  description,
  required: true,
  schema: { type: 'integer', minimum: 0, examples: [example] },
});

const optional = (header: HeaderObject): HeaderObject => ({ ...header, required: false });

/** Returns the descriptions of all headers that clients may read, by name, in the order of CORS. `apiVersion` is used in an example. */
export const createResponseHeaders = (apiVersion: string): Readonly<Record<string, HeaderObject>> => ({
  'Accept-Post': optional(text('The media type that the path accepts.', 'application/json')),
  'Accept-Ranges': text('`bytes`: a part of the file can be requested with `Range`.', 'bytes'),
  'API-Version': text('The date of the server’s build.', apiVersion, { format: 'date' }),
  Allow: text('Every method that the path supports.', 'GET, HEAD, OPTIONS'),
  'Cache-Status': optional(
    text(
      'Present while the update feed is unavailable and its last verified copy is served (RFC 9211).',
      '"feed"; hit; detail=stale',
    ),
  ),
  'Content-Range': text('Which bytes of the file the response has, and how many the file has.', 'bytes 0-1023/48213'),
  Deprecation: optional(text('When this version of the API was deprecated (RFC 9745).', '@1769904000')),
  ETag: text('Strong entity tag of this representation.', '"0Zl0p3V6mVdXb9o7kYc1rWq5tQeGhJ2A"'),
  'Idempotency-Key': optional(text('The key that was sent.', 'order-7f3a')),
  'Idempotent-Replayed': optional(text('`true` when the key was used before with the same body.', 'true')),
  Link: optional(
    text(
      '`rel="next"` links to the next page (RFC 8288); a deprecated version links to its successor.',
      '<https://api.example/api/v1/docs?limit=2&cursor=…>; rel="next"',
    ),
  ),
  Location: text('The URL of what was created.', 'https://api.example/api/v1/exports/job_01'),
  'Preference-Applied': optional(text('The preference that was applied (RFC 7240).', 'wait=10')),
  RateLimit: text('Requests left, and seconds until the oldest counted ones stop counting.', '"anonymous";r=119;t=42'),
  'RateLimit-Limit': count('Requests a minute.', 120),
  'RateLimit-Policy': text('The policy’s name, quota and window in seconds.', '"anonymous";q=120;w=60'),
  'RateLimit-Remaining': count('Requests left.', 119),
  'RateLimit-Reset': count('Seconds until the oldest counted requests stop counting.', 42),
  'Retry-After': count('Seconds to wait before the next request.', 3),
  Sunset: optional(text('When this version of the API will be retired (RFC 8594).', 'Sat, 01 Aug 2026 00:00:00 GMT')),
  'WWW-Authenticate': text(
    'The challenge: what is wrong with the credential, or where to get one.',
    'Bearer error="invalid_token"',
  ),
  'X-Request-Id': text('The server’s id of this request; quote it in a report.', 'req_4zq1h8k2m6n0p5r7000001'),
  'X-Service-Environment': text('`sandbox` on every response of the sandbox.', 'sandbox', { const: 'sandbox' }),
});

/** The names of all headers that clients may read, in the order of `createResponseHeaders`. */
export const responseHeaderNames: readonly string[] = Object.keys(createResponseHeaders(''));

/** Names of the headers that every response has, or has in a deprecated version. */
export const everyResponseHas: readonly string[] = [
  'API-Version',
  'Deprecation',
  'ETag',
  'Link',
  'RateLimit',
  'RateLimit-Limit',
  'RateLimit-Policy',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Sunset',
  'X-Request-Id',
];

/**
 * Returns the names of the headers that a success of the operation may have in addition to those in `everyResponseHas`, without the
 * Retry-After of `saysWhenToPoll`. Link, which `everyResponseHas` has for deprecated versions, is among them if the operation has
 * pages or `links`.
 */
export function listSuccessHeaders(operation: Operation, sandbox: boolean): string[] {
  const { method, status, input, needsFeed, links, waits } = operation;
  return [
    ...(input.shape.cursor !== undefined || links !== undefined ? ['Link'] : []),
    ...(needsFeed && !sandbox ? ['Cache-Status'] : []),
    ...(method === 'POST' ? ['Idempotency-Key', 'Idempotent-Replayed'] : []),
    ...(status === 202 ? ['Location', 'Retry-After'] : []),
    // A job of the sandbox advances with each request and not with time, so no request can wait for it.
    ...(waits === true && !sandbox ? ['Preference-Applied'] : []),
    ...(sandbox ? ['X-Service-Environment'] : []),
  ];
}

/** Returns whether a success with status 200 carries Retry-After while its job is not finished; one with 202 always carries it. */
export const saysWhenToPoll = ({ status, followUp }: Operation): boolean => status === 200 && followUp !== undefined;
