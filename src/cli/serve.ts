/** `colophon serve`: starts the server, logs its address, and stops it on SIGTERM or SIGINT. */
import type { Config } from '../config/environment.ts';
import { readConfig } from '../config/environment.ts';
import type { DevPage } from '../endpoints/operator/dev-page.ts';
import type { RunningServer } from '../server/options.ts';
import { startServer } from '../server/server.ts';
import type { Command, ExitCode } from './command.ts';
import { applyOptions, findContentFolder } from './content-folder.ts';
import { createLog, type ProcessLog } from './log.ts';
import { processNumber, reportToParent, supervise } from './processes.ts';
import { installShutdown } from './shutdown.ts';

export const serve: Command = {
  name: 'serve',
  summary: 'Serve the content folder.',
  argument: {
    name: 'DIR',
    help: 'The content folder; by default CONTENT_DIR, the current folder, or the example product.',
  },
  options: {
    port: { value: 'NUMBER', help: 'The port to listen on, instead of PORT; 0 picks a free one.' },
    check: { help: 'Check settings, content, data folder and ports, and exit without serving.' },
  },
  details: `Logs are JSON lines, and text on a terminal. SIGTERM and SIGINT shut it down: /readyz returns 503, new connections are
refused after DRAIN_DELAY, and requests in progress get up to ten seconds. A second signal ends it at once.`,
  async run(invocation) {
    const read = readConfig(applyOptions(invocation), invocation.directory);
    const config = { ...read, contentDir: findContentFolder(invocation, read) };
    const { terminal } = invocation;
    if (invocation.flag('check')) return (await import('./serve-check.ts')).checkStart(config, terminal);
    const paint = terminal.isTerminal ? terminal.paint : null;
    const number = processNumber();
    const output = createLog(config.logLevel, paint, number);
    if (number !== null) return serveAsOneOfSeveral(config, output);
    if (config.contentDir === null) output.log.info({}, exampleNote);
    if (config.webConcurrency > 1) return supervise(config, output);
    const shutdown = installShutdown(output, true);
    return shutdown.of(await start(config, output));
  },
};

const exampleNote =
  'No content folder was named, and the current one has no product.yaml: serving the example product. Create your own with: colophon init my-app';

/** Serves at the shared port; the process that started this one has the admin listener. */
async function serveAsOneOfSeveral(config: Config, output: ProcessLog): Promise<ExitCode> {
  const shutdown = installShutdown(output, true);
  const { log, accessSink } = output;
  // The channel to that process keeps this one alive until it listens, and must not keep it from ending.
  const unref = (): void => process.channel?.unref();
  const server = await startServer({ config: { ...config, admin: null }, log, accessSink }).finally(unref);
  reportToParent(server);
  return shutdown.of(server);
}

/** Starts a server and logs its addresses. */
export async function start(
  config: Config,
  { log, accessSink, announce }: ProcessLog,
  devPage?: DevPage,
): Promise<RunningServer> {
  const server = await startServer({
    config,
    log,
    accessSink,
    ...(devPage !== undefined && { devPage }),
  });
  announce(server);
  if (server.adminUrl !== null)
    log.info({ url: server.adminUrl }, 'the admin listener serves /livez, /readyz, /metrics and /searches');
  return server;
}
