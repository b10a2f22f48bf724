/** Answers prompts/get with a prompt's messages, in which its arguments are filled in. */
import { didYouMean, nearMisses } from '../base/near-miss.ts';
import type { Prompt as PromptFile } from '../content/content.ts';
import { quote } from '../operations/input.ts';
import type { Prompt } from './mcp-server.ts';
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
      throw invalidParams(`Unknown prompt: ${quote(name)}.${didYouMean(suggestions)} prompts/list has every prompt.`, {
        suggestions,
      });
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
  throw invalidParams(`The prompt has no argument ${quote(unknown)}.${didYouMean(nearMisses(unknown, names))}`);
}

/** Makes a prompt of a vendor's prompt file. */
export function createPrompt({ name, title, description, arguments: parameters, template }: PromptFile): Prompt {
  const names = new Set(parameters.map((parameter) => parameter.name));
  return {
    definition: { name, title, description, arguments: parameters },
    messages: (values) => [{ role: 'user', content: { type: 'text', text: fill(template, names, values) } }],
  };
}

/** Replaces all placeholders in one pass, so that the text of a value is never read as a placeholder. A missing argument becomes an empty text. */
const fill = (template: string, names: ReadonlySet<string>, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{([a-z][a-z0-9_]*)\}/g, (placeholder, name: string) =>
    names.has(name) ? (values[name] ?? '') : placeholder,
  );
