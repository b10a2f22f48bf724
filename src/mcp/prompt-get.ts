/** prompts/get: a prompt's messages with its arguments filled in. */
import { didYouMean, nearMisses } from '../base/near-miss.ts';
import type { Prompt } from './catalogue.ts';
import { isMembers } from './message.ts';
import { invalidParams } from './protocol.ts';
import type { Method } from './result.ts';

export function createPromptGet(prompts: readonly Prompt[]): Method {
  const byName = new Map(prompts.map((prompt) => [prompt.definition.name, prompt]));
  return ({ name, arguments: given }) => {
    const sent = given ?? {};
    if (typeof name !== 'string') throw invalidParams('params.name is required: the name of a prompt.');
    const prompt = byName.get(name);
    if (prompt === undefined) {
      const suggestions = nearMisses(name, byName.keys());
      throw invalidParams(
        `Unknown prompt: \`${shown(name)}\`.${didYouMean(suggestions)} prompts/list has every prompt.`,
        {
          suggestions,
        },
      );
    }
    if (!isMembers(sent)) throw invalidParams('params.arguments must be an object.');
    const { description } = prompt.definition;
    return { fields: { description, messages: prompt.messages(valuesOf(prompt, sent)) } };
  };
}

function valuesOf({ definition }: Prompt, sent: Readonly<Record<string, unknown>>): Record<string, string> {
  const values: Record<string, string> = {};
  for (const { name, required, description } of definition.arguments) {
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
    if (typeof value === 'string') values[name] = value;
    else if (value !== undefined) throw invalidParams(`The argument ${name} must be a string.`);
    else if (required) throw invalidParams(`The argument ${name} is required: ${description}`);
  }
  const names = definition.arguments.map(({ name }) => name);
  const unknown = Object.keys(sent).find((name) => !names.includes(name));
  if (unknown === undefined) return values;
  throw invalidParams(`The prompt has no argument \`${shown(unknown)}\`.${didYouMean(nearMisses(unknown, names))}`);
}

const shown = (text: string): string => [...text].slice(0, 64).join('');
