/** What may be thrown is not always an error. */

/** The message of whatever was thrown. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** What was behind whatever was thrown, as the API's own errors say it; else the thing itself. */
export const causeOf = (thrown: unknown): unknown =>
  thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown;
