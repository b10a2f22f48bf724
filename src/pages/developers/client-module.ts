/** The API's own client, as the one file that browsers, Deno and Bun import from this server. */
import { readFileSync } from 'node:fs';

export const clientModulePath = '/developers/client.js';

/** In the sources and in the package alike, the file is at this place below the root. */
const file = new URL('../../../packages/client/dist/client.js', import.meta.url);

let text: string | null = null;

/** Read once: it changes only with the program. */
export function clientModule(): string {
  text ??= readFileSync(file, 'utf8');
  return text;
}
