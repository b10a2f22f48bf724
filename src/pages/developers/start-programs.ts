/** What a robust program needs: a place to practise, what failures look like, what may change, and how agents connect. */
import { table } from '../../operations/markdown.ts';
import { minimumNoticeDays } from '../../operations/versions.ts';
import { productOf, type Site } from '../site.ts';
import { fence, json } from './fence.ts';
import { answerTo } from './worked-example.ts';

export const programSections = async (site: Site): Promise<string[]> => [
  ...sandbox(site),
  ...(await errors(site)),
  ...versioning(site),
  ...mcp(site),
  ...agents(site),
];

/** What each value of `simulate` gives; a value that is not here is shown without words. */
const simulated: Readonly<Record<string, string>> = {
  rate_limited: '429 with `Retry-After: 3`',
  invalid_request: '400 with an `errors` array',
  not_found: '404',
  invalid_token: '401 with a `WWW-Authenticate` challenge',
  insufficient_scope: '403 that names the missing scope',
  internal_error: '500',
  upstream_unavailable: '503 with `Retry-After`',
  slow: 'the right answer, after two seconds',
};

function sandbox({ sandbox: { apiRoot }, simulations }: Site): string[] {
  return [
    '## Sandbox and simulate',
    `Every path also exists below \`${apiRoot}\`, with fixture data that never changes, an allowance of its own, and no need for a token. Write your tests against it. Every answer there has \`"sandbox": true\` and the header \`X-Service-Environment: sandbox\`.`,
    'Add `simulate` to any request there to force an outcome:',
    fence('sh', `curl -sS -i '${apiRoot}/releases?simulate=rate_limited'`),
    table(
      ['`simulate`', 'Answer'],
      simulations.map((name) => [`\`${name}\``, simulated[name]]),
    ),
  ];
}

async function errors({ baseUrl, production, sandbox: { apiRoot } }: Site): Promise<string[]> {
  const path = '/docs?limit=250';
  const { body } = await answerTo(production, path);
  return [
    '## Errors',
    `Every failure is a problem document ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)) of the type \`application/problem+json\`. This is what \`${production.apiRoot}${path}\` gets:`,
    json(body),
    'Branch on `code`. Treat a code that you do not know as its HTTP status. Quote `request_id` when you report something. 429, 500, 502, 503 and 504 may be sent again after a pause; other failures come back the same.',
    fence(
      'js',
      `import { setTimeout as wait } from 'node:timers/promises';

async function ask(url, tries = 4) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url);
    if (response.ok) return response.json();
    const problem = await response.json();
    const mayRetry = [429, 500, 502, 503, 504].includes(response.status);
    if (!mayRetry || attempt === tries) throw new Error(\`\${problem.code}: \${problem.detail}\`);
    const seconds = Number(response.headers.get('Retry-After')) || 2 ** attempt * Math.random();
    await wait(seconds * 1000);
  }
}

const release = await ask('${apiRoot}/releases/latest');
console.log(release.version);`,
    ),
    `[Errors](${baseUrl}/developers/errors) lists every code, what it means and how to mend it.`,
  ];
}

function versioning({ baseUrl, production }: Site): string[] {
  const { apiVersion } = production.service;
  return [
    '## Versioning',
    `The major version is in the path. \`API-Version: ${apiVersion}\` on every response names the build that answered. New endpoints, parameters, members and codes come without notice, so ignore what you do not know. What would break you gets a new major version, and the old one says so in its headers for at least ${minimumNoticeDays} days. [Versioning](${baseUrl}/developers/versioning) has the rules, [Changelog](${baseUrl}/developers/changelog) what changed.`,
  ];
}

function mcp(site: Site): string[] {
  const { baseUrl } = site;
  const { name } = productOf(site);
  const key =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'product';
  return [
    '## MCP',
    'Two MCP servers give agents the same facts. Both speak Streamable HTTP and need no credential.',
    table(
      ['Server', 'What it has'],
      [
        [`\`${baseUrl}/mcp\``, 'releases, compatibility, requirements, features, prices and documentation'],
        [`\`${baseUrl}/mcp/docs\``, 'documentation and questions alone'],
      ],
    ),
    'In Claude Code:',
    fence('sh', `claude mcp add --transport http ${key} ${baseUrl}/mcp`),
    'In Cursor, `.cursor/mcp.json`:',
    json({ mcpServers: { [key]: { url: `${baseUrl}/mcp` } } }),
    'In VS Code, `.vscode/mcp.json`:',
    json({ servers: { [key]: { type: 'http', url: `${baseUrl}/mcp` } } }),
    'In a client that starts servers as commands:',
    json({ mcpServers: { [key]: { command: 'npx', args: ['-y', 'mcp-remote', `${baseUrl}/mcp`] } } }),
  ];
}

function agents({ baseUrl }: Site): string[] {
  return [
    '## Agents',
    'An agent needs no more than this site:',
    [
      `- [llms.txt](${baseUrl}/llms.txt) lists every page with a sentence about it; [llms-full.txt](${baseUrl}/llms-full.txt) holds the whole documentation.`,
      '- Every page has a markdown version: add `.md` to its address, or ask for it with `Accept: text/markdown`.',
      `- [auth.md](${baseUrl}/auth.md) says step by step how to get a credential.`,
      `- [The skills index](${baseUrl}/.well-known/agent-skills/index.json) names a skill that teaches this API, with the digest of its text.`,
      `- [The API catalog](${baseUrl}/.well-known/api-catalog) links the contract, this portal and the metadata (RFC 9727).`,
    ].join('\n'),
  ];
}
