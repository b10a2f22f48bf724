/** What the primary and its workers tell each other. */
import type { AskedSearch, DayKey } from '../../analytics/asked-today.ts';
import type { Serving } from '../../endpoints/operator/admin.ts';
import type { CountedSearch, SearchLists } from '../../store/search-table.ts';

export type ToWorker =
  | { readonly kind: 'start'; readonly number: number; readonly port: number; readonly dayKey: DayKey }
  | { readonly kind: 'listed'; readonly counted: CountedSearch }
  | { readonly kind: 'ask'; readonly id: number; readonly what: keyof Answers }
  | { readonly kind: 'end'; readonly atOnce: boolean };

export type FromWorker =
  | ({ readonly kind: 'listening' } & Listening)
  | { readonly kind: 'asked'; readonly asked: AskedSearch }
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
  /** In Prometheus' text format. */
  readonly metrics: string;
  /** null: not counted, or the store cannot be used. */
  readonly searches: SearchLists | null;
}
