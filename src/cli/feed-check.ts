/** Checks a folder's feed for `colophon check`: whether a server accepts it, and every warning about it with its line. */
import { createReleaseIndex } from '../catalog/release-index.ts';
import type { Content } from '../content/content.ts';
import type { Fault } from '../content/fault.ts';
import type { YamlDocument } from '../content/yaml.ts';
import { isUnder } from '../feed/address.ts';
import type { FeedSnapshot, FeedWarning } from '../feed/release.ts';
import { inspectFeed } from './feed-inspection.ts';
import { placeholderArchive } from './starter-texts.ts';

/** The feed to check, and how. */
export interface FeedCheck {
  readonly content: Content;
  /** product.yaml, for the places of its values. */
  readonly product: YamlDocument;
  /** The origin that the folder will be served at. */
  readonly baseUrl: string;
  /** Whether a feed at a URL is left out. */
  readonly isOffline: boolean;
}

/** Reads the feed once and returns its errors and warnings. */
export async function checkFeed(options: FeedCheck): Promise<{ faults: Fault[]; warnings: Fault[] }> {
  const { content, product, baseUrl, isOffline } = options;
  const { source } = content.product.feed;
  const place = { file: 'product.yaml', ...product.at(['feed', 'source']) };
  const isRemote = /^https?:/.test(source);
  if (isUnder(source, baseUrl)) {
    const message = `the feed is under this server’s own origin, ${baseUrl}: the server would read itself. Use the URL where the feed is published.`;
    return { faults: [{ ...place, message }], warnings: [] };
  }
  if (isOffline && isRemote) return { faults: [], warnings: [] };
  const inspection = await inspectFeed(content, null);
  if (inspection.kind === 'refused')
    return { faults: [{ ...place, message: `the feed is rejected: ${inspection.problem}` }], warnings: [] };
  if (inspection.kind === 'failed') return { faults: [], warnings: [{ ...place, message: inspection.problem }] };
  const { snapshot } = inspection;
  const toFault = ({ line, message }: FeedWarning): Fault =>
    isRemote
      ? { ...place, message: `the feed${line === null ? '' : `, line ${line}`}: ${message}` }
      : { file: source, line: line ?? 1, column: 1, message };
  const warnings = feedWarnings(content, snapshot).map(toFault);
  const signature = signatureWarning(content, snapshot);
  if (signature !== null) warnings.push({ ...place, message: signature });
  return { faults: [], warnings };
}

/** Returns every warning that a server logs about the feed and its releases. */
export const feedWarnings = (content: Content, snapshot: FeedSnapshot): FeedWarning[] => [
  ...snapshot.warnings,
  ...createReleaseIndex(content, snapshot).warnings,
  ...snapshot.releases
    .filter(({ downloadUrl }) => downloadUrl === placeholderArchive)
    .map(({ line, version }) => ({
      line,
      message: `Release ${version} is the placeholder of colophon init. Replace it with your own appcast, or set feed.source in product.yaml to its URL.`,
    })),
];

/** Returns why the signature does not protect the feed, or null if it does or product.yaml allows an unsigned feed. */
function signatureWarning({ product }: Content, { verifiedBy, isSigned }: FeedSnapshot): string | null {
  const { public_keys: keys, signature } = product.feed;
  if (verifiedBy !== null) return null;
  if (isSigned) {
    return keys.length === 0
      ? 'the feed is signed and its signature is not checked: add your SUPublicEDKey to `feed.public_keys`.'
      : 'the feed is signed and its signature is not checked: remove `signature: off` from product.yaml.';
  }
  if (signature !== undefined) return null;
  return 'the feed is not signed (feed signatures need Sparkle 2.9): whoever can change it decides what is downloaded. Sign it and add your SUPublicEDKey to `feed.public_keys`; or set `signature: optional` to serve it unsigned.';
}

/** Returns the state of the signature in a few words. */
export const describeSignature = ({ verifiedBy, isSigned }: FeedSnapshot): string =>
  verifiedBy !== null ? 'good' : isSigned ? 'not checked' : 'none: the feed is not signed';
