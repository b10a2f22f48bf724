/** How long each credential lasts, in milliseconds. Checks, errors and `/auth.md` take it from here. */

export const tokenLifetime = 3_600_000;

/** How many live tokens a client may have: what it may ask for in the lifetime of one. */
export const mostLiveTokens = (perMinute: number): number => perMinute * (tokenLifetime / 60_000);

/** For an authorization code to be redeemed; RFC 6749 section 4.1.2 allows ten minutes at most. */
export const codeLifetime = 60_000;

/** For a person to decide on the consent page. */
export const ticketLifetime = 600_000;

/** A refresh token that is not used for this long ends. */
export const refreshIdle = 30 * 86_400_000;

/**
 * For this long the refresh token before the newest one gets the same successor once more: two processes of one client,
 * or a response that was lost, are no theft.
 */
export const refreshGrace = 60_000;

/** An assertion that was issued longer ago is too old. */
export const mostAssertionAge = 600_000;

/** From an assertion's issue to its expiry. */
export const mostAssertionLifetime = 3_600_000;
