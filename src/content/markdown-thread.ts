/** The thread that reads large markdown files while a server reloads its folder. */
import { parentPort } from 'node:worker_threads';
import { readMarkdown } from './markdown-file.ts';

export interface MarkdownTask {
  readonly path: string;
  readonly text: string;
}

parentPort?.on('message', ({ path, text }: MarkdownTask) => parentPort?.postMessage(readMarkdown(path, text)));
