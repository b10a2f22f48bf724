/** The envelope of every listing, and paging through a sorted one by key. */
import { z } from 'zod';

export const paginationSchema = z.object({
  limit: z.int().min(0).describe('The limit applied.'),
  has_more: z.boolean().describe('Whether more items follow.'),
  next_cursor: z.string().nullable().describe('Opaque; null when has_more is false.'),
});

/** A list of `item`. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z.object({
    object: z.literal('list'),
    data: z.array(item).describe('The items.'),
    pagination: paginationSchema,
  });

export function listBody<T>(data: T[], limit: number, nextCursor: string | null) {
  return {
    object: 'list' as const,
    data,
    pagination: { limit, has_more: nextCursor !== null, next_cursor: nextCursor },
  };
}
