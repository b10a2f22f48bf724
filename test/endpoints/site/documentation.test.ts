/** Tests the documentation of a content folder: folder pages, order, groups, dates, and redirects from old addresses. */
import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { type FileChange, writeContentFolder } from '../../support/content-folder.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const html = { headers: { accept: 'text/html' } };
const json = { headers: { accept: 'application/json' } };
const createPage = (title: string, text: string, more = ''): string => `---\ntitle: ${title}\n${more}---\n${text}\n`;

const pages = {
  'docs/index.md': createPage('The manual', 'Everything about Lamp. Begin with [the first steps](start.md).'),
  'docs/guides/index.md': createPage('Guides', 'Go [on](colours.md) or [back](../start.md).', 'aliases: [/handbook]\n'),
  'docs/guides/deep/README.md': createPage('Deep', 'Down [here](colours.md#x), up [there](../).'),
  'docs/guides/deep/colours.md': createPage('Deep colours', '## X\n\nText.', 'order: 2\n'),
  'docs/hidden.md': createPage('Hidden', 'Not in the menu.'),
};
const navigation = `pages:
  - title: First
    pages:
      - { page: start.md, title: First steps }
      - { title: Shop, href: "https://lamp.example/shop" }
  - page: guides
    pages:
      - guides/colours
      - page: guides/deep
        pages: [guides/deep/colours]
`;
const redirects = `redirects:
  - { from: /guide/Install.html, to: /guide/setup }
  - { from: /guide/setup, to: "/docs/start#first-light" }
  - { from: /v1/*, to: /docs/* }
  - { from: /shop, to: "https://lamp.example/shop" }
`;

async function startServer(
  t: Pick<TestContext, 'after'>,
  files: Record<string, FileChange>,
  env: Record<string, string> = {},
): Promise<TestServer> {
  const directory = writeContentFolder(t, files);
  const server = await startTestServer({ env: { CONTENT_DIR: directory, ...env } });
  t.after(() => server.close());
  return server;
}

describe('GET /docs of a folder with navigation.yaml, redirects.yaml and aliases', () => {
  const cleanups: (() => void | Promise<void>)[] = [];
  let server: TestServer;
  before(async () => {
    server = await startServer(
      { after: (end) => void cleanups.push(end as () => void) },
      { ...pages, 'navigation.yaml': navigation, 'redirects.yaml': redirects },
    );
  });
  after(async () => {
    for (const end of cleanups.toReversed()) await end();
  });
  const listSlugs = async () => {
    const { json: list } = await server.request('/api/v1/docs', json);
    return list.data.map(({ slug, order }: { slug: string; order: number }) => `${order} ${slug}`);
  };

  test('index.md and README.md are served at the path of their folder, and their relative links resolve', async () => {
    const guides = await server.request('/docs/guides', html);
    assert.equal(guides.status, 200);
    assert.match(guides.text, /Go <a href="\/docs\/guides\/colours">on<\/a> or <a href="\/docs\/start">back<\/a>/);
    const deep = await server.request('/docs/guides/deep.md');
    assert.match(
      deep.text,
      /Down \[here\]\(http:\/\/[^/]+\/docs\/guides\/deep\/colours#x\), up \[there\]\(http:\/\/[^/]+\/docs\/guides\)/,
    );
    const { json: body } = await server.request('/api/v1/docs/guides', json);
    assert.deepEqual(
      [body.slug, body.title, body.description, body.updated_at, body.order],
      ['guides', 'Guides', 'Go on or back.', null, 2],
    );
  });

  test('docs/index.md is served at /docs, above the list of pages', async () => {
    const { text } = await server.request('/docs', html);
    assert.match(text, /<h1>The manual<\/h1>/);
    assert.match(text, /Begin with <a href="\/docs\/start">the first steps<\/a>/);
    assert.match(text, /<h2>Guides<\/h2><ul class="pages plain"><li><a href="\/docs\/guides">Guides<\/a>/);
    assert.doesNotMatch(text, /Hidden/);
    const { json: body } = await server.request('/api/v1/docs/index', json);
    assert.match(body.url, /\/docs$/);
    assert.match(body.markdown_url, /\/docs\.md$/);
    assert.equal((await server.request('/docs/index', html)).headers.get('location')?.endsWith('/docs'), true);
  });

  test('navigation.yaml sets the order and the menu; a page that it omits is last and in no menu', async () => {
    assert.deepEqual(await listSlugs(), [
      '1 start',
      '2 guides',
      '3 guides/colours',
      '4 guides/deep',
      '5 guides/deep/colours',
      '6 index',
      '7 hidden',
    ]);
    const { text } = await server.request('/docs/guides/deep/colours', html);
    const menu = /<nav class="menu-section".*?<\/nav>/s.exec(text)?.[0] ?? '';
    assert.match(
      menu,
      /<p><span>First<\/span><\/p><ul class="plain"><li><a href="\/docs\/start">First steps<\/a><\/li><li><a href="https:\/\/lamp\.example\/shop">Shop<\/a>/,
    );
    assert.match(
      menu,
      /<li><details open><summary><span>Deep<\/span><\/summary><ul class="plain"><li><a href="\/docs\/guides\/deep" aria-current="true">Deep<\/a><\/li><li><a href="\/docs\/guides\/deep\/colours" aria-current="page">Deep colours<\/a>/,
    );
    assert.match(text, /<nav class="breadcrumb[^>]*>.*Documentation.*Guides.*Deep/s);
    assert.match(text, /<nav class="page-navigation.*rel="prev" href="\/docs\/guides\/deep"/s);
    assert.doesNotMatch(text, /docs\/hidden|rel="next"/);
    assert.equal((await server.request('/docs/hidden', html)).status, 200);
  });

  test('a page without a known date shows none, and has no lastmod in sitemap.xml', async () => {
    const { text } = await server.request('/docs/guides', html);
    assert.doesNotMatch(text, /class="edited"|dateModified/);
    assert.doesNotMatch((await server.request('/docs/guides.md')).text, /Updated/);
    const sitemap = (await server.request('/sitemap.xml')).text;
    assert.match(sitemap, /\/docs\/guides<\/loc>\s*<\/url>/);
    assert.match(sitemap, /\/docs\/start<\/loc>\s*<lastmod>2026-01-31/);
  });

  test('aliases, rules of redirects.yaml and other spellings of a path redirect with 308, whatever Accept is', async () => {
    const targets: Record<string, string | null> = {
      '/guide/install': '/docs/start#first-light',
      '/guide/Install/': '/docs/start#first-light',
      '/guide/install.html': '/docs/start#first-light',
      '/guide/install.md': '/docs/start#first-light',
      '/handbook/index.html': '/docs/guides',
      '/handbook.md': '/docs/guides.md',
      '/v1/guides/colours': '/docs/guides/colours',
      '/v1/none': null,
      '/docs/START': '/docs/start',
      '/docs/start/': '/docs/start',
      '/docs/start.html': '/docs/start',
      '/docs/guides/index': '/docs/guides',
      '/docs/guides/deep/README.md': '/docs/guides/deep.md',
      '/docs/guides/index.mdx': '/docs/guides',
      '/Pricing/': '/pricing',
      '/shop': 'https://lamp.example/shop',
      '/docs/none': null,
      '/docs/%zz': null,
    };
    for (const [path, expected] of Object.entries(targets)) {
      for (const headers of [{ accept: '*/*' }, html.headers]) {
        const { status, headers: responseHeaders } = await server.request(path, { headers });
        const location = responseHeaders.get('location');
        const { baseUrl } = server;
        assert.deepEqual(
          [status, location],
          expected === null ? [404, null] : [308, expected.startsWith('/') ? baseUrl + expected : expected],
          path,
        );
        assert.ok(responseHeaders.get('etag') && responseHeaders.get('ratelimit'), path);
      }
    }
    assert.equal((await server.request('/guide/install', { method: 'POST' })).status, 404);
  });
});

test('a cursor of GET /api/v1/docs continues after its page when pages are moved, added and removed', async (t) => {
  const startWith = (slugs: readonly string[]): Promise<TestServer> =>
    startServer(
      t,
      {
        ...pages,
        ...(slugs.includes('new') && { 'docs/new.md': createPage('New', 'Text.') }),
        ...(slugs.includes('old') && { 'docs/old.md': createPage('Old', 'Text.') }),
        'navigation.yaml': `pages: [${slugs.join(', ')}]\n`,
      },
      { SECRET_KEY: 'a secret that all servers of this test have' },
    );
  const listSlugs = async (server: TestServer, path: string): Promise<{ slugs: string[]; cursor: string | null }> => {
    const { json: list } = await server.request(path, json);
    return { slugs: list.data.map(({ slug }: { slug: string }) => slug), cursor: list.pagination.next_cursor };
  };
  const rest = ['guides/colours', 'guides/deep', 'guides/deep/colours'];
  const firstServer = await startWith(['start', 'guides', 'old', ...rest]);
  const first = await listSlugs(firstServer, '/api/v1/docs?limit=3');
  assert.deepEqual(first.slugs, ['start', 'guides', 'old']);
  const changes = {
    'pages before the cursor and pages after it are moved': ['guides', 'start', 'old', ...rest.toReversed()],
    'a page is added before the cursor': ['new', 'start', 'guides', 'old', ...rest],
    'the last page that was sent is removed': ['start', 'guides', ...rest],
  };
  for (const [change, slugs] of Object.entries(changes)) {
    const changedServer = await startWith(slugs);
    const remaining: string[] = [];
    for (let cursor = first.cursor; cursor !== null; ) {
      const page = await listSlugs(changedServer, `/api/v1/docs?limit=2&cursor=${cursor}`);
      remaining.push(...page.slugs);
      cursor = page.cursor;
    }
    const order = slugs.filter((slug) => rest.includes(slug));
    assert.deepEqual(remaining, [...order, 'index', 'hidden'], change);
  }
});

test('GET /docs/{slug} closes every element that a <pre> with attributes opens', async (t) => {
  const text = '<pre lang="en">\nPlain\n</pre>\n\n<pre>Bare</pre>\n\n```\ncode\n```\n';
  const server = await startServer(t, { 'docs/more.md': createPage('More', text) });
  const { text: markup } = await server.request('/docs/more', html);
  assert.equal(markup.match(/<div[ >]/g)?.length, markup.match(/<\/div>/g)?.length);
  assert.match(markup, /<div class="code"><pre tabindex="0" lang="en">\s*Plain\s*<\/pre><\/div>/);
  assert.equal(markup.match(/<div class="code"><pre tabindex="0"/g)?.length, 3);
});

test('GET /docs/{slug} sets width and height of each image whose file is in the folder', async (t) => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 20"></svg>';
  // A comment and two fill bytes (ITU-T T.81, section B.1.1.2) precede the frame header, which has the size of the image.
  const jpg = Buffer.from('ffd8fffe0003ffffffffc0000b080014002001011100ffd9', 'hex');
  const text =
    '![Bulb](../assets/my%20bulb.svg) <img alt="Bulb" src="/assets/my%20bulb.svg"> ![Bulb](../assets/bulb.jpg) ![Bulb](https://lamp.example/a.svg)\n';
  const images = { 'assets/my bulb.svg': svg, 'assets/bulb.jpg': jpg };
  const server = await startServer(t, { 'docs/more.md': createPage('More', text), ...images });
  const { text: markup } = await server.request('/docs/more', html);
  assert.deepEqual(markup.match(/<img [^>]*alt="Bulb"[^>]*>/g), [
    '<img src="/assets/my%20bulb.svg" alt="Bulb" width="32" height="20">',
    '<img alt="Bulb" src="/assets/my%20bulb.svg" width="32" height="20">',
    '<img src="/assets/bulb.jpg" alt="Bulb" width="32" height="20">',
    '<img src="https://lamp.example/a.svg" alt="Bulb">',
  ]);
});

test('GET /docs/{path} serves the images beside a page, and every spelling of a link to them resolves', async (t) => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 20"></svg>';
  const text = '![A](bulb.svg) ![B](./Bild%201.PNG) [C](/docs/guides/bulb.svg) <video src="bulb.mp4"></video>\n';
  const server = await startServer(t, {
    'docs/guides/more.md': createPage('More', text),
    'docs/guides/bulb.svg': svg,
    'docs/guides/Bild 1.PNG': 'png',
    'docs/guides/bulb.mp4': 'mp4',
  });
  const { text: markup } = await server.request('/docs/guides/more', html);
  assert.match(markup, /<img src="\/docs\/guides\/bulb\.svg" alt="A" width="32" height="20">/);
  assert.match(markup, /<img src="\/docs\/guides\/Bild%201\.PNG" alt="B">/);
  assert.match(markup, /<a href="\/docs\/guides\/bulb\.svg">C<\/a> <video src="\/docs\/guides\/bulb\.mp4"/);
  const { text: markdown } = await server.request('/docs/guides/more.md');
  assert.ok(markdown.includes(`![A](${server.baseUrl}/docs/guides/bulb.svg)`));
  const { status, headers } = await server.request('/docs/guides/bulb.svg');
  assert.deepEqual([status, headers.get('content-type')], [200, 'image/svg+xml']);
  assert.match(headers.get('content-security-policy') ?? '', /sandbox/);
  assert.equal((await server.request('/docs/guides/Bild%201.PNG')).headers.get('content-type'), 'image/png');
  assert.equal((await server.request('/docs/guides/none.png')).status, 404);
});

test('GET /faq/{id} renders the headings of an answer without anchors', async (t) => {
  const faq =
    'entries:\n  - id: is-it-bright\n    category: Use\n    question: Is it bright?\n    answer: |\n      ## At night\n\n      Yes.\n';
  const server = await startServer(t, { 'faq.yaml': faq });
  const { text: markup } = await server.request('/faq/is-it-bright', html);
  assert.match(markup, /<h3>At night<\/h3>/);
});

test('HTML comments and scripts are removed from every form of a docs page; callouts are rendered in HTML only', async (t) => {
  const text =
    'Press <kbd>K</kbd>. <!-- secret -->\n\n<script>\nsecret()\n</script>\n\n<!-- tabs:start -->\n\n## A\n\na\n\n## B\n\nb\n\n<!-- tabs:end -->\n\n> [!TIP]\n> Tip.\n\n## C\n\n## D\n';
  const server = await startServer(t, { 'docs/more.md': createPage('More', text) });
  const renderedPage = await server.request('/docs/more', html);
  const markdown = await server.request('/docs/more.md');
  const { json: body } = await server.request('/api/v1/docs/more', json);
  for (const form of [renderedPage.text, markdown.text, body.markdown]) {
    assert.match(form, /<kbd>K<\/kbd>/);
    assert.doesNotMatch(form, /secret|tabs:start/);
  }
  assert.match(renderedPage.text, /<label for="tabs-1-1">A<\/label>\n<section class="tab">\n<h2 id="a">/);
  assert.match(renderedPage.text, /<div class="callout tip" role="note"><p class="callout-title">Tip<\/p>/);
  assert.match(renderedPage.text, /<aside class="contents quiet">.*#c.*#d/s);
  assert.doesNotMatch(/<aside class="contents.*<\/aside>/s.exec(renderedPage.text)?.[0] ?? '', /#a"|#b"/);
  assert.match(renderedPage.headers.get('content-security-policy') ?? '', /media-src 'self'/);
  assert.match(body.markdown, /> \[!TIP\]\n> Tip\./);
  assert.deepEqual(
    body.headings.map(({ anchor }: { anchor: string }) => anchor),
    ['a', 'b', 'c', 'd'],
  );
});

test('GET /api/v1/docs without navigation.yaml sorts pages by `order` and file name, folder by folder', async (t) => {
  const server = await startServer(t, pages);
  const { json: list } = await server.request('/api/v1/docs', json);
  assert.deepEqual(
    list.data.map(({ slug }: { slug: string }) => slug),
    ['index', 'start', 'guides', 'guides/colours', 'guides/deep', 'guides/deep/colours', 'hidden'],
  );
});

test('the menu of a folder with 360 pages has fewer than 80 links, and GET /docs lists every page', async (t) => {
  const folders = ['jars', 'lids', 'shelves'];
  const files = folders.flatMap((folder) =>
    Array.from({ length: 120 }, (_, index) => [
      `docs/${folder}/page-${index}.md`,
      createPage(`${folder} ${index}`, 'Text.'),
    ]),
  );
  const server = await startServer(t, Object.fromEntries(files));
  const { text } = await server.request('/docs/lids/page-60', html);
  const [, menu = ''] = /<nav class="menu-section"[^>]*>([\s\S]*?)<\/nav>/.exec(text) ?? [];
  const hrefs = [...menu.matchAll(/href="([^"]*)"/g)].map(([, href]) => href ?? '');
  assert.ok(hrefs.includes('/docs/lids/page-60') && hrefs.includes('/docs'), menu);
  assert.ok(hrefs.length < 80, `${hrefs.length} links in the menu`);
  assert.equal(menu.match(/aria-current="page"/g)?.length, 1);
  const { text: index } = await server.request('/docs', html);
  const [, main = ''] = /<main[^>]*>([\s\S]*?)<\/main>/.exec(index) ?? [];
  for (const [file = ''] of files) {
    const path = `/${file.replace(/\.md$/, '')}`;
    assert.ok(main.includes(`<a href="${path}">`), path);
  }
});
