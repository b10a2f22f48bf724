/** `colophon serve` with WEB_CONCURRENCY above 1: this process starts server processes that share one port, and restarts those that end. */
import cluster, { type Worker } from 'node:cluster';
import { MessageChannel } from 'node:worker_threads';
import { AggregatorRegistry, Counter, Gauge, type Registry } from 'prom-client';
import { systemClock } from '../base/clock.ts';
import type { Config } from '../config/environment.ts';
import type { Serving } from '../endpoints/operator/admin.ts';
import type { CountedSearches } from '../endpoints/operator/search-counts.ts';
import { drainMs, type RunningServer } from '../server/options.ts';
import { listenForOperator } from '../server/server.ts';
import { type ExitCode, exitCodes } from './command.ts';
import type { ProcessLog, ServerAddress } from './log.ts';
import { installShutdown } from './shutdown.ts';

/** The report of one server process, which the admin listener combines with the others. */
interface ProcessReport {
  readonly serving: Serving;
  readonly metrics: Awaited<ReturnType<Registry['getMetricsAsJSON']>>;
  readonly searches: CountedSearches;
}

/** A message of a server process: once where it listens, and a report for each message that it gets. */
type ProcessMessage = { readonly started: ServerAddress } | { readonly report: ProcessReport };

/** Delay before a restart, in milliseconds; each process that ends within a minute doubles it, up to the maximum. */
const minDelayMs = 250;
const maxDelayMs = 30_000;
const settledMs = 60_000;
/** Timeout for the report of a process, in milliseconds. */
const timeoutMs = 1000;

/** Resolves with the exit code once every server process has ended. */
export async function supervise(config: Config, output: ProcessLog): Promise<ExitCode> {
  const { log } = output;
  const shutdown = installShutdown(output);
  const failedStart = Promise.withResolvers<ExitCode>();
  const allEnded = Promise.withResolvers<void>();
  let hasStarted = false;
  let isEnding = false;
  let isClean = true;
  let restarts = 0;
  const admin = await listenForOperator(
    { config, log },
    {
      metrics: () => sumMetrics(restarts),
      searches: async () => (await readReports()).flatMap((report) => report?.searches ?? []),
    },
  );

  const start = (delayMs = minDelayMs): void => {
    const worker = cluster.fork();
    const startedAt = systemClock.monotonic();
    // A message to a process that has just ended fails; its exit is handled below.
    worker.on('error', () => {});
    worker.on('message', (message: ProcessMessage) => {
      if (hasStarted || !('started' in message)) return;
      hasStarted = true;
      output.announce(message.started);
      admin?.ready(readServing);
      if (admin !== null)
        log.info({ url: admin.url }, 'the admin listener serves /livez, /readyz, /metrics and /searches');
      // The others start now: the first has made the tables, and has shown that settings and content are valid.
      for (let count = 1; count < config.webConcurrency; count += 1) start();
    });
    worker.on('exit', (code, signal) => {
      if (isEnding) {
        // A process that is still starting ends by the signal itself.
        isClean &&= code === exitCodes.done || signal === 'SIGTERM';
        if (workers().length === 0) allEnded.resolve();
      } else if (!hasStarted) {
        failedStart.resolve(code === exitCodes.configuration ? code : exitCodes.failed);
      } else {
        const waitMs = systemClock.monotonic() - startedAt > settledMs ? minDelayMs : delayMs;
        log.error(
          { worker: worker.id, code, signal, wait_ms: waitMs },
          'a server process ended and is being restarted',
        );
        restarts += 1;
        systemClock.after(waitMs, () => isEnding || start(Math.min(2 * waitMs, maxDelayMs)));
      }
    });
  };

  const kill = (): void => signalAll('SIGKILL');
  const close = async (): Promise<void> => {
    admin?.drain();
    isEnding = true;
    signalAll('SIGTERM');
    if (workers().length === 0) allEnded.resolve();
    // The processes end requests at their own deadline; one that has not ended a while later is stuck.
    const cancel = systemClock.after(config.drainDelay * 1000 + drainMs + 5000, kill);
    await allEnded.promise;
    cancel();
  };
  const ended = shutdown.of({ close, kill }).then((code) => (isClean ? code : exitCodes.failed));
  // Nothing else keeps this process alive between the end of the last process and its restart.
  const { port1: keepAlive } = new MessageChannel();
  keepAlive.on('message', () => {});
  start();
  const code = await Promise.race([ended, failedStart.promise]);
  keepAlive.close();
  await admin?.close();
  output.flush();
  return code;
}

/** Returns the number of this server process, or null if it is not one of several. */
export const processNumber = (): number | null => cluster.worker?.id ?? null;

/** Tells the process that started this one where the server listens, and sends it a report whenever it asks. */
export function reportToParent(server: RunningServer): void {
  const send = (message: ProcessMessage): void => void process.send?.(message);
  process.on('message', async () => {
    const [serving, metrics] = await Promise.all([server.serving(), server.readMetrics().getMetricsAsJSON()]);
    send({ report: { serving, metrics, searches: server.searches() } });
  });
  const { productName, baseUrl, listenUrl } = server;
  send({ started: { productName, baseUrl, listenUrl } });
}

const workers = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

function signalAll(signal: NodeJS.Signals): void {
  for (const worker of workers()) worker.process.kill(signal);
}

/** Asks every server process for its report; null is that of a process that did not answer in time. */
const readReports = (): Promise<(ProcessReport | null)[]> =>
  Promise.all(
    workers().map(async (worker) => {
      const { promise, resolve } = Promise.withResolvers<ProcessReport | null>();
      const onMessage = (message: ProcessMessage): void => {
        if ('report' in message) resolve(message.report);
      };
      worker.on('message', onMessage);
      worker.send('report', () => {});
      const cancel = systemClock.after(timeoutMs, () => resolve(null));
      const report = await promise;
      cancel();
      worker.off('message', onMessage);
      return report;
    }),
  );

/** Returns what one process serves, and how many do not answer. */
async function readServing(): Promise<Serving> {
  const reports = await readReports();
  const silent = reports.filter((report) => report === null).length;
  const serving = reports.find((report) => report !== null)?.serving;
  if (serving === undefined) throw new Error('no server process answers');
  return silent === 0
    ? serving
    : { ...serving, missing: [`${silent} of ${reports.length} server processes do not answer.`] };
}

/** Adds up the metrics of the processes that answer, and adds those of this process. */
async function sumMetrics(restarts: number): Promise<string> {
  const answers = (await readReports()).flatMap((report) => (report === null ? [] : [report.metrics]));
  const registry = AggregatorRegistry.aggregate(answers);
  const registers = [registry];
  new Gauge({ name: 'colophon_workers', help: 'Server processes that answer.', registers }).set(answers.length);
  const help = 'Server processes that ended and were started again.';
  new Counter({ name: 'colophon_worker_restarts_total', help, registers }).inc(restarts);
  return registry.metrics();
}
