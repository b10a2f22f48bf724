/** Authentication and rate limits. */
import { grouped } from '../../base/amount-in-words.ts';
import { mostBatchOperations, mostBodyBytes, queryLength } from '../../base/request-limits.ts';
import { table } from '../../operations/markdown.ts';
import type { GuideSite } from '../site.ts';
import { fence } from './fence.ts';

export const accessSections = (site: GuideSite): string[] => [...authentication(site), ...limits(site)];

function authentication({ baseUrl, production }: GuideSite): string[] {
  const { anonymous, authenticated } = production.service.limits;
  return [
    '## Authentication',
    `Reading needs no credential. A token does two things: it raises the rate limit from ${grouped(anonymous)} to ${grouped(authenticated)} requests per minute, and with the scope \`export:docs\` it can start exports outside the sandbox. You register a client yourself, without approval.`,
    `[Authentication](${baseUrl}/developers/authentication) shows how to get, use, refresh and revoke a token, with a walkthrough that runs in the page.`,
  ];
}

function limits({ baseUrl, production }: GuideSite): string[] {
  const { anonymous, authenticated, sandbox, pages, address, issue, registration } = production.service.limits;
  return [
    '## Limits',
    table(
      ['Policy', 'Requests per minute', 'Counted for'],
      [
        ['`anonymous`', grouped(anonymous), 'each address, without a token'],
        ['`authenticated`', grouped(authenticated), 'each client, with a token'],
        ['`sandbox`', grouped(sandbox), 'each address, below `/api/v1/sandbox` and `/sandbox`'],
        ['`pages`', grouped(pages), 'each address, for the pages of this site'],
      ],
    ),
    `In addition, all clients at one address together can send ${grouped(address)} requests per minute, a client can get ${grouped(issue)} tokens per minute, and an address can register ${grouped(registration)} clients per hour.`,
    'The minute is a sliding window. Every response carries your current state:',
    fence(
      'http',
      `RateLimit-Policy: "anonymous";q=${anonymous};w=60
RateLimit: "anonymous";r=${anonymous - 1};t=60
RateLimit-Limit: ${anonymous}
RateLimit-Remaining: ${anonymous - 1}
RateLimit-Reset: 60`,
    ),
    `Above the limit, you get 429 [\`rate_limited\`](${baseUrl}/developers/errors#rate_limited). Wait the number of seconds in \`Retry-After\`, and the next request succeeds. A batch counts as one request. A 304 counts like any other response.`,
    `A request body is limited to ${grouped(mostBodyBytes)} bytes, a batch to ${mostBatchOperations} operations, and a search query to ${queryLength.least} to ${queryLength.most} characters.`,
  ];
}
