/** `colophon bundle`: the server runs from the bundle as it runs without, and only while nothing that it was made from has changed. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { appendFile, cp, mkdir, mkdtemp, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { colophon, startProgram } from '../support/command.ts';
import { ask, startTestServer } from '../support/server.ts';

const repository = resolve(import.meta.dirname, '../..');
/** Says which modules a process loads. */
const told = `data:text/javascript,${encodeURIComponent(`
import { registerHooks } from 'node:module';
import { writeSync } from 'node:fs';
registerHooks({
  load(url, context, next) {
    writeSync(2, 'loads ' + url + '\\n');
    return next(url, context);
  },
});`)}`;

/** The files of the repository that a server needs, with its packages in the folder above. */
async function clone(folder: string): Promise<string> {
  const copy = join(folder, 'clone');
  await mkdir(copy);
  for (const name of ['bin', 'src', 'content', 'content-sandbox', 'packages/client/dist', 'package.json']) {
    await cp(join(repository, name), join(copy, name), { recursive: true, preserveTimestamps: true });
  }
  return copy;
}

/** Some responses name them. */
const limits = { RATE_LIMIT_ANONYMOUS: '100000', RATE_LIMIT_TOKEN: '200000', RATE_LIMIT_SANDBOX: '300000' };

/** Pages that a further documentation page leaves as they are. */
const samePages = ['/', '/faq', '/pricing', '/releases', '/developers/reference'];

describe('colophon bundle', () => {
  let folder: string;
  let copy: string;
  let program: string;
  let place: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'colophon-bundle-'));
    copy = await clone(folder);
    program = join(copy, 'bin/colophon.js');
    place = join(copy, 'node_modules/.cache/colophon/bundle');
    await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'), 'junction');
    const { code, out, error } = await colophon(['bundle'], { program });
    assert.deepEqual([code, error], [0, '']);
    assert.match(out, /^Bundled \d+ modules into \d+ files, in node_modules\/\.cache\/colophon\/bundle\/\w{16}\.\n$/);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const bundles = (): string[] => readdirSync(place).filter((name) => name !== 'bundle.json');
  /** What a command would load: the bundle's main module, or null. */
  const chosen = async (command = 'serve', from = copy): Promise<string | null> =>
    (await import(pathToFileURL(join(from, 'bin/bundle.js')).href)).bundledMain(command);

  it('holds every module that is started as a process or thread', () => {
    const started = globSync('src/**/*.ts', { cwd: repository }).flatMap((file) =>
      [...readFileSync(join(repository, file), 'utf8').matchAll(/moduleBeside\(import\.meta, '([\w-]+)'\)/g)].map(
        ([, name]) => `${name}.js`,
      ),
    );
    const files = readdirSync(join(place, bundles()[0] ?? ''));
    assert.ok(started.length > 5);
    assert.deepEqual(
      started.filter((name) => !files.includes(name)),
      [],
    );
  });

  it('has no character that would make its text take twice the memory', () => {
    const name = bundles()[0] ?? '';
    for (const file of readdirSync(join(place, name))) {
      assert.deepEqual(readFileSync(join(place, name, file), 'utf8').match(/[\u0100-\uffff]/g), null, file);
    }
  });

  it('makes the same bundle of the same files', async () => {
    const before = bundles();
    const { code, out, error } = await colophon(['bundle', '--quiet'], { program });
    assert.deepEqual([code, out, error], [0, '', '']);
    assert.deepEqual(bundles(), before);
  });

  it('is what the server runs from, with its processes and threads', async (t) => {
    const content = join(folder, 'content');
    await cp(join(repository, 'content'), content, { recursive: true });
    // More than the main thread would index.
    const words = Array.from({ length: 30_000 }, (_, index) => `word${index}`).join(' ');
    await writeFile(join(content, 'docs/large.md'), `---\ntitle: Large\n---\n\n## Words\n\n${words}\n`);
    const server = startProgram(process.execPath, ['--max-semi-space-size=8', '--import', told, program, 'serve'], {
      env: {
        DATA_DIR: join(folder, 'data'),
        CONTENT_DIR: content,
        PORT: '0',
        ADMIN_PORT: 'off',
        LOG_LEVEL: 'warn',
        ...limits,
      },
    });
    t.after(() => server.child.kill('SIGKILL'));
    const [, url = ''] = await server.says(/Colophon serves Sotto at (http:[^\s"]+)/);
    const page = await ask(url, '/docs/quickstart');
    assert.equal(page.status, 200);
    assert.match(page.text, /<code[^>]*>[\s\S]*<span/);
    const [, preview = ''] = /<meta property="og:image" content="http:\/\/[^/]+([^"]+)"/.exec(page.text) ?? [];
    const picture = await ask(url, preview);
    assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/png']);
    const unbundled = await startTestServer({ env: { BASE_URL: url, ...limits } });
    t.after(() => unbundled.close());
    for (const path of [...samePages, '/api/v1/releases?limit=100', '/releases.atom', '/api/v1/faq?limit=100']) {
      const [bundled, expected] = await Promise.all([ask(url, path), unbundled.ask(path)]);
      assert.equal(bundled.text, expected.text, path);
    }
    assert.equal((await ask(url, '/api/v1/search?q=word29999')).json.data[0].slug, 'large');
    assert.equal((await ask(url, '/api/v1/sandbox/docs')).status, 200);
    // A large page that changes is read in a thread.
    await appendFile(join(content, 'docs/large.md'), '\n## Another section\n\nThe end.\n');
    const deadline = Date.now() + 20_000;
    while (!(await ask(url, '/api/v1/docs/large')).text.includes('Another section')) {
      assert.ok(Date.now() < deadline, 'the change was not read');
    }
    server.child.kill('SIGTERM');
    assert.equal(await server.ended, 0, server.error());

    const loaded = [...server.error().matchAll(/^loads (file:\S+)$/gm)].map(([, file = '']) => file);
    const home = pathToFileURL(copy).href;
    assert.ok(loaded.some((file) => file.startsWith(`${home}/node_modules/.cache/colophon/bundle/`)));
    assert.deepEqual(
      loaded.filter((file) => file.startsWith(`${home}/src/`)),
      [],
    );
  });

  it('is used by serve only, and in the place where it was made', async () => {
    assert.equal(await chosen(), pathToFileURL(join(place, bundles()[0] ?? '', 'main.js')).href);
    for (const command of ['version', 'dev', '']) assert.equal(await chosen(command), null);
    const elsewhere = join(folder, 'elsewhere');
    await rename(copy, elsewhere);
    try {
      assert.equal(await chosen('serve', elsewhere), null);
    } finally {
      await rename(elsewhere, copy);
    }
  });

  for (const file of ['src/http/gate.ts', 'src/feed/notes-conversion.ts', 'package.json']) {
    it(`is not used once ${file} has changed or is gone`, async () => {
      const path = join(copy, file);
      const { atime, mtime } = await stat(path);
      const before = await chosen();
      assert.notEqual(before, null);
      await utimes(path, atime, new Date(mtime.getTime() + 1000));
      assert.equal(await chosen(), null);
      await utimes(path, atime, mtime);
      assert.equal(await chosen(), before);
      const text = readFileSync(path);
      await appendFile(path, '\n');
      await utimes(path, atime, mtime);
      assert.equal(await chosen(), null);
      await rename(path, `${path}.gone`);
      assert.equal(await chosen(), null);
      await rm(`${path}.gone`);
      await writeFile(path, text);
      await utimes(path, atime, mtime);
      assert.equal(await chosen(), before);
    });
  }

  it('leaves the bundle before for a server that runs from it, and no other', async () => {
    const names = [bundles()];
    for (const comment of ['first', 'second']) {
      await appendFile(join(copy, 'src/base/clock.ts'), `\nexport const ${comment} = systemClock;\n`);
      await appendFile(join(copy, 'src/main.ts'), `\nprocess.env.BUNDLE_TEST = '${comment}';\n`);
      assert.equal(await chosen(), null);
      assert.equal((await colophon(['bundle'], { program })).code, 0);
      names.push(bundles());
    }
    assert.deepEqual(
      names.map((all) => all.length),
      [1, 2, 2],
    );
    assert.ok(!names[2]?.includes(names[0]?.[0] ?? ''));
    assert.notEqual(await chosen(), null);
  });

  it('ignores an index that is damaged', async () => {
    await writeFile(join(place, 'bundle.json'), '{"root":');
    assert.equal(await chosen(), null);
    assert.equal((await colophon(['bundle'], { program })).code, 0);
    assert.notEqual(await chosen(), null);
  });

  it('says what is missing where there is no bundler, and the server starts without', async (t) => {
    const bare = await mkdtemp(join(tmpdir(), 'colophon-bundle-'));
    t.after(() => rm(bare, { recursive: true, force: true }));
    const home = await clone(bare);
    await mkdir(join(bare, 'node_modules'));
    for (const name of readdirSync(join(repository, 'node_modules'))) {
      if (name.startsWith('.') || name.includes('esbuild')) continue;
      await symlink(join(repository, 'node_modules', name), join(bare, 'node_modules', name), 'junction');
    }
    const own = join(home, 'bin/colophon.js');
    const { code, out, error } = await colophon(['bundle'], { program: own });
    assert.deepEqual([code, out], [1, '']);
    assert.equal(
      error,
      'Nothing was bundled, because esbuild is not installed; the server starts without a bundle. npm installs esbuild unless optional packages are omitted.\n',
    );
    assert.ok(!existsSync(join(home, 'node_modules/.cache/colophon/bundle')));
    const env = { DATA_DIR: join(bare, 'data'), PORT: '0', ADMIN_PORT: 'off' };
    const server = startProgram(process.execPath, [own, 'serve'], { env });
    t.after(() => server.child.kill('SIGKILL'));
    const [, url = ''] = await server.says(/Colophon serves Sotto at (http:[^\s"]+)/);
    assert.equal((await ask(url, '/api/v1/releases/latest')).status, 200);
    server.child.kill('SIGTERM');
    assert.equal(await server.ended, 0, server.error());
  });
});
