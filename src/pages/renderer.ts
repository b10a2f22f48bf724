/** Renders pages in a separate process: a long page or the grammar of a language would hold up every other request. */
import type { Clock } from '../base/clock.ts';
import { sha256Hex } from '../base/hash.ts';
import type { Log } from '../base/log.ts';
import { createOldest } from '../base/oldest.ts';
import { createTaskProcess, moduleBeside } from '../base/task-process.ts';
import { type TaskMeter, uncounted } from '../base/task-tally.ts';
import type { Rendering } from './rendering.ts';
import type { RenderingTask } from './rendering-child.ts';

export interface Renderer extends Rendering {
  /** Ends the process. */
  stop(): void;
}

/** Milliseconds of processor time: a page of 1 MB takes three or four seconds. */
const budgetMs = 10_000;
/** The process keeps the grammars that it loaded, and its memory, for so long after the last page. */
const idleMs = 10_000;
/** Characters of what was rendered, kept whatever revision it was rendered for. */
const mostKept = 4_000_000;

export interface RendererOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly meter?: TaskMeter;
}

/** What cannot be rendered within its budget is shown as it is written, and the log says so. */
export function createRenderer({ clock, log, meter = uncounted }: RendererOptions): Renderer {
  const tasks = createTaskProcess<RenderingTask>({
    file: moduleBeside(import.meta, 'rendering-child'),
    clock,
    heapMegabytes: 512,
    niceness: 5,
    idleMs,
    meter,
  });
  const kept = new Map<string, Promise<unknown>>();
  const sizes = new Map<string, number>();
  const oldest = createOldest(kept);
  let size = 0;
  let hasStopped = false;

  const forget = (key = ''): void => {
    size -= sizes.get(key) ?? 0;
    sizes.delete(key);
    kept.delete(key);
  };
  const rendered = (task: RenderingTask): Promise<unknown> => {
    const text = JSON.stringify(task);
    const key = sha256Hex(text);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = tasks.run(task, budgetMs).then(({ message, usedMs }) => {
      const found = typeof message === 'object' && message !== null ? Reflect.get(message, 'rendered') : null;
      if ((found === null || found === undefined) && !hasStopped) {
        log.warn({ used_ms: Math.round(usedMs), length: text.length }, 'a text could not be rendered');
        forget(key);
      }
      return found;
    });
    kept.set(key, made);
    // Two characters of HTML for one of markdown.
    sizes.set(key, 3 * text.length);
    size += 3 * text.length;
    while (size > mostKept && kept.size > 1) forget(oldest.drop()?.[0]);
    return made;
  };

  return {
    async prose(task) {
      const found = await rendered(task);
      return typeof found === 'string' ? found : `<pre tabindex="0">${escaped(task.markdown)}</pre>`;
    },
    async html(texts) {
      const found = await rendered({ kind: 'html', texts });
      return texts.map((text, index) => {
        const one: unknown = Array.isArray(found) ? found[index] : null;
        return typeof one === 'string' ? one : `<pre>${escaped(text)}</pre>`;
      });
    },
    async code(blocks) {
      const found = await rendered({ kind: 'code', blocks });
      return blocks.map((_, index) => {
        const one: unknown = Array.isArray(found) ? found[index] : null;
        return typeof one === 'string' ? one : null;
      });
    },
    stop() {
      hasStopped = true;
      tasks.stop();
    },
  };
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
