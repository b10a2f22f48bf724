/** Renders pages in a worker: a long page or the grammar of a language would hold up every other request. */
import { LRUCache } from 'lru-cache';
import { escapeHtml } from '../base/escape-html.ts';
import { sha256Hex } from '../base/hash.ts';
import type { Log } from '../base/log.ts';
import { messageOf } from '../base/thrown.ts';
import type { Workers } from '../worker/pool.ts';
import type { Task } from '../worker/task.ts';
import type { Rendering, RenderingTask } from './rendering.ts';

export type Renderer = Rendering;

/** Renders a text of a page: a page of 1 MB takes three or four seconds. */
const pagesTask: Task<RenderingTask, unknown> = { name: 'pages', worker: 'render', budgetMs: 10_000 };

/** Maximum number of characters of the cached texts; they depend on no revision. */
const maxCachedCharacters = 4_000_000;

export interface RendererOptions {
  readonly workers: Pick<Workers, 'run'>;
  readonly log: Log;
}

/** What cannot be rendered within its budget is shown as it is written, and the log says so. */
export function createRenderer({ workers, log }: RendererOptions): Renderer {
  const cache = new LRUCache<string, Promise<unknown>>({ maxSize: maxCachedCharacters });
  const rendered = (task: RenderingTask): Promise<unknown> => {
    const text = JSON.stringify(task);
    const key = sha256Hex(text);
    const known = cache.get(key);
    if (known !== undefined) return known;
    const made = workers.run(pagesTask, task).catch((error: unknown) => {
      log.warn({ error: messageOf(error), length: text.length }, 'a text could not be rendered');
      cache.delete(key);
      return null;
    });
    // Two characters of HTML for one of markdown.
    cache.set(key, made, { size: 3 * text.length });
    return made;
  };

  return {
    async prose(task) {
      const found = await rendered(task);
      return typeof found === 'string' ? found : `<pre tabindex="0">${escapeHtml(task.markdown)}</pre>`;
    },
    async html(texts) {
      const found = await rendered({ kind: 'html', texts });
      return texts.map((text, index) => {
        const one: unknown = Array.isArray(found) ? found[index] : null;
        return typeof one === 'string' ? one : `<pre>${escapeHtml(text)}</pre>`;
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
