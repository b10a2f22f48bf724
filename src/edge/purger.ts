/** Purges from the caches in front of the service what a new revision changed: one process does, for all that share a database. */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { surrogateKeys } from '../base/surrogate-keys.ts';
import { causeOf, messageOf } from '../base/thrown.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { PurgeTable } from '../store/purge-table.ts';
import type { CacheClient } from './cache-client.ts';
import { changedKeys, type Fingerprints, fingerprintsOf } from './fingerprints.ts';
import { adopted, beaten, claimed, gone, noPurges, type Process, type PurgeState, purged } from './purge-state.ts';

export interface PurgeStatus {
  /** Keys that are still to be purged, or purged again. */
  readonly waiting: number;
  /** Why the last purge failed; null when it did not. */
  readonly problem: string | null;
  /** By this process: purges that succeeded and failed, and the keys of those that succeeded. */
  readonly succeeded: number;
  readonly failed: number;
  readonly keys: number;
  /** Milliseconds since 1970; null before the first success. */
  readonly lastSuccessAt: number | null;
}

export interface Purger {
  /** This process serves another catalog from now on. */
  adopt(catalog: Catalog): void;
  status(): PurgeStatus;
  close(): Promise<void>;
}

export interface PurgerOptions {
  readonly table: PurgeTable;
  readonly client: CacheClient;
  readonly clock: Clock;
  readonly log: Log;
  /** What every response is made from in addition to the catalog. */
  facts(): unknown;
}

/** How often a process says that it is there, and looks whether a purge is due. */
const roundMs = 3000;
const leastWaitMs = 100;
/** More keys than that, and everything made from the content is purged. */
const mostKeys = 1000;

export function createPurger(options: PurgerOptions): Purger {
  const { clock, log, client } = options;
  const table = withFallback(options.table, log);
  const id = randomBytes(9).toString('base64url');
  let catalog: Catalog | null = null;
  let serving: Process | null = null;
  let own: Fingerprints | null = null;
  /** Adopted, and not yet in the record that processes share. */
  let unsaid: { fingerprints: Fingerprints; changed: readonly string[] } | null = null;
  let status: PurgeStatus = { waiting: 0, problem: null, succeeded: 0, failed: 0, keys: 0, lastSuccessAt: null };
  let isClosed = false;
  let cancel = (): void => {};

  let nextDue: number | null = null;
  const noted = (state: PurgeState): void => {
    status = { ...status, waiting: state.changed.length, problem: state.problem };
    nextDue = state.due[0] ?? null;
  };

  const change = (decide: (state: PurgeState) => PurgeState): Promise<void> =>
    table.changePurging(false, (held) => {
      const state = decide(stateOf(held?.state));
      noted(state);
      return { state: JSON.stringify(state), result: undefined };
    });

  const announce = async (process: Process): Promise<void> => {
    const said = unsaid;
    if (said === null) return;
    const isShared = await table.changePurging(true, (held) => {
      const known = held === null ? null : fingerprintsIn(held.fingerprints);
      // Nobody knows what the caches hold from before the first start.
      const news = known === null ? [surrogateKeys.all] : changedKeys(known, said.fingerprints);
      const state = adopted(stateOf(held?.state), process, [...news, ...said.changed], clock.now());
      noted(state);
      return { state: JSON.stringify(state), fingerprints: JSON.stringify(said.fingerprints), result: true };
    });
    if (isShared && unsaid === said && table.isShared()) unsaid = null;
  };

  const purgeDue = async (process: Process): Promise<void> => {
    let keys: readonly string[] = [];
    await change((state) => {
      const now = clock.now();
      const claim = claimed(beaten(state, process, now), id, now);
      keys = claim.keys;
      return claim.state;
    });
    if (keys.length === 0 || catalog === null) return;
    const purging = fewest(keys);
    const began = clock.monotonic();
    let problem: string | null = null;
    try {
      const requests = await client.purge(purging, catalog);
      const facts = { keys: purging.length, first: purging.slice(0, 10), requests };
      log.info(
        { event: 'cache.purged', ...facts, took_ms: Math.round(clock.monotonic() - began) },
        'caches were purged',
      );
      status = {
        ...status,
        succeeded: status.succeeded + 1,
        keys: status.keys + purging.length,
        lastSuccessAt: clock.now(),
      };
    } catch (error) {
      if (isClosed) return;
      problem = messageOf(error);
      status = { ...status, failed: status.failed + 1 };
      log.warn({ event: 'cache.purge_failed', keys: purging.length, problem }, 'a purge failed and will be repeated');
    }
    await change((state) => purged(state, id, problem, clock.now()));
  };

  const round = async (): Promise<void> => {
    if (serving === null) return;
    const process = serving;
    await announce(process);
    await purgeDue(process);
  };

  const look = async (next: Catalog): Promise<void> => {
    const fingerprints = await fingerprintsOf(next, options.facts());
    if (isClosed || next !== catalog) return;
    const changed = own === null ? [] : changedKeys(own, fingerprints);
    own = fingerprints;
    unsaid = { fingerprints, changed: [...(unsaid?.changed ?? []), ...changed] };
    serving = { id, revision: next.revision + JSON.stringify(fingerprints[surrogateKeys.all]) };
  };

  let working: Promise<void> = Promise.resolve();
  /** One step after the other; what fails is tried again in the next round. */
  const queue = (step: () => Promise<void>): Promise<void> => {
    working = working.then(async () => {
      if (isClosed) return;
      await step().catch((error: unknown) => log.error({ err: error }, 'purging failed'));
    });
    return working;
  };
  const rounds = (): void => {
    cancel();
    if (isClosed) return;
    const untilDue = nextDue === null ? roundMs : nextDue - clock.now();
    cancel = clock.after(Math.max(leastWaitMs, Math.min(roundMs, untilDue)), () => {
      void queue(round).finally(rounds);
    });
  };
  rounds();

  return {
    adopt(next) {
      catalog = next;
      void queue(() => look(next));
      void queue(round).finally(rounds);
    },
    status: () => status,
    async close() {
      isClosed = true;
      cancel();
      client.close();
      await working;
      await change((state) => gone(state, id)).catch(() => {});
    },
  };
}

/** Everything carries `all`, and what is made from the content carries `content`: the other keys are in them. */
function fewest(keys: readonly string[]): readonly string[] {
  const { all, content } = surrogateKeys;
  if (keys.includes(all)) return [all];
  return keys.includes(content) || keys.length > mostKeys ? [content] : keys;
}

const stateOf = (text: string | undefined): PurgeState =>
  text === undefined || text === '{}' ? noPurges : { ...noPurges, ...JSON.parse(text) };

const fingerprintsIn = (text: string | null): Fingerprints => JSON.parse(text ?? '{}');

/** While the database is down, each process purges by itself: twice is better than not at all. */
function withFallback(shared: PurgeTable, log: Log): PurgeTable & { isShared(): boolean } {
  let held: { state: string; fingerprints: string } | null = null;
  let isShared = true;
  return {
    isShared: () => isShared,
    async changePurging(whole, change) {
      try {
        const result = await shared.changePurging(whole, change);
        isShared = true;
        held = null;
        return result;
      } catch (error) {
        if (isShared) {
          const problem = messageOf(causeOf(error));
          log.warn(
            { event: 'cache.purge_alone', problem },
            'the database is down: this process purges caches by itself',
          );
        }
        isShared = false;
        const { state, fingerprints, result } = change(held);
        held = { state, fingerprints: fingerprints ?? held?.fingerprints ?? '{}' };
        return result;
      }
    },
  };
}
