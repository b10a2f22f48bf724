/** Creates the prompts of the vendor's files, and answers prompts/get with their messages. */
import { z } from 'zod';
import type { Prompt as PromptFile } from '../content/content.ts';
import type { Prompt } from './mcp-server.ts';
import { findByName, readArgumentsObject } from './params.ts';
import type { Method } from './result.ts';
import { readArguments } from './tool.ts';

/**
 * Creates the method `prompts/get`, which returns the messages of a prompt with its arguments filled in. It throws -32602 for an
 * unknown prompt and for arguments that are no object, and `invalid_request` for arguments that the prompt refuses.
 */
export function createPromptGet(prompts: readonly Prompt[]): Method {
  return ({ name, arguments: sent }) => {
    const { listed, fill } = findByName('prompt', prompts, name);
    return { fields: { description: listed.description, messages: fill(readArgumentsObject(sent)) } };
  };
}

/**
 * Creates a prompt from a vendor's file. All placeholders are replaced in one pass, so that the text of a value is never read as
 * one; an optional argument that is missing or null becomes an empty text, and a placeholder without an argument stays. `fill`
 * throws `invalid_request` for an argument that is required and missing, unknown, or no text.
 */
export function createPrompt({ name, title, description, arguments: parameters, template }: PromptFile): Prompt {
  const schema = createSchema(parameters);
  return {
    listed: { name, title, description, arguments: parameters },
    fill(args) {
      const values = readArguments(schema, args);
      const text = template.replace(/\{([a-z][a-z0-9_]*)\}/g, (placeholder, argument: string) =>
        Object.hasOwn(schema.shape, argument) ? (values[argument] ?? '') : placeholder,
      );
      return [{ role: 'user', content: { type: 'text', text } }];
    },
  };
}

/** Creates the schema of a prompt's arguments. The failure for a missing one shows its description. */
const createSchema = (parameters: PromptFile['arguments']) =>
  z.strictObject(
    Object.fromEntries(
      parameters.map(({ name, description, required }) => {
        const value = z.string().meta({ 'x-hint': description.replace(/\.$/, '') });
        return [name, required ? value : value.optional()];
      }),
    ),
  );
