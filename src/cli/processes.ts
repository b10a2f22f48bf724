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

/** What the admin listener asks each server process. */
interface Answers {
  readonly serving: Serving;
  readonly metrics: Awaited<ReturnType<Registry['getMetricsAsJSON']>>;
  readonly searches: CountedSearches;
}

type FromProcess =
  | { readonly started: ServerAddress }
  | { readonly id: number; readonly answer: Answers[keyof Answers] };
type ToProcess = { readonly id: number; readonly question: keyof Answers };

/** Delay before a restart, in milliseconds; each process that ends within a minute doubles it, up to the maximum. */
const minDelayMs = 250;
const maxDelayMs = 30_000;
const settledMs = 60_000;
/** Time in which a process has to answer the admin listener, in milliseconds. */
const answerMs = 1000;

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
      metrics: () => metrics(restarts),
      searches: async () => (await askAll('searches')).flatMap((list) => list ?? []),
    },
  );

  const start = (delayMs = minDelayMs): void => {
    const worker = cluster.fork();
    const startedAt = systemClock.monotonic();
    // A message to a process that has just ended fails; its exit is handled below.
    worker.on('error', () => {});
    worker.on('message', (message: FromProcess) => {
      if (hasStarted || !('started' in message)) return;
      hasStarted = true;
      output.announce(message.started);
      admin?.ready(serving);
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

/** Tells the process that started this one where the server listens, and answers its questions. */
export function reportToParent(server: RunningServer): void {
  const answers: { [K in keyof Answers]: () => Answers[K] | Promise<Answers[K]> } = {
    serving: server.serving,
    metrics: () => server.readMetrics().getMetricsAsJSON(),
    searches: server.searches,
  };
  const send = (message: FromProcess): void => void process.send?.(message);
  process.on('message', async ({ id, question }: ToProcess) => send({ id, answer: await answers[question]() }));
  const { productName, baseUrl, listenUrl } = server;
  send({ started: { productName, baseUrl, listenUrl } });
}

const workers = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

function signalAll(signal: NodeJS.Signals): void {
  for (const worker of workers()) worker.process.kill(signal);
}

/** Asks every server process; null stands for one that did not answer in time. */
const askAll = <K extends keyof Answers>(question: K): Promise<(Answers[K] | null)[]> =>
  Promise.all(workers().map((worker) => ask(worker, question)));

let questions = 0;
function ask<K extends keyof Answers>(worker: Worker, question: K): Promise<Answers[K] | null> {
  questions += 1;
  const id = questions;
  return new Promise((resolve) => {
    const onMessage = (message: FromProcess): void => {
      // The answer with this ID is the answer to `question`.
      if ('answer' in message && message.id === id) settle(message.answer as Answers[K]);
    };
    const settle = (answer: Answers[K] | null): void => {
      cancel();
      worker.off('message', onMessage);
      resolve(answer);
    };
    const cancel = systemClock.after(answerMs, () => settle(null));
    worker.on('message', onMessage);
    worker.send({ id, question } satisfies ToProcess, () => {});
  });
}

/** Returns what one process serves, and how many do not answer. */
async function serving(): Promise<Serving> {
  const answers = await askAll('serving');
  const silent = answers.filter((answer) => answer === null).length;
  const first = answers.find((answer) => answer !== null);
  if (first === undefined) throw new Error('no server process answers');
  return silent === 0
    ? first
    : { ...first, missing: [`${silent} of ${answers.length} server processes do not answer.`] };
}

/** Adds up the metrics of the processes that answer, and adds those of this process. */
async function metrics(restarts: number): Promise<string> {
  const answers = (await askAll('metrics')).filter((answer) => answer !== null);
  const registry = AggregatorRegistry.aggregate(answers);
  const registers = [registry];
  new Gauge({ name: 'colophon_workers', help: 'Server processes that answer.', registers }).set(answers.length);
  const help = 'Server processes that ended and were started again.';
  new Counter({ name: 'colophon_worker_restarts_total', help, registers }).inc(restarts);
  return registry.metrics();
}
