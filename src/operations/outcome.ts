/** What an operation gives: a body, and its markdown. */

/** A body as it goes over the wire: snake_case fields, JSON values. */
export type Body = Readonly<Record<string, unknown>>;

/** What running an operation gives; the markdown is made only when it is asked for. */
export interface Outcome {
  readonly body: Body;
  markdown(): string;
}
