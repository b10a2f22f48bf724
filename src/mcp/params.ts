/** Reads the params that tools/call and prompts/get have in common. */
import { findNearMisses, writeDidYouMean } from '../base/near-miss.ts';
import { quote } from '../operations/input.ts';
import type { Prompt, Tool } from './mcp-server.ts';
import { isJsonObject, type JsonObject } from './message.ts';
import { createInvalidParams } from './protocol.ts';

/** Returns the tool or prompt of this name. Throws -32602 with similar names if there is none, and also for a name that is no string. */
export function findByName<T extends Pick<Prompt, 'listed'> | Pick<Tool, 'listed'>>(
  kind: 'tool' | 'prompt',
  entries: readonly T[],
  name: unknown,
): T {
  if (typeof name !== 'string') throw createInvalidParams(`params.name is required: the name of a ${kind}.`);
  const entry = entries.find(({ listed }) => listed.name === name);
  if (entry !== undefined) return entry;
  const suggestions = findNearMisses(
    name,
    entries.map(({ listed }) => listed.name),
  );
  const hint = `${writeDidYouMean(suggestions)} ${kind}s/list has every ${kind}.`;
  throw createInvalidParams(`Unknown ${kind}: ${quote(name)}.${hint}`, { suggestions });
}

/** Returns the arguments, or an empty object if they are missing or null. Throws -32602 if they are no object. */
export function readArgumentsObject(args: unknown): JsonObject {
  const input = args ?? {};
  if (!isJsonObject(input)) throw createInvalidParams('params.arguments must be an object.');
  return input;
}
