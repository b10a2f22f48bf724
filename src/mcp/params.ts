/** Reads the params that tools/call and prompts/get have in common. */
import { didYouMean, nearMisses } from '../base/near-miss.ts';
import { quote } from '../operations/input.ts';
import { isJsonObject, type JsonObject } from './message.ts';
import { invalidParams } from './protocol.ts';

/** Returns the tool or prompt of this name. Throws -32602 with similar names. */
export function findByName<T>(kind: 'tool' | 'prompt', byName: ReadonlyMap<string, T>, name: unknown): T {
  if (typeof name !== 'string') throw invalidParams(`params.name is required: the name of a ${kind}.`);
  const entry = byName.get(name);
  if (entry !== undefined) return entry;
  const suggestions = nearMisses(name, byName.keys());
  const hint = `${didYouMean(suggestions)} ${kind}s/list has every ${kind}.`;
  throw invalidParams(`Unknown ${kind}: ${quote(name)}.${hint}`, { suggestions });
}

/** Returns the arguments, or an empty object if none were sent. Throws -32602 if they are no object. */
export function readArgumentsObject(sent: unknown): JsonObject {
  const input = sent ?? {};
  if (!isJsonObject(input)) throw invalidParams('params.arguments must be an object.');
  return input;
}
