/** Reads the release lists in test/fixtures/releases/ as a server reads its sources, for a product that runs on every system. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createReleaseIndex, type ReleaseIndex } from '../../src/catalog/release-index.ts';
import type { Content } from '../../src/content/content.ts';
import { productSchema, readProduct } from '../../src/content/product-schema.ts';
import { createNotesReader } from '../../src/feed/notes.ts';
import type { SourceHints } from '../../src/feed/parse-item.ts';
import type { FeedSnapshot } from '../../src/feed/release.ts';
import { noHistory, type VerificationRules, verifyFeed } from '../../src/feed/verify-feed.ts';
import { createContent } from './catalog-samples.ts';
import { createSharedWorkers } from './shared-workers.ts';

const folder = join(import.meta.dirname, '..', 'fixtures', 'releases');
const workers = createSharedWorkers();

/** A file of the fixtures. */
export interface ReleaseFixture {
  /** Its path below the folder, such as `tauri/ItsDasp__haku-releases__latest.json`. */
  readonly path: string;
  /** The name of the folder that the file is in, such as `tauri`, which is the format of the file. */
  readonly kind: string;
  /** Its name in its repository, such as `latest.json`. */
  readonly name: string;
  readonly bytes: Buffer;
}

/** The release lists in test/fixtures/releases/. */
export const releaseFixtures: readonly ReleaseFixture[] = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name: kind }) =>
    readdirSync(join(folder, kind)).map((file) => ({
      path: `${kind}/${file}`,
      kind,
      name: file.split('__').at(-1)?.split('_').at(-1) ?? file,
      bytes: readFileSync(join(folder, kind, file)),
    })),
  );

/**
 * Reads bytes as a server reads a source with this file name, without signatures unless the rules say otherwise, and returns its
 * snapshot. Rejects with a FeedFault if it cannot be read.
 */
export async function readSource(
  bytes: string | Buffer,
  name: string,
  { hints = {}, ...rules }: Partial<VerificationRules> & { readonly hints?: SourceHints } = {},
): Promise<FeedSnapshot> {
  const source = `https://larder.example/${name}`;
  const settings = { source, publicKeys: [], policy: 'off' as const, ...rules };
  const readOptions = { ...hints, address: source, languages: [], notes: createNotesReader(workers), workers };
  const verifiedFeed = await verifyFeed(Buffer.from(bytes), null, noHistory, settings, readOptions);
  if (verifiedFeed === null) throw new Error('the source is the current one');
  return verifiedFeed.snapshot;
}

/** A product that runs on every system and processor. */
export const allSystemsContent: Content = createContent({
  product: readProduct(
    productSchema.parse({
      name: 'Larder',
      tagline: 'Food',
      description: 'Food in order.',
      vendor: { name: 'Vendor' },
      platform: { os: ['macOS', 'Windows', 'Linux'] },
      minimums: {
        macOS: { os_version: '10.13', arch: ['arm64', 'x86_64'] },
        Windows: { os_version: '10', arch: ['arm64', 'x86_64'] },
        Linux: { arch: ['arm64', 'x86_64'] },
      },
      feed: { source: 'appcast.xml' },
    }),
  ),
});

/** Indexes the releases of a source for `allSystemsContent`. */
export const indexSource = (snapshot: FeedSnapshot): ReleaseIndex => createReleaseIndex(allSystemsContent, snapshot);
