/** What was purged from caches, as metrics; absent where nothing is. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { PurgeStatus } from '../../edge/purger.ts';

export function addPurges(registry: Registry, purges: () => PurgeStatus | null): void {
  new Counter({
    name: 'colophon_purges_total',
    help: 'Purges that this process sent to caches, by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset();
      const status = purges();
      if (status === null) return;
      this.inc({ outcome: 'succeeded' }, status.succeeded);
      this.inc({ outcome: 'failed' }, status.failed);
    },
  });
  new Counter({
    name: 'colophon_purge_keys_total',
    help: 'Surrogate keys that this process purged.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(purges()?.keys ?? 0);
    },
  });
  new Gauge({
    name: 'colophon_purge_last_success_timestamp_seconds',
    help: 'When this process last purged successfully, in Unix time.',
    registers: [registry],
    collect() {
      this.remove();
      const at = purges()?.lastSuccessAt ?? null;
      if (at !== null) this.set(at / 1000);
    },
  });
  new Gauge({
    name: 'colophon_purge_waiting',
    help: 'Surrogate keys that are still to be purged, or purged again.',
    registers: [registry],
    collect() {
      this.set(purges()?.waiting ?? 0);
    },
  });
  new Gauge({
    name: 'colophon_purge_failing',
    help: '1 while the last purge failed and is repeated.',
    registers: [registry],
    collect() {
      this.set((purges()?.problem ?? null) === null ? 0 : 1);
    },
  });
}
