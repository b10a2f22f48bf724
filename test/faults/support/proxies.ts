/** Starts the proxies that there are with the files that ship, paths and ports put in, in front of an origin. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort, notRun, startNginx } from './nginx.ts';

export interface RunningProxy {
  readonly url: string;
  close(): Promise<void>;
}

export interface ProxyKind {
  readonly name: string;
  /** Why it cannot run here; null: it can. */
  readonly notRun: string | null;
  /** `origin` is an http URL of this machine. */
  start(origin: string, port?: number): Promise<RunningProxy>;
}

/** Each text has to be there: a test of a file that has changed would test something else. */
async function shipped(file: string, changes: readonly (readonly [from: string, to: string])[]): Promise<string> {
  let text = await readFile(new URL(`../../../packaging/${file}`, import.meta.url), 'utf8');
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`packaging/${file} has no "${from}" any more`);
    text = text.replace(from, to);
  }
  return text;
}

/** A server behind a proxy that balances. */
interface Balanced {
  /** An http URL of this machine. */
  readonly url: string;
  readonly adminPort: number;
}

export interface Balancer {
  readonly name: string;
  readonly notRun: string | null;
  /** The row of the table that it is measured for. */
  readonly row: number;
  /** DRAIN_DELAY of the servers, in seconds: how long it takes to see that one leaves. */
  readonly drainDelay: number;
  start(servers: readonly Balanced[], port: number): Promise<RunningProxy>;
}

interface Recipe {
  readonly name: string;
  readonly program: string;
  readonly versionFlag: string;
  /** The program's arguments; writes its files into `folder`. */
  prepare(folder: string, port: number, origin: URL): Promise<readonly string[]>;
}

const haproxy = (servers: (origin: URL) => readonly string[]): Recipe => ({
  name: 'HAProxy',
  program: 'haproxy',
  versionFlag: '-v',
  async prepare(folder, port, origin) {
    const file = join(folder, 'haproxy.cfg');
    const changes = [
      ['bind :::80 v4v6', `bind 127.0.0.1:${port}`],
      ['  server one 127.0.0.1:8080 check port 9464', servers(origin).join('\n')],
    ] as const;
    await writeFile(file, await shipped('haproxy.cfg', changes));
    return ['-db', '-f', file];
  },
});

const recipes: readonly Recipe[] = [
  // Health checks go to the admin listener, which the server under test has not.
  haproxy(({ host }) => [`  server one ${host}`]),
  {
    name: 'Varnish',
    program: 'varnishd',
    versionFlag: '-V',
    async prepare(folder, port, { hostname, port: originPort }) {
      const file = join(folder, 'colophon.vcl');
      const changes = [
        ['.host = "127.0.0.1"', `.host = "${hostname}"`],
        ['.port = "8080"', `.port = "${originPort}"`],
      ] as const;
      await writeFile(file, await shipped('varnish.vcl', changes));
      return ['-F', '-n', join(folder, 'work'), '-a', `127.0.0.1:${port}`, '-f', file, '-s', 'malloc,32m'];
    },
  },
  {
    name: 'Apache httpd',
    program: 'apache2',
    versionFlag: '-v',
    async prepare(folder, port, { host }) {
      const changes = [
        ['<VirtualHost *:80>', `<VirtualHost 127.0.0.1:${port}>`],
        ['http://127.0.0.1:8080/', `http://${host}/`],
      ] as const;
      const modules = ['mpm_event', 'authz_core', 'proxy', 'proxy_http', 'headers', 'reqtimeout']
        .map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so\n`)
        .join('');
      const file = join(folder, 'apache.conf');
      const head = `ServerRoot ${folder}\nServerName 127.0.0.1\nListen 127.0.0.1:${port}\nPidFile ${join(folder, 'pid')}\nErrorLog ${join(folder, 'errors.log')}\nMutex file:${folder}\nDefaultRuntimeDir ${folder}\n`;
      const user = process.getuid?.() === 0 ? 'User www-data\nGroup www-data\n' : '';
      await writeFile(file, modules + head + user + (await shipped('apache.conf', changes)));
      return ['-DFOREGROUND', '-f', file];
    },
  },
  {
    name: 'Caddy',
    program: 'caddy',
    versionFlag: 'version',
    async prepare(folder, port, { host }) {
      const file = join(folder, 'Caddyfile');
      const changes = [
        ['api.example.com {', `http://127.0.0.1:${port} {`],
        ['reverse_proxy 127.0.0.1:8080', `reverse_proxy ${host}`],
        ['{\n\tservers {', '{\n\tadmin off\n\tauto_https off\n\tservers {'],
      ] as const;
      await writeFile(file, await shipped('Caddyfile', changes));
      return ['run', '--config', file, '--adapter', 'caddyfile'];
    },
  },
];

const programOf = ({ program, versionFlag }: Recipe): string | undefined =>
  [program, `/usr/sbin/${program}`].find((path) => spawnSync(path, [versionFlag]).status === 0);

const notRunOf = ({ program: name }: Recipe, program: string | undefined): string | null =>
  program === undefined ? `not run: ${name} is not installed` : null;

export const proxies: readonly ProxyKind[] = [
  { name: 'nginx', notRun, start: startNginx },
  ...recipes.map((recipe): ProxyKind => {
    const program = programOf(recipe);
    return {
      name: recipe.name,
      notRun: notRunOf(recipe, program),
      start: (origin, port) => start(recipe, program ?? recipe.program, new URL(origin), port),
    };
  }),
];

const balancedBy = (servers: readonly Balanced[]): Recipe =>
  haproxy(() =>
    servers.map(({ url, adminPort }, index) => `  server s${index} ${new URL(url).host} check port ${adminPort}`),
  );

export const balancers: Readonly<Record<'nginx' | 'haproxy', Balancer>> = {
  nginx: {
    name: 'nginx',
    notRun,
    row: 84,
    drainDelay: 0,
    start: (servers, port) =>
      startNginx(
        servers.map(({ url }) => url),
        port,
      ),
  },
  haproxy: {
    name: 'HAProxy',
    notRun: notRunOf(balancedBy([]), programOf(balancedBy([]))),
    row: 85,
    drainDelay: 3,
    start: (servers, port) => {
      const recipe = balancedBy(servers);
      return start(recipe, programOf(recipe) ?? recipe.program, new URL('http://127.0.0.1'), port);
    },
  },
};

async function start(recipe: Recipe, program: string, origin: URL, chosenPort?: number): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-proxy-'));
  // Some give up their rights before they read it.
  await chmod(folder, 0o755);
  const port = chosenPort ?? (await freePort());
  const words = await recipe.prepare(folder, port, origin);
  const child = spawn(program, words, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder },
  });
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += chunk.toString();
  });
  for (let tries = 0; !(await isListening(port)); tries += 1) {
    if (child.exitCode !== null || tries === 200) throw new Error(`${recipe.name} did not start: ${complaint}`);
    await wait(50);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
