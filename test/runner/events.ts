/** What a process that runs test files sends to the one that started it. */
import { inspect } from 'node:util';

/** An event of node:test, for its reporters. */
export interface FileEvent {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is node:test's own, and differs from event to event
  readonly data: any;
}

export type FromProcess =
  | { readonly event: FileEvent }
  /** The file is over: nothing that it started is left. */
  | { readonly ended: { readonly success: boolean; readonly cpuMs: number } }
  /** What still runs, when it was asked for. */
  | { readonly left: readonly string[] };

export type ToProcess = { readonly file: string } | 'what is left';

/** The error as text: what a test throws may hold anything, and only text surely reaches another process. */
export function portable({ type, data }: FileEvent): FileEvent {
  const { error } = data.details ?? {};
  if (error === undefined) return { type, data: { ...data } };
  const told = { failureType: error.failureType, text: inspect(error.cause ?? error, { depth: 6 }) };
  return { type, data: { ...data, details: { ...data.details, error: told } } };
}

/** As reporters expect it: they inspect the cause, which shows as the text that it was. */
export function restored({ type, data }: FileEvent): FileEvent {
  const { error } = data.details ?? {};
  return error === undefined
    ? { type, data }
    : { type, data: { ...data, details: { ...data.details, error: failure(error) } } };
}

export const failure = ({ failureType, text }: { failureType: string; text: string }): object => ({
  code: 'ERR_TEST_FAILURE',
  failureType,
  cause: { [inspect.custom]: () => text },
});
