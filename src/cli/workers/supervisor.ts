/** Keeps a number of worker processes at work: starts them, starts them again when they die, and ends them together. */
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Answers, FromWorker, Listening, ToWorker } from './worker-messages.ts';

/** A process that was started. */
export interface WorkerProcess {
  readonly pid: number;
  send(message: ToWorker): void;
  /** Ends it, whatever it does. */
  kill(): void;
}

export interface WorkerEvents {
  onMessage(message: FromWorker): void;
  onEnd(code: number | null, signal: string | null): void;
}

export interface SupervisorOptions {
  readonly count: number;
  fork(events: WorkerEvents): WorkerProcess;
  readonly clock: Clock;
  readonly log: Log;
  /** How long the workers may take to end, in milliseconds. */
  readonly deadlineMs: number;
}

export interface Supervisor {
  /** Resolves once every worker listens, at `port` or, when that is 0, at a free one. Throws WorkerFailed. */
  start(port: number): Promise<Listening>;
  /** By worker's number; null: it does not listen, or did not answer within a second. */
  ask<K extends keyof Answers>(what: K): Promise<Map<number, Answers[K] | null>>;
  /** Workers that were started again. */
  restarts(): number;
  /** The numbers of workers that listen and have not responded for some time. */
  stuck(): number[];
  /** Ends all of them, within the deadline. */
  end(atOnce: boolean): Promise<ExitCode>;
  /** Ends all of them now. */
  kill(): void;
  /** Resolves when a worker died too often and all have been ended. */
  readonly gaveUp: Promise<ExitCode>;
}

/** A worker ended before it listened for the first time; it said why itself. */
export class WorkerFailed extends Error {
  readonly code: number;

  constructor(code: number) {
    super('a worker could not start');
    this.name = 'WorkerFailed';
    this.code = code;
  }
}

interface Slot {
  /** Counts from 1. */
  readonly number: number;
  process: WorkerProcess | null;
  listening: boolean;
  startedAt: number;
  /** When it last said anything. */
  heardAt: number;
  /** Ends in a row, each soon after the start. */
  quickEnds: number;
  readonly questions: Map<number, (answer: unknown) => void>;
}

/** An end sooner after the start than this is one of a crash loop. */
const quickMs = 60_000;
const mostQuickEnds = 5;
const firstWaitMs = 250;
/** How often a worker is asked whether it responds, from when on it counts as stuck, and when it is killed. */
const pingMs = 2000;
const stuckMs = 5000;
const silenceMs = 10_000;
/** The same while all end: what is left of the drain time when the last ping went unanswered. */
const endingSilenceMs = silenceMs - pingMs;

export function createSupervisor({ count, fork, clock, log, deadlineMs }: SupervisorOptions): Supervisor {
  const slots = Array.from({ length: count }, (_, index): Slot => {
    const idle = { process: null, listening: false, startedAt: 0, heardAt: 0, quickEnds: 0 };
    return { number: index + 1, ...idle, questions: new Map() };
  });
  let port = 0;
  let started = false;
  let restarts = 0;
  let questions = 0;
  let ending: { resolve(code: ExitCode): void; clean: boolean } | null = null;
  let onListening: (slot: Slot, listening: Listening) => void = () => {};
  let onFailure: (failure: WorkerFailed) => void = () => {};
  const gaveUp = Promise.withResolvers<ExitCode>();

  const begin = (slot: Slot): void => {
    if (ending !== null) return;
    slot.startedAt = clock.monotonic();
    slot.process = fork({
      onMessage: (message) => {
        slot.heardAt = clock.monotonic();
        if (message.kind === 'answer') slot.questions.get(message.id)?.(message.answer);
        else {
          slot.listening = true;
          onListening(slot, message);
        }
      },
      onEnd: (code, signal) => ended(slot, code, signal),
    });
    slot.process.send({ kind: 'start', number: slot.number, port });
  };

  const ended = (slot: Slot, code: number | null, signal: string | null): void => {
    const pid = slot.process?.pid;
    Object.assign(slot, { process: null, listening: false });
    for (const answer of slot.questions.values()) answer(null);
    if (ending !== null) {
      ending.clean &&= code === exitCodes.done;
      endWhenAllEnded();
      return;
    }
    if (!started) {
      onFailure(new WorkerFailed(code ?? exitCodes.failed));
      return;
    }
    const lasted = clock.monotonic() - slot.startedAt;
    slot.quickEnds = lasted < quickMs ? slot.quickEnds + 1 : 1;
    const facts = { worker: slot.number, pid, code, signal };
    if (slot.quickEnds >= mostQuickEnds) {
      log.error(
        facts,
        `worker ${slot.number} ended ${mostQuickEnds} times in a row, each within a minute of its start: shutting down`,
      );
      void end(false).then(() => gaveUp.resolve(exitCodes.failed));
      return;
    }
    const waitMs = firstWaitMs * 2 ** (slot.quickEnds - 1);
    log.error({ ...facts, wait_ms: waitMs }, 'a worker ended and is being restarted');
    restarts += 1;
    clock.after(waitMs, () => begin(slot));
  };

  const endWhenAllEnded = (): void => {
    if (slots.every(({ process }) => process === null)) {
      ending?.resolve(ending.clean ? exitCodes.done : exitCodes.failed);
    }
  };

  const silenceOf = ({ process, listening, heardAt }: Slot): number =>
    process !== null && listening ? clock.monotonic() - heardAt : 0;

  /** A worker that is stuck keeps its socket, and a share of the connections with it, until it is killed. */
  let watchedAt = clock.monotonic();
  const watch = (): void => {
    const now = clock.monotonic();
    // This process itself was stopped, or the machine asleep: nobody can have been heard.
    if (now - watchedAt > 2 * pingMs) for (const slot of slots) slot.heardAt = now;
    watchedAt = now;
    for (const slot of slots) {
      if (silenceOf(slot) >= (ending === null ? silenceMs : endingSilenceMs)) {
        log.error({ worker: slot.number, pid: slot.process?.pid }, 'a worker does not respond and is killed');
        slot.process?.kill();
      } else if (slot.listening) {
        questions += 1;
        slot.process?.send({ kind: 'ask', id: questions, what: 'alive' });
      }
    }
    clock.after(pingMs, watch);
  };
  clock.after(pingMs, watch);

  const kill = (): void => {
    for (const { process } of slots) process?.kill();
  };

  const end = (atOnce: boolean): Promise<ExitCode> => {
    const { promise, resolve } = Promise.withResolvers<ExitCode>();
    ending = { resolve, clean: true };
    for (const { process } of slots) process?.send({ kind: 'end', atOnce });
    const cancel = clock.after(deadlineMs, () => {
      log.error({}, 'workers did not end in time and were killed');
      kill();
    });
    endWhenAllEnded();
    return promise.finally(cancel);
  };

  return {
    async start(wanted) {
      port = wanted;
      const { promise, resolve, reject } = Promise.withResolvers<Listening>();
      onFailure = (failure) => void end(true).then(() => reject(failure));
      // The first makes what the others find: tables, the feed's copy, and the port when it is a free one.
      onListening = (_, listening) => {
        port = listening.port;
        if (slots.every((slot) => slot.listening)) {
          started = true;
          resolve(listening);
        } else for (const slot of slots) if (slot.process === null) begin(slot);
      };
      const [first] = slots;
      if (first !== undefined) begin(first);
      return promise;
    },
    async ask<K extends keyof Answers>(what: K) {
      const awaited = slots.map((slot) => {
        questions += 1;
        const id = questions;
        const { promise, resolve } = Promise.withResolvers<Answers[K] | null>();
        if (!slot.listening) resolve(null);
        // What comes back under this id is the answer to `what`.
        slot.questions.set(id, (answer) => resolve(answer as Answers[K] | null));
        slot.process?.send({ kind: 'ask', id, what });
        const cancel = clock.after(1000, () => resolve(null));
        return promise.then((answer): [number, Answers[K] | null] => {
          cancel();
          slot.questions.delete(id);
          return [slot.number, answer];
        });
      });
      return new Map(await Promise.all(awaited));
    },
    restarts: () => restarts,
    stuck: () => slots.filter((slot) => silenceOf(slot) >= stuckMs).map(({ number }) => number),
    end,
    kill,
    gaveUp: gaveUp.promise,
  };
}
