/** `colophon serve`: starts the server, logs its address, and stops it on SIGTERM or SIGINT. */
import { relative } from 'node:path';
import { Argument, Option } from 'commander';
import { isLoopback } from '../base/loopback.ts';
import { type Config, readConfig } from '../config/environment.ts';
import type { RunningServer, ServerOptions } from '../server/options.ts';
import { startServer } from '../server/server.ts';
import type { Command, ExitCode } from './command.ts';
import { applyOptions, findContentFolder, portOption } from './content-folder.ts';
import { exampleNote, formatFirstScreen } from './first-screen.ts';
import { createLog, type ProcessLog, type ServerAddress } from './log.ts';
import { getProcessNumber, reportToParent, supervise } from './processes.ts';
import { installShutdown, type Shutdown } from './shutdown.ts';

/** The command `serve`. */
export const serve: Command = {
  name: 'serve',
  summary: 'Serve the content folder.',
  argument: new Argument(
    '[DIR]',
    'The content folder; by default CONTENT_DIR, the current folder, or the example product.',
  ),
  options: [
    portOption,
    new Option('--check', 'Check settings, content, data folder and ports, and exit without serving.'),
  ],
  details: `Logs are JSON lines; on a terminal they are text, after who can reach it and what comes next. SIGTERM and SIGINT shut it down: /readyz returns 503, new connections are
refused after DRAIN_DELAY, and requests in progress get up to ten seconds. A second signal ends it at once.`,
  async run(invocation) {
    const { terminal, directory, flag } = invocation;
    const settings = readConfig(applyOptions(invocation), directory);
    const config = { ...settings, contentDir: findContentFolder(invocation, settings) };
    if (flag('check')) return (await import('./serve-check.ts')).checkStart(config, terminal);
    const number = getProcessNumber();
    const log = createLog(config.logLevel, terminal.isTerminal ? terminal.paint : null, number);
    if (number !== null) return serveAsOneOfSeveral(config, log);
    const folder = config.contentDir === null ? null : relative(directory, config.contentDir) || '.';
    const announce = (address: ServerAddress): void => {
      if (terminal.isTerminal) terminal.out(formatFirstScreen(address, folder, terminal.paint));
      else log.announce(address, folder === null ? exampleNote : undefined);
    };
    const output = { ...log, announce };
    if (config.webConcurrency > 1) return supervise(config, output);
    return serveUntilEnd({ ...output, config }, installShutdown(output));
  },
};

/**
 * Serves at the shared port and returns the exit code once the server has ended. Rejects if it cannot start. The process that
 * started this one has the admin listener.
 */
async function serveAsOneOfSeveral(config: Config, output: ProcessLog): Promise<ExitCode> {
  const shutdown = installShutdown(output);
  // Until the server listens, the channel to the parent process keeps this process alive; later it must not prevent the exit.
  const unref = (): void => process.channel?.unref();
  const server = await startServer({ ...output, config: { ...config, admin: null } }).finally(unref);
  if (getProcessNumber() === 1) await warnOfStarterTexts(config, output, server);
  reportToParent(server);
  return shutdown.of(server);
}

/**
 * Starts a server, passes its addresses to `announce` once it serves, and returns the exit code once it has ended. Rejects if it
 * cannot start.
 */
export async function serveUntilEnd(options: ServerOptions & ProcessLog, shutdown: Shutdown): Promise<ExitCode> {
  const server = await startServer(options);
  const exitCode = shutdown.of(server);
  await warnOfStarterTexts(options.config, options, server);
  options.announce(server);
  return exitCode;
}

/**
 * Logs one line if a public site, whose BASE_URL is set and is not a loopback address, still shows texts or the download that
 * `colophon init` wrote.
 */
async function warnOfStarterTexts(
  { baseUrl }: Config,
  { log }: Pick<ServerOptions, 'log'>,
  server: RunningServer,
): Promise<void> {
  if (baseUrl === null || isLoopback(new URL(baseUrl).hostname)) return;
  const { findServedStarterTexts } = await import('./starter.ts');
  const texts = findServedStarterTexts(server.catalog().content);
  if (texts.length > 0) log.warn({ texts }, 'placeholders of colophon init are public: colophon check lists them');
}
