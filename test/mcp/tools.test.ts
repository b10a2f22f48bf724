/** Tests the tools of MCP: their results equal the responses of REST, and lists and results have a maximum size. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { mcpServers } from '../../src/resources/resources.ts';
import { callTool, readResult, sendRpcRequest, sendSessionlessRequest } from '../support/mcp.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

type Json = Record<string, unknown>;
type Arguments = Json | null;

/** Calls of tools, each with the path of the REST request whose response the result equals. */
const pairs: readonly (readonly [path: string, tool: string, input: Arguments, rest: string])[] = [
  ['/mcp', 'get_release', {}, '/releases/latest'],
  ['/mcp', 'get_release', { version: 'latest' }, '/releases/latest'],
  ['/mcp', 'get_release', { version: '2.2.0' }, '/releases/2.2.0'],
  ['/mcp', 'list_releases', {}, '/releases'],
  ['/mcp', 'list_releases', { channel: 'beta', limit: 2 }, '/releases?channel=beta&limit=2'],
  ['/mcp/', 'list_releases', { channel: null, limit: null, cursor: null }, '/releases'],
  ['/mcp', 'get_release', null, '/releases/latest'],
  ['/mcp', 'list_releases', { limit: 1 }, '/releases?limit=1'],
  ['/mcp', 'list_releases', { limit: 100 }, '/releases?limit=100'],
  ['/mcp', 'check_compatibility', { os_version: '15.1', arch: 'arm64' }, '/compatibility?os_version=15.1&arch=arm64'],
  ['/mcp', 'check_compatibility', { os_version: '13.2', arch: 'x86_64' }, '/compatibility?os_version=13.2&arch=x86_64'],
  ['/mcp', 'check_compatibility', { os_version: '16.0', arch: 'arm64' }, '/compatibility?os_version=16.0&arch=arm64'],
  ['/mcp', 'check_compatibility', { os_version: '99', arch: 'arm64' }, '/compatibility?os_version=99&arch=arm64'],
  [
    '/mcp',
    'check_compatibility',
    { os_version: '10.16', arch: 'x86_64' },
    '/compatibility?os_version=10.16&arch=x86_64',
  ],
  ['/mcp', 'get_requirements', {}, '/requirements'],
  ['/mcp', 'list_features', {}, '/features'],
  ['/mcp', 'get_pricing', {}, '/pricing'],
  ['/mcp/docs', 'list_docs', {}, '/docs'],
  ['/mcp/docs', 'list_docs', { limit: 3 }, '/docs?limit=3'],
];

/**
 * Returns the ID by which the tool `fetch` finds a search result of REST: `OBJECT:SLUG`, or `OBJECT:ID` without a slug, with
 * `#FRAGMENT` for a section of a page.
 */
const getId = ({ object, slug, id, section, section_url: url }: Json): string => {
  const [, fragment] = object === 'doc' && section !== null ? String(url).split('#') : [];
  return `${object}:${slug ?? id}${fragment === undefined ? '' : `#${decodeURIComponent(fragment)}`}`;
};

describe('tools/list and tools/call', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const fetchFailure = async (path: string, name: string, input: Json): Promise<string> => {
    const result = await readResult(sendRpcRequest(server, path, 'tools/call', { name, arguments: input }));
    assert.equal(result.isError, true);
    assert.equal(result.structuredContent, undefined);
    assert.equal(result.content.length, 1);
    return result.content[0].text;
  };
  const fetchRest = async (path: string) => (await server.request(`/api/v1${path}`)).json;

  for (const [path, tool, input, restPath] of pairs) {
    it(`${tool} ${JSON.stringify(input)} equals GET ${restPath}`, async () => {
      const body = await fetchRest(restPath);
      const { content, structuredContent } = await callTool(server, path, tool, input);
      assert.deepEqual(structuredContent, body);
      assert.deepEqual(content, [{ type: 'text', text: JSON.stringify(body) }]);
      const sessionlessResult = await readResult(
        sendSessionlessRequest(server, path, 'tools/call', { name: tool, arguments: input }),
      );
      assert.deepEqual(sessionlessResult.structuredContent, body);
    });
  }

  it('a cursor of REST is valid in MCP, and one of MCP in REST', async () => {
    for (const [path, tool, restPath] of [
      ['/mcp', 'list_releases', '/releases'],
      ['/mcp/docs', 'list_docs', '/docs'],
    ] as const) {
      const first = await callTool(server, path, tool, { limit: 2 });
      const cursor = first.structuredContent.pagination.next_cursor;
      assert.equal((await fetchRest(`${restPath}?limit=2`)).pagination.next_cursor, cursor);
      const second = await callTool(server, path, tool, { limit: 2, cursor });
      assert.deepEqual(second.structuredContent, await fetchRest(`${restPath}?limit=2&cursor=${cursor}`));
    }
  });

  it('search returns the results of GET /search, with ids that fetch accepts', async () => {
    const inBoth = [
      [{ query: 'agent mode', type: 'doc', limit: 2 }, 'q=agent+mode&type=doc&limit=2'],
      [{ query: 'price', type: 'faq' }, 'q=price&type=faq&limit=8'],
      [{ query: 'zzzzzzzz' }, 'q=zzzzzzzz&limit=8'],
    ] as const;
    const inDocs = [
      [{ query: 'microphone' }, 'q=microphone&limit=8'],
      [{ query: 'micophone' }, 'q=micophone&limit=8'],
      [{ query: 'ist mein Mikrofon an' }, 'q=ist+mein+Mikrofon+an&limit=8'],
    ] as const;
    const inProduct = [
      [{ query: 'price', type: 'plan' }, 'q=price&type=plan&limit=8'],
      [{ query: 'rate limit', type: 'reference' }, 'q=rate+limit&type=reference&limit=8'],
    ] as const;
    for (const [path, searches] of [
      ['/mcp', [...inBoth, ...inProduct]],
      ['/mcp/docs', [...inBoth, ...inDocs]],
    ] as const) {
      for (const [input, query] of searches) {
        const list = await fetchRest(`/search?${query}`);
        const { content, structuredContent } = await callTool(server, path, 'search', input);
        assert.deepEqual(content, [{ type: 'text', text: JSON.stringify(structuredContent) }]);
        assert.deepEqual(structuredContent, {
          results: list.data.map((hit: Json) => ({
            id: getId(hit),
            title: hit.title,
            url: hit.url,
            section: hit.section,
            section_url: hit.section_url,
            excerpt: hit.excerpt,
            score: hit.score,
            markdown_url: hit.markdown_url,
          })),
          pagination: list.pagination,
          ...(list.searched_for !== undefined && { searched_for: list.searched_for }),
          ...(list.documentation_language !== undefined && {
            advice:
              list.data.length > 0
                ? 'The documentation is in English. Search in that language.'
                : `Nothing matches. The documentation is in English. Search for fewer or other words${path === '/mcp/docs' ? ', or call list_docs for every page' : ''}.`,
          }),
        });
        for (const { id, title, url } of structuredContent.results) {
          const page = (await callTool(server, path, 'fetch', { id })).structuredContent;
          assert.deepEqual([page.id, page.title, page.url.split('#')[0]], [id, title, url]);
        }
      }
    }
  });

  it('search returns an answer to a question about the price, and plans as the first results', async () => {
    const { structuredContent } = await callTool(server, '/mcp', 'search', { query: 'how much does it cost' });
    const { answer, results } = structuredContent;
    assert.match(answer.text, /Sotto Pro: 29 USD once/);
    assert.match(answer.url, /\/pricing$/);
    assert.ok(results.slice(0, 3).every(({ id }: { id: string }) => id.startsWith('plan:')));
    const pro = results.find(({ id }: { id: string }) => id === 'plan:pro');
    assert.match(pro.excerpt, /^Sotto Pro: 29 USD once\./);
    const backendSearch = await callTool(server, '/mcp', 'search', { query: 'what does a cloud backend cost' });
    assert.equal(backendSearch.structuredContent.answer, undefined);
  });

  it('fetch returns the section of a result, with the previous and the next section', async () => {
    const { structuredContent: searchResult } = await callTool(server, '/mcp', 'search', {
      query: 'sotto listens but writes nothing',
    });
    const id = 'doc:troubleshooting#sotto-listens-but-writes-nothing';
    assert.equal(searchResult.results[0].id, id);
    const { markdown, headings } = await fetchRest('/docs/troubleshooting');
    const place = headings.findIndex(({ anchor }: Json) => anchor === 'sotto-listens-but-writes-nothing');
    const [previous, section, next] = headings.slice(place - 1, place + 2);
    for (const name of [id, searchResult.results[0].section_url, 'troubleshooting#sotto-listens-but-writes-nothing']) {
      const { structuredContent } = await callTool(server, '/mcp', 'fetch', { id: name });
      assert.equal(structuredContent.id, id);
      assert.equal(structuredContent.url, `${server.baseUrl}/docs/troubleshooting#sotto-listens-but-writes-nothing`);
      assert.ok(structuredContent.text.startsWith(`${'#'.repeat(section.level)} ${section.text}\n`));
      assert.ok(markdown.includes(structuredContent.text));
      assert.ok(!structuredContent.text.includes(`\n${'#'.repeat(next.level)} ${next.text}`));
      assert.equal(structuredContent.metadata.total_chars, [...structuredContent.text].length);
      assert.deepEqual(structuredContent.metadata.section, {
        heading_path: structuredContent.metadata.section.heading_path,
        previous: { id: `doc:troubleshooting#${previous.anchor}`, title: previous.text },
        next: { id: `doc:troubleshooting#${next.anchor}`, title: next.text },
      });
      assert.equal(structuredContent.metadata.section.heading_path.at(-1), section.text);
    }
    assert.match(
      await fetchFailure('/mcp', 'fetch', { id: 'doc:troubleshooting#sotto-listens-but-writes-nothin' }),
      /^No section `sotto-listens-but-writes-nothin` in `doc:troubleshooting`\. Did you mean `doc:troubleshooting#sotto-listens-but-writes-nothing`\?/,
    );
  });

  it('search of /mcp returns every type of content, with ids that fetch accepts', async () => {
    const ids = new Set<string>();
    for (const type of ['doc', 'faq', 'release', 'feature', 'plan', 'requirements', 'reference', undefined]) {
      const query = 'the to with of a is';
      let next: string | undefined;
      do {
        const input = { query, limit: 50, ...(type && { type }), ...(next && { cursor: next }) };
        const { structuredContent: page } = await callTool(server, '/mcp', 'search', input);
        for (const { id } of page.results) ids.add(id);
        next = page.pagination.next_cursor ?? undefined;
      } while (next !== undefined);
    }
    const kinds = new Set([...ids].map((id) => id.split(':')[0]));
    assert.deepEqual([...kinds].toSorted(), ['doc', 'faq', 'feature', 'plan', 'reference', 'release', 'requirements']);
    for (const id of ids) {
      const { structuredContent, isError } = await callTool(server, '/mcp', 'fetch', { id });
      assert.deepEqual([structuredContent?.id, isError], [id, undefined]);
      assert.ok(structuredContent.text.length > 10, id);
    }
  });

  it('fetch of a release has a download for each of its builds', async () => {
    const { builds } = await fetchRest('/releases/2.3.0');
    const { structuredContent } = await callTool(server, '/mcp', 'fetch', { id: 'release:2.3.0' });
    assert.ok(builds.length > 1);
    for (const { download_url } of builds)
      assert.ok(structuredContent.text.includes(`<${download_url}>`), download_url);
  });

  it('fetch accepts the id, the slug and the URLs of a page or an FAQ entry', async () => {
    const { data } = await fetchRest('/docs?limit=100');
    for (const { slug } of data) {
      const page = await fetchRest(`/docs/${slug}`);
      for (const id of [`doc:${slug}`, slug, page.url, page.markdown_url, `${page.url}#anchor`, `${page.url}?a=b`]) {
        const { content, structuredContent } = await callTool(server, '/mcp/docs', 'fetch', { id });
        assert.deepEqual(content, [{ type: 'text', text: JSON.stringify(structuredContent) }]);
        assert.deepEqual(structuredContent, {
          id: `doc:${slug}`,
          title: page.title,
          text: page.markdown,
          url: page.url,
          metadata: {
            type: 'doc',
            markdown_url: page.markdown_url,
            total_chars: [...page.markdown].length,
            next_offset: null,
          },
        });
      }
    }
    const { data: entries } = await fetchRest('/faq?limit=100');
    for (const entry of entries) {
      for (const id of [`faq:${entry.id}`, entry.id, entry.url, entry.markdown_url]) {
        const { structuredContent } = await callTool(server, '/mcp', 'fetch', { id });
        assert.equal(structuredContent.title, entry.question);
        assert.equal(structuredContent.text, entry.answer);
        assert.equal(structuredContent.metadata.type, 'faq');
      }
    }
  });

  it('fetch returns a long page in parts of at most max_chars, which together are the whole page', async () => {
    const { markdown } = await fetchRest('/docs/troubleshooting');
    for (const max_chars of [500, 777, 4000]) {
      let text = '';
      let offset = 0;
      for (let parts = 0; parts < 100; parts += 1) {
        const part = (await callTool(server, '/mcp/docs', 'fetch', { id: 'doc:troubleshooting', offset, max_chars }))
          .structuredContent;
        assert.ok([...part.text].length <= max_chars);
        text += part.text;
        if (part.metadata.next_offset === null) break;
        assert.equal(part.metadata.next_offset, [...text].length);
        offset = part.metadata.next_offset;
      }
      assert.equal(text, markdown);
    }
  });

  it('fetch ends a part after the last line break if that is in its last quarter', async () => {
    const { markdown } = await fetchRest('/docs/troubleshooting');
    const characters = [...markdown];
    const ends = characters.flatMap((character, index) => (character === '\n' ? [index + 1] : []));
    /** Returns a line end that is the last one in the 500 characters from `length` characters before it. */
    const findEnd = (length: number): number =>
      ends.find((end, index) => {
        const next = ends[index + 1] ?? 0;
        return end > length && next > end - length + 500;
      }) ?? assert.fail(`no line has more than ${500 - length} characters`);
    for (const [length, isCut] of [
      [380, true],
      [375, false],
    ] as const) {
      const end = findEnd(length);
      const offset = end - length;
      const { structuredContent } = await callTool(server, '/mcp/docs', 'fetch', {
        id: 'doc:troubleshooting',
        offset,
        max_chars: 500,
      });
      assert.equal(structuredContent.metadata.next_offset, isCut ? end : offset + 500);
    }
  });

  it('the message of an error suggests the next call', async () => {
    assert.equal(
      await fetchFailure('/mcp', 'get_release', { version: '2.2.O' }),
      'No release `2.2.O`. Did you mean `2.2.0` or `2.2.1`? Call list_releases for every version.',
    );
    assert.equal(
      await fetchFailure('/mcp/docs', 'fetch', { id: 'doc:quikstart' }),
      'No page `quikstart`. Did you mean `quickstart`? Call search to find its id.',
    );
    assert.equal(
      await fetchFailure('/mcp/docs', 'fetch', { id: 'quikstart' }),
      'No page or FAQ entry `quikstart`. Did you mean `doc:quickstart`? Call search to find its id.',
    );
    assert.match(await fetchFailure('/mcp', 'fetch', { id: 'faq:nothing' }), /^No FAQ entry `nothing`\..* Call search/);
    assert.match(
      await fetchFailure('/mcp', 'fetch', { id: 'https://elsewhere.example/docs/quickstart' }),
      /^No page or FAQ entry/,
    );
    assert.match(await fetchFailure('/mcp', 'fetch', { id: `${server.baseUrl}/docs/%zz` }), /^No page/);
    assert.equal(
      await fetchFailure('/mcp/docs', 'fetch', { id: `${server.baseUrl}/docs/quikstart` }),
      'No page `quikstart`. Did you mean `quickstart`? Call search to find its id.',
    );
    assert.match(
      await fetchFailure('/mcp', 'fetch', { id: 'doc:quickstart', offset: 999_999 }),
      /is past the end.*smaller offset/,
    );
    assert.match(await fetchFailure('/mcp', 'check_compatibility', { os_version: '20', arch: 'arm64' }), /call again/);
    assert.match(
      await fetchFailure('/mcp', 'check_compatibility', { os_version: 'Sonoma', arch: 'arm64' }),
      /call again/,
    );
    assert.match(await fetchFailure('/mcp', 'list_releases', { cursor: 'made-up' }), /Call again without cursor/);
    const { pagination } = await fetchRest('/docs?limit=1');
    assert.match(
      await fetchFailure('/mcp', 'list_releases', { cursor: pagination.next_cursor }),
      /Call again without cursor/,
    );
  });

  it('the schemas of fetch and get_release have exactly the expected fields', async () => {
    const { tools } = await readResult(sendRpcRequest(server, '/mcp', 'tools/list'));
    const findSchemas = (toolName: string): { inputSchema: Json; outputSchema: Json } =>
      tools.find(({ name }: { name: string }) => name === toolName);
    assert.deepEqual(findSchemas('fetch').inputSchema, {
      type: 'object',
      properties: {
        id: { type: 'string', minLength: 1, maxLength: 500, description: 'id of a search result, slug, or URL' },
        offset: { type: 'integer', default: 0, minimum: 0, description: 'In characters' },
        max_chars: { type: 'integer', default: 20_000, minimum: 500, maximum: 40_000, description: 'At most' },
      },
      required: ['id'],
      additionalProperties: false,
    });
    const { inputSchema, outputSchema } = findSchemas('get_release');
    assert.deepEqual(inputSchema, {
      type: 'object',
      properties: {
        version: {
          type: 'string',
          maxLength: 300,
          description: 'Exact version, or version+build; the latest when left out',
        },
        channel: { type: 'string', maxLength: 64, description: 'Also offers this channel, such as beta' },
        os: {
          type: 'string',
          enum: ['macOS', 'Windows', 'Linux'],
          description: 'The operating system; the product’s main one when left out',
        },
        os_version: {
          type: 'string',
          maxLength: 64,
          description: 'An OS version such as `14.5`, or `11`, `23H2` or `10.0.22631` for Windows',
        },
        arch: {
          type: 'string',
          enum: ['arm64', 'x86_64'],
          description: 'The processor: `arm64` is Apple silicon, `x86_64` is Intel',
        },
      },
      additionalProperties: false,
    });
    const fields =
      'object version published_at notes download_url platform builds build channel critical informational size_bytes notes_url';
    assert.deepEqual(outputSchema.required, fields.split(' '));
    assert.deepEqual(Object.keys(outputSchema.properties as Json), fields.split(' '));
  });

  for (const { path, tools: declared } of mcpServers) {
    const names = declared.map(({ name }) => name);
    // Every conversation of a model contains the listing, so its size costs tokens each time.
    const maxBytes = 2560 * names.length;
    describe(`tools/list and tools/call of ${path}`, () => {
      it(`the list has at most ${maxBytes} bytes, and the instructions at most 600 characters`, async () => {
        const { text } = await sendRpcRequest(server, path, 'tools/list');
        const sizes = JSON.parse(text).result.tools.map((tool: Json) => `${tool.name} ${JSON.stringify(tool).length}`);
        assert.ok(
          Buffer.byteLength(text) <= maxBytes,
          `${Buffer.byteLength(text)} bytes, of which ${sizes.join(', ')}. Shorten a description, here or in what the tool is made of.`,
        );
        const { instructions } = await readResult(
          sendRpcRequest(server, path, 'initialize', { protocolVersion: '2025-06-18' }),
        );
        assert.ok(instructions.length <= 600, `${instructions.length} characters`);
      });

      it('every tool and every property has a description', async () => {
        const { tools } = await readResult(sendRpcRequest(server, path, 'tools/list'));
        assert.deepEqual(
          tools.map(({ name }: { name: string }) => name),
          names,
        );
        for (const tool of tools) {
          assert.ok(tool.name.length <= 24 && /^[a-z_]+$/.test(tool.name));
          assert.ok(tool.title.length > 0);
          assert.ok(tool.description.length > 40 && tool.description.length <= 300, tool.name);
          assert.deepEqual(tool.annotations, {
            readOnlyHint: true,
            destructiveHint: false,
            idempotentHint: true,
            openWorldHint: false,
          });
          assert.equal(tool.inputSchema.additionalProperties, false);
          for (const schema of [tool.inputSchema, tool.outputSchema]) {
            assert.equal(schema.type, 'object');
            for (const [name, property] of listProperties(schema)) {
              const description =
                property.description ?? (property.const === undefined ? '' : JSON.stringify(property.const));
              assert.ok(typeof description === 'string' && description !== '', `${tool.name}: ${name}`);
            }
            assert.doesNotMatch(
              JSON.stringify(schema),
              /"(\$schema|\$ref|\$defs|oneOf|anyOf|allOf|pattern|x-[a-z]+)":|"format":"/,
            );
          }
        }
      });

      it('a strict validator compiles the schemas, and the results fit them', async () => {
        const { tools } = await readResult(sendRpcRequest(server, path, 'tools/list'));
        const ajv = new Ajv({ strict: true, allErrors: true });
        const inputs: Json = {
          search: { query: 'key' },
          fetch: { id: 'doc:quickstart' },
          check_compatibility: { os_version: '16', arch: 'arm64' },
        };
        for (const { name, inputSchema, outputSchema } of tools) {
          const input = (inputs[name] ?? {}) as Json;
          assert.ok(ajv.compile(inputSchema)(input), name);
          const { structuredContent } = await callTool(server, path, name, input);
          const isValid = ajv.compile(outputSchema);
          assert.ok(isValid(structuredContent), `${name}: ${ajv.errorsText(isValid.errors)}`);
        }
      });

      it('a result has at most 24,000 characters by default, and never more than 60,000', async () => {
        const inputs: readonly (readonly [string, Json])[] = names.flatMap((name): (readonly [string, Json])[] => {
          if (name === 'search') return [[name, { query: 'the' }]];
          if (name === 'fetch') return [[name, { id: 'doc:troubleshooting' }]];
          if (name === 'check_compatibility') return [[name, { os_version: '13', arch: 'x86_64' }]];
          return [[name, {}]];
        });
        for (const [name, input] of inputs) {
          const { content } = await callTool(server, path, name, input);
          assert.ok(content[0].text.length <= 24_000, `${name}: ${content[0].text.length}`);
        }
        const largestCalls: readonly (readonly [string, Json])[] = [
          ['search', { query: 'the', limit: 50 }],
          ['fetch', { id: 'doc:troubleshooting', max_chars: 40_000 }],
          path === '/mcp' ? ['list_releases', { limit: 100 }] : ['list_docs', { limit: 100 }],
        ];
        for (const [name, input] of largestCalls) {
          const { content } = await callTool(server, path, name, input);
          assert.ok(content[0].text.length <= 60_000, `${name}: ${content[0].text.length}`);
        }
      });
    });
  }
});

/**
 * Yields every property of a JSON Schema at any depth after its path, such as `data.[].version`, where `[]` is an item of a list.
 */
function* listProperties(schema: Json, path = ''): Generator<[string, Json]> {
  for (const [name, property] of Object.entries((schema.properties ?? {}) as Record<string, Json>)) {
    yield [`${path}${name}`, property];
    yield* listProperties(property, `${path}${name}.`);
  }
  if (schema.items !== undefined) yield* listProperties(schema.items as Json, `${path}[].`);
}
