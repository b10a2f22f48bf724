/** Who may ask, how often, and how to raise it. */
import { scopes } from '../../oauth/scopes.ts';
import { table } from '../../operations/markdown.ts';
import type { Site } from '../site.ts';
import { grouped } from '../words.ts';
import { fence } from './fence.ts';

export const accessSections = (site: Site): string[] => [...authentication(site), ...limits(site)];

function authentication({ baseUrl, production }: Site): string[] {
  const { anonymous, authenticated } = production.service.limits;
  return [
    '## Authentication',
    `Reading needs no credential. A token does two things: it raises the limit from ${grouped(anonymous)} to ${grouped(authenticated)} requests a minute, and with the scope \`export:docs\` it starts exports outside the sandbox. You register a client yourself; nobody has to approve it.`,
    fence(
      'js',
      `const base = '${baseUrl}';

const registered = await fetch(\`\${base}/oauth/register\`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({
    client_name: 'my-program',
    grant_types: ['client_credentials'],
    token_endpoint_auth_method: 'client_secret_basic',
    scope: 'read:releases read:docs',
  }),
});
const { client_id, client_secret } = await registered.json();

const issued = await fetch(\`\${base}/oauth/token\`, {
  method: 'POST',
  headers: { Authorization: \`Basic \${btoa(\`\${client_id}:\${client_secret}\`)}\` },
  body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'read:releases' }),
});
const { access_token } = await issued.json();

const answer = await fetch(\`\${base}/api/v1/releases/latest\`, {
  headers: { Authorization: \`Bearer \${access_token}\` },
});
console.log(answer.status, answer.headers.get('RateLimit-Policy'));`,
    ),
    'Keep `client_secret`: it is shown once. A token lasts an hour and travels in the `Authorization` header alone. Use one token for many requests.',
    table(
      ['Scope', 'What it grants'],
      Object.entries(scopes).map(([name, grants]) => [`\`${name}\``, grants]),
    ),
    `[auth.md](${baseUrl}/auth.md) has the same in curl, with the authorization code flow, identity assertions and revocation.`,
  ];
}

function limits({ baseUrl, production }: Site): string[] {
  const { anonymous, authenticated, sandbox, pages, address, issue, registration } = production.service.limits;
  return [
    '## Limits',
    table(
      ['Policy', 'Requests a minute', 'Counted for'],
      [
        ['`anonymous`', grouped(anonymous), 'each address, without a token'],
        ['`authenticated`', grouped(authenticated), 'each client, with a token'],
        ['`sandbox`', grouped(sandbox), 'each address, below `/api/v1/sandbox`'],
        ['`pages`', grouped(pages), 'each address, for the pages of this site'],
      ],
    ),
    `Beside these, all clients of one address together have ${grouped(address)} requests a minute, a client gets ${grouped(issue)} tokens a minute, and an address registers ${grouped(registration)} clients an hour.`,
    'The minute is a sliding one. Every response says where you stand:',
    fence(
      'http',
      `RateLimit-Policy: "anonymous";q=${anonymous};w=60
RateLimit: "anonymous";r=${anonymous - 1};t=60
RateLimit-Limit: ${anonymous}
RateLimit-Remaining: ${anonymous - 1}
RateLimit-Reset: 60`,
    ),
    `One request too many is answered 429, [\`rate_limited\`](${baseUrl}/developers/errors#rate_limited). Wait for the seconds in \`Retry-After\`; the next request then succeeds. A batch counts once. A 304 counts like any other answer.`,
    'A body holds at most 65,536 bytes, a batch 20 operations, a search 2 to 200 characters.',
  ];
}
