/** Tests the package that is published: its files, its dependencies and licenses, and a server that runs from the package. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { buildServer } from '../scripts/build.ts';
import { unbundled } from '../scripts/bundle.ts';
import { guideNames } from '../src/pages/developers/guide-text.ts';
import { runColophon, startColophon } from './support/command.ts';
import { createBearerHeaders, createToken } from './support/oauth.ts';
import { createJsonPost, sendRequest, startTestServer } from './support/server.ts';

const root = resolve(import.meta.dirname, '..');

describe('buildServer: the package that is published', () => {
  let folder: string;
  let dist: string;
  let files: Map<string, Buffer>;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'colophon-package-'));
    dist = join(folder, 'dist');
    await buildServer(dist);
    files = readFolder(dist);
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const readText = (file: string): string => files.get(file)?.toString() ?? assert.fail(`there is no ${file}`);

  it('the package contains only the listed entries, and no TypeScript source, source map, key or dotfile', () => {
    const topEntries = new Set([...files.keys()].map((file) => file.split('/')[0]));
    assert.deepEqual([...topEntries].sort(), [
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'THIRD-PARTY-LICENSES.txt',
      'bin',
      'content',
      'content-sandbox',
      'docs',
      'lib',
      'npm-shrinkwrap.json',
      'package.json',
      'packages',
      'packaging',
      'sbom.cdx.json',
      'schemas',
    ]);
    for (const file of [
      'lib/worker-main.js',
      'lib/pages/browser/site.css',
      'lib/pages/browser/site.js',
      ...guideNames.map((name) => `lib/pages/guide/${name}.md`),
      'packages/client/dist/client.js',
      'packages/client/dist/client.d.ts',
      'content/appcast.xml',
      'packaging/nginx.conf',
      'packaging/grafana-dashboard.json',
      'packaging/prometheus-rules.yml',
    ]) {
      readText(file);
    }
    const copiedFiles = ['content', 'content-sandbox', 'schemas'].flatMap((name) => listFiles(name, join(root, name)));
    const schemas = ['lib/store/schema.sql', 'lib/store/postgres/schema.sql'];
    assert.deepEqual(
      [...copiedFiles, ...schemas].filter((file) => !files.has(file)),
      [],
    );
    // The server also serves the client's package, which contains declarations, so its `.d.ts` files are allowed.
    assert.deepEqual(
      [...files.keys()].filter(
        (file) =>
          !file.startsWith('packages/client/') &&
          /\.ts$|\.map$|\.pem$|-key$|(^|\/)\./.test(file) &&
          !/^lib\/.*\.js$/.test(file),
      ),
      [],
    );
  });

  it('package.json in the package has only the unbundled dependencies, each with an exact version', () => {
    const rootManifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const { files: listedFiles, keywords, ...manifest } = JSON.parse(readText('package.json'));
    assert.deepEqual(manifest, {
      name: 'colophon',
      version: rootManifest.version,
      description: rootManifest.description,
      license: 'MIT',
      type: 'module',
      bin: { colophon: 'bin/colophon.js' },
      exports: { './authoring': './lib/authoring.js', './package.json': './package.json' },
      engines: { node: '>=24' },
      dependencies: Object.fromEntries(unbundled.map((name) => [name, rootManifest.dependencies[name]])),
    });
    assert.ok(keywords.length > 0);
    for (const version of Object.values<string>(manifest.dependencies)) assert.match(version, /^\d+\.\d+\.\d+$/);
    for (const [file] of files) assert.ok(file === 'package.json' || listedFiles.includes(file.split('/')[0]), file);
  });

  it('npm-shrinkwrap.json has the versions of package-lock.json, and sbom.cdx.json lists every bundled package', () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    const { '': rootEntry, ...locked } = JSON.parse(readText('npm-shrinkwrap.json')).packages;
    assert.deepEqual(rootEntry.dependencies, JSON.parse(readText('package.json')).dependencies);
    assert.deepEqual(
      Object.keys(locked),
      unbundled.map((name) => `node_modules/${name}`),
    );
    for (const [path, entry] of Object.entries<Record<string, unknown>>(locked)) {
      assert.deepEqual(entry, packages[path], path);
      assert.match(String(entry.integrity), /^sha512-/);
      assert.deepEqual([entry.dependencies, entry.hasInstallScript], [undefined, undefined], path);
    }
    const { components }: { components: { purl: string }[] } = JSON.parse(readText('sbom.cdx.json'));
    const listedPackages = new Set(components.map(({ purl }) => decodeURIComponent(purl)));
    const bundled = [...readText('THIRD-PARTY-LICENSES.txt').matchAll(/(?:^|-{80}\n)(\S+) (\d\S*), \S.*\n/g)];
    assert.ok(bundled.length > 80);
    for (const [, name = '', version] of bundled) assert.ok(listedPackages.has(`pkg:npm/${name}@${version}`), name);
    assert.ok(![...listedPackages].some((purl) => /npm\/(typescript|@biomejs|node-(linux|darwin|win|bin))/.test(purl)));
  });

  it('each import is a file of the package, a module of Node or a dependency', () => {
    const { dependencies } = JSON.parse(readText('package.json'));
    const missing: string[] = [];
    for (const [file, bytes] of files) {
      if (!file.endsWith('.js') || file.startsWith('lib/pages/browser/')) continue;
      const code = bytes.toString().replace(/\/\*[\s\S]*?\*\//g, '');
      for (const [, specifier = ''] of code.matchAll(
        /^(?:(?:import|export)\s[^;'"`=]*?\sfrom|import)\s*['"]([^'"\n]+)['"]/gm,
      )) {
        const isResolved = specifier.startsWith('.')
          ? files.has(join(dirname(file), specifier).replaceAll('\\', '/'))
          : specifier.startsWith('node:')
            ? builtinModules.includes(specifier.slice(5)) || specifier === 'node:sqlite'
            : Object.keys(dependencies).some((name) => specifier === name || specifier.startsWith(`${name}/`));
        if (!isResolved) missing.push(`${file} imports ${specifier}`);
      }
    }
    assert.deepEqual(missing, []);
  });

  it('each relative link in README.md and docs/ points to a file in the package', () => {
    const deadLinks: string[] = [];
    for (const [file, bytes] of files) {
      if (!/^(README|docs\/.*)\.md$/.test(file)) continue;
      for (const [, target = ''] of bytes
        .toString()
        .replace(/^```[\s\S]*?^```|`[^`\n]*`/gm, '')
        .matchAll(/\]\(([^)#\s]+)/g)) {
        if (/^https?:/.test(target)) continue;
        if (!existsSync(join(dist, dirname(file), target))) deadLinks.push(`${file} links to ${target}`);
      }
    }
    assert.deepEqual(deadLinks, []);
  });

  it('no file contains a path of the build machine or a private key', () => {
    const example = readFileSync(join(root, 'examples/sotto-signing-key/EXAMPLE-PRIVATE-KEY.pem'), 'utf8');
    const secrets = example.split('\n').filter((line) => /^[A-Za-z0-9+/=]{60,}$/.test(line));
    assert.equal(secrets.length, 1);
    const forbiddenTexts = [root, folder, homedir(), ...secrets].filter((word) => word.length > 5);
    for (const [file, bytes] of files) {
      const content = bytes.toString('latin1');
      for (const word of forbiddenTexts) assert.ok(!content.includes(word), `${file} holds ${word}`);
      assert.doesNotMatch(content, /PRIVATE KEY-----\s+[A-Za-z0-9+/]{20}/, file);
    }
  });

  it('colophon serve in the package serves pages, the API, MCP and exports', async (t) => {
    const program = join(dist, 'bin/colophon.js');
    const version = await runColophon(['version', '--json'], { program });
    assert.equal(version.code, 0, version.stderr);
    assert.equal(JSON.parse(version.stdout).version, JSON.parse(readText('package.json')).version);
    const env = { DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn' };
    const { child, exitCode, waitForOutput, getStdout, getStderr } = startColophon(['serve'], { program, env });
    t.after(() => child.kill('SIGKILL'));
    const [, url = ''] = await waitForOutput(/Colophon serves Sotto at (http:[^\s"]+)/);
    const server = { request: (path: string, init?: RequestInit) => sendRequest(url, path, init) };

    // Some of the releases have HTML notes, which a worker process of the package converts.
    const repository = await startTestServer({ env: { BASE_URL: url } });
    t.after(() => repository.close());
    for (const path of ['/api/v1/releases?limit=100', '/api/v1/search?q=shortcut', '/docs/quickstart', '/llms.txt']) {
      const { headers, text: body } = await server.request(path);
      const expected = await repository.request(path);
      // Search scores depend on all texts, and the guide contains the rate limits, which differ between the two servers.
      const removeScores = (content: string): string => content.replace(/"score":[\d.]+/g, '"score":0');
      assert.equal(removeScores(body), removeScores(expected.text), path);
      if (!path.includes('search')) assert.equal(headers.get('etag'), expected.headers.get('etag'));
    }

    const page = await server.request('/docs/quickstart');
    assert.equal(page.status, 200);
    const styles = /href="(\/[^"]+\.css[^"]*)"/.exec(page.text)?.[1] ?? assert.fail('no stylesheet');
    assert.equal((await server.request(styles)).headers.get('content-type'), 'text/css; charset=utf-8');
    const { json: release } = await server.request('/api/v1/releases/latest');
    assert.equal(release.version, '2.3.0');
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    };
    const accept = { accept: 'application/json, text/event-stream' };
    const { json: welcome } = await server.request('/mcp', createJsonPost(initialize, accept));
    assert.equal(welcome.result.protocolVersion, '2025-06-18');

    const authorization = createBearerHeaders(await createToken(server));
    const { json: job } = await server.request(
      '/api/v1/exports',
      createJsonPost({ resource: 'docs', format: 'json' }, authorization),
    );
    const finishedJob = await server.request(new URL(job.poll_url).pathname, {
      headers: { ...authorization, prefer: 'wait=30' },
    });
    assert.equal(finishedJob.json.status, 'completed');
    assert.equal((await server.request(new URL(finishedJob.json.result.url).pathname)).json.data.length, 8);

    child.kill('SIGTERM');
    assert.equal(await exitCode, 0, getStderr());
    assert.doesNotMatch(getStdout(), /"level":"(warn|error)"/);
  });
});

/** Returns the bytes of all files below a folder by relative path, with slashes; files whose name begins with a dot are left out. */
function readFolder(directory: string): Map<string, Buffer> {
  return new Map(listFiles('', directory).map((file) => [file, readFileSync(join(directory, file))]));
}

function listFiles(prefix: string, directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(prefix, relative(directory, join(entry.parentPath, entry.name))).replaceAll('\\', '/'))
    .sort();
}

it('each file that SECURITY.md, README.md or a page in docs/ names exists', () => {
  const pages = ['SECURITY.md', 'README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)];
  const missing: string[] = [];
  for (const page of pages.filter((name) => name.endsWith('.md'))) {
    const text = readFileSync(join(root, page), 'utf8');
    const references = text.matchAll(/`((?:test|src|packaging|scripts|\.github)\/[\w./-]+\.\w+)`/g);
    for (const [, file = ''] of references) if (!existsSync(join(root, file))) missing.push(`${page} names ${file}`);
  }
  assert.deepEqual(missing, []);
});
