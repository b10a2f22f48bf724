/** Schemas that many responses share: bounded texts, discriminators, and the envelope of every listing. */
import { z } from 'zod';
import { maxCursorLength } from '../catalog/cursor.ts';

/** Creates the schema of a string of 1 to `max` characters, which zod counts in UTF-16 units. */
export const text = (max: number, description: string): z.ZodString => z.string().min(1).max(max).describe(description);

/** Creates the schema of the field `object`, whose only value `name` says what kind of object a body is. */
export const createKindSchema = <T extends string>(name: T): z.ZodLiteral<T> =>
  z.literal(name).describe('The object’s type.');

/** Creates the schema of an OS version: at most three numbers, of which Windows has long ones; `0` for Linux, which has no versions. */
export const osVersionText = (description: string): z.ZodString =>
  z
    .string()
    .regex(/^\d{1,3}(\.\d{1,7}){0,2}$/)
    .describe(description);

/** The schema of a page's place in its listing. */
export const paginationSchema = z
  .object({
    limit: z.int().min(0).max(10_000).describe('The limit applied.'),
    has_more: z.boolean().describe('Whether more items follow.'),
    next_cursor: z.string().min(1).max(maxCursorLength).nullable().describe('Opaque; null when has_more is false.'),
  })
  .describe('The position in the list, and the cursor of the next page.');

/** Creates the schema of a list in a response: `object`, `data` with the items of a page, and `pagination`. */
export const createListSchema = <T extends z.ZodType>(item: T) =>
  z.object({
    object: createKindSchema('list'),
    data: z.array(item).max(10_000).describe('The items.'),
    pagination: paginationSchema,
  });

/**
 * Returns the body of a list: `object`, `data` and `pagination`. A `nextCursor` of null says that no page follows; without it and
 * `limit`, the whole list is on one page.
 */
export function listBody<T>(data: T[], limit = data.length, nextCursor: string | null = null) {
  return {
    object: 'list' as const,
    data,
    pagination: { limit, has_more: nextCursor !== null, next_cursor: nextCursor },
  };
}

/** Creates the schema of an object of a response with these fields and this description. */
export const object = <T extends z.core.$ZodLooseShape>(description: string, shape: T) =>
  z.object(shape).describe(description);

/** Creates the schema of an array of at most `max` objects with the fields of `shape`; the description is that of the array. */
export const objects = <T extends z.core.$ZodLooseShape>(description: string, max: number, shape: T) =>
  z.array(z.object(shape)).max(max).describe(description);
