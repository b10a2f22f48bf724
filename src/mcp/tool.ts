/** Tools as data and a handler, and what a server makes of one: an entry of its listing, and a function that answers calls. */
import type { z } from 'zod';
import { inputJsonSchema } from '../base/json-schema.ts';
import { call } from '../operations/call.ts';
import { type Body, type Context, getBody } from '../operations/context.ts';
import { parseInput } from '../operations/input.ts';
import type { AnsweredSearch, Operation } from '../operations/operation.ts';
import { toJson } from '../operations/representation.ts';
import type { Tool } from './mcp-server.ts';
import { createInputSchema, createOutputSchema } from './tool-schema.ts';

/** The server of the whole product, and the one of only its documentation. */
export type ServerKey = 'product' | 'docs';

/** A tool as data, with the function that answers its calls. */
export interface ToolDefinition<I extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly servers: readonly ServerKey[];
  readonly title: string;
  /** Says what the tool returns and when to use it, in at most 300 characters. `{product}` is replaced by the product's name. */
  readonly description: string;
  readonly input: I;
  readonly output: z.ZodObject;
  /** The advice for each error code; absent if there is none. */
  readonly advice?: Tool['advice'];
  /** Answers a call with valid arguments. Rejects with ApiError. */
  handle(input: z.output<I>, context: Context): Promise<ToolAnswer>;
}

/** The structured content of the answer to a valid call, and the search to count if it was one. */
export interface ToolAnswer {
  /** The structured content of the result. */
  readonly content: Body;
  /** The query and whether it found something, or null if the call was no search. */
  readonly search: AnsweredSearch | null;
}

/** Returns the tool as it is; derives the type of the handler's input from the schema. */
export const defineTool = <I extends z.ZodObject>(tool: ToolDefinition<I>): ToolDefinition => tool;

/**
 * Returns the fields of a tool that takes and returns what the operation does. `servers` names only the product's server, unless
 * the definition of the tool replaces it.
 */
export const createOperationTool = (
  operation: Operation,
): Pick<ToolDefinition, 'servers' | 'input' | 'output' | 'handle'> => ({
  servers: ['product'],
  input: operation.input.strict(),
  output: operation.output,
  handle: (input, context) => callOperation(operation, input, context),
});

/**
 * Answers a tool call with the response of an operation, which validates `input`, and with the search to count, which is null for a
 * page after the first and for an operation that does not search. Rejects with ApiError.
 */
export async function callOperation(operation: Operation, input: Body, context: Context): Promise<ToolAnswer> {
  const content = getBody(context, await call(operation, context, input));
  return { content, search: operation.searches?.(input, content) ?? null };
}

/**
 * Creates a tool for one revision. Its `accept` throws `invalid_request`, and the function that it returns rejects with what
 * `handle` rejects with; converting failures is left to the caller.
 */
export function createTool(definition: ToolDefinition, context: Context): Tool {
  const { name, title, description, input: schema, output, advice = {}, handle } = definition;
  return {
    listed: {
      name,
      title,
      description: description.replaceAll('{product}', context.catalog.content.product.name),
      inputSchema: createInputSchema(schema),
      outputSchema: createOutputSchema(output),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    advice,
    accept(args) {
      const input = readArguments(schema, args);
      return async () => {
        const { content, search } = await handle(input, context);
        // The response is returned twice: as a text block that is exactly its JSON, and as structured content.
        return { fields: { content: [{ type: 'text', text: toJson(content) }], structuredContent: content }, search };
      };
    },
  };
}

/**
 * Reads the arguments of a tool or a prompt. Null for an optional one means absent, because a model that must send every field
 * sends null for those that it would leave out.
 * @throws `invalid_request` with every fault, but with at most 20 unknown arguments.
 */
export function readArguments<S extends z.ZodObject>(schema: S, args: Body): z.output<S> {
  const { properties = {}, required = [] } = inputJsonSchema(schema);
  const isAbsent = (name: string, value: unknown) =>
    value === null && Object.hasOwn(properties, name) && !required.includes(name);
  return parseInput(schema, Object.fromEntries(Object.entries(args).filter((argument) => !isAbsent(...argument))));
}
