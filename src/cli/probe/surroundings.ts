/** What the probe checks around the API: sandbox, versions, documents, credentials. */
import { systemClock } from '../../base/clock.ts';
import { api, type Entry, expectStatus, first, listOf, member, object, post, sandbox, textOf } from './expectations.ts';
import { expect } from './session.ts';

const simulated: readonly (readonly [name: string, status: number])[] = [
  ['rate_limited', 429],
  ['invalid_request', 400],
  ['not_found', 404],
  ['invalid_token', 401],
  ['insufficient_scope', 403],
  ['internal_error', 500],
  ['upstream_unavailable', 503],
  ['slow', 200],
];

export const sandboxed: readonly Entry[] = [
  [
    'fixed fixtures that say what they are',
    async (session) => {
      const release = await object(session, `${sandbox}/releases/latest`, 'release');
      expect(release.json.sandbox === true, 'the body has no `sandbox: true`');
      expect(release.headers.get('x-service-environment') === 'sandbox', 'X-Service-Environment is not sandbox');
      expect(listOf(await object(session, `${sandbox}/docs`, 'list')).length === 3, 'it has other than 3 pages');
      expect(listOf(await object(session, `${sandbox}/faq`, 'list')).length === 2, 'it has other than 2 questions');
    },
  ],
  ...simulated.map(
    ([name, status]): Entry => [
      `simulate=${name} gives ${status}`,
      async (session) => {
        const before = systemClock.monotonic();
        const answer = await session.ask(`${sandbox}/faq?simulate=${name}`);
        const milliseconds = systemClock.monotonic() - before;
        expectStatus(answer, status, status === 200 ? undefined : name);
        if (name === 'slow') expect(milliseconds > 1900, `it takes ${Math.round(milliseconds)} ms, not two seconds`);
        if (status === 429) expect(answer.headers.get('retry-after') === '3', 'Retry-After is not 3');
        if (status === 503) expect(answer.headers.has('retry-after'), 'Retry-After is missing');
        if (status === 401) expect(answer.headers.has('www-authenticate'), 'WWW-Authenticate is missing');
      },
    ],
  ),
];

export const versions: readonly Entry[] = [
  [
    'v0 is 410 and links to its successor',
    async (session) => {
      const { status, headers } = await session.ask('/api/v0/releases');
      expect(status === 410, `it answers ${status}`);
      expect(headers.has('deprecation') && headers.has('sunset'), 'Deprecation or Sunset is missing');
      expect(/successor-version/.test(headers.get('link') ?? ''), 'Link has no successor-version');
    },
  ],
];

export const documents: readonly Entry[] = [
  [
    'OpenAPI 3.1 with an operationId everywhere',
    async (session) => {
      const { status, json } = await session.ask('/openapi.json');
      expect(status === 200 && String(json.openapi).startsWith('3.1'), 'it is not OpenAPI 3.1');
      const operations = Object.values(Object(json.paths)).flatMap((path) =>
        Object.entries(Object(path)).filter(([method]) => ['get', 'post', 'delete'].includes(method)),
      );
      expect(operations.length >= 30, `it has ${operations.length} operations`);
      expect(
        operations.every(([, operation]) => textOf(operation, 'operationId') !== ''),
        'an operation has none',
      );
      expect(member(json, 'x-deprecation-policy') !== undefined, 'x-deprecation-policy is missing');
    },
  ],
  [
    'the site’s pages, and their markdown',
    async (session) => {
      const slug = await first(session, `${api}/docs`, 'slug');
      for (const [path, type] of [
        ['/', 'text/html'],
        [`/docs/${slug}`, 'text/html'],
        [`/docs/${slug}.md`, 'text/markdown'],
        ['/developers/errors', 'text/html'],
        ['/llms.txt', 'text/'],
        ['/robots.txt', 'text/plain'],
        ['/developers/client.js', 'text/javascript'],
      ] as const) {
        const answer = await session.ask(path);
        expectStatus(answer, 200);
        expect((answer.headers.get('content-type') ?? '').startsWith(type), `${path} is no ${type}`);
      }
    },
  ],
  [
    'both MCP servers support initialize and list tools',
    async (session) => {
      const headers = { accept: 'application/json, text/event-stream' };
      const message = (method: string, params: object) => post({ jsonrpc: '2.0', id: 1, method, params }, headers);
      const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'probe', version: '1' } };
      for (const path of ['/mcp', '/mcp/docs']) {
        const { json } = await session.ask(path, message('initialize', hello));
        expect(member(json.result, 'protocolVersion') === '2025-06-18', `${path} does not speak 2025-06-18`);
        const listed = await session.ask(path, message('tools/list', {}));
        const tools = member(listed.json.result, 'tools');
        expect(Array.isArray(tools) && tools.length > 0, `${path} lists no tools`);
      }
    },
  ],
];

export const auth: readonly Entry[] = [
  [
    'the protected resource’s metadata (RFC 9728)',
    async (session) => {
      const { status, json } = await session.ask('/.well-known/oauth-protected-resource');
      expect(status === 200, `it answers ${status}`);
      const servers = json.authorization_servers;
      expect(Array.isArray(servers) && servers.includes(session.baseUrl), 'authorization_servers lacks this origin');
      expect(Array.isArray(json.scopes_supported), 'scopes_supported is missing');
    },
  ],
  [
    'the authorization server’s metadata (RFC 8414)',
    async (session) => {
      const { status, json } = await session.ask('/.well-known/oauth-authorization-server');
      expect(status === 200, `it answers ${status}`);
      expect(json.issuer === session.baseUrl, `issuer is ${json.issuer}`);
      const methods = json.code_challenge_methods_supported;
      expect(Array.isArray(methods) && methods.join() === 'S256', 'code_challenge_methods_supported must be only S256');
      expect(
        member(json.agent_auth, 'register_uri') === `${session.baseUrl}/oauth/register`,
        'agent_auth has no register_uri',
      );
    },
  ],
  [
    '401 with a challenge where a token is needed, and for an invalid one',
    async (session) => {
      const none = await session.ask('/agent/auth');
      expectStatus(none, 401, 'unauthorized');
      expect(
        /resource_metadata=/.test(none.headers.get('www-authenticate') ?? ''),
        'the challenge has no resource_metadata',
      );
      const bad = await session.ask(`${api}/faq`, { headers: { authorization: 'Bearer not-a-token' } });
      expectStatus(bad, 401, 'invalid_token');
      const exported = await session.ask(`${api}/exports`, post({ resource: 'docs', format: 'json' }));
      expectStatus(exported, 401, 'unauthorized');
    },
  ],
];
