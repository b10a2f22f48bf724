/** Parts of responses that operations and other endpoints describe alike: headers, bodies, and the responses of failures. */
import { ApiError } from '../base/api-error.ts';
import { type Code, codes, problemCodes } from '../base/problem-codes.ts';
import { listLimit, maxBatchOperations } from '../base/request-limits.ts';
import { createOAuthError } from '../oauth/errors.ts';
import type { Operation } from '../operations/operation.ts';
import { createProblemDocument } from '../operations/problem.ts';
import { createResponseHeaders, everyResponseHas, type HeaderObject } from '../operations/response-headers.ts';
import { createRef, type JsonSchema, sortByName } from './components.ts';
import { toPascalCase } from './open-enums.ts';

/**
 * Returns references to the headers of every response and to those named in `more`, which it does not check, by name in
 * alphabetical order. The headers in `own` are described in place and replace references of the same name.
 */
export function createHeaderRefs(
  more: readonly string[] = [],
  own: Readonly<Record<string, HeaderObject>> = {},
): Record<string, HeaderObject | JsonSchema> {
  const refs = [...everyResponseHas, ...more].map((name) => [name, { $ref: `#/components/headers/${name}` }] as const);
  return sortByName({ ...Object.fromEntries(refs), ...own });
}

/** The description of a response; one without `content` has no body. */
export interface ResponseObject {
  readonly description: string;
  readonly headers: Readonly<Record<string, object>>;
  readonly content?: JsonSchema;
}

/** The description of the 304 of every GET that sends an entity tag, without its headers. */
export const notModified = { description: 'Unchanged: the entity tag in If-None-Match is current. There is no body.' };

/** The 304 responses that several endpoints have, by their names among the components. */
export const sharedUnchanged: Readonly<Record<string, ResponseObject>> = {
  NotModified: { ...notModified, headers: createHeaderRefs() },
  NotModifiedFromFeed: { ...notModified, headers: createHeaderRefs(['Cache-Status']) },
  SandboxNotModified: { ...notModified, headers: createHeaderRefs(['X-Service-Environment']) },
};

/** Returns a reference to the shared 304 whose headers have the same names in the same order, or describes a 304 with `headers`. */
export function createUnchangedResponse(headers: ResponseObject['headers']): ResponseObject | JsonSchema {
  const names = String(Object.keys(headers));
  const [shared] = Object.entries(sharedUnchanged).find(([, one]) => String(Object.keys(one.headers)) === names) ?? [];
  return shared === undefined ? { ...notModified, headers } : { $ref: `#/components/responses/${shared}` };
}

/**
 * Returns an object with the description of a header that only some responses of a status have, under its name. `when` is the
 * beginning of the description. Throws an Error for a header that the contract does not have.
 */
export function describeOptionalHeader(name: string, when: string): Record<string, HeaderObject> {
  const header = createResponseHeaders('')[name];
  if (header === undefined) throw new Error(`${name} is not a header of the contract`);
  const description = header.description.charAt(0).toLowerCase() + header.description.slice(1);
  return { [name]: { ...header, required: false, description: `${when}: ${description}` } };
}

/** Describes one media type of a body, with its examples in order as `example1`, `example2` and so on; without any, `examples` is empty. */
export const describeMediaType = (
  schema: JsonSchema,
  examples: readonly { summary: string; value: unknown }[],
): JsonSchema => ({
  schema,
  examples: Object.fromEntries(
    examples.map(({ summary, value }, index) => [`example${index + 1}`, { summary, value }]),
  ),
});

/** The problem codes that every endpoint can return. */
export const commonCodes: readonly Code[] = [
  'invalid_request',
  'request_timeout',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'upstream_unavailable',
  'overloaded',
];

/** Returns the problem codes that an operation can return, in production or in the sandbox, in the order of the table of codes. */
export function listCodes({ errors, tokenRequired }: Operation, sandbox: boolean): Code[] {
  const ownCodes = new Set<Code>([...commonCodes, 'invalid_token', 'not_acceptable', 'version_retired', ...errors]);
  if (sandbox) ownCodes.add('not_found');
  else if (tokenRequired) ownCodes.add('unauthorized');
  if (sandbox || tokenRequired) ownCodes.add('insufficient_scope');
  return codes.filter((code) => ownCodes.has(code));
}

/**
 * The endpoints that share the responses of failures: the API (the empty text), its sandbox, or OAuth, whose strict clients read
 * plain JSON.
 */
export type ProblemKind = '' | 'Sandbox' | 'OAuth';

const instances: Readonly<Record<ProblemKind, string>> = {
  '': '/api/v1/docs/quikstart',
  Sandbox: '/api/v1/sandbox/docs/quikstart',
  OAuth: '/oauth/token',
};

/**
 * Returns for each status of the codes in `list` the status, the response of `kind` that describes the codes with that status, and
 * the name of the response among the components, in the order of the table of codes.
 */
export function createProblemResponses(list: readonly Code[], kind: ProblemKind, baseUrl: string) {
  const byStatus = Map.groupBy(
    codes.filter((code) => list.includes(code)),
    (code) => problemCodes[code].status,
  );
  return [...byStatus].map(([status, ofStatus]) => ({
    status,
    name: `${kind}Problem${status}${nameSuffix(ofStatus, status)}`,
    response: createResponse(ofStatus, status, kind, baseUrl),
  }));
}

/**
 * Returns the end of a response’s name, such as `InvalidCursor` for `Problem400InvalidCursor`: the codes of the list without those
 * of every endpoint and without the one that is the first with this status in the table of codes; '' if no other remains.
 */
function nameSuffix(list: readonly Code[], status: number): string {
  const usual = codes.find((code) => problemCodes[code].status === status);
  return toPascalCase(list.filter((code) => code !== usual && !commonCodes.includes(code)).join('_'));
}

function createResponse(list: readonly Code[], status: number, kind: ProblemKind, baseUrl: string): ResponseObject {
  const sandbox = kind === 'Sandbox';
  const schema = createRef(sandbox ? 'SandboxProblem' : 'Problem');
  const body = {
    schema,
    examples: Object.fromEntries(
      list.map((code) => [
        code,
        { summary: problemCodes[code].title, value: createExampleProblem(code, baseUrl, kind) },
      ]),
    ),
  };
  const headers = [...listHeaders(status, list), 'Idempotency-Key', ...(sandbox ? ['X-Service-Environment'] : [])];
  return {
    description: `${list.map((code) => problemCodes[code].title).join('. ')}.`,
    headers: createHeaderRefs(headers),
    // OAuth's failures have the same body as JSON, for clients whose Accept names only this type.
    content: { 'application/problem+json': body, ...(kind === 'OAuth' && { 'application/json': { schema } }) },
  };
}

/**
 * Returns an example of the problem document with this code, for a request to the endpoints of `kind`: by default OAuth’s for the
 * codes in `grantCodes`, and the API’s for any other code.
 */
export const createExampleProblem = (
  code: Code,
  baseUrl: string,
  kind: ProblemKind = grantCodes.includes(code) ? 'OAuth' : '',
): Record<string, unknown> =>
  createProblemDocument(createExampleError(code), {
    baseUrl,
    instance: instances[kind],
    requestId: 'req_4zq1h8k2m6n0p5r7000001',
    sandbox: kind === 'Sandbox',
  });

function listHeaders(status: number, list: readonly Code[]): string[] {
  // A 403 for a form from another site has no WWW-Authenticate, because no credential would help.
  if (status === 401 || list.includes('insufficient_scope')) return ['WWW-Authenticate'];
  if (status === 415) return ['Accept-Post'];
  if (status === 416) return ['Accept-Ranges', 'Content-Range'];
  return status === 429 || status === 503 ? ['Retry-After'] : [];
}

const details: Partial<Record<Code, string>> = {
  invalid_request: `limit must be between 1 and ${listLimit.max}; you sent 250.`,
  invalid_cursor: 'This cursor was not issued for this listing. Start again without a cursor.',
  not_found: 'No page `quikstart`. Did you mean `quickstart`?',
  payload_too_large: `A batch can have at most ${maxBatchOperations} operations; you sent ${maxBatchOperations + 1}. Split it.`,
  unprocessable: 'There is no macOS 19; macOS 15 is followed by 26.',
  rate_limited: 'More than 120 requests came in a minute. Wait 3 seconds.',
  version_retired: 'API v0 was retired on 2026-08-01. Use /api/v1.',
};

/** The codes of OAuth's endpoints: the table's last ones, from `invalid_client` on. */
const grantCodes: readonly Code[] = codes.slice(codes.indexOf('invalid_client'));

/** The codes whose problem documents also carry OAuth's `error`. */
const oauthCodes: readonly Code[] = ['invalid_token', 'insufficient_scope', ...grantCodes];

function createExampleError(code: Code): ApiError {
  const detail = details[code] ?? problemCodes[code].meaning;
  if (code === 'invalid_request') {
    return new ApiError(code, detail, { errors: [{ field: 'limit', code: 'out_of_range', detail }] });
  }
  if (code === 'not_found') return new ApiError(code, detail, { suggestions: ['quickstart'] });
  if (oauthCodes.includes(code)) return createOAuthError(code, detail);
  const { status } = problemCodes[code];
  return new ApiError(code, detail, status === 429 || status === 503 ? { retryAfter: 3 } : {});
}
