/** Refuses requests while more of them wait in this process than it can answer in time, so that the others are answered. */
import { ApiError } from '../base/api-error.ts';
import type { Log } from '../base/log.ts';
import type { Exchange } from './exchange.ts';

/** Why a request was refused: `delay` if those before it in its turn took too long, `requests` if too many requests wait. */
export type ShedReason = 'delay' | 'requests';

/** The bounds beyond which requests are refused as an overload. */
export interface LoadBounds {
  /** Number of requests that one turn of the event loop always takes. @defaultValue 32 */
  readonly maxPerTurn: number;
  /** Milliseconds after which a turn takes no more than `maxPerTurn`. @defaultValue 200 */
  readonly maxTurnMs: number;
  /** Maximum number of requests that wait for a body, a store or a timer; after that, half of them must end. @defaultValue 2000 */
  readonly maxWaiting: number;
}

/** The check that refuses requests while others of this process wait too long. */
export interface Load {
  /**
   * Counts the request in its turn, and returns the error `overloaded` if it has to be refused, otherwise null. `isReady` returns
   * whether its response is prepared; such a request is never refused.
   */
  refusal(exchange: Exchange, isReady: () => boolean): ApiError | null;
  /** Counts a request that was taken and has to wait. */
  begin(): void;
  /** Counts a request, taken by `begin`, that waits no longer. */
  end(): void;
}

/** Options of the overload check. */
export interface LoadOptions {
  readonly log: Log;
  /** The bounds that differ from the defaults. */
  readonly bounds?: Partial<LoadBounds>;
  /** Is called for each request that is refused, with the bound that it exceeded. */
  onShed(reason: ShedReason): void;
}

/** An overload is over when nothing was refused for this long, in milliseconds; the next one is logged again. */
const calmMs = 60_000;

/**
 * Creates the overload check. Only this process's own queue counts: a late event loop may also mean that the machine slept,
 * but requests that arrive in one turn have waited for those before them in that turn.
 */
export function createLoad({ log, bounds = {}, onShed }: LoadOptions): Load {
  const { maxPerTurn = 32, maxTurnMs = 200, maxWaiting = 2000 } = bounds;
  let waiting = 0;
  let isFull = false;
  let inTurn = 0;
  let turnStartedAt = 0;
  let lastShedAt = Number.NEGATIVE_INFINITY;
  const endTurn = (): void => {
    inTurn = 0;
  };
  return {
    refusal(exchange, isReady) {
      const { startedAt } = exchange;
      if (inTurn === 0) {
        turnStartedAt = startedAt;
        setImmediate(endTurn);
      }
      inTurn += 1;
      const isLate = inTurn > maxPerTurn && startedAt - turnStartedAt > maxTurnMs;
      const reason = isLate ? 'delay' : isFull && mayWait(exchange) ? 'requests' : null;
      // Refusing a prepared response would take as long as sending it.
      if (reason === null || isReady()) return null;
      onShed(reason);
      if (startedAt - lastShedAt > calmMs) log.warn({ reason, waiting }, 'overloaded: requests get 503');
      lastShedAt = startedAt;
      return overloadError;
    },
    begin() {
      waiting += 1;
      if (waiting > maxWaiting) isFull = true;
    },
    end() {
      waiting -= 1;
      if (waiting <= maxWaiting / 2) isFull = false;
    },
  };
}

/** Returns whether a request may have to wait. Anonymous reads are served from memory at once. */
const mayWait = ({ method, request }: Exchange): boolean =>
  (method !== 'GET' && method !== 'HEAD') || request.headers.authorization !== undefined;

const pauseSeconds = 5;

/** Created once: an error is costly to create, and an overload is the moment to save. */
const overloadError = new ApiError(
  'overloaded',
  `The server has more requests than it can handle right now. Wait ${pauseSeconds} seconds and send it again.`,
  { retryAfter: pauseSeconds },
);
