/** The error reference: an anchor for every code, what it means, whether to send the request again, and how to mend it. */
import { type Code, codes, problemCodes } from '../../base/problem-codes.ts';
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
    description: `Every error code of the ${productOf(site).name} API: what it means, whether to send the request again, and how to mend it.`,
    markdown: document(
      'After this page you know what every failure means and what to do next. Each is a problem document ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)); its `type` and `docs_url` lead to the code’s place below.',
      json(body),
      'Branch on `code`. New codes may come: treat one that you do not know as its HTTP status. `errors` is there on validation failures alone, with one entry for each fault. `suggestions` holds near misses, best first. `retry_after` repeats the `Retry-After` header.',
      '## Retrying',
      table(
        ['Status', 'Send again?'],
        [
          ['429, 503', 'after the seconds in `Retry-After`'],
          ['408, 500, 502, 504', 'with exponential backoff and jitter'],
          ['all others', 'not unchanged: the answer would be the same'],
        ],
      ),
      '## All codes',
      table(
        ['Status', 'Code', 'Send again?'],
        sorted.map((code) => [
          problemCodes[code].status,
          `[\`${code}\`](${baseUrl}/developers/errors#${code})`,
          problemCodes[code].retry,
        ]),
      ),
      ...sorted.map(entry),
      '## Faults in fields',
      'Each entry of `errors` has a `field`, a `detail` for people and a `code` for programs:',
      table(
        ['Code', 'What is wrong with the field'],
        [
          ['`required`', 'it is missing'],
          ['`out_of_range`', 'it is too small, too large, too short or too long'],
          ['`malformed`', 'it is of another type or form'],
          ['`invalid_value`', 'it is none of the values allowed'],
          ['`repeated`', 'it was given more than once'],
          ['`unknown`', 'it is not known, where unknown members are refused'],
        ],
      ),
      '## MCP errors',
      'The MCP servers answer with JSON-RPC errors. A tool that ran and could not answer gives a normal result with `isError: true` and a text that says what to do next.',
      table(
        ['Code', 'Meaning'],
        [
          ['`-32700`', 'the message is not JSON'],
          ['`-32600`', 'the message is not a valid request'],
          ['`-32601`', 'there is no such method'],
          ['`-32602`', 'the parameters are wrong, or the tool, resource or prompt does not exist'],
          ['`-32603`', 'the server failed'],
        ],
      ),
    ),
  });
}

function entry(code: Code): string {
  const { status, title, meaning, retry, fix } = problemCodes[code];
  return document(
    `### ${code}`,
    `**${title}**, status ${status}.`,
    meaning,
    `- **Send again?** ${retry.slice(0, 1).toUpperCase()}${retry.slice(1)}.\n- **How to mend it:** ${fix}`,
  ).trim();
}
