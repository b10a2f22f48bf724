/** What may be thrown is not always an error. */

/** The message of whatever was thrown. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** The same for an answer to whoever sent what is at fault, which may stand in it: 160 characters of ASCII at most. */
export const shownMessageOf = (thrown: unknown): string =>
  messageOf(thrown)
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, 160);

/** What was behind whatever was thrown, as the API's own errors say it; else the thing itself. */
export const causeOf = (thrown: unknown): unknown =>
  thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown;
