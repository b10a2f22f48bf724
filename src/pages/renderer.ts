/** Renders texts in a worker, because a long text or the grammar of a language would delay every other request. */
import { LRUCache } from 'lru-cache';
import { escapeHtml } from '../base/escape-html.ts';
import { sha256Hex } from '../base/hash.ts';
import type { Log } from '../base/log.ts';
import { getMessage } from '../base/thrown.ts';
import type { Workers } from '../worker/pool.ts';
import type { Task } from '../worker/task.ts';
import type { CodeBlock, ProseTask, RenderingTask } from './rendering.ts';

/** A renderer of texts and code as HTML in a worker, with a cache of what was rendered before. No method rejects. */
export interface Renderer {
  /** Returns the plain safe HTML of each Markdown text, in order; each text as it is written, in `pre`, if rendering fails. */
  html(texts: readonly string[]): Promise<readonly string[]>;
  /** Returns a Markdown text as safe HTML for a page of the site; the text as it is written, in `pre`, if rendering fails. */
  prose(task: ProseTask): Promise<string>;
  /** Returns the HTML of each block with its colors, or null for a block that stays plain. */
  code(blocks: readonly CodeBlock[]): Promise<readonly (string | null)[]>;
}

/** The task that renders a text of a page in the worker `render`: a page of 1 MB takes three or four seconds. */
const pagesTask: Task<RenderingTask, unknown> = { name: 'pages', worker: 'render', budgetMs: 10_000 };

/** Maximum number of characters of the cached texts; they depend on no revision. */
const maxCachedCharacters = 4_000_000;

/** The workers and the log that rendering needs. */
export interface RendererOptions {
  readonly workers: Pick<Workers, 'run'>;
  readonly log: Log;
}

/**
 * Creates a renderer. If a call fails or exceeds its time budget, its texts are shown as they are written, its blocks stay plain,
 * and the log names the error.
 */
export function createRenderer({ workers, log }: RendererOptions): Renderer {
  const cache = new LRUCache<string, Promise<unknown>>({ maxSize: maxCachedCharacters });
  const render = (task: RenderingTask): Promise<unknown> => {
    const text = JSON.stringify(task);
    const key = sha256Hex(text);
    const cachedResult = cache.get(key);
    if (cachedResult !== undefined) return cachedResult;
    const result = workers.run(pagesTask, task).catch((error: unknown) => {
      log.warn({ error: getMessage(error), length: text.length }, 'a text could not be rendered');
      cache.delete(key);
      return null;
    });
    // The size is estimated from the task: the HTML has about two characters for each of the Markdown.
    cache.set(key, result, { size: 2 * text.length });
    return result;
  };

  return {
    async prose(task) {
      const result = await render(task);
      return typeof result === 'string' ? result : `<pre tabindex="0">${escapeHtml(task.markdown)}</pre>`;
    },
    async html(texts) {
      const result = await render({ kind: 'html', texts });
      return texts.map((text, index) => {
        const one: unknown = Array.isArray(result) ? result[index] : null;
        return typeof one === 'string' ? one : `<pre>${escapeHtml(text)}</pre>`;
      });
    },
    async code(blocks) {
      const result = await render({ kind: 'code', blocks });
      return blocks.map((_, index) => {
        const one: unknown = Array.isArray(result) ? result[index] : null;
        return typeof one === 'string' ? one : null;
      });
    },
  };
}
