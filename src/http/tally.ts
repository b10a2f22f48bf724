/** Counts requests as they end, with plain numbers: what reads them for /metrics does the work, not the request. */
import { addDuration, createDurations, type Durations } from '../base/durations.ts';
import type { AccessLog } from './access-log.ts';
import type { Exchange } from './exchange.ts';

/** Upper bounds of the duration buckets, in seconds. */
const durationBounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export interface RouteTally {
  readonly statuses: Map<number, number>;
  readonly durations: Durations;
}

export interface Tally {
  /** By route template (`none` where no route matched), then by method. */
  readonly routes: ReadonlyMap<string, ReadonlyMap<string, RouteTally>>;
  /** By bucket: requests that the rate limit let through and refused. */
  readonly limits: ReadonlyMap<string, { allowed: number; refused: number }>;
  /** By problem code: requests that the HTTP parser refused before there was a route. */
  readonly unparsed: ReadonlyMap<string, number>;
  /** By reason: requests that were refused because the server was overloaded. */
  readonly shed: ReadonlyMap<string, number>;
  /** One more that was refused so. */
  turnAway(reason: string): void;
  /** One more that the parser refused. */
  refuse(code: string): void;
  /** An access log that counts each request and then writes its line to `accessLog`. */
  counting(accessLog: AccessLog): AccessLog;
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'PUT', 'PATCH']);

/** Routes are templates and methods a fixed few, so a caller cannot make the counts grow. */
export function createTally(): Tally {
  const routes = new Map<string, Map<string, RouteTally>>();
  const limits = new Map<string, { allowed: number; refused: number }>();
  const unparsed = new Map<string, number>();
  const shed = new Map<string, number>();

  const count = (exchange: Exchange, status: number): void => {
    const found = tallyOf(routes, exchange.route || 'none', methods.has(exchange.method) ? exchange.method : 'other');
    addDuration(found.durations, (exchange.endedAt - exchange.startedAt) / 1000);
    found.statuses.set(status, (found.statuses.get(status) ?? 0) + 1);
    if (exchange.decision === null) return;
    const limit = limits.get(exchange.policy) ?? { allowed: 0, refused: 0 };
    limits.set(exchange.policy, limit);
    if (exchange.decision.allowed) limit.allowed += 1;
    else limit.refused += 1;
  };

  return {
    routes,
    limits,
    unparsed,
    shed,
    turnAway: (reason) => void shed.set(reason, (shed.get(reason) ?? 0) + 1),
    refuse: (code) => void unparsed.set(code, (unparsed.get(code) ?? 0) + 1),
    counting: (accessLog) => ({
      describe: accessLog.describe,
      write(exchange, status, description) {
        count(exchange, status);
        accessLog.write(exchange, status, description);
      },
      flush: accessLog.flush,
    }),
  };
}

function tallyOf(routes: Map<string, Map<string, RouteTally>>, route: string, method: string): RouteTally {
  let byMethod = routes.get(route);
  if (byMethod === undefined) {
    byMethod = new Map();
    routes.set(route, byMethod);
  }
  let found = byMethod.get(method);
  if (found === undefined) {
    found = { statuses: new Map(), durations: createDurations(durationBounds) };
    byMethod.set(method, found);
  }
  return found;
}
