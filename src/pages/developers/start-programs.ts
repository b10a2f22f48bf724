/** What a robust program needs: a sandbox, what failures look like, what may change, and how agents connect. */
import { listInWords } from '../../base/list-in-words.ts';
import { retryStatuses } from '../../base/problem-codes.ts';
import { table } from '../../operations/markdown.ts';
import { minimumNoticeDays } from '../../operations/versions.ts';
import { type GuideSite, productOf, type Site } from '../site.ts';
import { clientIn } from './client-module.ts';
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
export const simulated: Readonly<Record<string, string>> = {
  rate_limited: '429 with `Retry-After: 3`',
  invalid_request: '400 with an `errors` array',
  not_found: '404',
  invalid_token: '401 with a `WWW-Authenticate` challenge',
  insufficient_scope: '403 that names the missing scope',
  internal_error: '500',
  upstream_unavailable: '503 with `Retry-After`',
  slow: 'the normal response, after two seconds',
};

export function sandbox({ sandbox: { apiRoot }, simulations }: GuideSite): string[] {
  return [
    '## Sandbox and simulate',
    `Every path also exists under \`${apiRoot}\`, with fixture data that never changes, a separate rate limit, and no need for a token. Write your tests against it. Every response there contains \`"sandbox": true\` and the header \`X-Service-Environment: sandbox\`. Its links lead to pages with the same fixture data, below \`/sandbox\`. To switch to the sandbox, change only the base URL.`,
    'Add `simulate` to any request there to force an outcome:',
    fence('sh', `curl -sS -i '${apiRoot}/releases?simulate=rate_limited'`),
    table(
      ['`simulate`', 'Response'],
      simulations.map((name) => [`\`${name}\``, simulated[name]]),
    ),
  ];
}

const mayRetry = [...retryStatuses.after, ...retryStatuses.backoff].toSorted();

async function errors({ baseUrl, production }: Site): Promise<string[]> {
  const path = '/docs?limit=250';
  const { body } = await answerTo(production, path);
  return [
    '## Errors',
    `Every failure is a problem document ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)) with the content type \`application/problem+json\`. \`${production.apiRoot}${path}\` returns:`,
    json(body),
    `Branch on \`code\`. Handle an unknown code by its HTTP status. Include \`request_id\` when you report a problem. Retry ${listInWords(mayRetry.map(String))} after a pause; any other failure would only repeat. The client retries them for you, and throws everything else as an error with these fields:`,
    fence(
      'js',
      `${clientIn(baseUrl, { names: ['createClient', 'isCode'] })}
try {
  console.log(await api.docs.list({ limit: 250 }));
} catch (error) {
  if (!isCode(error, 'invalid_request')) throw error;
  for (const { field, detail } of error.errors) console.log(field, detail);
}`,
    ),
    `[Errors](${baseUrl}/developers/errors) lists every code with its meaning and fix.`,
  ];
}

function versioning({ baseUrl, production }: Site): string[] {
  const { apiVersion } = production.service;
  return [
    '## Versioning',
    `The major version is in the path. \`API-Version: ${apiVersion}\` on every response is the date of the server's build. New endpoints, parameters, fields and codes appear without notice, so ignore the ones you do not know. Breaking changes get a new major version, and the old one announces its end in headers for at least ${minimumNoticeDays} days. See [Versioning](${baseUrl}/developers/versioning) for the rules and the [changelog](${baseUrl}/developers/changelog) for what changed.`,
  ];
}

export function mcp(site: GuideSite): string[] {
  const { baseUrl } = site;
  const { name } = productOf(site);
  const key =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'product';
  return [
    '## MCP',
    'Two MCP servers give agents the same data. Both use Streamable HTTP and need no credential.',
    table(
      ['Server', 'What it provides'],
      [
        [`\`${baseUrl}/mcp\``, 'releases, compatibility, requirements, features, prices and documentation'],
        [`\`${baseUrl}/mcp/docs\``, 'only the documentation and the FAQ'],
      ],
    ),
    'In Claude Code:',
    fence('sh', `claude mcp add --transport http ${key} ${baseUrl}/mcp`),
    `In Codex, \`~/.codex/config.toml\`. Do not run \`codex mcp add --url\`: it starts a login that you do not need. If you did, \`codex mcp logout ${key}\` brings the tools back.`,
    fence('toml', `[mcp_servers.${key}]\nurl = "${baseUrl}/mcp"`),
    'In Gemini CLI:',
    fence('sh', `gemini mcp add --transport http ${key} ${baseUrl}/mcp`),
    'In opencode, `opencode.json`:',
    json({ mcp: { [key]: { type: 'remote', url: `${baseUrl}/mcp`, oauth: false } } }),
    'In Cursor, `.cursor/mcp.json`:',
    json({ mcpServers: { [key]: { url: `${baseUrl}/mcp` } } }),
    'In VS Code, `.vscode/mcp.json`:',
    json({ servers: { [key]: { type: 'http', url: `${baseUrl}/mcp` } } }),
    'In a client that starts servers as commands:',
    json({ mcpServers: { [key]: { command: 'npx', args: ['-y', 'mcp-remote', `${baseUrl}/mcp`] } } }),
  ];
}

export function agents({ baseUrl }: GuideSite): string[] {
  return [
    '## Agents',
    'Everything an agent needs is on this site:',
    [
      `- [llms.txt](${baseUrl}/llms.txt) lists every page with a one-sentence summary; [llms-full.txt](${baseUrl}/llms-full.txt) contains the whole documentation.`,
      '- Every page has a markdown version: add `.md` to its URL, or send `Accept: text/markdown`.',
      `- [auth.md](${baseUrl}/auth.md) explains step by step how to get a credential.`,
      `- [The skills index](${baseUrl}/.well-known/agent-skills/index.json) lists a skill that teaches this API, with the digest of its text.`,
      `- [The API catalog](${baseUrl}/.well-known/api-catalog) links to the contract, this portal and the metadata (RFC 9727).`,
    ].join('\n'),
  ];
}
