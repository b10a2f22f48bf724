/** Limits that every request meets. Checks, schemas and texts take them from here. */

/** A body's bytes: this many pass, one more is 413. */
export const maxBodyBytes = 65_536;

/** The request line and header fields together, in bytes. */
export const maxHeadBytes = 16_384;

export const maxBatchOperations = 20;

/** A page of a list. */
export const listLimit = { preset: 20, most: 100 };

/** A page of search results. */
export const searchLimit = { preset: 10, most: 50 };

/** What is searched for, in code points. */
export const queryLength = { least: 2, most: 200 };

/** An Idempotency-Key: visible ASCII characters. */
export const mostKeyCharacters = 255;
export const keyPattern = '^[\\x21-\\x7e]+$';

const visible = new RegExp(keyPattern);

/** Quotes around it included. */
export const isIdempotencyKey = (text: string): boolean => text.length <= mostKeyCharacters && visible.test(text);
