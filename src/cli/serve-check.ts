/** `colophon serve --check`: checks what a start needs on this machine, changes nothing and serves nothing. */
import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { createHttpOrigin } from '../base/host-name.ts';
import { getMessage } from '../base/thrown.ts';
import { shippedContent } from '../config/content-folders.ts';
import { type Config, listSettingWarnings } from '../config/environment.ts';
import { readSecret } from '../config/secret-key.ts';
import { type ExitCode, exitCodes } from './command.ts';
import { loadValidContent } from './content-folder.ts';
import { createFinding, type Finding, printFinding } from './report.ts';
import { formatCount, type Terminal } from './terminal.ts';

/**
 * Prints a finding for each check of what a start needs, and returns exit code 1 if one is an error, else 0. Rejects with
 * ContentError for invalid content, and with ConfigError for a SECRET_KEY_FILE that cannot be read or is too short.
 */
export async function checkStart(config: Config, terminal: Terminal): Promise<ExitCode> {
  const { product, pages } = await loadValidContent(config.contentDir ?? shippedContent);
  if (config.secretKeyFile !== null) await readSecret(config);
  const { admin } = config;
  const findings = [
    ...listSettingWarnings(config).map((warning) => createFinding('settings', 'warning', warning)),
    createFinding('content', 'ok', `${product.name}, ${formatCount(pages.length, 'page')}`),
    ...(config.databaseUrl === null ? [await checkDataFolder(config.dataDir)] : []),
    await checkPort('port', 'PORT', config),
    ...(admin === null ? [] : [await checkPort('admin port', 'ADMIN_PORT', admin)]),
  ];
  for (const finding of findings) printFinding(finding, terminal);
  return findings.some(({ state }) => state === 'error') ? exitCodes.failed : exitCodes.done;
}

/**
 * Returns the finding about the data folder: an error if it, or the nearest path above a missing one, cannot be written, and a
 * warning if it exists and is open to other users, except on Windows. It writes and deletes a file, because a folder on a full disk
 * can still be opened.
 */
async function checkDataFolder(dataDir: string): Promise<Finding> {
  const { path, isFolder, mode } = await findNearest(dataDir);
  try {
    if (!isFolder) throw new Error('it is a file');
    const temporary = await mkdtemp(join(path, '.colophon-check-'));
    const writing = writeFile(join(temporary, 'file'), Buffer.alloc(65_536), { flush: true });
    await writing.finally(() => rm(temporary, { recursive: true }));
  } catch (error) {
    const fix = 'give this user permission and space, or set DATA_DIR to another folder';
    return createFinding('data', 'error', `${dataDir} cannot be written (${getMessage(error)})`, fix);
  }
  if (path !== dataDir) return createFinding('data', 'ok', `${dataDir} will be created`);
  // Windows has no modes for the group and for others, so the mode is not checked there.
  return process.platform === 'win32' || (mode & 0o077) === 0
    ? createFinding('data', 'ok', `${dataDir} is writable`)
    : createFinding('data', 'warning', `${dataDir} is open to other users`, `chmod 700 ${dataDir}`);
}

/** Returns the file or folder at a path or, if there is none, the nearest one above it; `mode` is that of `stat`, type bits included. */
async function findNearest(path: string): Promise<{ path: string; isFolder: boolean; mode: number }> {
  const entry = await stat(path).catch(() => null);
  return entry === null ? findNearest(dirname(path)) : { path, isFolder: entry.isDirectory(), mode: entry.mode };
}

/**
 * Returns the finding named `check` about a port, at which it listens for a moment; `setting` is the name of the setting, such as
 * `PORT`. A port of a running Colophon is only a warning, because the command is also typed where it runs; port 0 is always free.
 * Any other port at which it cannot listen is an error.
 */
async function checkPort(
  check: string,
  setting: string,
  { host, port }: { host: string; port: number },
): Promise<Finding> {
  if (port === 0) return createFinding(check, 'ok', 'a free one will be chosen');
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return createFinding(check, 'ok', `${host}:${port} is free`);
  } catch (error) {
    if (await isColophon(createHttpOrigin(host, port)))
      return createFinding(check, 'warning', `${host}:${port} is in use by Colophon, which is running`);
    const fix = `stop the program that uses it, or set ${setting} to another port`;
    return createFinding(check, 'error', `${host}:${port} is not available (${getMessage(error)})`, fix);
  } finally {
    server.close();
  }
}

/** Returns whether the program at the address responds as Colophon's public or admin listener does; false if nothing responds. */
async function isColophon(origin: string): Promise<boolean> {
  const read = (path: string): Promise<string> =>
    fetch(origin + path, { signal: AbortSignal.timeout(2000) })
      .then((response) => response.text())
      .catch(String);
  return /"object":"index"|"status":"alive"/.test((await read('/api/v1')) + (await read('/livez')));
}
