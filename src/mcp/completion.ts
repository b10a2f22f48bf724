/** Answers completion/complete: the values of a prompt's argument or a template's parameter that match what was typed. */
import { findNearMisses, writeDidYouMean } from '../base/near-miss.ts';
import { quote } from '../operations/input.ts';
import type { McpServer } from './mcp-server.ts';
import { isJsonObject, type JsonObject } from './message.ts';
import { findByName } from './params.ts';
import { createInvalidParams } from './protocol.ts';
import type { Method } from './result.ts';

/** Maximum number of values in one response (server/utilities/completion). */
const maxValues = 100;

/**
 * Creates the method `completion/complete`, which completes the arguments of prompts and of resource templates with up to 100
 * values and says how many match. It throws -32602 for an unknown prompt, template or argument, and if `ref` or `argument` is
 * missing or malformed.
 */
export function createCompletion(server: McpServer): Method {
  return ({ ref, argument }) => {
    if (!isJsonObject(ref)) throw createInvalidParams('params.ref is required: a prompt or a resource template.');
    if (!isJsonObject(argument) || typeof argument.name !== 'string' || typeof argument.value !== 'string') {
      throw createInvalidParams('params.argument is required, with name and value, both strings.');
    }
    const { name, value } = argument;
    const names = findArguments(server, ref);
    if (!names.includes(name)) {
      throw createInvalidParams(
        `There is no argument ${quote(name)} there.${writeDidYouMean(findNearMisses(name, names))}`,
      );
    }
    const matching = findMatches(server.completionsFor(name), value);
    const values = matching.slice(0, maxValues);
    return { fields: { completion: { values, total: matching.length, hasMore: values.length < matching.length } } };
  };
}

/**
 * Returns the names of the arguments of a prompt, or of the parameters of a template. Throws -32602 if there is no such prompt or
 * template, and for any other `type`.
 */
function findArguments({ prompts, templates }: McpServer, { type, name, uri }: JsonObject): readonly string[] {
  if (type === 'ref/prompt')
    return findByName('prompt', prompts, name).listed.arguments.map((argument) => argument.name);
  if (type === 'ref/resource') {
    const template = templates.find(({ uriTemplate }) => uriTemplate === uri);
    if (template === undefined) throw createInvalidParams(`There is no resource template ${quote(String(uri))}.`);
    return [...template.uriTemplate.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter);
  }
  throw createInvalidParams('params.ref.type must be `ref/prompt` or `ref/resource`.');
}

/**
 * Returns the values that begin with the typed text, then those that contain it elsewhere, both in the order given and whatever
 * their case.
 */
function findMatches(values: readonly string[], prefix: string): string[] {
  const findPlace = (value: string): number => value.toLowerCase().indexOf(prefix.toLowerCase());
  return [...values.filter((value) => findPlace(value) === 0), ...values.filter((value) => findPlace(value) > 0)];
}
