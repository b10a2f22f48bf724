/** Authentication and rate limits. */
import { durationInWords, grouped } from '../../base/amount-in-words.ts';
import { mostBatchOperations, mostBodyBytes, queryLength } from '../../base/request-limits.ts';
import { tokenLifetime } from '../../oauth/lifetimes.ts';
import { scopes } from '../../oauth/scopes.ts';
import { table } from '../../operations/markdown.ts';
import type { GuideSite } from '../site.ts';
import { clientIn } from './client-module.ts';
import { fence } from './fence.ts';

export const accessSections = (site: GuideSite): string[] => [...authentication(site), ...limits(site)];

function authentication({ baseUrl, production }: GuideSite): string[] {
  const { anonymous, authenticated } = production.service.limits;
  return [
    '## Authentication',
    `Reading needs no credential. A token does two things: it raises the rate limit from ${grouped(anonymous)} to ${grouped(authenticated)} requests per minute, and with the scope \`export:docs\` it can start exports outside the sandbox. You register a client yourself, without approval.`,
    fence(
      'js',
      `${clientIn(baseUrl)}
const { client_id, client_secret } = await api.register({
  client_name: 'my-program',
  grant_types: ['client_credentials'],
  scope: 'read:releases read:docs',
});

const mine = createClient({
  baseUrl: '${baseUrl}',
  auth: { clientId: client_id, clientSecret: client_secret, scope: 'read:releases' },
});
const { status, headers } = await mine.releases.latest().withResponse();
console.log(status, headers.get('RateLimit-Policy'));`,
    ),
    `Keep \`client_secret\`: it is shown only once. A token is valid for ${durationInWords(tokenLifetime)} and is accepted only in the \`Authorization\` header. Use one token for many requests. The client gets its token with the first request, and a new one before it expires.`,
    table(
      ['Scope', 'What it grants'],
      Object.entries(scopes).map(([name, grants]) => [`\`${name}\``, grants]),
    ),
    `[auth.md](${baseUrl}/auth.md) covers the same in curl, plus the authorization code flow, identity assertions and revocation.`,
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
