/** The closed table of problem codes: every error that this service can return, and what a person should do about it. */
import { formatKibibytes, formatNumber } from './amount-in-words.ts';
import { maxBatchOperations, maxBodyBytes, maxHeadBytes } from './request-limits.ts';

/** The facts about one problem code, which are the same for every occurrence. */
export interface ProblemCode {
  /** HTTP status. */
  readonly status: number;
  /** The class of error, the same for every occurrence (RFC 9457 section 3.1.3). */
  readonly title: string;
  /** The meaning in one or two sentences, for the error reference. */
  readonly meaning: string;
  /** Condition for sending the same request again. @defaultValue never */
  readonly retry?: 'after the delay in Retry-After' | 'with backoff';
  /** How to fix it, for the error reference. */
  readonly fix: string;
}

const later = 'after the delay in Retry-After' as const;

/** The codes in the order of the error reference. The first of a status is its usual one; those from `invalid_client` on are OAuth's. */
const table = {
  invalid_request: {
    status: 400,
    meaning: 'A parameter or a field of the body is missing, malformed or out of range. `errors` lists each one.',
    fix: 'Correct each field in `errors`. Every entry contains what is allowed and what you sent.',
  },
  invalid_cursor: {
    status: 400,
    meaning: 'The cursor was not issued by this service for this listing and this filter.',
    fix: 'Pass `pagination.next_cursor` back unchanged, with the same filters, or start again without a cursor.',
  },
  invalid_token: {
    status: 401,
    meaning: 'The access token is expired, malformed or revoked.',
    fix: 'Request a new token from the token endpoint, or leave out the Authorization header: reading needs no credential.',
  },
  unauthorized: {
    status: 401,
    title: 'Credential required',
    meaning: 'This operation needs an access token and none was sent.',
    fix: 'Register a client, get a token, and send it as `Authorization: Bearer <token>`. The WWW-Authenticate header links to the metadata documents.',
  },
  insufficient_scope: {
    status: 403,
    meaning: 'The token is valid but does not have the scope that this operation requires.',
    fix: 'Request a token with the scope in the WWW-Authenticate header.',
  },
  forbidden_origin: {
    status: 403,
    title: 'Origin not allowed',
    meaning: 'The request came from a web page whose origin is not allowed to use this endpoint.',
    fix: 'Call the endpoint from a program, or from a page of the same origin.',
  },
  not_found: {
    status: 404,
    meaning: 'The release, page, entry, job or endpoint does not exist.',
    fix: 'Check the spelling; `suggestions` lists near misses. The corresponding list endpoint returns every valid name.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path exists but does not support this method.',
    fix: 'Use one of the methods in the Allow header.',
  },
  not_acceptable: {
    status: 406,
    meaning: 'No representation of this resource matches the Accept header.',
    fix: 'Send `Accept: application/json`, `Accept: text/markdown`, or no Accept header.',
  },
  request_timeout: {
    status: 408,
    meaning: 'The complete request did not arrive in time.',
    retry: 'with backoff',
    fix: 'Send the whole request at once.',
  },
  idempotency_conflict: {
    status: 409,
    meaning: 'The Idempotency-Key was used before with a different body.',
    fix: 'Use a new key for a new request; repeat a key only with the body it was first sent with.',
  },
  version_retired: {
    status: 410,
    title: 'API version retired',
    meaning: 'This version of the API is past its sunset date.',
    fix: 'Use the successor named in `detail` and in the Link header.',
  },
  payload_too_large: {
    status: 413,
    meaning: `The body is larger than ${formatNumber(maxBodyBytes)} bytes, or the batch has more than ${maxBatchOperations} operations.`,
    fix: 'Send less per request; split the batch.',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'The body has a content type that this endpoint does not accept, or it is compressed.',
    fix: 'Send the Content-Type named in `detail`, and no Content-Encoding.',
  },
  range_not_satisfiable: {
    status: 416,
    meaning: 'The file has no bytes in the range of the Range header (RFC 9110 section 15.5.17).',
    fix: 'Ask for bytes within the length in Content-Range, or leave out the Range header to get the whole file.',
  },
  unprocessable: {
    status: 422,
    meaning: 'The request is well formed but cannot be carried out.',
    fix: 'Read `detail` for the reason and the alternative.',
  },
  rate_limited: {
    status: 429,
    meaning: 'You sent more requests per minute than the limit allows.',
    retry: later,
    fix: 'Wait the number of seconds in Retry-After, then continue. A token raises the limit.',
  },
  headers_too_large: {
    status: 431,
    title: 'Request header fields too large',
    meaning: `The request line and headers together exceed ${formatKibibytes(maxHeadBytes)}.`,
    fix: 'Send fewer or shorter headers, and a shorter URL.',
  },
  internal_error: {
    status: 500,
    meaning: 'The server failed. Its log has the cause under the request ID.',
    retry: 'with backoff',
    fix: 'Try again. If it keeps failing, report the request ID.',
  },
  upstream_unavailable: {
    status: 503,
    meaning: 'A dependency, such as the update feed, is unavailable.',
    retry: later,
    fix: 'Wait the number of seconds in Retry-After, then try again. Requests that do not need the dependency still work.',
  },
  overloaded: {
    status: 503,
    meaning: 'The server has more requests than it can handle, and did not process this one.',
    retry: later,
    fix: 'Wait the number of seconds in Retry-After, then send the same request again, waiting longer each time.',
  },
  invalid_client: {
    status: 401,
    meaning: 'The client ID is unknown, the secret is wrong, or the client was revoked (RFC 6749 section 5.2).',
    fix: 'Check the ID and the secret. If the secret is lost or revoked, register again.',
  },
  invalid_grant: {
    status: 400,
    meaning:
      'The authorization code or assertion is expired, used, or was not made for this client (RFC 6749 section 5.2).',
    fix: 'Start the flow again to get a new code or assertion; each works once.',
  },
  unauthorized_client: {
    status: 400,
    meaning: 'The client is not registered for this grant type (RFC 6749 section 5.2).',
    fix: 'Register a client with the grant type in `grant_types`.',
  },
  unsupported_grant_type: {
    status: 400,
    meaning: 'The token endpoint does not know this grant type (RFC 6749 section 5.2).',
    fix: 'Use one of `grant_types_supported` in the authorization server metadata.',
  },
  unsupported_response_type: {
    status: 400,
    meaning: 'The authorization endpoint supports only `response_type=code` (RFC 6749 section 4.1.2.1).',
    fix: 'Send `response_type=code`.',
  },
  invalid_scope: {
    status: 400,
    meaning: 'The scope is unknown, or wider than the client was registered for (RFC 6749 section 5.2).',
    fix: 'Request only scopes that the client was registered with; `scopes_supported` lists all of them.',
  },
  invalid_client_metadata: {
    status: 400,
    meaning: 'A field of the registration is invalid (RFC 7591 section 3.2.2).',
    fix: 'Correct the field named in `detail`.',
  },
  invalid_redirect_uri: {
    status: 400,
    title: 'Invalid redirect URI',
    meaning: 'A redirect URI is invalid (RFC 7591 section 3.2.2).',
    fix: 'Use https, a private-use scheme, or http to a loopback address, without a fragment or a username.',
  },
  unapproved_software_statement: {
    status: 400,
    meaning: 'Software statements are not accepted (RFC 7591 section 3.2.2).',
    fix: 'Register without `software_statement`.',
  },
  unsupported_credential_type: {
    status: 400,
    meaning: 'Registration issues only OAuth client credentials.',
    fix: 'Leave out `requested_credential_type`, or send `oauth_client_credentials`.',
  },
} as const satisfies Record<string, Omit<ProblemCode, 'title'> & Partial<Pick<ProblemCode, 'title'>>>;

/** A problem code, such as `not_found`, by which programs tell errors apart. */
export type Code = keyof typeof table;

/** Every code, in the order of the reference. */
export const codes = Object.keys(table) as Code[];

/** Returns a code as a title: `not_found` becomes "Not found". */
const toTitle = (code: Code): string => code.charAt(0).toUpperCase() + code.slice(1).replaceAll('_', ' ');

/** The table, with the code in words as title unless another one is given. */
export const problemCodes = Object.fromEntries(
  codes.map((code) => [code, { title: toTitle(code), ...table[code] }]),
) as Readonly<Record<Code, ProblemCode>>;

const listStatuses = (retry: ProblemCode['retry']): number[] => [
  ...new Set(codes.filter((code) => problemCodes[code].retry === retry).map((code) => problemCodes[code].status)),
];

/**
 * HTTP statuses after which the same request may be sent again, sorted: `after` the delay in Retry-After, or with `backoff`; 502
 * and 504 come from proxies in front of the server.
 */
export const retryStatuses = {
  after: listStatuses(later).toSorted(),
  backoff: [...listStatuses('with backoff'), 502, 504].toSorted(),
};
