/** `colophon serve` with WEB_CONCURRENCY above 1: a primary that only supervises, and workers that share one port. */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { MessageChannel } from 'node:worker_threads';
import { AggregatorRegistry, Counter, Gauge } from 'prom-client';
import { systemClock } from '../../base/clock.ts';
import type { Config } from '../../config/environment.ts';
import type { Serving } from '../../endpoints/operator/admin.ts';
import { drainMs } from '../../server/options.ts';
import { listenForOperator, startServer } from '../../server/server.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { ProcessLog } from '../log.ts';
import { watchForEnd } from './ending.ts';
import { createSupervisor, type Supervisor, WorkerFailed, type WorkerProcess } from './supervisor.ts';
import type { Answers, FromWorker, ToWorker } from './worker-messages.ts';

/** Whether this process is one of the workers. */
export const isWorker = cluster.isWorker;

/** On Linux each worker has its own socket and the kernel spreads connections over them. */
const ownSockets = process.platform === 'linux';

/** Resolves with the exit code once the primary's workers have ended. Throws what a start throws. */
export async function supervise(config: Config, output: ProcessLog): Promise<ExitCode> {
  const { log } = output;
  const ending = watchForEnd(output);
  if (ownSockets) await requireFree(config);
  // Elsewhere they share the primary's socket, and each takes connections from it: none comes through the primary.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const supervisor = createSupervisor({
    count: config.workers,
    clock: systemClock,
    log,
    // The workers cut requests off at their own deadline; what is left then hangs.
    deadlineMs: config.drainDelaySeconds * 1000 + drainMs + 5000,
    fork({ onMessage, onEnd }) {
      const worker = cluster.fork();
      worker.on('message', (message: FromWorker) => onMessage(message));
      worker.on('exit', (code, signal) => onEnd(signal ? null : code, signal || null));
      // A worker that died a moment ago cannot be told anything; its end is reported apart.
      worker.on('error', () => {});
      return processOf(worker);
    },
  });
  const admin = await listenForOperator(
    { config, log },
    {
      metrics: metricsOf(supervisor),
      searches: async () => [...(await supervisor.ask('searches')).values()].flatMap((counted) => counted ?? []),
      faults: () => supervisor.stuck().map((number) => `Worker ${number} of ${config.workers} does not respond.`),
    },
  );
  let clean = true;
  const close = async ({ atOnce }: { atOnce: boolean }): Promise<void> => {
    admin?.drain();
    clean = (await supervisor.end(atOnce)) === exitCodes.done;
  };
  const ended = ending.of({ close, kill: supervisor.kill }).then((code) => (clean ? code : exitCodes.failed));
  // Nothing else keeps this process alive between the end of a worker and the start of the next.
  const { port1: alive } = new MessageChannel();
  alive.on('message', () => {});
  try {
    const first = await Promise.race([supervisor.start(config.port), ended, supervisor.gaveUp]);
    if (typeof first === 'number') return first;
    admin?.ready(() => servingOf(supervisor));
    output.announce(first);
    if (admin !== null)
      log.info({ url: admin.url }, 'the admin listener serves /livez, /readyz, /metrics and /searches');
    return await Promise.race([ended, supervisor.gaveUp]);
  } catch (error) {
    if (!(error instanceof WorkerFailed)) throw error;
    return error.code === exitCodes.configuration ? exitCodes.configuration : exitCodes.failed;
  } finally {
    alive.close();
    await admin?.close();
    output.flush();
  }
}

/** Serves until the primary says that it is enough, or is gone. */
export async function work(config: Config, makeOutput: (worker: number) => ProcessLog): Promise<never> {
  // Signals that reach the whole group come from the primary once more, as messages.
  process.on('SIGTERM', () => {});
  process.on('SIGINT', () => {});
  const { number, port } = await message('start');
  const output = makeOutput(number);
  const ending = watchForEnd(output);
  const server = await startServer({
    config: { ...config, port, admin: null },
    clock: systemClock,
    log: output.log,
    accessSink: output.accessSink,
    sharesPort: ownSockets,
  }).catch((error: unknown) => {
    // What it could not start for is said and is its exit code; the channel must not hold it.
    process.channel?.unref();
    throw error;
  });
  const ended = ending.of(server, (stop) => void message('end').then(({ atOnce }) => stop(atOnce)));
  process.on('message', (asked: ToWorker) => {
    if (asked.kind !== 'ask') return;
    const { id, what } = asked;
    const answers: { [K in keyof Answers]: () => Answers[K] | Promise<Answers[K]> } = {
      alive: () => true,
      serving: server.serving,
      metrics: () => server.readMetrics().getMetricsAsJSON(),
      searches: server.searches,
    };
    void Promise.resolve(answers[what]()).then((answer) => send({ kind: 'answer', id, answer }));
  });
  const { baseUrl, productName, listenUrl } = server;
  send({ kind: 'listening', port: Number(new URL(listenUrl).port || 80), baseUrl, listenUrl, productName });
  return process.exit(await ended);
}

const send = (message: FromWorker): void => void process.send?.(message);

/** The next message of a kind. */
function message<K extends ToWorker['kind']>(kind: K): Promise<Extract<ToWorker, { kind: K }>> {
  return new Promise((resolve) => {
    const look = (received: ToWorker): void => {
      if (received.kind !== kind) return;
      process.off('message', look);
      // The compiler does not narrow a union by a type parameter.
      resolve(received as Extract<ToWorker, { kind: K }>);
    };
    process.on('message', look);
  });
}

const processOf = (worker: Worker): WorkerProcess => ({
  pid: worker.process.pid ?? 0,
  send(message) {
    if (worker.isConnected()) worker.send(message);
  },
  kill: () => void worker.process.kill('SIGKILL'),
});

/** With separate sockets, workers would share the port with another server too, and neither would notice. */
async function requireFree({ host, port }: Config): Promise<void> {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}

/** What one worker serves, and what is missing of the others. */
async function servingOf(supervisor: Supervisor): Promise<Serving> {
  const answers = await supervisor.ask('serving');
  const missing = Array.from(answers, ([number, answer]) =>
    answer === null ? [`Worker ${number} of ${answers.size} does not answer.`] : [],
  ).flat();
  const [first] = [...answers.values()].flatMap((answer) => answer ?? []);
  if (first === undefined) throw new Error('no worker answers');
  return { ...first, missing };
}

/** Adds up the metrics of the processes that respond, and adds those of their supervision. */
const metricsOf = (supervisor: Supervisor) => async (): Promise<string> => {
  const answers = [...(await supervisor.ask('metrics')).values()].flatMap((metrics) =>
    metrics === null ? [] : [metrics],
  );
  const registry = AggregatorRegistry.aggregate(answers);
  const registers = [registry];
  new Gauge({ name: 'colophon_workers', help: 'Worker processes that respond.', registers }).set(answers.length);
  new Counter({
    name: 'colophon_worker_restarts_total',
    help: 'Workers that ended and were started again.',
    registers,
  }).inc(supervisor.restarts());
  return registry.metrics();
};
