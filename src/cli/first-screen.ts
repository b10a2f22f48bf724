/** Formats the text that `colophon serve` prints on a terminal: what is served, where, who can reach it, and three next commands. */
import { isLoopback } from '../base/loopback.ts';
import type { ServerAddress } from './log.ts';
import type { Paint } from './terminal.ts';

/** Why the example product is served. */
export const exampleNote = 'the example product, because no folder was named and this one has no product.yaml';

/**
 * Returns the text that `colophon serve` prints on a terminal once it serves: several lines between two empty ones.
 *
 * @param address its `adminUrl` adds a line for operators, which is missing if it is null
 * @param folder the content folder's path from the current folder, or null for the example product
 */
export function formatFirstScreen(address: ServerAddress, folder: string | null, paint: Paint): string {
  const { productName, baseUrl, listenUrl, adminUrl } = address;
  const { hostname, port } = new URL(listenUrl);
  const reach = isLoopback(hostname)
    ? 'this machine only, until you put a proxy in front and set BASE_URL'
    : `every machine that reaches port ${port} of this one`;
  const first = folder === null ? ['init my-app', 'creates your own'] : [`check ${folder}`, 'lists what is missing'];
  const next = [
    first,
    [`dev ${folder ?? 'my-app'}`, 'shows changes and errors while you edit'],
    [`check ${baseUrl}`, 'checks this server as its callers see it'],
  ];
  const width = Math.max(...next.map(([command = '']) => command.length));
  return [
    '',
    paint('bold', `Colophon serves ${productName} at ${baseUrl}`),
    `  Content:   ${folder ?? exampleNote}`,
    `  Reached by ${listenUrl === baseUrl ? reach : `a proxy, at ${listenUrl}; ${reach}`}`,
    ...(adminUrl === null ? [] : [`  Operators: ${adminUrl}/readyz, /metrics, /searches`]),
    '',
    ...next.map(([command = '', what]) => `  ${paint('cyan', `npx colophon ${command.padEnd(width)}`)}  ${what}`),
    '',
    '',
  ].join('\n');
}
