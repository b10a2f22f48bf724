/** Limits of every request, as constants for checks, schemas and texts. */

/** Maximum size of a request's body, in bytes; one more is 413. */
export const maxBodyBytes = 65_536;

/** Maximum size of request line and header fields together, in bytes. */
export const maxHeadBytes = 16_384;

/** Maximum number of operations in a batch. */
export const maxBatchOperations = 20;

/** Number of items on a page of a list. */
export const listLimit = { default: 20, max: 100 };

/** Number of results on a page of search results. */
export const searchLimit = { default: 10, max: 50 };

/** Length of a search query, in code points. */
export const queryLength = { min: 2, max: 200 };

/** Maximum length of an Idempotency-Key, in characters. */
export const maxKeyCharacters = 255;

/** The pattern of an Idempotency-Key: visible ASCII characters. */
export const keyPattern = '^[\\x21-\\x7e]+$';

const visible = new RegExp(keyPattern);

/** Returns whether a header's value is a valid Idempotency-Key: 1 to 255 visible ASCII characters, including any quotes around it. */
export const isIdempotencyKey = (text: string): boolean => text.length <= maxKeyCharacters && visible.test(text);
