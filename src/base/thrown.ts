/** Reads the message and the cause of a thrown value, which is not always an Error. */

/**
 * Returns the message of an error, or anything else that was thrown as text. An AggregateError, with which a connection to a host
 * with several addresses fails, always gives the messages of its errors, joined by `; `.
 */
export function getMessage(thrown: unknown): string {
  if (thrown instanceof AggregateError) return thrown.errors.map(getMessage).join('; ');
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/**
 * Returns the first 160 characters of the message, with `?` for each that is not printable ASCII, for a response to the caller
 * whose own bytes it may repeat.
 */
export const getShownMessage = (thrown: unknown): string =>
  getMessage(thrown)
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, 160);

/** Returns the cause of an error that has one, otherwise the error itself. */
export const getCause = (thrown: unknown): unknown =>
  thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown;
