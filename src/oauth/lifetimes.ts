/** How long each credential lasts, in milliseconds. Checks, errors, the consent page and `/auth.md` use these values. */

/** Lifetime of an access token. Live tokens of a client are bounded by the issue limit: 60 times `RATE_LIMIT_ISSUE`. */
export const tokenLifetime = 3_600_000;

/** Lifetime of an authorization code. RFC 6749 section 4.1.2 allows ten minutes at most. */
export const codeLifetime = 60_000;

/** How long a person may take to decide on the consent page. */
export const ticketLifetime = 600_000;

/** How long an unused refresh token lasts. */
export const refreshIdle = 30 * 86_400_000;

/**
 * How long the newest refresh token's predecessor gets the same successor again: two processes of one client, or a lost
 * response, are no theft.
 */
export const refreshGrace = 60_000;

/** Maximum age of an assertion when it is presented. */
export const maxAssertionAge = 600_000;

/** Maximum time from an assertion's issue to its expiry. */
export const maxAssertionLifetime = 3_600_000;
