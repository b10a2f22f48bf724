/** Opaque cursors: a place in a listing with a signature, so that a cursor that this service did not issue is refused. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../base/api-error.ts';
import { writeCanonicalJson } from '../base/canonical-json.ts';

/** The sort key of an item in a listing, by which a cursor knows the last item that was sent. */
export type SortKey = readonly (string | number)[];

/**
 * The functions that turn a place in a listing into a signed cursor and back. Reading throws an ApiError `invalid_cursor` for any
 * text that was not issued for that listing and filter.
 */
export type Cursors = ReturnType<typeof createCursors>;

/**
 * Creates the functions that issue and read cursors: `issue` and `read` for a place that is a sort key, `issueBytes` and
 * `readBytes` for one that is bytes. The filter is any JSON value. Issuing throws a RangeError if the cursor would have more than
 * 4096 characters, and reading an ApiError `invalid_cursor` for any text that was not issued for the same listing and filter.
 *
 * @param secret at least 32 bytes that every process and every restart shares; the length is not checked
 * @param previous the secret before it was replaced, whose cursors are still read
 */
export function createCursors(secret: Uint8Array, previous = secret) {
  // The secret signs other texts too; with a separate key, none of their signatures is valid for a cursor.
  const derive = (from: Uint8Array): Buffer => createHmac('sha256', from).update('colophon cursor').digest();
  const [key, previousKey] = [derive(secret), derive(previous)];
  const sign = (listing: string, filter: unknown, payload: Uint8Array, by = key) =>
    createHmac('sha256', by)
      .update(writeCanonicalJson([version, listing, filter]))
      .update('\0')
      .update(payload)
      .digest()
      .subarray(0, signatureBytes);

  /**
   * Issues a cursor like `issue`, for a listing whose place is not a sort key. Throws a RangeError if the cursor would have more
   * than 4096 characters.
   */
  const issueBytes = (listing: string, filter: unknown, place: Uint8Array): string => {
    const cursor = Buffer.concat([Buffer.of(version), sign(listing, filter, place), place]).toString('base64url');
    if (cursor.length > maxCursorLength) throw new RangeError(`A place of ${place.length} bytes is too long.`);
    return cursor;
  };
  const readBytes = (listing: string, filter: unknown, cursor: string): Uint8Array => {
    const bytes = cursor.length > maxCursorLength ? Buffer.alloc(0) : Buffer.from(cursor, 'base64url');
    // Node's decoder skips invalid characters and ignores spare bits, so a cursor that is encoded differently is refused.
    if (bytes.length <= 1 + signatureBytes || bytes[0] !== version || bytes.toString('base64url') !== cursor) {
      throw createCursorError();
    }
    const place = bytes.subarray(1 + signatureBytes);
    const signature = bytes.subarray(1, 1 + signatureBytes);
    const isSigned = (by = key): boolean => timingSafeEqual(signature, sign(listing, filter, place, by));
    if (!isSigned() && !isSigned(previousKey)) throw createCursorError();
    return place;
  };
  return {
    issueBytes,
    readBytes,
    /**
     * Issues a cursor for the items after `position` in the listing of that name under that filter (any JSON value). It stays
     * valid for as long as the secret. Throws a RangeError when it would come out longer than `read` takes.
     */
    issue: (listing: string, filter: unknown, position: SortKey): string =>
      issueBytes(listing, filter, Buffer.from(JSON.stringify(position))),
    /** Returns the position of a cursor that was issued for this listing and filter. Throws an ApiError `invalid_cursor` for any other. */
    read: (listing: string, filter: unknown, cursor: string): SortKey =>
      JSON.parse(Buffer.from(readBytes(listing, filter, cursor)).toString()),
  };
}

/** The layout: this byte, the signature, the place. */
const version = 1;
/** HMAC-SHA-256, cut to 128 bits (RFC 2104 section 5). */
const signatureBytes = 16;
/** Maximum length of a cursor, in characters; the schema of the parameter has the same. */
export const maxCursorLength = 4096;

function createCursorError(): ApiError {
  return new ApiError(
    'invalid_cursor',
    'This cursor was not issued for this listing with these parameters. Pass `pagination.next_cursor` back unchanged, with the same parameters, or leave `cursor` out to start from the beginning.',
  );
}
