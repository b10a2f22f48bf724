/** Builds both stages of the Dockerfile with buildah, and runs the server as `docker run --read-only --cap-drop ALL` does. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { type RunningCommand, startProgram } from '../support/command.ts';
import { allScopes, createToken } from '../support/oauth.ts';
import { sendRequest } from '../support/server.ts';
import { createTemporaryFolder, getSkipReason, projectFolder } from './service.ts';
import { debianSkipReason, getNpmCachePath, installDebian, installNode, installNpm } from './support/debian.ts';

/** The part of an image's configuration about how it is run. */
interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly WorkingDir: string;
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly Volumes: Readonly<Record<string, unknown>>;
  readonly StopSignal: NodeJS.Signals;
  readonly Healthcheck: { readonly Test: readonly string[] };
}

interface Image {
  /** The root folder of a container that was created from the image. */
  readonly root: string;
  readonly config: ImageConfig;
}

const prefix = 'usr/local';

it('the container image builds, serves without privileges on a read-only root, and exits with 0 when stopped', {
  skip: debianSkipReason || getSkipReason('buildah', 'setpriv'),
}, async (t) => {
  const image = await buildImage(t);
  if (image === null) return;
  const { root, config } = image;
  const npmPrograms = ['npm', 'npx', 'corepack'].filter((name) => existsSync(join(root, prefix, 'bin', name)));
  assert.deepEqual([npmPrograms, existsSync(join(root, 'src'))], [[], false]);
  const { uid, gid, mode } = await stat(join(root, 'data'));
  assert.deepEqual([`${uid}:${gid}`, mode & 0o777], [config.User, 0o700]);
  assert.deepEqual(
    Object.keys(config.Volumes).map((path) => path.replace(/\/$/, '')),
    ['/data'],
  );

  const data = await createVolume(t, uid, gid);
  const server = runIn(t, image, data, [...config.Entrypoint, ...config.Cmd], { PORT: '0', ADMIN_PORT: '0' });
  const [, port = ''] = await server.waitForOutput(/Colophon serves Sotto at http:\/\/[^:\s"]+:(\d+)/);
  const url = `http://127.0.0.1:${port}`;
  const { status, json } = await sendRequest(url, '/api/v1/releases/latest');
  assert.deepEqual([status, json.version], [200, '2.3.0']);
  assert.equal((await sendRequest(url, '/docs')).status, 200);
  const token = await createToken({ request: (path, init) => sendRequest(url, path, init) });
  const { json: tokenInfo } = await sendRequest(url, '/agent/auth', { headers: { authorization: `Bearer ${token}` } });
  assert.equal(tokenInfo.scope, allScopes);
  await assertWithoutPrivileges(server, uid);

  const [, adminPort = ''] = await server.waitForOutput(/"admin_url":"http:\/\/127\.0\.0\.1:(\d+)"/);
  const [kind, ...check] = config.Healthcheck.Test;
  assert.equal(kind, 'CMD');
  const isHealthy = async (port = adminPort): Promise<boolean> =>
    (await runIn(t, image, data, check, { ADMIN_PORT: port }).exitCode) === 0;
  assert.equal(await isHealthy(), true);
  assert.equal(await isHealthy('off'), true);
  const clients = runIn(t, image, data, ['node', '/opt/colophon/bin/colophon.js', 'clients', 'list', '--json']);
  assert.equal(await clients.exitCode, 0, clients.getStderr());
  assert.ok(clients.getStdout().includes(tokenInfo.client_id), clients.getStdout());

  server.child.kill(config.StopSignal);
  assert.equal(await server.exitCode, 0);
  assert.equal(await isHealthy(), false);
  assert.ok(existsSync(join(data, 'colophon.sqlite')));
  t.diagnostic(
    `buildah with chroot isolation, on a Debian 12 made by debootstrap with Node ${process.versions.node}; ran as ${config.User} without capabilities`,
  );
});

/**
 * Builds the image on Debian, Node and npm, and creates a container from it. Returns the path of its root folder and its
 * configuration. Skips the test and returns null if Debian cannot be installed.
 */
async function buildImage(t: TestContext): Promise<Image | null> {
  const base = await installDebian(t, ['libatomic1']);
  if (base === null) return null;
  await installNode(base, process.execPath, prefix);
  await installNpm(base, prefix);
  const folder = await createTemporaryFolder(t);
  const policy = join(folder, 'policy.json');
  await writeFile(policy, '{"default":[{"type":"insecureAcceptAnything"}]}');
  const storage = ['--storage-driver', 'vfs', '--root', join(folder, 'root'), '--runroot', join(folder, 'run')];
  const buildah = async (...words: string[]): Promise<string> => {
    const running = startProgram('buildah', [...storage, ...words], { cwd: projectFolder });
    t.after(() => running.child.kill('SIGKILL'));
    const code = await running.exitCode;
    assert.equal(
      code,
      0,
      `buildah ${words.join(' ')}:\n${running.getStdout().slice(-2000)}\n${running.getStderr().slice(-4000)}`,
    );
    return running.getStdout().trim();
  };
  const container = await buildah('from', 'scratch');
  await buildah('add', '--quiet', container, base.root, '/');
  await buildah('config', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin', container);
  await buildah('commit', '--quiet', '--signature-policy', policy, '--rm', container, 'localhost/base');
  await buildah(
    'build',
    ...['--isolation', 'chroot', '--format', 'docker', '--pull-never', '--signature-policy', policy],
    // The npm cache is mounted instead of copied, because it may have several gigabytes.
    ...['--volume', `${getNpmCachePath()}:/root/.npm/_cacache`],
    ...['--build-arg', 'BASE=localhost/base', '--tag', 'localhost/colophon', '.'],
  );
  const inspection: { Docker: { config: ImageConfig } } = JSON.parse(
    await buildah('inspect', '--type', 'image', 'localhost/colophon'),
  );
  const imageContainer = await buildah('from', '--pull-never', '--signature-policy', policy, 'localhost/colophon');
  return { root: await buildah('mount', imageContainer), config: inspection.Docker.config };
}

/** Creates an empty folder that belongs to `uid` and `gid`, those of the image’s user, like a new volume, and returns its path. */
async function createVolume(t: TestContext, uid: number, gid: number): Promise<string> {
  const folder = join(await createTemporaryFolder(t), 'data');
  await mkdir(folder);
  await chown(folder, uid, gid);
  await chmod(folder, 0o700);
  return folder;
}

/**
 * Starts a command in the root folder of the image as the image's user, without capabilities, and kills it after the test. All is
 * read-only except the folder `data`, mounted at /data, and /tmp. `env` has variables in addition to those of the image.
 */
function runIn(
  t: TestContext,
  { root, config }: Image,
  data: string,
  command: readonly string[],
  env: Record<string, string> = {},
): RunningCommand {
  const mounts =
    'mount --bind "$1" "$1" && mount --bind "$2" "$1/data" && mount -t proc proc "$1/proc" && mount -t tmpfs none "$1/tmp" && mount --bind /dev "$1/dev" && mount -o remount,bind,ro "$1" && root="$1" && shift 2 && exec chroot "$root" "$@"';
  const [user = '', group = user] = config.User.split(':');
  const privileges = ['--bounding-set=-all', '--inh-caps=-all', '--no-new-privs'];
  const settings = [...config.Env, ...Object.entries(env).map((pair) => pair.join('='))];
  const running = startProgram('unshare', [
    ...['--mount', 'sh', '-c', mounts, 'sh', root, data],
    ...['setpriv', `--reuid=${user}`, `--regid=${group}`, '--clear-groups', ...privileges],
    ...['env', '-i', '-C', config.WorkingDir, ...settings, ...command],
  ]);
  t.after(async () => {
    running.child.kill('SIGKILL');
    await running.exitCode;
  });
  return running;
}

async function assertWithoutPrivileges({ child }: RunningCommand, uid: number): Promise<void> {
  const state = await readFile(`/proc/${child.pid}/status`, 'utf8');
  for (const line of [
    new RegExp(`^Uid:${`\t${uid}`.repeat(4)}$`, 'm'),
    /^CapEff:\t0+$/m,
    /^CapBnd:\t0+$/m,
    /^NoNewPrivs:\t1$/m,
  ]) {
    assert.match(state, line);
  }
}
