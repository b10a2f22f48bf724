/** `colophon serve --check`: checks what a start needs on this machine, changes nothing and serves nothing. */
import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { httpOrigin } from '../base/host-name.ts';
import { messageOf } from '../base/thrown.ts';
import { shippedContent } from '../config/content-folders.ts';
import { type Config, settingWarnings } from '../config/environment.ts';
import { readSecret } from '../config/secret-key.ts';
import { type ExitCode, exitCodes } from './command.ts';
import { loadValidContent } from './content-folder.ts';
import { type Finding, printFinding } from './report.ts';
import { counted, type Terminal } from './terminal.ts';

/** Prints a finding for each check. Throws ConfigError or ContentError, as a start does. */
export async function checkStart(config: Config, terminal: Terminal): Promise<ExitCode> {
  const { product, pages } = await loadValidContent(config.contentDir ?? shippedContent);
  if (config.secretKeyFile !== null) await readSecret(config);
  const findings = [
    ...settingWarnings(config).map((warning) => toFinding('settings', 'warning', warning)),
    toFinding('content', 'ok', `${product.name}, ${counted(pages.length, 'page')}`),
    ...(config.databaseUrl === null ? [await checkDataFolder(config.dataDir)] : []),
    await checkPort('port', config.host, config.port),
    ...(config.admin === null ? [] : [await checkPort('admin port', config.admin.host, config.admin.port)]),
  ];
  for (const finding of findings) printFinding(finding, terminal);
  return findings.some(({ state }) => state === 'error') ? exitCodes.failed : exitCodes.done;
}

const toFinding = (check: string, state: Finding['state'], message: string, ...fix: string[]): Finding => ({
  check,
  state,
  message,
  fix,
});

/** Writes and deletes a file, because a folder on a full disk can still be opened. */
async function checkDataFolder(dataDir: string): Promise<Finding> {
  const parent = await findFolder(dataDir);
  try {
    if (parent === null) throw new Error('it is a file');
    const temporary = await mkdtemp(join(parent, '.colophon-check-'));
    await writeFile(join(temporary, 'file'), Buffer.alloc(65_536), { flush: true }).finally(() =>
      rm(temporary, { recursive: true }),
    );
  } catch (error) {
    const fix = 'give this user permission and space, or set DATA_DIR to another folder';
    return toFinding('data', 'error', `${dataDir} cannot be written (${messageOf(error)})`, fix);
  }
  if (parent !== dataDir) return toFinding('data', 'ok', `${dataDir} will be created`);
  // Windows has no such modes.
  if (process.platform === 'win32' || ((await stat(dataDir)).mode & 0o077) === 0)
    return toFinding('data', 'ok', `${dataDir} is writable`);
  return toFinding('data', 'warning', `${dataDir} is open to other users`, `chmod 700 ${dataDir}`);
}

/** Returns the folder, or the nearest one above it that exists; null if the path leads through a file. */
async function findFolder(path: string): Promise<string | null> {
  const entry = await stat(path).catch(() => null);
  if (entry === null) return findFolder(dirname(path));
  return entry.isDirectory() ? path : null;
}

/** Listens for a moment. A port that a running Colophon has is no error: the command is also typed where it runs. */
async function checkPort(check: string, host: string, port: number): Promise<Finding> {
  if (port === 0) return toFinding(check, 'ok', 'a free one will be chosen');
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return toFinding(check, 'ok', `${host}:${port} is free`);
  } catch (error) {
    if (await isColophon(host, port))
      return toFinding(check, 'warning', `${host}:${port} is in use by Colophon, which is running`);
    const fix = `stop the program that uses it, or set ${check === 'port' ? 'PORT' : 'ADMIN_PORT'} to another port`;
    return toFinding(check, 'error', `${host}:${port} is not available (${messageOf(error)})`, fix);
  } finally {
    server.close();
  }
}

/** Whether the program at the port responds as Colophon's public or admin listener does. */
async function isColophon(host: string, port: number): Promise<boolean> {
  const read = async (path: string): Promise<string> => {
    const response = await fetch(httpOrigin(host, port) + path, { signal: AbortSignal.timeout(2000) });
    return response.text();
  };
  const texts = await Promise.all(['/api/v1', '/livez'].map((path) => read(path).catch(() => '')));
  return texts.some((text) => text.includes('"object":"index"') || text.includes('"status":"alive"'));
}
