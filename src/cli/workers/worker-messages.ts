/** What the primary and its workers tell each other. */
import type { Registry } from 'prom-client';
import type { Serving } from '../../endpoints/operator/admin.ts';
import type { CountedSearches } from '../../endpoints/operator/search-counts.ts';

export type ToWorker =
  | { readonly kind: 'start'; readonly number: number; readonly port: number }
  | { readonly kind: 'ask'; readonly id: number; readonly what: keyof Answers }
  | { readonly kind: 'end'; readonly atOnce: boolean };

export type FromWorker =
  | ({ readonly kind: 'listening' } & Listening)
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answers[keyof Answers] };

export interface Listening {
  readonly port: number;
  readonly baseUrl: string;
  readonly listenUrl: string;
  readonly productName: string;
}

/** What a worker may be asked. */
export interface Answers {
  readonly alive: true;
  readonly serving: Serving;
  /** The metrics of the process, as prom-client adds them up. */
  readonly metrics: Awaited<ReturnType<Registry['getMetricsAsJSON']>>;
  readonly searches: CountedSearches;
}
