/** Renders pages in a worker: a long page or the grammar of a language would hold up every other request. */
import { sha256Hex } from '../base/hash.ts';
import type { Log } from '../base/log.ts';
import { createOldest } from '../base/oldest.ts';
import { messageOf } from '../base/thrown.ts';
import type { Workers } from '../worker/pool.ts';
import type { Task } from '../worker/task.ts';
import type { Rendering, RenderingTask } from './rendering.ts';

export type Renderer = Rendering;

/** Renders a text of a page: a page of 1 MB takes three or four seconds. */
const pagesTask: Task<RenderingTask, unknown> = { name: 'pages', thread: 'render', budgetMs: 10_000 };

/** Characters of what was rendered, kept whatever revision it was rendered for. */
const mostKept = 4_000_000;

export interface RendererOptions {
  readonly workers: Pick<Workers, 'run'>;
  readonly log: Log;
}

/** What cannot be rendered within its budget is shown as it is written, and the log says so. */
export function createRenderer({ workers, log }: RendererOptions): Renderer {
  const kept = new Map<string, Promise<unknown>>();
  const sizes = new Map<string, number>();
  const oldest = createOldest(kept);
  let size = 0;

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
    const made = workers.run(pagesTask, task).catch((error: unknown) => {
      log.warn({ error: messageOf(error), length: text.length }, 'a text could not be rendered');
      forget(key);
      return null;
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
  };
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
