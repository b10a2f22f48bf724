/** The thread that reads large text files while a server reloads its folder. */
import { parentPort } from 'node:worker_threads';
import { readMarkdown } from './markdown-file.ts';
import { readYamlFile } from './yaml-file.ts';

export interface TextTask {
  readonly path: string;
  readonly text: string;
}

parentPort?.on('message', ({ path, text }: TextTask) => {
  parentPort?.postMessage(path.endsWith('.md') ? readMarkdown(path, text) : readYamlFile(path, text));
});
