/** Reads a feed's items: of a small feed at once, of a large one in a thread, while the event loop serves requests. */
import { type Clock, systemClock } from '../base/clock.ts';
import { moduleBeside } from '../base/task-process.ts';
import { startTaskThread, ThreadFailure } from '../base/task-thread.ts';
import { type Drafts, draftsIn } from './drafts.ts';
import type { DraftsReply, DraftsTask } from './drafts-thread.ts';
import { FeedFault } from './fault.ts';
import type { ItemOptions } from './item.ts';

/** Bytes that are read in some ten milliseconds. */
const mostAtOnce = 200_000;
/** Milliseconds of processor time; 8 MiB take one second, half a million tags four. */
const budgetMs = 15_000;

/** Throws a FeedFault (`refused`) when it is no appcast at all, or takes more than its budget. */
export async function readDrafts(
  content: Uint8Array,
  options: ItemOptions,
  clock: Clock = systemClock,
): Promise<Drafts> {
  if (content.length <= mostAtOnce) return draftsIn(content, options);
  const thread = startTaskThread<DraftsReply>(moduleBeside(import.meta, 'drafts-thread'), clock);
  try {
    thread.post({ content, options } satisfies DraftsTask);
    const reply = await thread.next(budgetMs);
    if ('refused' in reply) throw new FeedFault('refused', reply.refused);
    return reply.drafts;
  } catch (thrown) {
    if (!(thrown instanceof ThreadFailure)) throw thrown;
    throw new FeedFault('refused', 'The feed takes too long to read.', { cause: thrown });
  } finally {
    thread.stop();
  }
}
