/** `colophon import` of plain Markdown, which no documentation system configures, and the rules that it shares with other systems. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { removeDeadLinks } from '../../packages/import/src/dead-links.ts';
import { importer } from '../../packages/import/src/main.ts';
import { fetchLinked } from '../../src/feed/fetch.ts';
import { runColophon } from '../support/command.ts';
import { startUpstream } from '../support/feed-upstream.ts';
import { assertLinear } from '../support/growth.ts';
import { importSite, runImport, writeEmptyContent, writeSource } from '../support/imported-site.ts';
import { starlightFiles } from './sources.ts';

interface ImportResult {
  /** Text files of the content folder by path: pages, navigation and redirects. */
  readonly files: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly report: string;
}

/**
 * Imports files, which are texts by path, with `words` as further arguments of the command. Asserts that it succeeds and that the
 * content folder is valid. Returns the texts of pages, assets, navigation and redirects by path, and the output.
 */
async function importFiles(
  t: TestContext,
  source: Readonly<Record<string, string>>,
  words: readonly string[] = [],
): Promise<ImportResult> {
  const folder = writeEmptyContent(t);
  const { code, stdout, stderr } = await runImport(writeSource(t, source), folder, words);
  assert.equal(code, 0, stderr);
  const checked = await runColophon(['check', folder, '--offline']);
  assert.equal(checked.code, 0, checked.stdout);
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /^(?:docs|assets)\/|^(?:navigation|redirects)\.yaml$/.test(path) && statSync(join(folder, path)).isFile(),
  );
  const files = paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]);
  return { files: Object.fromEntries(files), summary: stderr, report: stdout };
}

/** Returns the text of a page without its front matter, or an empty text for undefined. */
const getBody = (text: string | undefined): string => (text ?? '').replace(/^---\n[\s\S]*?\n---\n/, '');
const getTitle = (text: string | undefined): string | undefined => /^title: (.*)$/m.exec(text ?? '')?.[1];

describe('colophon import: plain Markdown', () => {
  it('a page of mdBook has its first heading as title, and the menu is that of SUMMARY.md', async (t) => {
    const { files, summary } = await importFiles(t, {
      'book.toml': '[book]\nsrc = "text"\n[output.html.redirect]\n"/old.html" = "setup.html"\n',
      'text/SUMMARY.md':
        '# Summary\n\n[Welcome](README.md)\n\n# Use\n\n- [Set up](setup.md)\n  - [On a Mac](Mac OS.md)\n- [Draft]()\n- [Gone](gone.md)\n',
      'text/README.md': '# The Lamp\n\nIt is bright.\n',
      'text/setup.md': '# Set it up\n\nSee [Mac](<Mac OS.md>) and ![On](img/on.svg).\n',
      'text/Mac OS.md': '# Mac\n\nDrag it.\n',
      'text/img/on.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    });
    assert.match(summary, /^From markdown \(mdBook, by book\.toml\): 3 pages, 1 image or file, /);
    assert.equal(getTitle(files['docs/index.md']), 'The Lamp');
    assert.equal(getBody(files['docs/setup.md']), 'See [Mac](<mac-os.md>) and ![On](../assets/img/on.svg).\n');
    assert.match(
      files['navigation.yaml'] ?? '',
      /title: Welcome\n.*page: index[\s\S]*title: Use\n\s+pages:\n\s+- title: Set up\n\s+page: setup\n\s+pages:\n\s+- title: On a Mac\n\s+page: mac-os/,
    );
    assert.match(files['redirects.yaml'] ?? '', /from: \/old\n\s+to: \/docs\/setup/);
  });

  it('SUMMARY.md may name a file with a percent sign, encoded or not', async (t) => {
    const { files } = await importFiles(t, {
      'book.toml': '[book]\n',
      'src/SUMMARY.md': '- [Start](start.md)\n- [All of it](100%.md)\n- [Half of it](50%25%20of%20it.md)\n',
      'src/start.md': '# Start\n\nText.\n',
      'src/100%.md': '# All\n\nText.\n',
      'src/50% of it.md': '# Half\n\nText.\n',
    });
    assert.match(
      files['navigation.yaml'] ?? '',
      /- start\n\s+- title: All of it\n\s+page: "?100"?\n\s+- title: Half of it\n\s+page: 50-of-it\n/,
    );
  });

  it('hints, tabs, steps, references and titles of code of GitBook are converted', async (t) => {
    const { files, summary } = await importFiles(t, {
      '.gitbook.yaml': 'root: ./manual/\nredirects:\n  help: start.md\n',
      'manual/SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n\n## More\n\n* [Start](start.md "Begin")\n',
      'manual/README.md': '# Home\n\n{% content-ref url="start.md" %}\n[start.md](start.md)\n{% endcontent-ref %}\n',
      'manual/start.md': `---
description: How to begin with it, in a few words.
---

# Start

{% hint style="warning" %}
It is hot.
{% endhint %}

{% tabs %}
{% tab title="Mac" %}
Drag it.
{% endtab %}

{% tab title="Shell" %}
{% code title="a.sh" %}
\`\`\`sh
lamp on
\`\`\`
{% endcode %}
{% endtab %}
{% endtabs %}

{% stepper %}
{% step %}
### Open it

Now.
{% endstep %}

{% step %}
### Close it

Later.
{% endstep %}
{% endstepper %}

{% embed url="https://example.com/video" %}
`,
    });
    assert.match(summary, /^From markdown \(GitBook, by \.gitbook\.yaml\): 2 pages/);
    assert.equal(getBody(files['docs/index.md']), '[start.md](start.md)\n');
    assert.equal(
      getBody(files['docs/start.md']),
      `> [!WARNING]
> It is hot.

<!-- tabs:start -->

## Mac

Drag it.

## Shell

\`a.sh\`

\`\`\`sh
lamp on
\`\`\`

<!-- tabs:end -->

1. **Open it**

   Now.

2. **Close it**

   Later.

[https://example.com/video](https://example.com/video)
`,
    );
    assert.match(files['navigation.yaml'] ?? '', /title: More\n\s+pages:\n\s+- start/);
    assert.match(files['redirects.yaml'] ?? '', /from: \/help\n\s+to: \/docs\/start/);
  });

  it('meta.json of Fumadocs sets order and titles, and a group in parentheses adds no path segment', async (t) => {
    const { files, summary } = await importFiles(t, {
      'package.json': '{}',
      'README.md': '# The repository\n',
      'source.config.ts': 'export default {};\n',
      'content/docs/meta.json': '{ "pages": ["index", "---Use---", "...", "(more)"] }',
      'content/docs/index.mdx': '---\ntitle: Lamp\n---\n\n<Callout type="warn">Hot</Callout>\n',
      'content/docs/zoom.mdx': '---\ntitle: Zoom\n---\n\n[Home](/docs), [Deep](./deep/a)\n',
      'content/docs/deep/meta.json': '{ "title": "Deep things" }',
      'content/docs/deep/a.mdx':
        "---\ntitle: A\n---\n\n<Tabs items={['One', 'Two']}>\n<Tab>1</Tab>\n<Tab value=\"Two\">2</Tab>\n</Tabs>\n",
      'content/docs/(more)/last.mdx':
        '---\ntitle: Last\n---\n\n<Files><Folder name="a"><File name="b" /></Folder></Files>\n',
    });
    assert.match(summary, /^From markdown \(Fumadocs, by source\.config\.ts\): 4 pages/);
    assert.deepEqual(
      Object.keys(files)
        .filter((path) => path.startsWith('docs/'))
        .sort(),
      ['docs/deep/a.md', 'docs/index.md', 'docs/last.md', 'docs/zoom.md'],
    );
    assert.equal(getBody(files['docs/index.md']), '> [!WARNING]\n> Hot\n');
    assert.equal(getBody(files['docs/zoom.md']), '[Home](index.md), [Deep](deep/a.md)\n');
    assert.match(getBody(files['docs/deep/a.md']), /## One\n\n1\n\n## Two\n\n2/);
    assert.equal(getBody(files['docs/last.md']), '```text\na/\n  b\n```\n');
    assert.match(
      files['navigation.yaml'] ?? '',
      /- index\n\s+- title: Use\n\s+pages:\n\s+- title: Deep things\n\s+pages:\n\s+- deep\/a\n\s+- zoom\n\s+- last/,
    );
  });

  it('a file _meta.json, which is not read, does not change the order of the pages', async (t) => {
    const pages = {
      'a.md': '---\norder: 2\n---\n# A\n\nText.\n',
      'b.md': '---\norder: 1\n---\n# B\n\nText.\n',
    };
    const { files } = await importFiles(t, { ...pages, '_meta.json': '{ "a": "First" }' });
    assert.equal(files['navigation.yaml'], 'pages:\n  - b\n  - a\n');
  });

  it('directives, roles and toctrees of MyST are converted', async (t) => {
    const { files, summary, report } = await importFiles(t, {
      'conf.py': "project = 'Lamp'\n",
      'old.rst': 'Old\n===\n',
      'new.adoc': '= New\n',
      'index.md': '# Lamp\n\nIt is bright.\n\n```{toctree}\n:caption: Use\n\nstart\n```\n',
      'start.md': `(begin)=
# Start

:::{tip}
Do it.
:::

\`\`\`{admonition} Mind
:class: warning
The heat.
\`\`\`

::::{tabs}
:::{group-tab} Mac
Drag.
:::
:::{group-tab} Windows
Run.
:::
::::

:::{image} on.svg
:alt: On
:::

See {doc}\`the start <index>\`, press {kbd}\`A\`.
`,
      'on.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    });
    assert.match(summary, /^From markdown \(Sphinx, by conf\.py\): 2 pages, 1 image or file/);
    assert.match(report, /old\.rst:1:1: warning: reStructuredText is left out: 1 of the files/);
    assert.match(report, /new\.adoc:1:1: warning: AsciiDoc is left out: 1 of the files/);
    assert.equal(
      getBody(files['docs/start.md']),
      `> [!TIP]
> Do it.

> [!WARNING]
> **Mind**
>
> The heat.

<!-- tabs:start -->

## Mac

Drag.

## Windows

Run.

<!-- tabs:end -->

![On](../assets/on.svg)

See [the start](index.md), press <kbd>A</kbd>.
`,
    );
    assert.match(files['navigation.yaml'] ?? '', /title: Use\n\s+pages:\n\s+- start/);
  });

  it('wikilinks, embedded images and callouts of Obsidian are converted', async (t) => {
    const { files, report } = await importFiles(t, {
      '.obsidian/app.json': '{}',
      'Home.md': 'See [[Set up]], [[Set up#On a Mac|the Mac]], [[Nothing]] and ![[on.svg|40]]. %%hidden%%\n',
      'User guide/Set up.md':
        '## On a Mac\n\n> [!info] Mind\n> It is ==hot==. ^block\n\n| a |\n|---|\n| [[Home\\|start]] |\n',
      'Attachments/on.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    });
    assert.equal(
      getBody(files['docs/home.md']),
      'See [Set up](user-guide/set-up.md), [the Mac](user-guide/set-up.md#on-a-mac), Nothing and ![On](../assets/Attachments/on.svg){width=40}.\n',
    );
    assert.equal(
      getBody(files['docs/user-guide/set-up.md']),
      '## On a Mac\n\n> [!NOTE]\n> **Mind**\n>\n> It is <mark>hot</mark>.\n\n| a |\n|---|\n| [start](../home.md) |\n',
    );
    assert.match(report, /Home\.md:1:1: warning: `\[\[Nothing\]\]` leads to no page: it is text now\./);
    assert.match(files['redirects.yaml'] ?? '', /from: \/User%20guide\/Set%20up\n\s+to: \/docs\/user-guide\/set-up/);
  });

  it('a folder without any configuration is imported without the files about its repository', async (t) => {
    const { files, summary } = await importFiles(t, {
      'package.json': '{}',
      'README.md': '# The repository\n',
      'docs/a.md': '# First of all\n\nText.\n',
      'docs/more/b.md': '# Second\n\n[First](../a.md)\n',
    });
    assert.match(summary, /^From markdown \(no configuration\): 2 pages/);
    assert.equal(getTitle(files['docs/a.md']), 'First of all');
    assert.match(files['navigation.yaml'] ?? '', /- a\n\s+- title: More\n\s+pages:\n\s+- more\/b/);
  });

  it('links that begin with /docs are resolved even if the source has no folder docs/', async (t) => {
    const { files, report } = await importFiles(t, {
      'start.md': '# Start\n\nSee [the setup](/docs/use/set-up#first) and [other](/docs).\n',
      'use/set-up.md': '# Set up\n\n## First\n\nText.\n',
      'index.md': '# Lamp\n\nText.\n',
    });
    assert.equal(getBody(files['docs/start.md']), 'See [the setup](use/set-up.md#first) and [other](index.md).\n');
    assert.doesNotMatch(report, /led nowhere/);
  });

  it('a folder of reStructuredText is refused with the advice to convert it to Markdown', async (t) => {
    const source = writeSource(t, { 'docs/conf.py': '', 'docs/index.rst': 'Lamp\n====\n' });
    const { code, stderr } = await runImport(source, writeEmptyContent(t));
    assert.equal(code, 64);
    assert.match(stderr, /has 1 file of reStructuredText, which cannot be imported: convert it to Markdown first/);
  });
});

describe('colophon import', () => {
  it('relative links are resolved with and without `trailingSlash: true` of Docusaurus', async (t) => {
    const config = (slash: string): string =>
      `export default { url: 'https://lamp.example', ${slash} presets: [['classic', { docs: {} }]] };\n`;
    const pages = {
      'docs/start.md': '# Start\n\n[A](../use/a), [B](./use/b.md)\n',
      'docs/use/a.md': '# A\n\n[B](../b/), [start](../../start)\n',
      'docs/use/b.md': '# B\n\nText.\n',
    };
    for (const slash of ['trailingSlash: true,', '']) {
      const { files, report } = await importFiles(t, { 'docusaurus.config.js': config(slash), ...pages });
      assert.doesNotMatch(report, /led nowhere|no documentation/);
      assert.equal(getBody(files['docs/start.md']), '[A](use/a.md), [B](use/b.md)\n');
      assert.equal(getBody(files['docs/use/a.md']), '[B](b.md), [start](../start.md)\n');
    }
  });

  it('`&&`, `||` and `??` are evaluated as in JavaScript, with the default for an unknown name', async (t) => {
    const { files, report } = await importFiles(t, {
      'docusaurus.config.js': 'export default {};\n',
      'docs/start.mdx': `# Start

{true && 'a'}{'x' && 'b'}{false || 'c'}{'' || 'd'}{'e' || 'x'}{null ?? 'f'}{'g' ?? 'x'}{0 ?? 'x'}{unknown || 'h'}{make() && 'x'}
`,
    });
    assert.equal(getBody(files['docs/start.md']), 'abcdefg0h\n');
    assert.match(report, /the expression `\{make\(\) && 'x'\}` is left out/);
  });

  it('text between the blocks of a code group is left out with a report', async (t) => {
    const group = (text: string) =>
      `# Set up\n\n::: code-group\n\n\`\`\`sh [npm]\nnpm i\n\`\`\`\n${text}\n\`\`\`sh [pnpm]\npnpm i\n\`\`\`\n\n:::\n`;
    const { files, report } = await importFiles(t, {
      '.vitepress/config.js': 'export default {};\n',
      'text.md': group('\nOr with *pnpm*:\n'),
      'plain.md': group('\n<!-- or -->\n'),
    });
    assert.equal(files['docs/text.md'], files['docs/plain.md']);
    assert.match(
      report,
      /text\.md:3:1: warning: what stands in `code-group` outside of its blocks of code is left out\./,
    );
    assert.doesNotMatch(report, /plain\.md/);
  });

  it('a configuration that is not a literal is reported, even if it is invalid JavaScript', async (t) => {
    for (const config of ['export default make();\n', 'export default {\n'])
      for (const file of ['docusaurus.config.js', '.vitepress/config.js']) {
        const { report } = await importFiles(t, { [file]: config, 'docs/a.md': '# A\n\nText.\n' });
        assert.match(report, /config\.js:1:1: warning: the configuration is no literal: /, file);
      }
  });

  it('a page without text lists the pages below it, without those that are left out', async (t) => {
    const { files, report } = await importFiles(t, {
      'index.md': '# Lamp\n\nText.\n',
      'use/index.md': '# Use\n',
      'use/empty.md': '# Empty\n',
      'use/full.md': '# Full\n\nText.\n',
      'more/index.md': '# More\n',
      'more/empty.md': '# Empty, too\n',
    });
    assert.deepEqual(
      Object.keys(files)
        .filter((path) => path.startsWith('docs/'))
        .sort(),
      ['docs/index.md', 'docs/use/full.md', 'docs/use/index.md'],
    );
    assert.equal(getBody(files['docs/use/index.md']), '<!-- cards -->\n- [Full](full.md)\n');
    const emptyPages = report.match(
      /\S+(?=:1:1: warning: the page has no text and no pages below it; it is left out\.)/g,
    );
    assert.deepEqual(
      emptyPages?.map((path) => path.split('/').slice(2).join('/')),
      ['more/empty.md', 'more/index.md', 'use/empty.md'],
    );
    assert.doesNotMatch(report, /led nowhere/);
  });

  it('the report names the languages that are left out, if there are any', async (t) => {
    const languages = ['en', 'fr'].map((language) => ({ language, pages: [`${language === 'en' ? '' : 'fr/'}start`] }));
    const source = {
      'docs.json': JSON.stringify({ navigation: { languages } }),
      'start.mdx': '---\ntitle: Start\n---\n\nText.\n',
      'fr/start.mdx': '---\ntitle: Début\n---\n\nTexte.\n',
    };
    const { report } = await importFiles(t, source);
    assert.match(report, /imported is the language en; left out are fr \(--language chooses another\)/);
    const french = await importFiles(t, source, ['--language', 'fr']);
    assert.doesNotMatch(french.report, /imported is the language/);
    const german = await importFiles(t, starlightFiles, ['--language', 'de']);
    assert.match(german.report, /imported is the language de; left out are root \(/);
  });

  it('pages of Jekyll without front matter are imported, as GitHub Pages publishes them', async (t) => {
    const pages = {
      '_config.yml': 'theme: jekyll-theme-hacker\n',
      'index.md': '# Lamp\n\nText.\n',
      'LICENSE.md': 'Free.\n',
      'use/README.md': '# Use it\n\nText.\n',
      'use/deep.md': '# Deep\n\nText.\n',
    };
    const { files } = await importFiles(t, pages);
    assert.deepEqual(
      Object.keys(files)
        .filter((path) => path.startsWith('docs/'))
        .sort(),
      ['docs/index.md', 'docs/use/deep.md', 'docs/use/index.md'],
    );
    assert.match(files['navigation.yaml'] ?? '', /pages:\n\s+- use\n\s+- use\/deep|use\/deep/);
    const gems = { Gemfile: "gem 'jekyll'\n", 'start.md': '---\ntitle: Start\n---\nText.\n' };
    const { summary } = await importFiles(t, { ...pages, ...gems });
    assert.match(summary, /^From jekyll: 1 page,/);
  });

  it('a page of MkDocs without a heading gets its title from `nav`', async (t) => {
    const { files } = await importFiles(t, {
      'mkdocs.yml': 'site_name: x\nnav:\n  - 下载与安装: install.md\n  - Other: other.md\n',
      'docs/install.md': '---\ntitle: Install\n---\n\nText.\n',
      'docs/other.md': '# Its own\n\nText.\n',
    });
    assert.equal(getTitle(files['docs/install.md']), '下载与安装');
    assert.equal(getTitle(files['docs/other.md']), 'Its own');
    assert.match(files['navigation.yaml'] ?? '', /- install\n\s+- title: Other\n\s+page: other/);
  });

  it('path aliases of tsconfig.json are resolved, and images and links that no browser can open become text', async (t) => {
    const { files, report } = await importFiles(t, {
      'tsconfig.json': '{ "compilerOptions": { "paths": { "@assets/*": ["src/assets/*"], }, }, }\n',
      'docusaurus.config.js': "export default { presets: [['classic', { docs: {} }]] };\n",
      'src/assets/on.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'docs/start.mdx': `import on from '@assets/on.svg';

# Start

![On](@assets/on.svg) <img src={on} alt="Too" />

![Window](my-scheme://window.png)

<a href={url}>Download</a>
`,
    });
    assert.equal(
      getBody(files['docs/start.md']),
      '![On](../assets/src/assets/on.svg) ![Too](../assets/src/assets/on.svg)\n\nWindow\n\nDownload\n'.replaceAll(
        'assets/src/assets',
        'assets/src',
      ),
    );
    assert.match(report, /no browser shows an image at `my-scheme:\/\/window\.png`: it is text now/);
  });

  it('a page that the source excludes from search is not found by search', async (t) => {
    const { files } = await importFiles(t, {
      'mkdocs.yml': 'site_name: x\n',
      'docs/old.md': '---\nsearch:\n  exclude: true\n---\n# Old\n\nText.\n',
      'docs/new.md': '# New\n\nText.\n',
    });
    assert.match(files['docs/old.md'] ?? '', /^search: false$/m);
    assert.doesNotMatch(files['docs/new.md'] ?? '', /search/);
    const { server } = await importSite(t, {
      'docs/a.md': '---\nsearch: false\n---\n# Umbrella\n\nText.\n',
      'docs/b.md': '# Parasol\n\nText.\n',
    });
    const countHits = async (word: string) => (await server.request(`/api/v1/search?q=${word}`)).json.data.length;
    assert.deepEqual([await countHits('umbrella'), await countHits('parasol')], [0, 1]);
  });

  it('removeDeadLinks replaces dead links and remote images in linear time', async () => {
    const write = (count: number) =>
      `${'[![On](remote-image:https://example.com/on.png)](dead-link:)\n\n'.repeat(count)}`;
    assert.equal(removeDeadLinks(write(2)), '[On](https://example.com/on.png)\n\n'.repeat(2));
    assert.equal(
      removeDeadLinks('![On](remote-image:https://example.com/on.png) and <img src="dead-link:" alt="Off">'),
      '[On](https://example.com/on.png) and Off',
    );
    await assertLinear('links and images that are removed', 300, write, removeDeadLinks);
  });

  it('--fetch-images copies no image from this machine or a private network', async (t) => {
    const { files, report } = await importFiles(
      t,
      { 'docs/start.md': '# Start\n\n![On](http://127.0.0.1:1/on.png) ![Off](https://10.0.0.1/off.png)\n' },
      ['--fetch-images'],
    );
    assert.equal(getBody(files['docs/start.md']), '[On](http://127.0.0.1:1/on.png) [Off](https://10.0.0.1/off.png)\n');
    assert.match(report, /127\.0\.0\.1:1\/on\.png is not copied: .*this machine, which is not followed/);
    assert.match(report, /10\.0\.0\.1\/off\.png is not copied: .*private/);
  });

  it('--fetch-images copies an image into assets/ within the limits of a feed’s links: size, redirects and kind', async (t) => {
    const png = '\x89PNG\r\n\x1a\n';
    const host = await startUpstream();
    t.after(() => host.close());
    host.setListener((request, response) => {
      if (request.url === '/moved.png') response.writeHead(302, { location: '/shots/On%20air.png' }).end();
      else if (request.url === '/away.png') response.writeHead(302, { location: 'http://10.0.0.1/a.png' }).end();
      else if (request.url === '/none.png') response.writeHead(404).end();
      else
        response.end(
          Buffer.from(
            request.url === '/text.png' ? 'text' : png + ' '.repeat(request.url === '/large.png' ? 2000 : 9),
            'latin1',
          ),
        );
    });
    const fetchImage = async (url: string): Promise<Buffer> => {
      const { signal } = new AbortController();
      const limits = { deadlineMs: 10_000, signal, now: 0, maxBytes: 1000 };
      return (await fetchLinked(url.replace('https://shots.example', host.origin), host.origin, limits)).bytes;
    };
    const images = ['shots/On%20air.png', 'moved.png', 'away.png', 'none.png', 'text.png', 'large.png'];
    const path = writeSource(t, {
      'docs/start.md': `# Start\n\n${images.map((name) => `![](https://shots.example/${name})`).join('\n')}\n`,
    });
    const request = { name: 'docs', path, system: null, language: null, version: null, env: {}, fetchImage };
    const result = await importer.importFolder(request);
    assert.ok('files' in result);
    const assets = ['assets/shots.example/moved.png', 'assets/shots.example/shots/On-air.png'];
    assert.deepEqual(
      [...result.files.keys()].filter((file) => file.startsWith('assets/')),
      assets,
    );
    assert.deepEqual(result.files.get(assets[0] ?? ''), Buffer.from(png + ' '.repeat(9), 'latin1'));
    const page = getBody(String(result.files.get('docs/start.md')));
    assert.ok(
      page.startsWith('![](../assets/shots.example/shots/On-air.png)\n![](../assets/shots.example/moved.png)\n'),
    );
    assert.match(page, /\[[^\]]+\]\(https:\/\/shots\.example\/large\.png\)/);
    const report = result.notices.map(({ message }) => message).join('\n');
    assert.match(report, /away\.png is not copied: .*not https/);
    assert.match(report, /none\.png is not copied: .*returned 404/);
    assert.match(report, /text\.png is not copied: it is no image that pages show/);
    assert.match(report, /large\.png is not copied: .*larger than 1000 bytes/);
  });
});
