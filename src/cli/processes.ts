/** `colophon serve` with WEB_CONCURRENCY above 1: starts server processes that share one port, and restarts those that end. */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { AggregatorRegistry, Counter, Gauge } from 'prom-client';
import { systemClock } from '../base/clock.ts';
import type { Config } from '../config/environment.ts';
import type { Serving } from '../endpoints/operator/admin.ts';
import { drainMs, type RunningServer } from '../server/options.ts';
import { listenForOperator } from '../server/server.ts';
import { type ExitCode, exitCodes } from './command.ts';
import type { ProcessLog, ServerAddress } from './log.ts';
import { installShutdown } from './shutdown.ts';

/**
 * Returns the state (`serving`), the metrics as prom-client's JSON and the counts of searches of one server process, which the
 * admin listener combines with those of the others.
 */
const createReport = async (server: RunningServer) => ({
  serving: await server.serving(),
  metrics: await server.readMetrics().getMetricsAsJSON(),
  searches: server.searches(),
});

type ProcessReport = Awaited<ReturnType<typeof createReport>>;

/** A message of a server process: once where it listens, and a report for each message that it gets. */
type ProcessMessage = { readonly started: ServerAddress } | { readonly report: ProcessReport };

/** Delay before a restart, in milliseconds; each process that ends within a minute doubles it, up to the maximum. */
const minDelayMs = 250;
const maxDelayMs = 30_000;
const settledMs = 60_000;
/** Timeout for the report of a process, in milliseconds. */
const timeoutMs = 1000;

/**
 * Starts one server process and, once it serves, the others up to `webConcurrency`; from then on, one that ends by itself is
 * started again. Resolves once every process has ended after a signal, with 0 or, if one of them or this one did not end cleanly,
 * with 1; if the first one fails to start, it resolves at once, with 78 if that was its exit code and otherwise 1. Rejects if the
 * admin listener cannot start.
 */
export async function supervise(config: Config, output: ProcessLog): Promise<ExitCode> {
  const { log } = output;
  const shutdown = installShutdown(output);
  const failedStart = Promise.withResolvers<ExitCode>();
  const allEnded = Promise.withResolvers<void>();
  let [hasStarted, isEnding, isClean, restarts] = [false, false, true, 0];
  const admin = await listenForOperator(
    { config, log },
    {
      metrics: () => sumMetrics(restarts),
      searches: async () => (await readAnswers()).map(({ searches }) => searches),
    },
  );

  /**
   * Logs the address, lets /readyz report the state, and starts the other processes: the first one has made the tables, and has
   * shown that settings and content are valid.
   */
  const onFirstStart = (address: ServerAddress): void => {
    hasStarted = true;
    admin?.ready(readServing);
    output.announce({ ...address, adminUrl: admin?.url ?? null });
    for (let count = 1; count < config.webConcurrency; count += 1) start();
  };
  const start = (delayMs = minDelayMs): void => {
    const worker = cluster.fork();
    const startedAt = systemClock.monotonic();
    // A message to a process that has just ended fails; its exit is handled below.
    worker.on('error', () => {});
    worker.on('message', (message: ProcessMessage) => {
      if (!hasStarted && 'started' in message) onFirstStart(message.started);
    });
    worker.on('exit', (code, signal) => {
      if (isEnding) {
        // A process that is still loading its code has no handler and ends by the signal itself, which is clean.
        isClean &&= code === exitCodes.done || ['SIGTERM', 'SIGINT'].includes(signal);
        if (listWorkers().length === 0) allEnded.resolve();
      } else if (!hasStarted) failedStart.resolve(code === exitCodes.configuration ? code : exitCodes.failed);
      else {
        const waitMs = systemClock.monotonic() - startedAt > settledMs ? minDelayMs : delayMs;
        const fields = { worker: worker.id, code, signal, wait_ms: waitMs };
        log.error(fields, 'a server process ended and is being restarted');
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
    if (listWorkers().length === 0) allEnded.resolve();
    // Each process ends its requests after `drainMs`; one that has not ended 5 seconds later is stuck and is killed.
    const cancel = systemClock.after(config.drainDelay * 1000 + drainMs + 5000, kill);
    await allEnded.promise;
    cancel();
  };
  const exitCode = shutdown.of({ close, kill }).then((code) => (isClean ? code : exitCodes.failed));
  // Between the end of the last process and its restart, only this open message port keeps the process alive.
  const { port1: keepAlive } = new MessageChannel();
  keepAlive.on('message', () => {});
  start();
  const code = await Promise.race([exitCode, failedStart.promise]);
  keepAlive.close();
  await admin?.close();
  output.flush();
  return code;
}

/** Returns the number of this server process, from 1 and never used again, or null if it is not one of several. */
export const getProcessNumber = (): number | null => cluster.worker?.id ?? null;

/** Tells the process that started this one where the server listens, and sends it a report whenever it asks. */
export function reportToParent(server: RunningServer): void {
  const send = (message: ProcessMessage): void => void process.send?.(message);
  process.on('message', async () => send({ report: await createReport(server) }));
  const { productName, baseUrl, listenUrl, adminUrl } = server;
  send({ started: { productName, baseUrl, listenUrl, adminUrl } });
}

const listWorkers = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

function signalAll(signal: NodeJS.Signals): void {
  for (const worker of listWorkers()) worker.process.kill(signal);
}

/** Asks every server process for its report, and returns the reports that arrive within a second; an empty list if none does. */
async function readReports(): Promise<ProcessReport[]> {
  const reports = listWorkers().map(async (worker): Promise<ProcessReport[]> => {
    const answer = once(worker, 'message', { signal: AbortSignal.timeout(timeoutMs) });
    worker.send('report', () => {});
    const [message]: ProcessMessage[] = await answer.catch(() => []);
    return message !== undefined && 'report' in message ? [message.report] : [];
  });
  return (await Promise.all(reports)).flat();
}

/** Returns the reports of the processes that answer. Throws an Error if none does. */
async function readAnswers(): Promise<[ProcessReport, ...ProcessReport[]]> {
  const [first, ...others] = await readReports();
  if (first === undefined) throw new Error('no server process answers');
  return [first, ...others];
}

/**
 * Returns what one process serves; `missing` is a list with one sentence that says how many do not answer, or an empty list if all
 * do. Rejects with an Error if none answers.
 */
async function readServing(): Promise<Serving> {
  const count = listWorkers().length;
  const reports = await readAnswers();
  const silent = count - reports.length;
  const missing = silent > 0 ? [`${silent} of ${count} server processes do not answer.`] : [];
  return { ...reports[0].serving, missing };
}

/**
 * Returns the metrics of the processes that answer, added up, with the number of these processes and of `restarts`, in Prometheus'
 * text format; it has only these two numbers if none answers.
 */
async function sumMetrics(restarts: number): Promise<string> {
  const answers = (await readReports()).map(({ metrics }) => metrics);
  const registry = AggregatorRegistry.aggregate(answers);
  const registers = [registry];
  new Gauge({ name: 'colophon_workers', help: 'Server processes that answer.', registers }).set(answers.length);
  const help = 'Server processes that ended and were started again.';
  new Counter({ name: 'colophon_worker_restarts_total', help, registers }).inc(restarts);
  return registry.metrics();
}
