/** The thread that reads large feeds: bytes come in, the items go out, or why the feed is refused. */
import { parentPort } from 'node:worker_threads';
import { type Drafts, draftsIn } from './drafts.ts';
import { FeedFault } from './fault.ts';
import type { ItemOptions } from './item.ts';

export interface DraftsTask {
  readonly content: Uint8Array;
  readonly options: ItemOptions;
}

export type DraftsReply = { readonly drafts: Drafts } | { readonly refused: string };

parentPort?.on('message', ({ content, options }: DraftsTask) => parentPort?.postMessage(replyTo(content, options)));

function replyTo(content: Uint8Array, options: ItemOptions): DraftsReply {
  try {
    return { drafts: draftsIn(content, options) };
  } catch (thrown) {
    if (thrown instanceof FeedFault) return { refused: thrown.message };
    throw thrown;
  }
}
