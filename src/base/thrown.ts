/** Reads what was thrown, which is not always an error. */

/**
 * Returns the message of whatever was thrown. A connection to a host with several addresses fails with one error for each, and an
 * empty message.
 */
export function getMessage(thrown: unknown): string {
  if (thrown instanceof AggregateError) return thrown.errors.map(getMessage).join('; ');
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Returns the message in at most 160 characters of ASCII, for a response to the caller whose own bytes it may repeat. */
export const getShownMessage = (thrown: unknown): string =>
  getMessage(thrown)
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, 160);

/** Returns the cause of an error that has one, otherwise the error itself. */
export const getCause = (thrown: unknown): unknown =>
  thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown;
