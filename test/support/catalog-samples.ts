/** Creates contents and feed snapshots for tests of the catalog; a test passes only the fields that matter to it. */
import type { Content } from '../../src/content/content.ts';
import { productSchema, readProduct } from '../../src/content/product-schema.ts';
import type { FeedRelease, FeedSnapshot } from '../../src/feed/release.ts';
import { defaultContent } from './content-folder.ts';

/** The parts of a product that tests change. */
export interface ProductParts {
  minimums?: { os_version: string; arch: ('arm64' | 'x86_64')[] };
  platform?: { tested_up_to?: string };
}

/**
 * Returns valid content with these parts, and with `product` in its product unless `parts` has one. Each part that is left out is a
 * small sample.
 */
export function createContent(parts: Partial<Content> = {}, product: ProductParts = {}): Content {
  return {
    ...defaultContent,
    releases: [],
    navigation: [],
    revision: 'a'.repeat(64),
    directory: '/content',
    product: readProduct(
      productSchema.parse({
        name: 'Example',
        tagline: 'An example',
        description: 'An example of a product.',
        vendor: { name: 'Vendor' },
        minimums: { os_version: '14.0', arch: ['arm64', 'x86_64'] },
        feed: { source: 'appcast.xml' },
        ...product,
      }),
    ),
    pages: [
      {
        file: 'docs/start.md',
        isDescribed: true,
        isSearchable: true,
        titleAnchor: null,
        slug: 'guides/start',
        title: 'Start',
        description: 'How to start.',
        order: 1,
        updated: '2026-01-02',
        links: [],
        markdown: '# Start\n\nOpen the lid.\n',
        source: '# Start\n\nOpen the lid.\n',
        headings: [{ level: 1, text: 'Start', anchor: 'start', isTab: false }],
        sections: [
          {
            heading: 'Start',
            anchor: 'start',
            level: 1,
            text: 'Open the lid. Wind the spring.',
            code: '',
            linkShare: 0,
          },
        ],
        wordCount: 4,
        placeholders: null,
        hash: '',
      },
    ],
    faq: [
      {
        id: 'why',
        category: 'Purpose',
        question: 'Why?',
        answer: 'For *fun*.',
        text: 'For fun.',
        markdown: 'For *fun*.',
        links: [],
        placeholders: null,
      },
    ],
    pricing: { plans: [], backends: [] },
    features: [],
    requirements: { disk_mb: 1, memory_mb: 1, permissions: [] },
    releaseNotes: new Map(),
    prompts: [],
    assets: new Map(),
    ...parts,
  };
}

/** Returns the snapshot of an unsigned feed with these items, whose missing fields have sample values. */
export function createFeed(items: readonly Partial<FeedRelease>[], sha256 = 'f'.repeat(64)): FeedSnapshot {
  const releases = items.map((item, index) => ({
    version: item.build ?? '1.0',
    build: '1.0',
    channel: null,
    title: null,
    publishedAtTime: '2026-03-01T10:00:00Z',
    notes: 'Notes.',
    notesFormat: 'markdown' as const,
    notesUrl: null,
    fullNotesUrl: null,
    isInformational: false,
    downloadUrl: `https://example.org/${index}.zip`,
    sizeBytes: 1,
    signature: null,
    minimumOsVersion: null,
    maximumOsVersion: null,
    hardware: [],
    source: 'appcast' as const,
    os: 'macOS' as const,
    arch: null,
    namedArch: null,
    format: 'zip' as const,
    sha256: null,
    sha512: null,
    critical: null,
    minimumUpdateBuild: null,
    minimumAutoupdateBuild: null,
    phasedRolloutSeconds: null,
    feedIndex: index,
    line: index + 10,
    ...item,
  }));
  return {
    kind: 'appcast',
    source: 'https://example.com/appcast.xml',
    sha256,
    revision: sha256,
    bytes: Buffer.alloc(0),
    address: null,
    hasRelativeUrls: false,
    notesLinks: [],
    releases,
    verifiedBy: null,
    isSigned: false,
    warnings: [],
  };
}
