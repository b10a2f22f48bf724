/** Answers that are the same for everybody until the content changes: from the cache, or called and represented now. */
import type { Rendition } from '../../http/renditions.ts';
import type { State } from '../../http/state.ts';
import { type Authorized, run } from '../../operations/call.ts';
import type { Outcome } from '../../operations/outcome.ts';
import { type Asked, renditionOf } from './representations.ts';

/** What is not prepared is made, and not kept. Throws ApiError. */
export function preparedRendition(state: State, authorized: Authorized, asked: Asked): Rendition | Promise<Rendition> {
  const { prepared } = asked.operation;
  const key = renditionKey(asked);
  const held = prepared ? state.renditions.get(key) : undefined;
  if (held !== undefined) return held;
  const finish = (outcome: Outcome): Rendition => {
    const made = renditionOf(asked, outcome);
    if (prepared) state.renditions.set(key, made);
    return made;
  };
  const outcome = run(authorized, asked.context, asked.input);
  return outcome instanceof Promise ? outcome.then(finish) : finish(outcome);
}

/** Where the rendition of a prepared operation is kept. */
export const renditionKey = ({ context, operation, input, representation }: Asked): string =>
  `${context.environment} ${operation.id} ${representation} ${JSON.stringify(input)}`;
