/** Surrogate keys: every cacheable response has them, and what a change purges is what it changed. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { setTimeout as turn } from 'node:timers/promises';
import { writeContentFile, writeContentFolder } from '../support/content-folder.ts';
import { feedOf } from '../support/feed-samples.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { startPurgedCache } from '../support/purged-cache.ts';
import { startOneServer, type TestServer } from '../support/server.ts';

const page = (title: string, text: string) =>
  `---\ntitle: ${title}\ndescription: About ${title}.\n---\n\n# ${title}\n\n## First light\n\n${text}\n`;

/** What the folder changes to, and who sees it, if it is not everybody. */
const changes: readonly { name: string; file: string; text: string | null; keeps?: readonly string[] }[] = [
  {
    name: 'a picture',
    file: 'assets/shot.svg',
    text: '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"/>\n',
    keeps: ['/docs/other', '/docs/other.md', '/api/v1/docs/other', '/api/v1/docs', '/releases.atom'],
  },
  {
    name: 'the text of a page',
    file: 'docs/start.md',
    text: page('Start', 'Other words.'),
    keeps: ['/docs/other', '/docs/other.md', '/api/v1/docs/other', '/api/v1/faq', '/faq', '/releases', '/pricing'],
  },
  {
    name: 'the title of a page',
    file: 'docs/start.md',
    text: page('Begin', 'Other words.'),
    keeps: ['/docs/other.md', '/api/v1/docs/other', '/api/v1/faq', '/faq', '/releases'],
  },
  {
    name: 'another page',
    file: 'docs/more.md',
    text: page('More', 'More words.'),
    keeps: ['/api/v1/faq', '/faq', '/api/v1/pricing', '/releases'],
  },
  {
    name: 'a page that is taken away',
    file: 'docs/more.md',
    text: null,
    keeps: ['/api/v1/faq', '/faq', '/api/v1/pricing', '/releases'],
  },
  {
    name: 'an answer of the FAQ',
    file: 'faq.yaml',
    text: 'entries:\n  - id: is-it-bright\n    category: Use\n    question: Is it bright?\n    answer: Very.\n',
    keeps: ['/docs/other', '/api/v1/docs/start', '/docs', '/api/v1/pricing', '/releases'],
  },
  {
    name: 'a price',
    file: 'pricing.yaml',
    text: 'plans:\n  - id: free\n    name: Gratis\n    price: { amount: 0, currency: USD, interval: null }\n    description: All.\n    includes: [Light]\nbackends: []\n',
    keeps: ['/docs/other', '/api/v1/docs/start', '/faq', '/api/v1/features'],
  },
  {
    name: 'a feature',
    file: 'features.yaml',
    text: 'features:\n  - id: glow\n    name: Shine\n    description: It shines.\n    on_device: true\n    permission: screen\n',
    keeps: ['/docs/other', '/api/v1/docs/start', '/faq', '/api/v1/pricing'],
  },
  {
    name: 'a requirement',
    file: 'requirements.yaml',
    text: 'disk_mb: 11\nmemory_mb: 20\npermissions:\n  - id: screen\n    name: Screen\n    required: true\n    unlocks: Light.\n',
    keeps: ['/docs/other', '/api/v1/docs/start', '/faq', '/api/v1/pricing'],
  },
  {
    name: 'a release',
    file: 'appcast.xml',
    text: feedOf('0.7', '1.2.0', '1.3.0'),
    keeps: ['/docs', '/docs/start', '/docs/other', '/docs/other.md', '/api/v1/docs', '/faq', '/api/v1/features'],
  },
  {
    name: 'the notes of a release',
    file: 'releases/1.2.0.md',
    text: '- Much brighter.\n',
    keeps: ['/docs', '/docs/start', '/docs/other', '/faq', '/api/v1/features'],
  },
  {
    name: 'words that search knows',
    file: 'synonyms.yaml',
    text: 'groups:\n  - [light, lamp]\n',
    keeps: ['/docs', '/docs/start', '/faq', '/releases'],
  },
  {
    name: 'what people type for a page',
    file: 'keywords.yaml',
    text: 'places:\n  /docs/start: light\n',
    keeps: ['/docs', '/docs/start', '/faq', '/releases'],
  },
  { name: 'the menu', file: 'navigation.yaml', text: 'pages:\n  - other\n  - start\n', keeps: ['/faq', '/api/v1/faq'] },
  {
    name: 'a redirect',
    file: 'redirects.yaml',
    text: 'redirects:\n  - from: /old\n    to: /docs/other\n',
    keeps: ['/docs/other'],
  },
  {
    name: 'what that redirect leads to',
    file: 'redirects.yaml',
    text: 'redirects:\n  - from: /old\n    to: /docs/start\n',
  },
  { name: 'a prompt', file: 'prompts/brighten.md', text: page('Dim', 'Make it dim.'), keeps: ['/docs/other', '/faq'] },
  { name: 'the words of the pages', file: 'words.yaml', text: 'search: Find\n' },
];

const fixed = [
  ...['/index.md', '/docs.md', '/faq.md', '/pricing.md', '/releases.md', '/old', '/search', '/search?q=light'],
  ...[
    '/llms.txt',
    '/llms-full.txt',
    '/robots.txt',
    '/sitemap.xml',
    '/releases.atom',
    '/appcast.xml',
    '/download/latest',
  ],
  ...[
    '/openapi.json',
    '/openapi.sdk.json',
    '/auth.md',
    '/site.css',
    '/site.js',
    '/assets/logo.svg',
    '/assets/shot.svg',
    '/favicon.svg',
  ],
  ...['/.well-known/api-catalog', '/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource'],
  ...['/.well-known/ai-catalog.json', '/mcp/server-card', '/mcp/docs/server-card', '/consent.css'],
  ...['/api/v1', '/api/v1/releases', '/api/v1/releases/latest', '/api/v1/docs', '/api/v1/docs?limit=1', '/api/v1/faq'],
  ...[
    '/api/v1/pricing',
    '/api/v1/features',
    '/api/v1/requirements',
    '/api/v1/search?q=light',
    '/api/v1/search?q=start',
  ],
  ...['/api/v1/compatibility?os_version=14&arch=arm64', '/api/v1/sandbox/docs', '/api/v1/sandbox/releases/latest'],
  ...[
    '/sandbox',
    '/sandbox/docs',
    '/sandbox/docs/quickstart',
    '/sandbox/faq',
    '/sandbox/docs/quickstart.md',
    '/developers/client.js',
  ],
];

interface Stored {
  readonly etag: string;
  readonly keys: readonly string[];
}

/** What a cache would store, by address; markdown where there is both. */
async function crawl(server: TestServer): Promise<Map<string, Stored>> {
  const { text: map } = await server.ask('/sitemap.xml');
  const pages = [...map.matchAll(/<loc>([^<]*)<\/loc>/g)]
    .map(([, url = '']) => new URL(url).pathname)
    // One page of the reference stands for the others, which are large and made in the same way.
    .filter((path) => !path.startsWith('/developers/reference/') || path.endsWith('/releases'));
  const api = pages.filter((path) => /^\/(?:docs|faq|releases)\/./.test(path)).map((path) => `/api/v1${path}`);
  const markdown = pages.filter((path) => path !== '/').map((path) => `${path}.md`);
  const stored = new Map<string, Stored>();
  for (const path of new Set([...pages, ...markdown, ...api, ...fixed])) {
    // A hundred bodies for each change: nobody has to compress and read them.
    const { status, headers } = await server.ask(path, { headers: { 'accept-encoding': 'identity' } });
    const control = headers.get('cache-control') ?? '';
    const keys = (headers.get('surrogate-key') ?? '').split(' ').filter((key) => key !== '');
    assert.equal(headers.get('cache-tag') ?? '', keys.join(','), path);
    assert.equal(keys.length > 0, control.startsWith('public'), `${path}: ${status} ${control} ${keys}`);
    assert.ok(keys.length <= 10 && keys.join(' ').length <= 1000, path);
    for (const key of keys) assert.match(key, /^[a-z0-9._-]+$/, path);
    if (!control.startsWith('public')) continue;
    assert.equal(keys[0], 'all', path);
    stored.set(path, { etag: `${status} ${headers.get('location')} ${headers.get('etag')}`, keys });
  }
  return stored;
}

/** Moves the clock until it is so; what is read and sent takes its own time, which only the runner's limit bounds. */
async function until(clock: ReturnType<typeof createManualClock>, isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    await clock.advance(100);
    await turn(2);
  }
}

async function start(t: TestContext) {
  const directory = writeContentFolder(t, {
    'docs/start.md': page('Start', 'Words, and ![a window](../assets/shot.svg).'),
    'docs/other.md': page('Other', 'See [the start](start.md).'),
    'assets/shot.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"/>\n',
    'appcast.xml': feedOf('0.7', '1.2.0'),
  });
  const cache = await startPurgedCache(t);
  const clock = createManualClock(Date.parse('2026-11-21T12:00:00Z'));
  const server = await startOneServer({ clock, env: { CONTENT_DIR: directory, PURGE_URL: cache.url } });
  t.after(async () => {
    let isClosed = false;
    const closing = server.close().then(() => {
      isClosed = true;
    });
    await until(clock, () => isClosed);
    await closing;
  });
  return { directory, cache, clock, server };
}

it('purges what a change of the content changed, whatever it is, and keeps the rest', async (t) => {
  const { directory, cache, clock, server } = await start(t);
  // Nobody knows what the cache held before.
  await until(clock, () => cache.purges.length === 2);
  assert.deepEqual(
    cache.purges.map(({ method, keys }) => [method, keys]),
    [
      ['PURGE', ['all']],
      ['PURGE', ['all']],
    ],
  );
  let before = await crawl(server);
  for (const { name, file, text, keeps = [] } of changes) {
    cache.purges.length = 0;
    const revision = server.revision();
    if (text === null) rmSync(join(directory, file));
    else writeContentFile(directory, file, text);
    await until(clock, () => {
      assert.deepEqual(
        server.lines.filter(({ level }) => level === 'error'),
        [],
        name,
      );
      return cache.purges.length === 2;
    });
    assert.notEqual(server.revision(), revision, name);
    const [first, again] = cache.purges;
    assert.deepEqual(again?.keys, first?.keys, name);
    const purged = new Set(first?.keys);
    const isPurged = (keys: readonly string[]): boolean => keys.some((key) => purged.has(key));
    const after = await crawl(server);
    for (const [path, { etag, keys }] of before) {
      const now = after.get(path);
      if (now?.etag !== etag) assert.ok(isPurged(keys), `${name}: ${path} changed, and none of ${keys} was purged`);
    }
    for (const path of keeps) {
      const keys = before.get(path)?.keys ?? [];
      assert.ok(keys.length > 0, path);
      assert.ok(!isPurged(keys), `${name}: ${path} is the same, and one of ${keys} was purged`);
    }
    before = after;
  }
});

it('lets a cache keep content for a day only if it gets purges', async (t) => {
  const { server } = await start(t);
  const plain = await startOneServer({});
  t.after(() => plain.close());
  const controlOf = async (asked: TestServer, path: string) => (await asked.ask(path)).headers.get('cache-control');
  const long = 'public, max-age=60, s-maxage=86400, stale-while-revalidate=60, stale-if-error=604800';
  const short = 'public, max-age=60, s-maxage=300, stale-while-revalidate=300, stale-if-error=604800';
  for (const path of ['/api/v1/faq', '/faq', '/llms.txt', '/download/latest', '/openapi.json']) {
    assert.equal(await controlOf(server, path), long, path);
    // From the fast path, too.
    assert.equal(await controlOf(server, path), long, path);
    assert.equal(await controlOf(plain, path), short, path);
  }
});
