/** Refuses new requests while the server has more to do than it can, so that those it takes are answered in time. */
import { ApiError } from '../base/api-error.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { addressKey } from '../limits/address-key.ts';
import type { Exchange } from './exchange.ts';
import { bucketOf, type Rates } from './rate.ts';

export type ShedReason = 'delay' | 'requests';

/** Reports again and again how late the event loop is, in milliseconds; the function returned ends it. */
export type DelaySensor = (report: (lateMs: number) => void) => () => void;

export interface LoadBounds {
  /** Later than this, twice running, is too late: once may be a pause, such as a reload or a machine that slept. */
  readonly mostLateMs: number;
  /** Below this for `calmReports` reports running, requests are taken again. */
  readonly calmLateMs: number;
  readonly calmReports: number;
  /** Requests that wait for a body, a store or a timer. Past it, those that would wait are refused. */
  readonly mostWaiting: number;
  /** From here down they are taken again. */
  readonly calmWaiting: number;
}

const usual: LoadBounds = {
  mostLateMs: 500,
  calmLateMs: 100,
  calmReports: 10,
  mostWaiting: 2000,
  calmWaiting: 1000,
};

export interface Load {
  /** What to answer instead, once `exchange` has a bucket; null: take it. */
  refusal(exchange: Exchange): ApiError | null;
  /** A request that was taken has to wait. */
  begin(): void;
  /** It waits no more. */
  end(): void;
  close(): void;
}

export interface LoadOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly rates: Pick<Rates, 'peek'>;
  readonly sensor: DelaySensor;
  readonly bounds?: Partial<LoadBounds>;
  /** Called for each request that is refused. */
  onShed(reason: ShedReason): void;
}

export function createLoad(options: LoadOptions): Load {
  const { clock, log, rates, onShed } = options;
  const bounds = { ...usual, ...options.bounds };
  const late = createEpisode('delay', clock, log);
  const full = createEpisode('requests', clock, log);
  let waiting = 0;
  let tooLate = 0;
  let calm = 0;

  const stop = options.sensor((lateMs) => {
    tooLate = lateMs > bounds.mostLateMs ? tooLate + 1 : 0;
    calm = lateMs < bounds.calmLateMs ? calm + 1 : 0;
    if (tooLate >= 2) late.begin({ late_ms: Math.round(lateMs) });
    if (calm >= bounds.calmReports) late.end();
  });

  return {
    refusal(exchange) {
      const episode = late.lasts() ? late : full.lasts() && mayWait(exchange) ? full : null;
      if (episode === null) return null;
      episode.count();
      onShed(episode.reason);
      exchange.policy = bucketOf(exchange.path);
      // What is refused here takes nothing from anybody's allowance.
      exchange.decision = rates.peek(exchange.policy, addressKey(exchange.address));
      return bringsBody(exchange) ? refusedUnread : refused;
    },
    begin() {
      waiting += 1;
      if (waiting > bounds.mostWaiting) full.begin({ waiting });
    },
    end() {
      waiting -= 1;
      if (waiting <= bounds.calmWaiting) full.end();
    },
    close: stop,
  };
}

/** A time of overload; one line in the log when it begins and one when it is over. */
function createEpisode(reason: ShedReason, clock: Clock, log: Log) {
  let startedAt: number | null = null;
  let shed = 0;
  return {
    reason,
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

/** Looks ten times a second whether a timer comes when it is due. */
export const loopDelay =
  (clock: Clock): DelaySensor =>
  (report) => {
    const everyMs = 100;
    let cancel = () => {};
    const look = (): void => {
      const due = clock.monotonic() + everyMs;
      cancel = clock.after(everyMs, () => {
        report(clock.monotonic() - due);
        look();
      });
    };
    look();
    return () => cancel();
  };

/** Anonymous reads are answered from memory at once, whatever the others wait for. */
const mayWait = ({ method, request }: Exchange): boolean =>
  (method !== 'GET' && method !== 'HEAD') || request.headers.authorization !== undefined;

const bringsBody = ({ request: { headers } }: Exchange): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;

/** Made once: an error is dear to make, and this is the moment to save. */
const refusal = (headers: Record<string, string>): ApiError =>
  new ApiError('overloaded', 'The server has more to do than it can right now. Wait 5 seconds and send it again.', {
    retryAfter: 5,
    headers,
  });

/** The connection stays: a new one would cost more than the answer. */
const refused = refusal({});
/** A body would have to be read before the connection could be used again. */
const refusedUnread = refusal({ connection: 'close' });
