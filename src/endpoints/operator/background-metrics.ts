/** What runs in the background and what the search index does, as metrics. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { TaskTally } from '../../base/task-tally.ts';
import type { QueryTally } from '../../catalog/query-tally.ts';
import { histogram } from './histogram.ts';

export function addBackground(registry: Registry, { counts }: TaskTally): void {
  const registers = [registry];
  new Counter({
    name: 'colophon_background_tasks_total',
    help: 'Background tasks that ended, by outcome.',
    labelNames: ['task', 'outcome'],
    registers,
    collect() {
      this.reset();
      for (const [task, { succeeded, failed }] of counts) {
        this.inc({ task, outcome: 'succeeded' }, succeeded);
        this.inc({ task, outcome: 'failed' }, failed);
      }
    },
  });
  new Counter({
    name: 'colophon_background_starts_total',
    help: 'Processes and threads that were started for background tasks.',
    labelNames: ['task'],
    registers,
    collect() {
      this.reset();
      for (const [task, { starts }] of counts) this.inc({ task }, starts);
    },
  });
  new Gauge({
    name: 'colophon_background_tasks',
    help: 'Background tasks that have not ended, by state.',
    labelNames: ['task', 'state'],
    registers,
    collect() {
      for (const [task, { waiting, running }] of counts) {
        this.set({ task, state: 'waiting' }, waiting);
        this.set({ task, state: 'running' }, running);
      }
    },
  });
}

export const backgroundDurations = ({ counts }: TaskTally): string =>
  histogram({
    name: 'colophon_background_task_duration_seconds',
    help: 'Time that background tasks ran.',
    series: Array.from(counts, ([task, { durations }]) => ({ labels: `task="${task}"`, durations })),
  });

export function addQueries(registry: Registry, { counts }: QueryTally): void {
  new Counter({
    name: 'colophon_search_queries_total',
    help: 'Queries that the search index answered, by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset();
      this.inc({ outcome: 'found' }, counts.found);
      this.inc({ outcome: 'not_found' }, counts.notFound);
    },
  });
}

export const queryDurations = ({ durations }: QueryTally): string =>
  histogram({
    name: 'colophon_search_duration_seconds',
    help: 'Time that the search index took for a query.',
    series: [{ labels: '', durations }],
  });
