/** Parses the files of releases that a source lists, all but their notes; a large source in a worker. */
import type { Workers } from '../worker/pool.ts';
import { sliceItems } from '../worker/slices.ts';
import { type Task, type TaskContext, WorkerError } from '../worker/task.ts';
import { parseElectronBuilder } from './electron-builder.ts';
import { FeedFault } from './fault.ts';
import { parseGithub } from './github.ts';
import { getLabel, type ItemOptions, type ParsedItem, type ParsedItems, parseItem } from './parse-item.ts';
import { isXml, type Recognized, recognizeSource } from './recognition.ts';
import type { FeedWarning } from './release.ts';
import { parseTauri } from './tauri.ts';
import { isRelative } from './web-address.ts';
import { findChildren, getAttribute, readXml, selectLanguage, type XmlNode } from './xml.ts';

const maxItems = 5000;

/** Bytes that are read in some ten milliseconds, which needs no worker: of XML, and of YAML or JSON. */
const maxInlineBytes = 200_000;
const maxInlineTextBytes = 8000;

interface FeedBytes {
  readonly content: Uint8Array;
  readonly options: ItemOptions;
}

type Reply = Omit<ParsedItems, 'items'> | { readonly refused: string };

/** Reads the items of a large feed, which are the pieces of the output: 8 MiB take one second, half a million tags four. */
export const feedItemsTask: Task<FeedBytes, Reply> = {
  name: 'feed_items',
  worker: 'render',
  budgetMs: 15_000,
};

/**
 * Parses a source as `parseItems` does, without holding up the event loop. `content` is the source's bytes without its signature
 * block.
 *
 * @throws FeedFault (`refused`) as `parseItems` does, and for a WorkerError, such as that of a source which takes more than its
 * budget; any other error of the worker comes through
 */
export async function parseItemsApart(
  content: Uint8Array,
  options: ItemOptions,
  workers: Pick<Workers, 'run'>,
): Promise<ParsedItems> {
  const isSmall = content.length <= (isXml(content) ? maxInlineBytes : maxInlineTextBytes);
  if (isSmall) return parseItems(content, options);
  const items: ParsedItem[] = [];
  const onPiece = (piece: unknown) => items.push(...(piece as readonly ParsedItem[]));
  const reply = await workers.run(feedItemsTask, { content, options }, { onPiece }).catch((error: unknown) => {
    if (!(error instanceof WorkerError)) throw error;
    throw new FeedFault('refused', 'The feed takes too long to read.', { cause: error });
  });
  if ('refused' in reply) throw new FeedFault('refused', reply.refused);
  return { ...reply, items };
}

/**
 * Parses a feed in the worker, as `feedItemsTask` describes. Sends the items in parts and returns the rest, or an object with only
 * `refused`, the message of the FeedFault; rejects with any other error.
 */
export async function readFeedBytes({ content, options }: FeedBytes, { send }: TaskContext): Promise<Reply> {
  try {
    const { items, ...parsed } = parseItems(content, options);
    for (const slice of sliceItems(items, ({ notes }) => 1000 + (notes?.text.length ?? 0))) await send(slice);
    return parsed;
  } catch (error) {
    if (error instanceof FeedFault) return { refused: error.message };
    throw error;
  }
}

/**
 * Parses the items of a source. One without a processor, in its file name too, or without a channel has that of `options`, if any;
 * a warning counts downloads over plain http. `content` is the source's bytes without its signature block.
 *
 * @throws FeedFault (`refused`) if it is no source that is known, or not a valid one
 */
export function parseItems(content: Uint8Array, options: ItemOptions): ParsedItems {
  const source = parseRecognized(recognizeSource(content), content, options);
  const items = source.items.map((item, feedIndex): ParsedItem => {
    const { arch, namedArch, channel } = item.release;
    const hintedArch = namedArch === null ? options.arch : null;
    const release = { ...item.release, arch: arch ?? hintedArch ?? null, channel: channel ?? options.channel ?? null };
    return { ...item, release: { ...release, feedIndex } };
  });
  const insecure = items.filter(({ release }) => release.downloadUrl.startsWith('http:'));
  const [first] = insecure;
  if (first !== undefined)
    source.warnings.push({
      line: first.release.line,
      message: `${formatCount(insecure.length)} downloaded over plain http.`,
    });
  return { ...source, items };
}

function parseRecognized(recognition: Recognized, content: Uint8Array, options: ItemOptions): ParsedItems {
  switch (recognition.kind) {
    case 'appcast':
      return parseAppcast(content, options);
    case 'electron-builder':
      return parseElectronBuilder(recognition.text, options);
    case 'tauri':
      return parseTauri(recognition.value, options);
    case 'github':
      return parseGithub(recognition.value, options);
  }
}

function parseAppcast(content: Uint8Array, options: ItemOptions): ParsedItems {
  const root = readXml(content);
  if (root.name !== 'rss')
    throw new FeedFault('refused', `The feed is not an appcast: its root is <${root.name}>, not <rss>.`);
  const nodes = findChildren(root, 'channel').flatMap((channel) => findChildren(channel, 'item'));
  if (nodes.length > maxItems) {
    throw new FeedFault('refused', `The feed has ${nodes.length} items and at most ${maxItems} are read.`);
  }
  const warnings: FeedWarning[] = [];
  const items = parseNodes(nodes, options, warnings);
  return { kind: 'appcast', items, warnings, hasRelativeUrls: nodes.some(hasRelativeUrls) };
}

function parseNodes(nodes: readonly XmlNode[], options: ItemOptions, warnings: FeedWarning[]): ParsedItem[] {
  const items: ParsedItem[] = [];
  for (const [index, node] of nodes.entries()) {
    const item = selectLanguage(node, options.languages);
    const outcome = parseItem(item, index, options);
    const { line } = node;
    const label = `Item ${getLabel(item, index)}`;
    if (outcome.kind === 'skipped') warnings.push({ line, message: `${label} is skipped: ${outcome.why}.` });
    else {
      items.push(outcome);
      warnings.push(...outcome.warnings.map((warning) => ({ line, message: `${label}: ${warning}.` })));
    }
  }
  return items;
}

const formatCount = (count: number): string => (count === 1 ? '1 item is' : `${count} items are`);

const linkNames = ['link', 'sparkle:releaseNotesLink', 'sparkle:fullReleaseNotesLink'];

function hasRelativeUrls(item: XmlNode): boolean {
  const enclosures = [item, ...findChildren(item, 'sparkle:deltas')].flatMap((parent) =>
    findChildren(parent, 'enclosure'),
  );
  const urls = [
    ...enclosures.map((enclosure) => getAttribute(enclosure, 'url')),
    ...linkNames.flatMap((name) => findChildren(item, name).map((link) => link.text.trim())),
  ];
  return urls.some((url) => url && isRelative(url));
}
