/** Stores the last good copy of a feed, with what is needed to refuse an older one after a restart. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { createDurableFile, syncDirectory } from '../base/durable-file.ts';
import { sha256Hex } from '../base/hash.ts';
import type { FeedTable, StoredCopy } from '../store/postgres/feeds.ts';

const metadataSchema = z.object({
  /** SHA-256 (hex) of the content. A copy with another hash was changed on disk. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** The address that the bytes came from after redirects, null for a file; a validator is null if the response lacked it. */
  url: z.string().nullable(),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  /** When the copy was last known to be current, in milliseconds since 1970. */
  savedAt: z.number(),
  /** Whether a signed copy was ever accepted: then an unsigned one never is. */
  signed: z.boolean(),
  /** The kind of source that the copy is of. */
  kind: z.enum(['appcast', 'electron-builder', 'tauri', 'github', 'folder']).default('appcast'),
  /** The URL that relative ones in the copy start at, if it is not `url`. */
  address: z.string().nullable().default(null),
  /** The highest build of the default channel in the accepted copy, or of all channels if that is empty. */
  highestBuild: z.string(),
  /** SHA-256 (hex) of earlier contents, newest last. */
  superseded: z.array(z.string()),
  /** Notes that the feed links to, by the key of their link. */
  notes: z
    .array(
      z.object({
        key: z.string(),
        text: z.string(),
        format: z.enum(['markdown', 'plain-text', 'html']),
        url: z.string().nullable(),
        base: z.string().nullable(),
      }),
    )
    .default([]),
});

type FeedMetadata = Readonly<z.infer<typeof metadataSchema>>;

/**
 * A copy of a source with the facts that later copies are compared with. In its metadata, `url`, `etag` and `lastModified` are null
 * for a file or where the response lacked them, and `address` is null if it is `url`.
 */
export interface StoredFeed {
  /** The file as it was received, signature included. */
  readonly bytes: Buffer;
  readonly metadata: FeedMetadata;
}

/** A place for the last good copies of feeds. Its functions may reject; the feed continues without what failed. */
export interface FeedStorage {
  /** Returns the copy, or null if none has this key. Rejects if it cannot be read. */
  load(key: string): Promise<StoredFeed | null>;
  /** Replaces the copy as a whole: after a crash there is the old one or the new one. */
  save(key: string, copy: StoredFeed): Promise<void>;
  /** Records that the copy was current at `time`, in milliseconds since 1970. Absent in a storage that stores no such time. */
  touch?(key: string, time: number): Promise<void>;
}

/** A storage that stores nothing. */
export const noStorage: FeedStorage = { load: async () => null, save: async () => {} };

/**
 * Creates the storage in `table`, which all processes on one database share. It has no `touch`; its `load` rejects with what
 * `parseStored` throws.
 */
export function createTableStorage(table: Pick<FeedTable, 'load' | 'save'>): FeedStorage {
  return {
    async load(key) {
      const storedCopy = await table.load(key);
      return storedCopy === undefined ? null : parseStored(storedCopy);
    },
    save: (key, { bytes, metadata }) => table.save(key, JSON.stringify(metadata), bytes),
  };
}

/** Parses a row of the table. Throws a SyntaxError if its metadata is no JSON, and a ZodError if it does not fit the schema. */
export const parseStored = ({ bytes, metadata }: StoredCopy): StoredFeed => ({
  bytes: Buffer.from(bytes),
  metadata: metadataSchema.parse(JSON.parse(metadata)),
});

/**
 * Creates a storage of one file for each copy, `feed-<key>`: a line of JSON, then the feed's bytes. The file's time is that of the
 * last successful check: `touch` sets it, and `load` returns it as `savedAt`. The first copy that is saved creates `directory`.
 */
export function createFileStorage(directory: string): FeedStorage {
  const getPath = (key: string): string => join(directory, `feed-${key}`);
  return {
    async load(key) {
      const file = await readFile(getPath(key)).catch((thrown: NodeJS.ErrnoException) => {
        if (thrown.code === 'ENOENT') return null;
        throw thrown;
      });
      if (file === null) return null;
      const end = file.indexOf('\n');
      const metadata = metadataSchema.parse(JSON.parse(file.subarray(0, Math.max(end, 0)).toString()));
      const { mtimeMs } = await stat(getPath(key));
      return { bytes: file.subarray(end + 1), metadata: { ...metadata, savedAt: Math.round(mtimeMs) } };
    },
    touch: (key, time) => utimes(getPath(key), time / 1000, time / 1000),
    async save(key, copy) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const temporary = `${getPath(key)}.${randomBytes(6).toString('hex')}.tmp`;
      try {
        await createDurableFile(
          temporary,
          Buffer.concat([Buffer.from(`${JSON.stringify(copy.metadata)}\n`), copy.bytes]),
        );
        await rename(temporary, getPath(key));
      } catch (thrown) {
        await rm(temporary, { force: true });
        throw thrown;
      }
      await syncDirectory(directory);
    },
  };
}

/**
 * Returns the key of a source's copy, a SHA-256 in hexadecimal digits. Another source or other public keys, whatever their order,
 * have another one.
 */
export const createCacheKey = (source: string, publicKeys: readonly string[]): string =>
  sha256Hex(JSON.stringify([source, [...publicKeys].sort()]));
