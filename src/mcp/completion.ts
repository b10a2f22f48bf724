/** completion/complete: values for a prompt's argument or a template's parameter that begin like what was typed. */
import { didYouMean, nearMisses } from '../base/near-miss.ts';
import { quote } from '../operations/input.ts';
import type { McpServer } from './mcp-server.ts';
import { isMembers, type Members } from './message.ts';
import { invalidParams } from './protocol.ts';
import type { Method } from './result.ts';

/** As many as a client may get (server/utilities/completion). */
const mostValues = 100;

export function createCompletion(server: McpServer): Method {
  return ({ ref, argument }) => {
    if (!isMembers(ref)) throw invalidParams('params.ref is required: a prompt or a resource template.');
    if (!isMembers(argument) || typeof argument.name !== 'string' || typeof argument.value !== 'string') {
      throw invalidParams('params.argument is required, with name and value, both strings.');
    }
    const { name, value } = argument;
    const names = argumentsOf(server, ref);
    if (!names.includes(name)) {
      throw invalidParams(`There is no argument ${quote(name)} there.${didYouMean(nearMisses(name, names))}`);
    }
    const matching = matches(server.valuesOf(name), value);
    const values = matching.slice(0, mostValues);
    return {
      fields: { completion: { values, total: matching.length, hasMore: values.length < matching.length } },
    };
  };
}

function argumentsOf({ prompts, templates }: McpServer, ref: Members): readonly string[] {
  if (ref.type === 'ref/prompt') {
    const found = prompts.find(({ definition }) => definition.name === ref.name);
    if (found === undefined) throw unknown('prompt', ref.name);
    return found.definition.arguments.map(({ name }) => name);
  }
  if (ref.type === 'ref/resource') {
    const found = templates.find(({ uriTemplate }) => uriTemplate === ref.uri);
    if (found === undefined) throw unknown('resource template', ref.uri);
    return [...found.uriTemplate.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  }
  throw invalidParams('params.ref.type must be `ref/prompt` or `ref/resource`.');
}

/** Those that begin with what was typed, then those that have it elsewhere, each in their own order. */
function matches(values: readonly string[], typed: string): string[] {
  const wanted = typed.toLowerCase();
  const starting = values.filter((value) => value.toLowerCase().startsWith(wanted));
  const others = values.filter((value) => value.toLowerCase().indexOf(wanted) > 0);
  return [...starting, ...others];
}

const unknown = (kind: string, name: unknown): Error =>
  invalidParams(`There is no ${kind} ${quote(typeof name === 'string' ? name : '')}.`);
