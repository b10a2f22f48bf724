/** Bodies of earlier GETs with their entity tags, the least recently used ones dropped first. */

export interface CachedBody {
  readonly etag: string;
  /** Parsed again for each caller, so that no caller can change what another one gets. */
  readonly text: string;
  readonly headers: Headers;
}

export interface ResponseCache {
  get(key: string): CachedBody | null;
  set(key: string, body: CachedBody): void;
}

export function createResponseCache(size: number): ResponseCache {
  const entries = new Map<string, CachedBody>();
  return {
    get(key) {
      const found = entries.get(key);
      if (found === undefined) return null;
      entries.delete(key);
      entries.set(key, found);
      return found;
    },
    set(key, body) {
      if (size <= 0) return;
      entries.delete(key);
      entries.set(key, body);
      const oldest = entries.keys().next();
      if (entries.size > size && oldest.done !== true) entries.delete(oldest.value);
    },
  };
}
