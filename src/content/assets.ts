/** The kinds of file that assets/ may hold. */
import { posix } from 'node:path';

const mediaTypes: ReadonlyMap<string, string> = new Map([
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
  ['.webp', 'image/webp'],
  ['.gif', 'image/gif'],
  ['.ico', 'image/x-icon'],
  ['.pdf', 'application/pdf'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
]);

/** `.svg, .png, …`, for messages. */
export const assetExtensions: string = [...mediaTypes.keys()].join(', ');

/** By the file's extension, or null for a kind that is not served. */
export const mediaTypeOf = (path: string): string | null => mediaTypes.get(posix.extname(path).toLowerCase()) ?? null;
