/** The envelope of every listing, and paging through a sorted one by key. */
import { z } from 'zod';
import { maxCursorLength } from '../catalog/cursor.ts';
import { kind } from './text.ts';

export const paginationSchema = z
  .object({
    limit: z.int().min(0).max(10_000).describe('The limit applied.'),
    has_more: z.boolean().describe('Whether more items follow.'),
    next_cursor: z.string().min(1).max(maxCursorLength).nullable().describe('Opaque; null when has_more is false.'),
  })
  .describe('The position in the list, and the cursor of the next page.');

/** A list of `item`. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z.object({
    object: kind('list'),
    data: z.array(item).max(10_000).describe('The items.'),
    pagination: paginationSchema,
  });

export function listBody<T>(data: T[], limit: number, nextCursor: string | null) {
  return {
    object: 'list' as const,
    data,
    pagination: { limit, has_more: nextCursor !== null, next_cursor: nextCursor },
  };
}
