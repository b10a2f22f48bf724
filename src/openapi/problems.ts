/** The failures of the contract: one response a status, with an example of every code that has it. */

import { ApiError } from '../base/api-error.ts';
import { type Code, codes, problemCodes } from '../base/problem-codes.ts';
import { listLimit, mostBatchOperations } from '../base/request-limits.ts';
import { oauthError } from '../oauth/errors.ts';
import type { Operation } from '../operations/operation.ts';
import { problemDocument } from '../operations/problem.ts';
import { headerRefs } from './headers.ts';

/** What every endpoint can answer, whatever it does. */
export const everywhere: readonly Code[] = [
  'invalid_request',
  'request_timeout',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'upstream_unavailable',
  'overloaded',
];

/** What every operation of the API can answer besides. */
const everyOperation: readonly Code[] = [...everywhere, 'invalid_token', 'not_acceptable', 'version_retired'];

/** What `simulate` can force. */
const simulated: readonly Code[] = ['not_found', 'insufficient_scope'];

/** The codes that an operation can answer. */
export function codesOf(operation: Operation, sandbox: boolean): Code[] {
  const all = new Set<Code>([...everyOperation, ...operation.errors, ...(sandbox ? simulated : [])]);
  if (operation.tokenRequired && !sandbox) all.add('unauthorized').add('insufficient_scope');
  return codes.filter((code) => all.has(code));
}

/** The endpoints that share a set of failures: the API, its sandbox, or the OAuth endpoints, which strict clients read as plain JSON. */
export type ProblemKind = '' | 'Sandbox' | 'OAuth';

const instances: Readonly<Record<ProblemKind, string>> = {
  '': '/api/v1/docs/quikstart',
  Sandbox: '/api/v1/sandbox/docs/quikstart',
  OAuth: '/oauth/token',
};

/** What `collectProblems` replaces: the codes of one status. */
interface Placeholder {
  readonly 'x-problem': { readonly kind: ProblemKind; readonly codes: readonly Code[] };
}

/** By status, the codes among `list` that have it; `collectProblems` makes references of them. */
export function problemRefs(list: readonly Code[], kind: ProblemKind): Record<string, Placeholder> {
  const made: Record<string, Placeholder> = {};
  for (const status of [...new Set(list.map((code) => problemCodes[code].status))].sort((a, b) => a - b)) {
    const own = codes.filter((code) => list.includes(code) && problemCodes[code].status === status);
    made[String(status)] = { 'x-problem': { kind, codes: own } };
  }
  return made;
}

/** Puts a reference in each placeholder's place, and returns the responses that they refer to: one for each kind and list of codes. */
export function collectProblems(paths: Readonly<Record<string, unknown>>, baseUrl: string): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  const visit = (node: object): void => {
    for (const [key, child] of Object.entries(node)) {
      if (typeof child !== 'object' || child === null) continue;
      if (isPlaceholder(child)) {
        const { kind, codes: own } = child['x-problem'];
        const name = responseName(own, kind);
        made[name] ??= problemResponse(own, kind, baseUrl);
        Reflect.set(node, key, { $ref: `#/components/responses/${name}` });
      } else visit(child);
    }
  };
  visit(paths);
  return Object.fromEntries(Object.entries(made).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const isPlaceholder = (node: object): node is Placeholder => 'x-problem' in node;

/** `Problem400` where nothing but what every endpoint can answer is possible, and `Problem400InvalidCursor` where that code is, too. */
function responseName(own: readonly Code[], kind: ProblemKind): string {
  const [code = 'internal_error'] = own;
  const { status } = problemCodes[code];
  const usual = codes.find((other) => problemCodes[other].status === status);
  return `${kind}Problem${status}${own
    .filter((other) => other !== usual && !everywhere.includes(other))
    .map(pascal)
    .join('')}`;
}

const pascal = (code: Code): string =>
  code
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

function problemResponse(own: readonly Code[], kind: ProblemKind, baseUrl: string): Record<string, unknown> {
  const [first = 'internal_error'] = own;
  const { status } = problemCodes[first];
  const sandbox = kind === 'Sandbox';
  const place = {
    baseUrl,
    instance: instances[kind],
    requestId: exampleId,
    sandbox,
  };
  const examples = own.map((code) => [
    code,
    { summary: problemCodes[code].title, value: problemDocument(exampleError(code), place) },
  ]);
  const media = {
    schema: { $ref: `#/components/schemas/${sandbox ? 'SandboxProblem' : 'Problem'}` },
    examples: Object.fromEntries(examples),
  };
  return {
    description: `${own.map((code) => problemCodes[code].title).join('. ')}.`,
    headers: headerRefs([...headersOf(status, own), 'Idempotency-Key', ...(sandbox ? ['X-Service-Environment'] : [])]),
    content: {
      'application/problem+json': media,
      // The same body, for clients whose Accept names only this type.
      ...(kind === 'OAuth' && { 'application/json': media }),
    },
  };
}

const headersOf = (status: number, own: readonly Code[]): string[] => {
  // A form from another site is refused without a challenge: no credential would help.
  if (status === 401 || own.includes('insufficient_scope')) return ['WWW-Authenticate'];
  if (status === 405) return ['Allow'];
  if (status === 415) return ['Accept-Post'];
  if (status === 416) return ['Accept-Ranges', 'Content-Range'];
  return status === 429 || status === 503 ? ['Retry-After'] : [];
};

const exampleId = 'req_4zq1h8k2m6n0p5r7000001';

const details: Partial<Record<Code, string>> = {
  invalid_request: `limit must be between 1 and ${listLimit.most}; you sent 250.`,
  invalid_cursor: 'This cursor was not issued for this listing. Start again without a cursor.',
  not_found: 'No page `quikstart`. Did you mean `quickstart`?',
  payload_too_large: `A batch can have at most ${mostBatchOperations} operations; you sent ${mostBatchOperations + 1}. Split it.`,
  unprocessable: 'There is no macOS 19; macOS 15 is followed by 26.',
  rate_limited: 'More than 120 requests came in a minute. Wait 3 seconds.',
  version_retired: 'API v0 was retired on 2026-08-01. Use /api/v1.',
};

const ofOAuth: ReadonlySet<Code> = new Set([
  'invalid_token',
  'insufficient_scope',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
  'invalid_client_metadata',
  'invalid_redirect_uri',
  'unapproved_software_statement',
  'unsupported_credential_type',
]);

function exampleError(code: Code): ApiError {
  const detail = details[code] ?? problemCodes[code].meaning;
  if (code === 'invalid_request') {
    return new ApiError(code, detail, { errors: [{ field: 'limit', code: 'out_of_range', detail }] });
  }
  if (code === 'not_found') return new ApiError(code, detail, { suggestions: ['quickstart'] });
  const { status } = problemCodes[code];
  if (ofOAuth.has(code)) return oauthError(code, detail);
  return new ApiError(code, detail, status === 429 || status === 503 ? { retryAfter: 3 } : {});
}
