/** Makes a tool of an operation: other names for its input, a projection of its response, and otherwise the same response. */
import type { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { inputJsonSchema } from '../base/json-schema.ts';
import type { Code } from '../base/problem-codes.ts';
import { call } from '../operations/call.ts';
import { type Body, bodyOf, type Context } from '../operations/context.ts';
import { parseInput } from '../operations/input.ts';
import type { Operation } from '../operations/operation.ts';
import { jsonOf } from '../operations/representation.ts';
import type { Tool } from './mcp-server.ts';
import type { Result } from './result.ts';
import { inputSchemaOf, outputSchemaOf } from './tool-schema.ts';

/** An operation and its flat input. */
export interface Question {
  readonly operation: Operation;
  readonly input: Readonly<Record<string, unknown>>;
  /** Makes the structured content of the operation's body, in place of the tool's own `project`. */
  project?(body: Body): Body;
}

/** The server of the whole product, and the one of only its documentation. */
export type ServerKey = 'product' | 'docs';

/** A tool as data; bound to a context, it is a tool of a catalog. */
export interface ToolDefinition {
  readonly name: string;
  readonly servers: readonly ServerKey[];
  readonly title: string;
  /** `{product}` stands for the product's name. At most 300 characters: what it gives, and when to use it. */
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly advice: Readonly<Partial<Record<Code, string>>>;
  /** Validates the arguments: throws `invalid_request`. The function it returns gives the result. */
  accept(sent: unknown): (context: Context) => Promise<Result>;
}

export interface Definition<I extends z.ZodObject> extends Omit<ToolDefinition, 'input' | 'accept'> {
  readonly input: I;
  /** What to ask for a valid input. Throws ApiError. */
  question(input: z.output<I>, context: Context): Question;
  /** Makes the structured content of the operation's body; without it, they are the same. */
  project?(body: Body, input: z.output<I>): Body;
}

export function defineTool<I extends z.ZodObject>(definition: Definition<I>): ToolDefinition {
  const { question, project, ...facts } = definition;
  const optional = optionalMembersOf(definition.input);
  return {
    ...facts,
    accept(sent) {
      const input = parseInput(definition.input, withoutNulls(sent, optional));
      return async (context) => {
        const { operation, input: operationInput, project: projectAnswer } = question(input, context);
        const body = bodyOf(context, await call(operation, context, operationInput));
        const content = projectAnswer?.(body) ?? project?.(body, input) ?? body;
        const search = operation.searches?.(operationInput, body);
        // The response twice: as one text block that holds exactly its JSON, and as an object.
        const fields = { content: [{ type: 'text', text: jsonOf(content) }], structuredContent: content };
        return search ? { fields, search } : { fields };
      };
    },
  };
}

/** Defines a tool of the product's server with the input and the response of its operation. */
export const defineOperationTool = (
  operation: Operation,
  texts: Pick<ToolDefinition, 'name' | 'title' | 'description'> & Partial<Pick<ToolDefinition, 'advice'>>,
): ToolDefinition =>
  defineTool({
    servers: ['product'],
    input: z.strictObject(operation.input.shape),
    output: operation.output,
    advice: {},
    ...texts,
    question: (input) => ({ operation, input }),
  });

function optionalMembersOf(input: z.ZodObject): ReadonlySet<string> {
  const { properties = {}, required = [] } = inputJsonSchema(input);
  return new Set(Object.keys(properties).filter((name) => !required.includes(name)));
}

/** A model that has to send every field sends null for those that it would leave out. */
function withoutNulls(sent: unknown, optional: ReadonlySet<string>): unknown {
  if (typeof sent !== 'object' || sent === null) return sent;
  return Object.fromEntries(Object.entries(sent).filter(([name, value]) => value !== null || !optional.has(name)));
}

/**
 * Makes a tool of a server in a context. Results depend only on the context's revision and the arguments, so `results` caches them: a call that
 * is repeated takes a third of the processor time, and its arguments need no second validation.
 */
export function bindTool(definition: ToolDefinition, context: Context, results: LRUCache<string, Result>): Tool {
  const { name, title, description, input, output, advice } = definition;
  return {
    definition: {
      name,
      title,
      description: description.replaceAll('{product}', context.catalog.content.product.name),
      inputSchema: inputSchemaOf(input),
      outputSchema: outputSchemaOf(output),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    advice,
    accept(sent) {
      const key = `${name} ${JSON.stringify(sent)}`;
      const cached = results.get(key);
      if (cached !== undefined) return async () => cached;
      const run = definition.accept(sent);
      return async () => {
        const result = await run(context);
        results.set(key, { ...result, json: JSON.stringify(result.fields) });
        return result;
      };
    },
  };
}
