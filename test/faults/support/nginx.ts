/** Starts the real nginx with packaging/nginx.conf, whose paths and ports are replaced, in front of a server. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '../../support/free-port.ts';

const configurationFile = new URL('../../../packaging/nginx.conf', import.meta.url);
const program = ['nginx', '/usr/sbin/nginx'].find((name) => spawnSync(name, ['-v']).status === 0);

/** Why tests with nginx cannot run here, or null if they can. */
export const nginxSkipReason = program === undefined ? 'not run: nginx is not installed' : null;

/** A running nginx. */
export interface Nginx {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

/** Options of nginx. */
export interface NginxOptions {
  /** Returns the text of the shipped file with changes, as whoever deploys it makes them. Without it, the file stays as it ships. */
  edit?(text: string): string;
}

/**
 * Starts nginx with the configuration that ships, on `chosenPort` or else on a free port, in front of `origins`, which are http
 * URLs of this machine, and waits until it responds. Rejects if it does not start. The caller checks `nginxSkipReason` before.
 */
export async function startNginx(
  origins: string | readonly string[],
  chosenPort?: number,
  options: NginxOptions = {},
): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-nginx-'));
  const port = chosenPort ?? (await findFreePort());
  const text = await readFile(configurationFile, 'utf8');
  const edited = options.edit?.(text) ?? text;
  await writeFile(
    join(folder, 'colophon.conf'),
    replaceTexts(edited, [
      ['  server 127.0.0.1:8080 max_fails=0;', [origins].flat().map(writeUpstream).join('\n')],
      ['/var/cache/nginx/colophon', join(folder, 'cache')],
      ['listen 80;', `listen 127.0.0.1:${port};`],
      ['listen [::]:80;', `listen [::1]:${port};`],
      ['server_name api.example.com;', 'server_name 127.0.0.1;'],
    ]),
  );
  const user = process.getuid?.() === 0 ? 'user root;\n' : '';
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  for (const kind of temporary) await mkdir(join(folder, kind));
  await writeFile(
    join(folder, 'nginx.conf'),
    `${user}daemon off;
worker_processes 1;
pid ${join(folder, 'pid')};
error_log ${join(folder, 'errors.log')} error;
events { worker_connections 512; }
http {
  access_log off;
${temporary.map((kind) => `  ${kind}_temp_path ${join(folder, kind)};`).join('\n')}
  include ${join(folder, 'colophon.conf')};
}
`,
  );
  const child = spawn(program ?? 'nginx', ['-e', join(folder, 'errors.log'), '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errorOutput = '';
  child.stderr.on('data', (chunk) => {
    errorOutput += chunk.toString();
  });
  const url = `http://127.0.0.1:${port}`;
  await waitForResponse(url, child, () => errorOutput);
  return {
    url,
    async close() {
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const writeUpstream = (origin: string): string => `  server ${new URL(origin).host} max_fails=0;`;

/**
 * Returns a configuration with each text `from` replaced by `to` once. Throws if one is not there: a test of a file that has
 * changed would test something else.
 */
function replaceTexts(text: string, changes: readonly (readonly [from: string, to: string])[]): string {
  let changed = text;
  for (const [from, to] of changes) {
    if (!changed.includes(from)) throw new Error(`packaging/nginx.conf has no "${from}" any more`);
    changed = changed.replace(from, to);
  }
  return changed;
}

async function waitForResponse(url: string, child: ChildProcess, getErrorOutput: () => string): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (child.exitCode !== null) break;
    const response = await fetch(url, { method: 'PURGE' }).catch(() => null);
    if (response !== null) return;
    await wait(50);
  }
  throw new Error(`nginx did not start: ${getErrorOutput()}`);
}
