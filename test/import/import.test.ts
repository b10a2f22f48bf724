/** `colophon import` of a folder of each documentation system, and the site that serves the result. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { runColophon } from '../support/command.ts';
import { importSite, runImport, writeEmptyContent, writeSource } from '../support/imported-site.ts';
import * as results from './results.ts';
import * as sources from './sources.ts';

const cases = {
  mkdocs: [sources.mkdocsFiles, results.mkdocsResult],
  docusaurus: [sources.docusaurusFiles, results.docusaurusResult],
  vitepress: [sources.vitepressFiles, results.vitepressResult],
  starlight: [sources.starlightFiles, results.starlightResult],
  mintlify: [sources.mintlifyFiles, results.mintlifyResult],
  hugo: [sources.hugoFiles, results.hugoResult],
  jekyll: [sources.jekyllFiles, results.jekyllResult],
} as const;

/** Returns every file below a folder by its path relative to the folder, sorted, with its bytes as Latin-1 text. */
function readFiles(folder: string): Map<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return new Map(
    paths.flatMap((path) =>
      statSync(join(folder, path)).isFile() ? [[path, readFileSync(join(folder, path), 'latin1')] as const] : [],
    ),
  );
}

describe('colophon import', () => {
  for (const [system, [files, expected]] of Object.entries(cases)) {
    it(`a folder of ${system} becomes pages, a menu, redirects of old addresses and a report of the rest`, async (t) => {
      const site = await importSite(t, files);
      const pages: Record<string, string> = {};
      for (const path of Object.keys(expected.pages)) {
        pages[path] = (await site.fetchMarkdown(path)).replaceAll(site.server.baseUrl, '');
      }
      const redirects: Record<string, string | number> = {};
      for (const path of Object.keys(expected.redirects)) redirects[path] = await site.fetchRedirect(path);
      const menu = await site.fetchMenu();
      assert.deepEqual(
        { pages, menu, redirects, report: site.warnings },
        { ...expected, report: [...expected.report] },
      );
    });
  }

  it('a menu keeps four levels of groups, and a deeper group is replaced by its entries', async (t) => {
    const nav = `nav:
  - index.md
  - One:
      - Two:
          - Three:
              - Four:
                  - a.md
                  - Five:
                      - b.md
`;
    const site = await importSite(t, {
      'mkdocs.yml': `site_name: Lamp\n${nav}`,
      'docs/index.md': '# Lamp\n\nText.\n',
      'docs/a.md': '# A\n\nText.\n',
      'docs/b.md': '# B\n\nText.\n',
    });
    assert.deepEqual(await site.fetchMenu(), ['Lamp /docs', 'One', 'Two', 'Three', 'Four', 'A /docs/a', 'B /docs/b']);
  });

  it('the site renders imported callouts, tabs, steps, cards and images', async (t) => {
    const site = await importSite(t, sources.mintlifyFiles);
    const { text: steps } = await site.server.request('/docs/set-up');
    assert.match(steps, /<ol class="steps">/);
    assert.match(steps, /<label for="tabs-1-1">npm<\/label>\n<section class="tab">\n<h2 id="npm">/);
    assert.match(steps, /<details>\s*<summary>Is it hot\?<\/summary>/);
    const { text: start } = await site.server.request('/docs');
    assert.match(start, /<ul class="cards">/);
    assert.match(start, /<div class="callout note" role="note">/);
    const [, image = ''] = /<img src="([^"]+lamp\.svg[^"]*)"/.exec(start) ?? [];
    const { status, headers } = await site.server.request(image.replace(site.server.baseUrl, ''));
    assert.deepEqual([status, headers.get('content-type')], [200, 'image/svg+xml']);
  });

  it('colophon init adds the missing files to an imported folder, and no page', async (t) => {
    const source = writeSource(t, sources.mintlifyFiles);
    const parent = writeSource(t, {});
    const first = await runColophon(['import', source, '--to', 'lamp'], { cwd: parent });
    assert.equal(first.code, 0, first.stderr);
    const result = await runColophon(['init', 'lamp', '--name', 'Lamp', '--yes'], { cwd: parent });
    assert.equal(result.code, 0, result.stderr);
    assert.match(
      result.stdout,
      /^Made lamp: faq\.yaml, features\.yaml, pricing\.yaml, product\.yaml, releases\/1\.0\.0\.md, requirements\.yaml\n/,
    );
    const checked = await runColophon(['check', 'lamp', '--offline'], { cwd: parent });
    assert.equal(checked.code, 0, checked.stdout);
    assert.match(checked.stdout, /^0 errors, \d+ warnings\.$/m);
    assert.equal(readFiles(join(parent, 'lamp')).has('docs/quickstart.md'), false);
  });

  it('colophon init --docs writes the whole folder, or nothing if a file would be overwritten', async (t) => {
    const source = writeSource(t, sources.mintlifyFiles);
    const parent = writeSource(t, {});
    const words = ['init', 'lamp', '--name', 'Lamp', '--docs', source];
    const imported = await runColophon(['import', source, '--to', 'pages'], { cwd: parent });
    const result = await runColophon(words, { cwd: parent });
    assert.equal(result.code, 0, result.stderr);
    const [, what, lines] = /^From mintlify: (.*) are in pages\. (.*)\n$/.exec(imported.stderr) ?? [];
    assert.equal(
      result.stdout,
      'Made lamp: faq.yaml, features.yaml, pricing.yaml, product.yaml, releases/1.0.0.md, requirements.yaml\n' +
        `${imported.stdout}From mintlify: ${what}. ${lines}\n` +
        'Next: colophon dev lamp, and edit the files while it runs; colophon check lamp lists what is left.\n',
    );
    const files = readFiles(join(parent, 'lamp'));
    for (const [path, content] of readFiles(join(parent, 'pages'))) assert.deepEqual(files.get(path), content, path);
    const checked = await runColophon(['check', 'lamp', '--offline'], { cwd: parent });
    assert.match(checked.stdout, /^0 errors, \d+ warnings\.$/m);

    const existing = writeSource(t, { 'lamp/docs/index.md': '---\ntitle: Mine\n---\nText.\n' });
    const refused = await runColophon(words, { cwd: existing });
    assert.deepEqual(
      [refused.code, refused.stderr, [...readFiles(join(existing, 'lamp')).keys()]],
      [1, `lamp/docs/index.md would be overwritten; nothing was written.\n`, ['docs/index.md']],
    );
    const missing = await runColophon(['init', 'x', '--name', 'Lamp', '--docs', 'none'], { cwd: existing });
    assert.deepEqual([missing.code, missing.stderr.split('\n')[0]], [64, 'There is no folder `none`.']);
  });

  it('keywords of pages are written to keywords.yaml and found by search', async (t) => {
    const addKeywords = (text: string) => text.replace('---\n', '---\nkeywords: [torch, "lantern, glow", torch]\n');
    const page = sources.docusaurusFiles['docs/01-intro.mdx'];
    const site = await importSite(t, { ...sources.docusaurusFiles, 'docs/01-intro.mdx': addKeywords(page) });
    assert.equal(
      readFileSync(join(site.folder, 'keywords.yaml'), 'utf8'),
      'places:\n  /docs: |-\n    torch\n    lantern\n    glow\n',
    );
    const { json } = await site.server.request('/api/v1/search?q=lantern');
    assert.equal(json.data[0].url, `${site.server.baseUrl}/docs`);
  });

  it('a second import changes no file and reports that nothing was written', async (t) => {
    const source = writeSource(t, sources.docusaurusFiles);
    const [folder, other] = [writeEmptyContent(t), writeEmptyContent(t)];
    const first = await runImport(source, folder);
    assert.match(
      first.stderr,
      /^From docusaurus: 5 pages, 1 image or file, 7 redirects are in \.\. 7 lines to look at\.\n$/,
    );
    const before = readFiles(folder);
    const second = await runImport(source, folder);
    assert.equal(second.code, 0);
    assert.match(second.stderr, /7 redirects were there already: nothing was written\./);
    assert.deepEqual(readFiles(folder), before);
    assert.equal(second.stdout, first.stdout);
    await runImport(source, other);
    assert.deepEqual(readFiles(other), before);
  });

  it('the error names an existing file with other content, and nothing is written', async (t) => {
    const source = writeSource(t, sources.mkdocsFiles);
    const folder = writeEmptyContent(t);
    mkdirSync(join(folder, 'docs/guides'), { recursive: true });
    writeFileSync(join(folder, 'docs/guides/set-up.md'), '---\ntitle: Mine\n---\nText.\n');
    const before = readFiles(folder);
    const { code, stderr } = await runImport(source, folder);
    assert.deepEqual([code, stderr], [1, 'docs/guides/set-up.md would be overwritten; nothing was written.\n']);
    assert.deepEqual(readFiles(folder), before);
  });

  it('--dry-run writes nothing, and --format selects JSON or GitHub annotations for the report', async (t) => {
    const source = writeSource(t, sources.jekyllFiles);
    const folder = writeEmptyContent(t);
    const before = readFiles(folder);
    const dryRun = await runImport(source, folder, ['--dry-run', '--format', 'json']);
    assert.match(dryRun.stderr, /4 pages, 0 images and files, 2 redirects would be written\./);
    assert.deepEqual(readFiles(folder), before);
    const warnings = JSON.parse(dryRun.stdout).warnings.map(({ message }: { message: string }) => message);
    assert.ok(warnings.includes('`/docs/none/` led nowhere before: it is text now.'), dryRun.stdout);
    const github = await runImport(source, folder, ['--dry-run', '--format', 'github']);
    assert.match(github.stdout, /^::warning file=.*docs\/first\.md,line=7,col=1::`\/docs\/none\/` led nowhere before/m);
  });

  it('`updated` is the date in the front matter, or else the date of the last Git commit', async (t) => {
    const source = writeSource(t, sources.starlightFiles);
    const git = (...words: string[]) =>
      spawnSync('git', ['-c', 'user.name=L', '-c', 'user.email=l@lamp.example', ...words], {
        cwd: source,
        env: { ...process.env, GIT_COMMITTER_DATE: '2026-02-03T10:00:00Z', GIT_AUTHOR_DATE: '2026-02-03T10:00:00Z' },
      });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'Begin');
    const folder = writeEmptyContent(t);
    const { stdout } = await runImport(source, folder);
    assert.doesNotMatch(stdout, /git/);
    const updated = (path: string) => /^updated: (.*)$/m.exec(readFileSync(join(folder, path), 'utf8'))?.[1];
    assert.equal(updated('docs/about.md'), '2026-02-03');
    assert.equal(updated('docs/guides/second.md'), '2026-03-04');
    const withoutGit = await runColophon(['import', source, '--to', writeEmptyContent(t)], { env: { PATH: folder } });
    assert.match(withoutGit.stdout, /pages have no dates from git: git is not installed\.$/m);
  });

  it('a folder with two systems and no --from, one without any system and a missing folder are refused', async (t) => {
    const source = writeSource(t, { ...sources.mkdocsFiles, ...sources.jekyllFiles });
    const folder = writeEmptyContent(t);
    const refused = await runImport(source, folder);
    assert.equal(refused.code, 64);
    assert.match(
      refused.stderr,
      /could be mkdocs \(mkdocs\.yml\) or jekyll \(_config\.yml\): choose one with `colophon import --from`/,
    );
    const chosen = await runImport(source, folder, ['--from', 'jekyll']);
    assert.match(chosen.stderr, /^From jekyll: /);
    const none = await runImport(writeSource(t, { 'notes.txt': 'x\n' }), folder);
    assert.equal(none.code, 64);
    assert.match(none.stderr, /has no Markdown and no configuration of another system: name the folder that holds/);
    const other = await runImport(writeSource(t, { 'README.md': '# x\n' }), folder, ['--from', 'hugo']);
    assert.match(other.stderr, /has no configuration of hugo: name the folder that holds it, or leave `--from` out/);
    const missing = await runColophon(['import', 'nowhere', '--to', folder]);
    assert.match(missing.stderr, /^There is no folder `nowhere`\.\n/);
  });

  it('the nearest configuration is found up to four levels below the folder', async (t) => {
    const importFrom = async (files: Readonly<Record<string, string>>) =>
      (await runImport(writeSource(t, files), writeEmptyContent(t))).stderr;
    const moveTo = (folder: string, files: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));
    assert.match(await importFrom(moveTo('a/b/c/d', sources.jekyllFiles)), /^From jekyll: 4 pages/);
    assert.match(await importFrom(moveTo('a/b/c/d/e', sources.jekyllFiles)), /^From markdown \(no configuration\): /);
    const nested = { ...moveTo('a/b', sources.mkdocsFiles), ...moveTo('a/c/d', sources.jekyllFiles) };
    assert.match(await importFrom(nested), /^From mkdocs: 3 pages/);
  });

  it('an unknown --language or --version is refused with a list of the valid ones', async (t) => {
    const languages = [{ language: 'en' }, { language: 'fr' }];
    const navigation = { versions: [{ version: 'v2', languages }, { version: 'v1' }] };
    const mintlify = { 'docs.json': JSON.stringify({ navigation }), 'a.mdx': '# a\n\nText.\n' };
    const hugo = { 'hugo.toml': '[languages.en]\n[languages.fr]\n', 'content/a.md': '# a\n\nText.\n' };
    const locales = "{ root: { lang: 'en-US' }, fr: { label: 'Français' } }";
    const vitepress = { '.vitepress/config.js': `export default { locales: ${locales} };\n`, 'a.md': '# a\n\nText.\n' };
    const versions = { ...sources.docusaurusFiles, 'versions.json': '["2.0", "1.0"]' };
    const rows: [files: Record<string, string>, option: 'language' | 'version', ...names: string[]][] = [
      [hugo, 'language', 'en', 'fr'],
      [mintlify, 'language', 'en', 'fr'],
      [mintlify, 'version', 'v2', 'v1'],
      [sources.starlightFiles, 'language', 'root', 'de', 'en'],
      [vitepress, 'language', 'root', 'fr', 'en-US'],
      [versions, 'language', 'en'],
      [versions, 'version', '2.0', '1.0', 'current'],
      [sources.mkdocsFiles, 'language'],
    ];
    const folder = writeEmptyContent(t);
    for (const [files, option, ...names] of rows) {
      const source = writeSource(t, files);
      const refused = await runImport(source, folder, [`--${option}`, 'xx']);
      const choice =
        names.length === 0
          ? `--${option} has nothing to choose here`
          : `--${option} must be one of ${names.join(', ')}`;
      assert.deepEqual([refused.code, refused.stderr.split('\n')[0]], [64, `${choice}; you sent xx.`]);
      for (const name of names) {
        const { code, stderr } = await runImport(source, folder, [`--${option}`, name, '--dry-run']);
        assert.equal(code, 0, `${option} ${name}: ${stderr}`);
      }
    }
  });

  it('an invalid configuration is refused with the name of its file and the fault', async (t) => {
    const folder = writeEmptyContent(t);
    const docusaurus = { 'docusaurus.config.js': 'export default {};\n' };
    const json = /^(?:Unexpected token |Expected ',')/;
    const alias = /^Unresolved alias .*: none$/;
    const rows: [file: string, text: string, reason: RegExp, others?: Record<string, string>][] = [
      ['hugo.toml', 'title = "x\n', /^Invalid TOML document: control characters /],
      ['book.toml', '[book\n', /^Invalid TOML document: illegal character in key/],
      ['hugo.json', '{"title": }', /^Unexpected token /],
      ['hugo.yaml', 'params: *none\n', alias],
      ['mkdocs.yml', 'nav: *none\n', alias],
      ['_config.yml', 'title: *none\n', alias],
      ['.gitbook.yaml', 'root: *none\n', alias],
      ['docs/use/_category_.yml', 'label: *none\n', alias, { ...docusaurus, 'docs/use/a.md': '# a\n' }],
      ['versions.json', '["1.0"', json, docusaurus],
      ['api-tab.json', '{"tab": }', json, { 'docs.json': '{"navigation": {"$ref": "api-tab.json"}}' }],
      ['config/_default/params.toml', 'x = "\n', /^Invalid TOML document/, { 'config/_default/hugo.toml': '' }],
      ['src/use/meta.json', '{"pages": ["a"', json, { 'book.toml': '', 'src/use/a.md': '# a\n' }],
    ];
    for (const [file, text, reason, others = {}] of rows) {
      const source = writeSource(t, { [file]: text, 'content/a.md': '# a\n', 'src/a.md': '# a\n', ...others });
      const refused = await runImport(source, folder);
      const [line = ''] = refused.stderr.split('\n');
      assert.equal(line.split(' cannot be read: ')[0], file);
      assert.match(line.slice(`${file} cannot be read: `.length), reason);
      assert.equal(refused.code, 64);
    }
  });

  it('nothing outside the source folder is read, and no program in the folder is run', async (t) => {
    const outside = writeSource(t, { 'secret.txt': 'a secret\n', 'secret.md': 'a secret\n' });
    const name = outside.split('/').at(-1);
    const source = writeSource(t, {
      'docs/.vitepress/config.mjs': `import { writeFileSync } from 'node:fs';
writeFileSync(new URL('ran.txt', import.meta.url), 'ran');
export default { themeConfig: { sidebar: [{ text: 'Start', link: '/start' }, ...made()] }, title: process.env.HOME };
`,
      'docs/start.md': `# Start

<!--@include: ../../${name}/secret.md-->

<<< @/../../${name}/secret.txt

![x](../../${name}/secret.txt) [y](file:///etc/passwd) [z](/../${name}/secret.txt)
`,
    });
    const folder = writeEmptyContent(t);
    const { code, stdout } = await runImport(source, folder);
    assert.equal(code, 0);
    assert.doesNotMatch([...readFiles(folder).values()].join(''), /a secret/);
    assert.equal(readFiles(source).has('docs/.vitepress/ran.txt'), false);
    assert.match(stdout, /this part of the sidebar is no literal/);
  });

  it('pages of random markup are imported, and colophon check finds no error in the result', async (t) => {
    const pieces = [
      '<',
      '</',
      '<A',
      '/>',
      '{',
      '}',
      '{{<',
      '>}}',
      ':::',
      ':::note',
      '!!! note',
      '    x',
      '`',
      '```',
      '<!--',
      '-->',
      '\n',
      '\n\n',
      '[a](b)',
      '![](',
      '{%',
      '%}',
      '{% hint style="x" %}',
      '{% endhint %}',
      ':::{tip}',
      '[[',
      '|x]]',
      '"',
      '> ',
      '- ',
      '=== "x"',
      '<details>',
      '</details>',
      'export const a = {',
      'import x from "y"',
      '\uE000',
      '{:',
      '# h',
    ];
    let seed = 7;
    const next = (limit: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % limit;
    };
    const text = () =>
      Array.from({ length: 60 }, () => pieces[next(pieces.length)] ?? '').join(next(2) === 0 ? ' ' : '\n');
    const all = { ...cases, markdown: [{ 'book.toml': '', 'src/start.md': '# Start\n\nText.\n' }] } as const;
    for (const [system, [files]] of Object.entries(all)) {
      const page = Object.keys(files).find((path) => /(?:start|set.?up|First Steps)\.mdx?$/i.test(path));
      assert.ok(page, `${system} has no page with one of these names`);
      const folder = page.slice(0, page.lastIndexOf('/') + 1);
      const extra = Object.fromEntries(
        Array.from({ length: 20 }, (_, index) => [
          `${folder}noise-${index}${page.slice(page.lastIndexOf('.'))}`,
          `---\ntitle: Noise\n---\n\n${text()}\n`,
        ]),
      );
      const source = writeSource(t as TestContext, { ...files, ...extra });
      const content = writeEmptyContent(t);
      const { code, stderr } = await runImport(source, content);
      assert.equal(code, 0, `${system}: ${stderr}`);
      const checked = await runColophon(['check', content, '--offline']);
      assert.equal(checked.code, 0, `${system}: ${checked.stdout}`);
    }
  });
});
