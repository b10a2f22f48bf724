/**
 * The list of 20 KB compared with other kinds of servers that hold the same entries: json-server, prism and Directus.
 * They are installed only for this run.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { figureHeads, figuresOf, rateRatioOf, ratioOf } from './figures.ts';
import { writeGeneratedContent } from './generated-content.ts';
import { freePort, type Started, startColophon, startPinned, stop } from './process.ts';
import { fixed, table } from './table.ts';
import { type Contestant, type Pace, type Results, takeTurns } from './turns.ts';

const here = join(import.meta.dirname, 'peers');
const ours = 'Colophon';
const entries = 65;

type Entry = Readonly<Record<string, string | number>>;

/** A table in Markdown, and what could not be installed. */
export async function measurePeers(pace: Pace): Promise<string> {
  install();
  const directory = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
  const contentDir = await writeGeneratedContent(100);
  const peers: Contestant[] = [];
  const running: Started[] = [];
  const absent: string[] = [];
  try {
    const colophon = await startOurs(running, directory, contentDir);
    peers.push(colophon);
    const list = await listOf(colophon);
    peers.push(await startJsonServer(running, directory, list));
    peers.push(await startPrism(running, directory, list));
    const fault = compileSqlite();
    if (fault === null) peers.push(await startDirectus(running, directory, list));
    else absent.push(`Directus: not run: ${fault}`);
    const sizes = new Map<string, number>();
    for (const peer of peers) sizes.set(peer.name, await requireEntries(peer, list));
    return [report(await takeTurns(peers, pace, { connections: 32 }), sizes), ...absent].join('\n\n');
  } finally {
    await Promise.all(running.map(stop));
    await rm(directory, { recursive: true, force: true });
    await rm(contentDir, { recursive: true, force: true });
  }
}

/** About 700 MB. No package’s own script runs; Directus’s libraries disagree on a peer dependency that it does not use here. */
function install(): void {
  const packages = ['json-server', '@stoplight/prism-cli', 'directus'];
  if (packages.every((name) => existsSync(join(here, 'node_modules', name, 'package.json')))) return;
  const words = ['ci', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
  execFileSync('npm', words, { cwd: here, stdio: 'inherit' });
}

/** Directus reaches SQLite through a module that has to be compiled here, with the headers that come with Node. Says why that failed, or null. */
function compileSqlite(): string | null {
  const load = createRequire(join(here, 'package.json'));
  const works = (): boolean => {
    try {
      load('sqlite3');
      return true;
    } catch {
      return false;
    }
  };
  if (works()) return null;
  try {
    const env = { ...process.env, npm_config_nodedir: dirname(dirname(process.execPath)) };
    execFileSync('npm', ['rebuild', 'sqlite3'], { cwd: here, stdio: ['ignore', 'ignore', 'inherit'], env });
  } catch {
    return 'its module sqlite3 could not be compiled; that takes make, g++ and python3.';
  }
  return works() ? null : 'its module sqlite3 was compiled but does not load.';
}

async function startOurs(running: Started[], directory: string, contentDir: string): Promise<Contestant> {
  const server = await startColophon({ DATA_DIR: join(directory, 'data'), CONTENT_DIR: contentDir });
  running.push(server);
  return peerOf(ours, server, `${server.said}/api/v1/docs?limit=${entries}`);
}

async function startJsonServer(running: Started[], directory: string, list: readonly Entry[]): Promise<Contestant> {
  const file = join(directory, 'db.json');
  await writeFile(file, JSON.stringify({ docs: list }));
  const port = await freePort();
  const words = ['--quiet', '--host', '127.0.0.1', '--port', String(port), file];
  const server = await startPinned([process.execPath, moduleFile('json-server/lib/cli/bin.js'), ...words], /()/);
  running.push(server);
  return ready(peerOf('json-server 0.17.4', server, `http://127.0.0.1:${port}/docs`));
}

/** A document of one operation, whose example is the list. */
async function startPrism(running: Started[], directory: string, list: readonly Entry[]): Promise<Contestant> {
  const content = { 'application/json': { schema: { type: 'object' }, example: { data: list } } };
  const paths = { '/docs': { get: { responses: { 200: { description: 'The list.', content } } } } };
  const file = join(directory, 'prism.json');
  await writeFile(file, JSON.stringify({ openapi: '3.1.0', info: { title: 'List', version: '1' }, paths }));
  const port = await freePort();
  const words = ['mock', '--verboseLevel', 'error', '--port', String(port), file];
  const server = await startPinned(
    [process.execPath, moduleFile('@stoplight/prism-cli/dist/index.js'), ...words],
    /()/,
  );
  running.push(server);
  return ready(peerOf('prism 5.16.0', server, `http://127.0.0.1:${port}/docs`));
}

/** On SQLite, with its cache and its limiters off, and one collection that everybody may read. */
async function startDirectus(running: Started[], directory: string, list: readonly Entry[]): Promise<Contestant> {
  const cwd = join(directory, 'directus');
  await mkdir(cwd);
  await writeFile(join(cwd, 'package.json'), '{}');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const secret = 'of-the-benchmark-alone-'.repeat(2);
  const env = {
    DB_CLIENT: 'sqlite3',
    DB_FILENAME: join(cwd, 'data.db'),
    SECRET: secret,
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: secret,
    ADMIN_TOKEN: secret,
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: url,
    CACHE_ENABLED: 'false',
    RATE_LIMITER_ENABLED: 'false',
    PRESSURE_LIMITER_ENABLED: 'false',
    TELEMETRY: 'false',
    LOG_LEVEL: 'error',
  };
  const command = [process.execPath, moduleFile('directus/cli.js')];
  execFileSync(command[0] ?? '', [command[1] ?? '', 'bootstrap'], {
    cwd,
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  const server = await startPinned([...command, 'start'], /()/, env, { cwd });
  running.push(server);
  const peer = peerOf('Directus 12.4.0, uncached', server, `${url}/items/docs?limit=${entries}`);
  await ready({ ...peer, target: { ...peer.target, url: `${url}/server/ping` } });
  const post = async (path: string, body: unknown): Promise<void> => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`Directus answers ${path} with ${response.status}: ${await response.text()}`);
  };
  const fields = Object.entries(list[0] ?? {}).map(([field, value]) => ({
    field,
    type: typeof value === 'number' ? 'integer' : 'text',
    schema: {},
  }));
  const id = { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } };
  await post('/collections', { collection: 'docs', schema: {}, meta: {}, fields: [id, ...fields] });
  await post('/items/docs', list);
  // Its policy for whoever has no token; the id is the same in every installation.
  const policy = 'abf8a154-5b1c-4a46-ac9c-7300570f4f17';
  const open = { fields: ['*'], permissions: {}, validation: {} };
  await post('/permissions', { policy, collection: 'docs', action: 'read', ...open });
  return peer;
}

const moduleFile = (path: string): string => join(here, 'node_modules', path);

const peerOf = (name: string, server: Started, url: string): Contestant => ({
  name,
  forget: server.forget,
  target: { url, pid: server.pid, headers: { accept: 'application/json' } },
});

/** Waits until it answers. */
async function ready(peer: Contestant): Promise<Contestant> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const answered = await fetch(peer.target.url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answered) return peer;
    await pause(100);
  }
  throw new Error(`${peer.name} did not answer within a minute.`);
}

async function listOf({ target }: Contestant): Promise<Entry[]> {
  const answer: { data: Entry[] } = JSON.parse(await (await fetch(target.url)).text());
  return answer.data;
}

/** The size of the body, which has to hold every entry. */
async function requireEntries({ name, target }: Contestant, list: readonly Entry[]): Promise<number> {
  const response = await fetch(target.url, { headers: { ...target.headers, 'accept-encoding': 'identity' } });
  const text = await response.text();
  const answer: Entry[] | { data: Entry[] } = JSON.parse(text);
  const slugs = (Array.isArray(answer) ? answer : answer.data).map(({ slug }) => slug);
  if (slugs.join() !== list.map(({ slug }) => slug).join())
    throw new Error(`${name} answers another list: ${text.slice(0, 300)}`);
  return Buffer.byteLength(text);
}

function report(results: Results, sizes: ReadonlyMap<string, number>): string {
  const rows = [...sizes].map(([name, bytes]) => {
    const byCpu = fixed(ratioOf(results, 'cpu', name, ours), 1);
    return [name, fixed(bytes, 0), ...figuresOf(results, name), rateRatioOf(results, ours, name, 1), byCpu];
  });
  const heads = ['server', 'bytes', ...figureHeads];
  return table([...heads, 'Colophon’s rate', 'by CPU'], rows);
}
