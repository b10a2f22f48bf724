/** The error reference: an anchor for every code, what it means, whether to retry, and how to fix it. */
import { type Code, codes, problemCodes, retryStatuses } from '../../base/problem-codes.ts';
import { document, table } from '../../operations/markdown.ts';
import type { PageDocument } from '../page.ts';
import { productOf, type Site } from '../site.ts';
import { json } from './fence.ts';
import { guidePage } from './guide-page.ts';
import { answerTo } from './worked-example.ts';

export async function errorsPage(site: Site): Promise<PageDocument> {
  const { body } = await answerTo(site.production, '/releases?limit=250');
  const sorted = codes.toSorted((a, b) => problemCodes[a].status - problemCodes[b].status);
  const { baseUrl } = site;
  return guidePage(site, {
    path: '/developers/errors',
    title: 'Errors',
    description: `Every error code of the ${productOf(site).name} API: what it means, whether to retry, and how to fix it.`,
    parts: [
      document(
        'Look up what an error means and what to do next. Every error is a problem document ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)) whose `type` and `docs_url` link to its entry below.',
        json(body),
        'Branch on `code`. New codes can appear: handle an unknown code by its HTTP status. Only validation failures contain `errors`, with one entry per invalid field. `suggestions` lists near misses, best first. `retry_after` repeats the `Retry-After` header.',
        '## Retrying',
        table(
          ['Status', 'Retry?'],
          [
            [retryStatuses.after.join(', '), 'after the number of seconds in `Retry-After`'],
            [retryStatuses.backoff.join(', '), 'with exponential backoff and jitter'],
            ['all others', 'no: the same request would fail again'],
          ],
        ),
        '## All codes',
        table(
          ['Code', 'Status', 'Retry?'],
          sorted.map((code) => [
            `[\`${code}\`](${baseUrl}/developers/errors#${code})`,
            problemCodes[code].status,
            problemCodes[code].retry,
          ]),
        ),
        ...sorted.map(entry),
        '## Field errors',
        'Each entry of `errors` contains a `field`, a `detail` for people and a `code` for programs:',
        table(
          ['Code', 'What is wrong with the field'],
          [
            ['`required`', 'it is missing'],
            ['`out_of_range`', 'it is too small, too large, too short or too long'],
            ['`malformed`', 'it has the wrong type or format'],
            ['`invalid_value`', 'it is not one of the allowed values'],
            ['`repeated`', 'it was given more than once'],
            ['`unknown`', 'it is not known, in an object that does not allow unknown fields'],
          ],
        ),
        '## MCP errors',
        'The MCP servers return JSON-RPC errors. A tool that runs but fails returns a normal result with `isError: true` and a text that explains what to do next.',
        table(
          ['Code', 'Meaning'],
          [
            ['`-32700`', 'the message is not JSON'],
            ['`-32600`', 'the message is not a valid request'],
            ['`-32601`', 'there is no such method'],
            ['`-32602`', 'the parameters are invalid, or the tool, resource or prompt does not exist'],
            ['`-32603`', 'the server failed'],
          ],
        ),
      ),
    ],
  });
}

/** What a code means, and what to do. */
export function entry(code: Code): string {
  const { status, title, meaning, retry, fix } = problemCodes[code];
  return document(
    `### ${code}`,
    `**${title}**, status ${status}.`,
    meaning,
    `- **Retry?** ${retry.slice(0, 1).toUpperCase()}${retry.slice(1)}.\n- **Fix:** ${fix}`,
  ).trim();
}
