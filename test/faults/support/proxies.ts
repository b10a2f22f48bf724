/** Starts the installed proxies with their files in packaging/, whose paths and ports are replaced, in front of a server. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '../../support/free-port.ts';
import { nginxSkipReason, startNginx } from './nginx.ts';

/** A running proxy. */
export interface RunningProxy {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

/** A program that can be a proxy. */
export interface ProxyKind {
  readonly name: string;
  /** The reason why it cannot run here, or null if it can. */
  readonly skipReason: string | null;
  /**
   * Starts the proxy on `port`, or else on a free one, in front of `origin`, an http URL of this machine. Rejects if it does not
   * start. The caller checks `skipReason` before.
   */
  start(origin: string, port?: number): Promise<RunningProxy>;
}

/**
 * Returns the text of a file in packaging/ with each text `from` replaced by `to` once. Throws if one is not there: a test of a
 * file that has changed would test something else.
 */
async function readShippedFile(
  file: string,
  changes: readonly (readonly [from: string, to: string])[],
): Promise<string> {
  let text = await readFile(new URL(`../../../packaging/${file}`, import.meta.url), 'utf8');
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`packaging/${file} has no "${from}" any more`);
    text = text.replace(from, to);
  }
  return text;
}

interface Recipe {
  readonly name: string;
  readonly program: string;
  readonly versionFlag: string;
  /** Writes the program's files into `folder`, and returns its arguments. */
  prepare(folder: string, port: number, origin: URL): Promise<readonly string[]>;
}

const recipes: readonly Recipe[] = [
  {
    name: 'Caddy',
    program: 'caddy',
    versionFlag: 'version',
    async prepare(folder, port, { host }) {
      const file = join(folder, 'Caddyfile');
      const changes = [
        ['{$DOMAIN:api.example.com} {', `http://127.0.0.1:${port} {`],
        ['{$UPSTREAM:127.0.0.1:8080}', host],
        ['{\n\tservers {', '{\n\tadmin off\n\tauto_https off\n\tservers {'],
      ] as const;
      await writeFile(file, await readShippedFile('Caddyfile', changes));
      return ['run', '--config', file, '--adapter', 'caddyfile'];
    },
  },
];

const getProgram = ({ program, versionFlag }: Recipe): string | undefined =>
  [program, `/usr/sbin/${program}`].find((path) => spawnSync(path, [versionFlag]).status === 0);

const getSkipReason = ({ program: name }: Recipe, program: string | undefined): string | null =>
  program === undefined ? `not run: ${name} is not installed` : null;

/** Every proxy that the tests run against. */
export const proxies: readonly ProxyKind[] = [
  { name: 'nginx', skipReason: nginxSkipReason, start: startNginx },
  ...recipes.map((recipe): ProxyKind => {
    const program = getProgram(recipe);
    return {
      name: recipe.name,
      skipReason: getSkipReason(recipe, program),
      start: (origin, port) => start(recipe, program ?? recipe.program, new URL(origin), port),
    };
  }),
];

async function start(recipe: Recipe, program: string, origin: URL, chosenPort?: number): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-proxy-'));
  // A proxy may change to a user without privileges before it reads the folder, so every user may read it.
  await chmod(folder, 0o755);
  const port = chosenPort ?? (await findFreePort());
  const words = await recipe.prepare(folder, port, origin);
  const child = spawn(program, words, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder },
  });
  let errorOutput = '';
  child.stderr.on('data', (chunk) => {
    errorOutput += chunk.toString();
  });
  for (let tries = 0; !(await isListening(port)); tries += 1) {
    if (child.exitCode !== null || tries === 200) throw new Error(`${recipe.name} did not start: ${errorOutput}`);
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
