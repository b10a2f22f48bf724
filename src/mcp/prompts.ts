/** Prompts: the content folder's, with their arguments filled in. */
import type { Prompt as PromptFile } from '../content/content.ts';
import type { Prompt } from './catalogue.ts';

export function promptOf({ name, title, description, arguments: parameters, template }: PromptFile): Prompt {
  const names = new Set(parameters.map((parameter) => parameter.name));
  return {
    definition: { name, title, description, arguments: parameters },
    messages: (values) => [{ role: 'user', content: { type: 'text', text: fill(template, names, values) } }],
  };
}

/** In one pass, so that what a value holds is never read as a placeholder. An argument left out leaves nothing. */
const fill = (template: string, names: ReadonlySet<string>, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{([a-z][a-z0-9_]*)\}/g, (placeholder, name: string) =>
    names.has(name) ? (values[name] ?? '') : placeholder,
  );
