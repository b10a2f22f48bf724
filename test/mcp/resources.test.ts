/** Tests resources, prompts and completion of MCP, which a person chooses in a client; tools.test.ts tests what a model calls. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { mcpServers } from '../../src/resources/resources.ts';
import { writeContentFile, writeContentFolder } from '../support/content-folder.ts';
import { createAppcast } from '../support/feed-samples.ts';
import { startUpstream } from '../support/feed-upstream.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { readResult, sendRpcRequest, sendSessionlessRequest } from '../support/mcp.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

type Json = Record<string, unknown>;

describe('resources/list and resources/read', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const listUris = async (path: string): Promise<string[]> => {
    const { resources } = await readResult(sendRpcRequest(server, path, 'resources/list'));
    return resources.map(({ uri }: { uri: string }) => uri.slice(server.baseUrl.length));
  };
  const listPages = async (): Promise<string[]> => {
    const { json } = await server.request('/api/v1/docs?limit=100');
    return json.data.map(({ slug }: { slug: string }) => `/docs/${slug}.md`);
  };

  for (const { path, resources: declared } of mcpServers) {
    it(`resources/list of ${path} has every declared resource, JSON resources before markdown pages`, async () => {
      const facts = declared.flatMap((definition) => ('fact' in definition ? [`/api/v1${definition.fact.path}`] : []));
      const texts: string[] = [];
      for (const definition of declared) {
        if ('fact' in definition) continue;
        const listing = definition.texts.item.path.replace(/\/\{\w+\}$/, '');
        const { json } = await server.request(`/api/v1${listing}?limit=100`);
        for (const { markdown_url } of json.data) texts.push(markdown_url.slice(server.baseUrl.length));
      }
      assert.ok(texts.length > 5);
      assert.deepEqual(await listUris(path), [...facts, ...texts]);
    });
  }

  it('a page has its title, description, MIME type and annotations', async () => {
    const { resources } = await readResult(sendRpcRequest(server, '/mcp/docs', 'resources/list'));
    const { json } = await server.request('/api/v1/docs/quickstart');
    assert.deepEqual(resources[0], {
      uri: json.markdown_url,
      name: 'quickstart',
      title: json.title,
      description: json.description,
      mimeType: 'text/markdown',
      annotations: { audience: ['user', 'assistant'], priority: 0.8, lastModified: `${json.updated_at}T00:00:00Z` },
    });
  });

  it('an FAQ entry has its question as title and its category in the description', async () => {
    const { resources } = await readResult(sendRpcRequest(server, '/mcp/docs', 'resources/list'));
    const { json } = await server.request('/api/v1/faq?limit=100');
    const last = json.data.at(-1);
    assert.deepEqual(resources.at(-1), {
      uri: last.markdown_url,
      name: last.id,
      title: last.question,
      description: `Frequently asked: ${last.category}.`,
      mimeType: 'text/markdown',
      annotations: { audience: ['user', 'assistant'], priority: 0.5 },
    });
  });

  it('resources/read returns the same text as GET of the resource', async () => {
    for (const path of ['/mcp', '/mcp/docs']) {
      for (const uri of await listUris(path)) {
        const { contents } = await readResult(
          sendRpcRequest(server, path, 'resources/read', { uri: server.baseUrl + uri }),
        );
        const isPage = uri.endsWith('.md');
        const restPath = isPage ? `/api/v1${uri.slice(0, -'.md'.length)}` : uri;
        const { text } = await server.request(restPath, {
          headers: { accept: isPage ? 'text/markdown' : 'application/json' },
        });
        assert.deepEqual(contents, [
          { uri: server.baseUrl + uri, mimeType: isPage ? 'text/markdown' : 'application/json', text },
        ]);
      }
    }
  });

  it('resources/read rejects a URI that its server does not list, and suggests one for a misspelled URI', async () => {
    const fetchError = async (path: string, uri: string): Promise<Json> => {
      const { json } = await sendRpcRequest(server, path, 'resources/read', { uri });
      assert.equal(json.error.code, -32602);
      assert.equal(json.error.data.uri, uri);
      return json.error;
    };
    await fetchError('/mcp/docs', `${server.baseUrl}/api/v1/pricing`);
    await fetchError('/mcp', `${server.baseUrl}/faq/why-permissions.md`);
    await fetchError('/mcp', `${server.baseUrl}/api/v1`);
    await fetchError('/mcp', `${server.baseUrl}.evil.example/docs/quickstart.md`);
    const nameless = `${server.baseUrl}/docs/.md`;
    assert.deepEqual(await fetchError('/mcp/docs', nameless), {
      code: -32602,
      message: 'Resource not found. resources/list has every resource.',
      data: { code: 'not_found', uri: nameless },
    });
    for (const [mistyped, meant] of [
      ['/docs/quikstart.md', '/docs/quickstart.md'],
      ['/docs/quikstart', '/docs/quickstart.md'],
      ['/api/v1/pricng.md', '/api/v1/pricing'],
      ['/api/v1/pricng', '/api/v1/pricing'],
    ]) {
      const { data } = await fetchError('/mcp', server.baseUrl + mistyped);
      assert.deepEqual((data as Json).suggestions, [server.baseUrl + meant]);
    }
  });

  it('ttlMs of a release is the time until the next check of the feed, and that of others is five minutes', async (t) => {
    const upstream = await startUpstream();
    upstream.serveBytes(createAppcast('1.0'));
    const clock = createManualClock(Date.parse('2026-11-21T12:00:00Z'));
    const setSource = (text: string): string => text.replace('source: appcast.xml', `source: ${upstream.origin}`);
    const { firstServer: feedServer } = await startTestServer({
      env: { CONTENT_DIR: writeContentFolder(t, { 'product.yaml': setSource }) },
      clock,
    });
    t.after(() => Promise.all([feedServer.close(), upstream.close()]));
    await feedServer.checkFeed();
    const fetchTtl = async (path: string): Promise<number> =>
      (
        await readResult(
          sendSessionlessRequest(feedServer, '/mcp', 'resources/read', { uri: feedServer.baseUrl + path }),
        )
      ).ttlMs;
    // The feed is checked every 300 seconds ± 20 %, so after 120 seconds the next check is 120 to 240 seconds away.
    await clock.advance(120_000);
    const ttlMs = await fetchTtl('/api/v1/releases/latest');
    assert.ok(ttlMs >= 120_000 && ttlMs <= 240_000, String(ttlMs));
    await clock.advance(100_000);
    assert.equal(await fetchTtl('/api/v1/releases/latest'), ttlMs - 100_000);
    assert.equal(await fetchTtl('/api/v1/pricing'), 300_000);
    assert.equal(await fetchTtl('/docs/start.md'), 300_000);
  });

  it('resources/templates/list has the declared templates, and completion/complete completes their parameters', async () => {
    const { resourceTemplates } = await readResult(sendRpcRequest(server, '/mcp/docs', 'resources/templates/list'));
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }: { uriTemplate: string }) => uriTemplate),
      (mcpServers.find(({ path }) => path === '/mcp/docs')?.resources ?? []).flatMap((definition) =>
        'fact' in definition ? [] : [`${server.baseUrl}${definition.texts.path(`{${definition.texts.parameter}}`)}.md`],
      ),
    );
    const complete = async (uri: string, name: string, value: string) =>
      (
        await readResult(
          sendRpcRequest(server, '/mcp/docs', 'completion/complete', {
            ref: { type: 'ref/resource', uri },
            argument: { name, value },
          }),
        )
      ).completion;
    assert.deepEqual(await complete(`${server.baseUrl}/docs/{slug}.md`, 'slug', 'q'), {
      values: ['quickstart'],
      total: 1,
      hasMore: false,
    });
    const all = await complete(`${server.baseUrl}/docs/{slug}.md`, 'slug', '');
    assert.equal(all.total, (await listPages()).length);
    assert.deepEqual((await complete(`${server.baseUrl}/faq/{id}.md`, 'id', 'why-perm')).values, ['why-permissions']);
  });
});

describe('completion/complete', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const invalidRequests: Record<string, [ref: Json, name: string, message: string]> = {
    'an unknown argument of a template': [
      { type: 'ref/resource', uri: '/docs/{slug}.md' },
      'slog',
      'There is no argument `slog` there. Did you mean `slug`?',
    ],
    'an unknown template': [
      { type: 'ref/resource', uri: '/docs/{page}.md' },
      'page',
      'There is no resource template `BASE/docs/{page}.md`.',
    ],
    'an unknown prompt': [
      { type: 'ref/prompt', name: 'nothing' },
      'a',
      'Unknown prompt: `nothing`. prompts/list has every prompt.',
    ],
    'a ref of another type': [
      { type: 'ref/tool', uri: '/docs/{slug}.md' },
      'slug',
      'params.ref.type must be `ref/prompt` or `ref/resource`.',
    ],
  };
  for (const [what, [ref, name, message]] of Object.entries(invalidRequests)) {
    it(`a request with ${what} is rejected with -32602`, async () => {
      const uri = typeof ref.uri === 'string' ? { uri: server.baseUrl + ref.uri } : {};
      const { json } = await sendRpcRequest(server, '/mcp/docs', 'completion/complete', {
        ref: { ...ref, ...uri },
        argument: { name, value: '' },
      });
      assert.deepEqual(json, {
        jsonrpc: '2.0',
        id: 1,
        error: {
          code: -32602,
          message: message.replace('BASE', server.baseUrl),
          ...(message.startsWith('Unknown') && { data: { suggestions: [] } }),
        },
      });
    });
  }
});

describe('prompts/list and prompts/get', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  it('/mcp has the prompts of the content folder', async () => {
    const { prompts } = await readResult(sendRpcRequest(server, '/mcp', 'prompts/list'));
    assert.deepEqual(
      prompts.map(({ name, arguments: parameters }: { name: string; arguments: { name: string }[] }) => [
        name,
        parameters.map((parameter) => parameter.name),
      ]),
      [
        ['check-my-mac', ['os_version', 'arch']],
        ['troubleshoot', ['symptom']],
        ['whats-new', ['since_version']],
      ],
    );
    for (const { title, description } of prompts) assert.ok(title.length > 0 && description.length > 0);
  });

  it('/mcp/docs has only the prompt troubleshoot, and rejects check-my-mac', async () => {
    const { prompts } = await readResult(sendRpcRequest(server, '/mcp/docs', 'prompts/list'));
    assert.deepEqual(
      prompts.map(({ name }: { name: string }) => name),
      ['troubleshoot'],
    );
    const { json } = await sendRpcRequest(server, '/mcp/docs', 'prompts/get', { name: 'check-my-mac' });
    assert.equal(json.error.code, -32602);
  });

  it('prompts/get inserts the arguments, and does not replace placeholders inside them', async () => {
    const values = { os_version: '{arch}', arch: '$& {os_version}' };
    const { description, messages } = await readResult(
      sendRpcRequest(server, '/mcp', 'prompts/get', { name: 'check-my-mac', arguments: values }),
    );
    assert.match(description, /Mac/);
    assert.equal(messages.length, 1);
    assert.equal(messages[0].role, 'user');
    assert.equal(messages[0].content.type, 'text');
    assert.ok(messages[0].content.text.includes('macOS {arch} and an $& {os_version} processor'));
  });

  it('prompts/get needs only the required arguments, and its error describes a missing one', async (t) => {
    const optionalServer = await startTestServer({
      env: {
        CONTENT_DIR: writeContentFolder(t, {
          'prompts/brighten.md': (text) => text.replace('required: true', 'required: false'),
        }),
      },
    });
    t.after(() => optionalServer.close());
    const { messages } = await readResult(sendRpcRequest(optionalServer, '/mcp', 'prompts/get', { name: 'brighten' }));
    assert.equal(messages[0].content.text.trim(), 'Make it  brighter, and answer as { "done": true }.');
    const { json } = await sendRpcRequest(server, '/mcp', 'prompts/get', { name: 'troubleshoot' });
    assert.equal(
      json.error.message,
      'symptom is required: What goes wrong, in your own words, such as "nothing happens when I hold the key".',
    );
  });

  it('completion/complete completes the versions and processors among the arguments of prompts', async () => {
    const complete = async (prompt: string, name: string, value: string) =>
      (
        await readResult(
          sendRpcRequest(server, '/mcp', 'completion/complete', {
            ref: { type: 'ref/prompt', name: prompt },
            argument: { name, value },
          }),
        )
      ).completion;
    assert.deepEqual((await complete('check-my-mac', 'arch', '')).values, ['arm64', 'x86_64']);
    assert.deepEqual((await complete('check-my-mac', 'arch', 'X')).values, ['x86_64']);
    assert.deepEqual((await complete('check-my-mac', 'os_version', '')).values, ['14.0']);
    const { values, total, hasMore } = await complete('whats-new', 'since_version', '2.2');
    assert.deepEqual(values, ['2.2.1', '2.2.0']);
    assert.equal(total, 2);
    assert.equal(hasMore, false);
    assert.deepEqual((await complete('troubleshoot', 'symptom', 'x')).values, []);
  });
});

describe('/mcp and /mcp/docs with another CONTENT_DIR: upstream_unavailable', () => {
  it('resources/list has at most 100 resources a page, and other lists reject its cursors', async (t) => {
    const directory = writeContentFolder(t);
    for (let index = 0; index < 230; index += 1) {
      const name = `page-${String(index).padStart(3, '0')}`;
      writeContentFile(
        directory,
        `docs/${name}.md`,
        `---\ntitle: Page ${index}\ndescription: One of many.\norder: ${10 + (index % 7)}\nupdated: 2026-01-01\n---\nText.\n`,
      );
    }
    const server = await startTestServer({ env: { CONTENT_DIR: directory } });
    t.after(() => server.close());
    const uris: string[] = [];
    let cursor: string | undefined;
    const sizes: number[] = [];
    do {
      const page = await readResult(
        sendRpcRequest(server, '/mcp/docs', 'resources/list', cursor === undefined ? {} : { cursor }),
      );
      sizes.push(page.resources.length);
      uris.push(...page.resources.map(({ uri }: { uri: string }) => uri));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    assert.deepEqual(sizes, [100, 100, 34]);
    assert.equal(new Set(uris).size, 234);
    const first = await readResult(sendRpcRequest(server, '/mcp/docs', 'resources/list'));
    for (const [path, method] of [
      ['/mcp', 'resources/list'],
      ['/mcp/docs', 'tools/list'],
      ['/mcp/docs', 'resources/templates/list'],
    ] as const) {
      const { json } = await sendRpcRequest(server, path, method, { cursor: first.nextCursor });
      assert.equal(json.error.code, -32602);
    }
    const nested = await readResult(
      sendRpcRequest(server, '/mcp', 'resources/read', { uri: `${server.baseUrl}/docs/guides%2Fcolours.md` }),
    );
    assert.match(nested.contents[0].text, /^# Colours/);
    const { messages } = await readResult(
      sendRpcRequest(server, '/mcp', 'prompts/get', { name: 'brighten', arguments: { how_much: '5 %' } }),
    );
    assert.equal(messages[0].content.text.trim(), 'Make it 5 % brighter, and answer as { "done": true }.');
    const { serverInfo } = await readResult(
      sendRpcRequest(server, '/mcp', 'initialize', { protocolVersion: '2025-06-18' }),
    );
    assert.deepEqual([serverInfo.name, serverInfo.title], ['lamp', 'Lamp']);
  });

  it('tools and resources of releases report an unavailable feed, and another tool still works', async (t) => {
    const directory = writeContentFolder(t, {
      'product.yaml': (text) => text.replace('source: appcast.xml', 'source: http://127.0.0.1:9/appcast.xml'),
      'appcast.xml': null,
    });
    const server = await startTestServer({ env: { CONTENT_DIR: directory } });
    t.after(() => server.close());
    for (const name of ['get_release', 'list_releases']) {
      const result = await readResult(sendRpcRequest(server, '/mcp', 'tools/call', { name }));
      assert.equal(result.isError, true);
      assert.match(
        result.content[0].text,
        /^The update feed has not been read yet.*Everything except releases still works/,
      );
    }
    const uri = `${server.baseUrl}/api/v1/releases/latest`;
    const { json } = await sendRpcRequest(server, '/mcp', 'resources/read', { uri });
    assert.equal(json.error.code, -32603);
    assert.equal(json.error.data.code, 'upstream_unavailable');
    assert.ok(json.error.data.retry_after >= 1);
    assert.equal(
      (await readResult(sendRpcRequest(server, '/mcp', 'tools/call', { name: 'get_pricing' }))).isError,
      undefined,
    );
  });
});
