/** Refuses new requests while more of them wait here than can be answered in time, so that those that are taken are. */
import { ApiError } from '../base/api-error.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Exchange } from './exchange.ts';

export type ShedReason = 'delay' | 'requests';

export interface LoadBounds {
  /** So many requests of one turn of the event loop are taken, however long the turn lasts. */
  readonly mostInTurn: number;
  /** A request behind those is refused once its turn is older than this, in milliseconds. */
  readonly mostTurnMs: number;
  /** An episode of such refusals is over when so many milliseconds have passed without one. */
  readonly calmMs: number;
  /** Requests that wait for a body, a store or a timer. Past it, those that would wait are refused. */
  readonly mostWaiting: number;
  /** From here down they are taken again. */
  readonly calmWaiting: number;
}

const usual: LoadBounds = {
  mostInTurn: 32,
  mostTurnMs: 200,
  calmMs: 1000,
  mostWaiting: 2000,
  calmWaiting: 1000,
};

export interface Load {
  /** What to answer instead, once `exchange` has a bucket; null: take it. `isReady`: whether answering it takes no work. */
  refusal(exchange: Exchange, isReady: () => boolean): ApiError | null;
  /** A request that was taken has to wait. */
  begin(): void;
  /** It waits no more. */
  end(): void;
  close(): void;
}

export interface LoadOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly bounds?: Partial<LoadBounds>;
  /** Called for each request that is refused. */
  onShed(reason: ShedReason): void;
}

/**
 * Only this process's own queue counts. A late event loop says that time has passed, which a machine that slept or a neighbor
 * that computes causes as well; requests that come in one turn of the loop have waited for those before them in that turn.
 */
export function createLoad(options: LoadOptions): Load {
  const { clock, log, onShed } = options;
  const bounds = { ...usual, ...options.bounds };
  const late = createEpisode('delay', clock, log);
  const full = createEpisode('requests', clock, log);
  let waiting = 0;
  let inTurn = 0;
  let turnBegan = 0;
  let lastLate = 0;
  let cancelLook = () => {};

  const endTurn = (): void => {
    inTurn = 0;
  };

  /** Whether the request has waited too long behind others of its turn. */
  const isLate = ({ startedAt }: Exchange): boolean => {
    if (inTurn === 0) {
      turnBegan = startedAt;
      setImmediate(endTurn);
    }
    inTurn += 1;
    return inTurn > bounds.mostInTurn && startedAt - turnBegan > bounds.mostTurnMs;
  };

  const beginLate = ({ startedAt }: Exchange): void => {
    lastLate = startedAt;
    if (late.lasts()) return;
    late.begin({ in_turn: inTurn, turn_ms: Math.round(startedAt - turnBegan) });
    lookIn(bounds.calmMs);
  };

  const lookIn = (ms: number): void => {
    cancelLook = clock.after(ms, () => {
      const left = lastLate + bounds.calmMs - clock.monotonic();
      if (left > 0) lookIn(left);
      else late.end();
    });
  };

  return {
    refusal(exchange, isReady) {
      const reason = isLate(exchange) ? 'delay' : full.lasts() && mayWait(exchange) ? 'requests' : null;
      // To refuse what is ready would take as long as to answer it.
      if (reason === null || isReady()) return null;
      if (reason === 'delay') beginLate(exchange);
      (reason === 'delay' ? late : full).count();
      onShed(reason);
      return overloaded;
    },
    begin() {
      waiting += 1;
      if (waiting > bounds.mostWaiting) full.begin({ waiting });
    },
    end() {
      waiting -= 1;
      if (waiting <= bounds.calmWaiting) full.end();
    },
    close: () => cancelLook(),
  };
}

/** A time of overload; one line in the log when it begins and one when it is over. */
function createEpisode(reason: ShedReason, clock: Clock, log: Log) {
  let startedAt: number | null = null;
  let shed = 0;
  return {
    lasts: () => startedAt !== null,
    count(): void {
      shed += 1;
    },
    begin(fields: Readonly<Record<string, number>>): void {
      if (startedAt !== null) return;
      startedAt = clock.monotonic();
      shed = 0;
      log.warn({ reason, ...fields }, 'overloaded: new requests get 503 until it is over');
    },
    end(): void {
      if (startedAt === null) return;
      const seconds = Math.round((clock.monotonic() - startedAt) / 1000);
      startedAt = null;
      log.info({ reason, shed, seconds }, 'no longer overloaded');
    },
  };
}

/** Anonymous reads are served from memory at once, whatever the others wait for. */
const mayWait = ({ method, request }: Exchange): boolean =>
  (method !== 'GET' && method !== 'HEAD') || request.headers.authorization !== undefined;

const pauseSeconds = 5;

/** Made once: an error is costly to make, and this is the moment to save. */
const overloaded = new ApiError(
  'overloaded',
  `The server has more requests than it can handle right now. Wait ${pauseSeconds} seconds and send it again.`,
  { retryAfter: pauseSeconds },
);
