/** The real nginx with the files that ship: told what changed through its purge module, and following containers that move. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { parse } from 'yaml';
import { startService } from '../faults/service.ts';
import { freePort, notRun, purgeNotRun, startNginx } from '../faults/support/nginx.ts';
import { writeContentFolder } from '../support/content-folder.ts';
import { feedOf } from '../support/feed-samples.ts';

const repository = join(import.meta.dirname, '../..');

async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await holds()) return;
    await wait(50);
  }
  assert.fail(what);
}

const page = (text: string): string => `---\ntitle: Page\ndescription: A page.\n---\n\n${text}\n`;

const drawing = (text: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="20"><text y="15">${text}</text></svg>`;

/** Each spelling of what a browser, a program and an agent send; nginx stores a copy of each. */
const callers: Record<string, string>[] = [
  { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'accept-encoding': 'gzip, deflate, br' },
  { accept: '*/*', 'accept-encoding': 'gzip' },
  { accept: 'application/json', 'accept-encoding': 'identity' },
  { accept: 'text/markdown', 'accept-encoding': 'br' },
];

it('the purge module is told each address that changed, and the rest stays stored', {
  skip: purgeNotRun ?? false,
}, async (t) => {
  const folder = writeContentFolder(t, {
    'appcast.xml': feedOf('1.0'),
    'docs/changing.md': page('Old words.'),
    'docs/sizes/changing.md': page('Old words.'),
    'assets/figure 1.svg': drawing('Old words.'),
    'docs/staying.md': page('Old words.'),
  });
  const [port, purgePort] = [await freePort(), await freePort()];
  const service = await startService(t, {
    CONTENT_DIR: folder,
    PURGE_PRESET: 'nginx',
    PURGE_URL: `http://127.0.0.1:${purgePort}/purge`,
    TRUST_PROXY: '127.0.0.1',
    LOG_LEVEL: 'info',
  });
  const nginx = await startNginx(service.url, port, { purgePort });
  t.after(() => nginx.close());
  await service.says(/"event":"cache\.purged"/);
  // The purge that follows each one after five seconds.
  await wait(6000);

  const get = async (path: string, headers: Record<string, string>) => {
    const response = await fetch(nginx.url + path, { headers });
    const text = await response.text();
    const cache = response.headers.get('cache-status');
    return { status: response.status, text, cache, control: response.headers.get('cache-control') };
  };
  const slugs = ['changing', 'sizes/changing'];
  const pages = slugs.flatMap((slug) => [`/docs/${slug}`, `/docs/${slug}.md`, `/api/v1/docs/${slug}`]);
  const changing = [...pages, '/assets/figure%201.svg'];
  const staying = ['/docs/staying', '/docs/staying.md', '/api/v1/docs/staying'];
  const combinations = (paths: readonly string[]) =>
    paths.flatMap((path) => callers.map((headers) => ({ path, headers })));
  for (const { path, headers } of combinations([...changing, ...staying])) {
    await get(path, headers);
    const { status, cache, control } = await get(path, headers);
    if (status === 406) continue;
    assert.deepEqual([status, cache], [200, 'nginx; hit'], `${path} ${headers.accept}`);
    assert.match(control ?? '', /s-maxage=300/);
  }

  const replace = (file: string, text: string): void => {
    writeFileSync(join(folder, `${file}.new`), text);
    renameSync(join(folder, `${file}.new`), join(folder, file));
  };
  for (const slug of slugs) replace(`docs/${slug}.md`, page('Other words.'));
  replace('assets/figure 1.svg', drawing('Other words.'));
  const [html = {}] = callers;
  await until(
    async () => (await get('/docs/changing', html)).text.includes('Other words.'),
    'the change is not visible',
  );
  // Whatever the first purge had not reached yet, the second has.
  await wait(6000);
  for (const { path, headers } of combinations(changing)) {
    const { status, text } = await get(path, headers);
    if (status !== 406) assert.match(text, /Other words\./, `${path} ${JSON.stringify(headers)}`);
  }
  for (const { path, headers } of combinations(staying)) {
    const { status, cache } = await get(path, headers);
    if (status !== 406) assert.equal(cache, 'nginx; hit', `${path} ${headers.accept}`);
  }
  // What the module has not stored is no failure, and nobody else may purge.
  assert.equal((await fetch(`http://127.0.0.1:${purgePort}/purge/never-stored`)).status, 404);
  assert.equal((await fetch(`${nginx.url}/purge/docs/staying`)).status, 404);
});

/** A name server that knows one name, whose addresses a test changes. It answers over UDP, for A and nothing else. */
async function startNames(t: TestContext, addresses: () => readonly string[]): Promise<number> {
  const socket = createSocket('udp4');
  socket.on('message', (asked, { port, address }) => {
    const end = asked.indexOf(0, 12) + 5;
    const isA = asked.readUInt16BE(end - 4) === 1;
    const records = (isA ? addresses() : []).map((ip) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...ip.split('.').map(Number)]),
    );
    const head = Buffer.from(asked.subarray(0, 12));
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(records.length, 6);
    head.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([head, asked.subarray(12, end), ...records]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => socket.close());
  return socket.address().port;
}

/** A container: says its name, and can be taken away. */
async function startContainer(t: TestContext, address: string, port: number) {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-store' }).end(address);
  });
  server.listen(port, address);
  await once(server, 'listening');
  const remove = (): void => {
    server.closeAllConnections();
    server.close();
  };
  t.after(remove);
  return { remove };
}

it('nginx of the Compose file finds containers at their new addresses, and goes on to the next when one is gone', {
  skip: notRun ?? (process.platform !== 'linux' && 'not run: needs several loopback addresses'),
}, async (t) => {
  const port = await freePort();
  let addresses: readonly string[] = ['127.0.0.2', '127.0.0.3'];
  const names = await startNames(t, () => addresses);
  const first = await startContainer(t, '127.0.0.2', port);
  const second = await startContainer(t, '127.0.0.3', port);

  // What the file's own command makes of the configuration that ships, with this test's ports in it.
  const compose = parse(readFileSync(join(repository, 'compose.yaml'), 'utf8'));
  const [, , command = ''] = compose.services.proxy.command;
  const [sed = ''] = String(command).replaceAll('$$', '$').split(' /packaging/nginx.conf >');
  const edit = (text: string): string =>
    execFileSync('sh', ['-c', sed], { input: text, env: { ...process.env, SERVER_NAME: 'api.example.com' } })
      .toString()
      .replaceAll(/(listen .*)8080;/g, '$180;')
      .replace('resolver 127.0.0.11', `resolver 127.0.0.1:${names}`)
      .replace('app:8080', `app:${port}`);
  const nginx = await startNginx('http://127.0.0.1:9', undefined, { edit });
  t.after(() => nginx.close());

  const seen = async (count: number): Promise<Set<string>> => {
    const from = new Set<string>();
    for (let index = 0; index < count; index += 1) {
      const response = await fetch(`${nginx.url}/?${index}`);
      from.add(response.status === 200 ? await response.text() : `status ${response.status}`);
    }
    return from;
  };
  assert.deepEqual([...(await seen(10))].sort(), ['127.0.0.2', '127.0.0.3']);

  // One is recreated at another address. Until the name is asked for again, the next one answers in its place.
  first.remove();
  await startContainer(t, '127.0.0.4', port);
  assert.deepEqual([...(await seen(10))], ['127.0.0.3']);
  addresses = ['127.0.0.3', '127.0.0.4'];
  await until(async () => (await seen(4)).has('127.0.0.4'), 'the new address is not used');
  // The other one, too: nothing of the first answer is left, and nginx was not touched.
  second.remove();
  addresses = ['127.0.0.4'];
  await until(async () => (await seen(4)).size === 1, 'the old address is still used');
  assert.deepEqual([...(await seen(10))], ['127.0.0.4']);
});
