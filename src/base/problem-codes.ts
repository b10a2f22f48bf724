/** The closed table of problem codes: every error that this service can answer, and what a person should do about it. */

export interface ProblemCode {
  /** HTTP status. */
  readonly status: number;
  /** Names the class of error; the same for every occurrence (RFC 9457 section 3.1.3). */
  readonly title: string;
  /** What it means, one or two sentences for the error reference. */
  readonly meaning: string;
  /** Whether the same request may be sent again. */
  readonly retry: 'no' | 'after the delay in Retry-After' | 'with backoff';
  /** How to mend it, for the error reference. */
  readonly fix: string;
}

const never = 'no' as const;
const later = 'after the delay in Retry-After' as const;

export const problemCodes = {
  invalid_request: {
    status: 400,
    title: 'Invalid request',
    meaning: 'A parameter or a member of the body is missing, malformed or out of range. `errors` lists each one.',
    retry: never,
    fix: 'Correct every field that `errors` names. Each entry says what is allowed and what you sent.',
  },
  invalid_cursor: {
    status: 400,
    title: 'Invalid cursor',
    meaning: 'The cursor was not issued by this service for this listing and this filter.',
    retry: never,
    fix: 'Pass `pagination.next_cursor` back unchanged, with the same filters, or start again without a cursor.',
  },
  invalid_token: {
    status: 401,
    title: 'Invalid token',
    meaning: 'The access token is expired, malformed or revoked.',
    retry: never,
    fix: 'Ask the token endpoint for a new token, or leave out the Authorization header: reading needs no credential.',
  },
  unauthorized: {
    status: 401,
    title: 'Credential required',
    meaning: 'This operation needs an access token and none was sent.',
    retry: never,
    fix: 'Register a client, get a token, and send it as `Authorization: Bearer <token>`. The WWW-Authenticate header leads to the documents that say how.',
  },
  insufficient_scope: {
    status: 403,
    title: 'Insufficient scope',
    meaning: 'The token is valid and lacks the scope that this operation needs.',
    retry: never,
    fix: 'Ask the token endpoint for a token with the scope that the answer names.',
  },
  forbidden_origin: {
    status: 403,
    title: 'Origin not allowed',
    meaning: 'The request came from a web page whose origin may not use this endpoint.',
    retry: never,
    fix: 'Call the endpoint from a program, or from a page of the same origin.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    meaning: 'There is no such release, page, entry, job or endpoint.',
    retry: never,
    fix: 'Check the spelling; `suggestions` lists near misses. The listing of the same kind has every valid name.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The path exists and does not answer this method.',
    retry: never,
    fix: 'Use one of the methods in the Allow header.',
  },
  not_acceptable: {
    status: 406,
    title: 'Not acceptable',
    meaning: 'No representation of this resource matches the Accept header.',
    retry: never,
    fix: 'Send `Accept: application/json`, `Accept: text/markdown`, or no Accept header.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timeout',
    meaning: 'The request did not arrive in full in the time allowed.',
    retry: 'with backoff',
    fix: 'Send the whole request without pauses.',
  },
  idempotency_conflict: {
    status: 409,
    title: 'Idempotency conflict',
    meaning: 'The Idempotency-Key was used before with a different body.',
    retry: never,
    fix: 'Use a new key for a new request; repeat a key only with the body it was first sent with.',
  },
  version_retired: {
    status: 410,
    title: 'API version retired',
    meaning: 'This version of the API has passed its sunset.',
    retry: never,
    fix: 'Use the successor that the answer and its Link header name.',
  },
  payload_too_large: {
    status: 413,
    title: 'Payload too large',
    meaning: 'The body is over 65,536 bytes, or a batch has more than 20 operations.',
    retry: never,
    fix: 'Send less in one request; split a batch.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    meaning: 'The body is not of the type that this endpoint reads, or it is compressed.',
    retry: never,
    fix: 'Send the Content-Type that the answer names, and no Content-Encoding.',
  },
  unprocessable: {
    status: 422,
    title: 'Unprocessable',
    meaning: 'The request is well formed and asks for something impossible.',
    retry: never,
    fix: 'Read `detail`: it says why it cannot be, and what can.',
  },
  rate_limited: {
    status: 429,
    title: 'Rate limited',
    meaning: 'More requests came in a minute than the limit allows.',
    retry: later,
    fix: 'Wait for the seconds in Retry-After, then go on. A token raises the limit.',
  },
  headers_too_large: {
    status: 431,
    title: 'Request header fields too large',
    meaning: 'The request line and headers together are over 16 KiB.',
    retry: never,
    fix: 'Send fewer or shorter headers, and a shorter URL.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    meaning: 'The server failed. The cause is in its log, under the request id.',
    retry: 'with backoff',
    fix: 'Try again; if it stays, report the request id.',
  },
  upstream_unavailable: {
    status: 503,
    title: 'Upstream unavailable',
    meaning: 'Something that the answer depends on, such as the update feed, cannot be had right now.',
    retry: later,
    fix: 'Wait for the seconds in Retry-After and try again. Everything that does not depend on it goes on working.',
  },
  overloaded: {
    status: 503,
    title: 'Overloaded',
    meaning: 'The server has more requests than it can answer in time, and did not look at this one.',
    retry: later,
    fix: 'Wait for the seconds in Retry-After and send the same request again, later each time.',
  },
  invalid_client: {
    status: 401,
    title: 'Invalid client',
    meaning: 'The client id is unknown, the secret is wrong, or the client has been revoked (RFC 6749 section 5.2).',
    retry: never,
    fix: 'Check the id and the secret. A lost or revoked secret means registering again.',
  },
  invalid_grant: {
    status: 400,
    title: 'Invalid grant',
    meaning:
      'The authorization code or assertion is expired, used, or was not made for this client (RFC 6749 section 5.2).',
    retry: never,
    fix: 'Start the flow again for a new code or assertion; each works once.',
  },
  unauthorized_client: {
    status: 400,
    title: 'Unauthorized client',
    meaning: 'The client is not registered for this grant type (RFC 6749 section 5.2).',
    retry: never,
    fix: 'Register a client with the grant type in `grant_types`.',
  },
  unsupported_grant_type: {
    status: 400,
    title: 'Unsupported grant type',
    meaning: 'The token endpoint does not know this grant type (RFC 6749 section 5.2).',
    retry: never,
    fix: 'Use one of `grant_types_supported` in the authorization server metadata.',
  },
  unsupported_response_type: {
    status: 400,
    title: 'Unsupported response type',
    meaning: 'The authorization endpoint answers `response_type=code` alone (RFC 6749 section 4.1.2.1).',
    retry: never,
    fix: 'Send `response_type=code`.',
  },
  invalid_scope: {
    status: 400,
    title: 'Invalid scope',
    meaning: 'The scope is unknown, or wider than the client was registered for (RFC 6749 section 5.2).',
    retry: never,
    fix: 'Ask for scopes of `scopes_supported` that the client was registered with.',
  },
  invalid_client_metadata: {
    status: 400,
    title: 'Invalid client metadata',
    meaning: 'A member of the registration is not acceptable (RFC 7591 section 3.2.2).',
    retry: never,
    fix: 'Correct the member that `detail` names.',
  },
  invalid_redirect_uri: {
    status: 400,
    title: 'Invalid redirect URI',
    meaning: 'A redirect URI is not acceptable (RFC 7591 section 3.2.2).',
    retry: never,
    fix: 'Use https, a private-use scheme, or http to a loopback address, without fragment or user name.',
  },
  unapproved_software_statement: {
    status: 400,
    title: 'Unapproved software statement',
    meaning: 'Software statements are not accepted (RFC 7591 section 3.2.2).',
    retry: never,
    fix: 'Register without `software_statement`.',
  },
  unsupported_credential_type: {
    status: 400,
    title: 'Unsupported credential type',
    meaning: 'Registration hands out OAuth client credentials and nothing else.',
    retry: never,
    fix: 'Leave out `requested_credential_type`, or send `oauth_client_credentials`.',
  },
} as const satisfies Record<string, ProblemCode>;

export type Code = keyof typeof problemCodes;

export const codes = Object.keys(problemCodes) as Code[];
