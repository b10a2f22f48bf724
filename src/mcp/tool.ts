/** Makes a tool of an operation: other names for its input, a projection of its response, and otherwise the same response. */
import type { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import { inputJsonSchema } from '../base/json-schema.ts';
import type { Code } from '../base/problem-codes.ts';
import { call } from '../operations/call.ts';
import type { Body, Outcome } from '../operations/context.ts';
import { bodyOf, type Context } from '../operations/context.ts';
import { parseInput } from '../operations/input.ts';
import type { AnsweredSearch, Operation } from '../operations/operation.ts';
import { jsonOf } from '../operations/representation.ts';
import type { Tool } from './catalogue.ts';
import type { MembersText, Result } from './result.ts';
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
export interface ToolRecipe {
  readonly name: string;
  readonly servers: readonly ServerKey[];
  /** Whether it stands before the others: a model reads the first tools best. */
  readonly leads?: true;
  readonly title: string;
  /** `{product}` stands for the product's name. At most 300 characters: what it gives, and when to use it. */
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly advice: Readonly<Partial<Record<Code, string>>>;
  /** Validates the arguments: throws `invalid_request`. What it returns gives the structured content. */
  accept(sent: unknown): (context: Context) => Answered | Promise<Answered>;
}

/** The structured content, and what was looked for when it answers a search. */
interface Answered {
  readonly content: Body;
  readonly search: AnsweredSearch | null;
}

export interface Definition<I extends z.ZodObject> extends Omit<ToolRecipe, 'input' | 'accept'> {
  readonly input: I;
  /** What to ask for a valid input. Throws ApiError. */
  question(input: z.output<I>, context: Context): Question;
  /** Makes the structured content of the operation's body; without it, they are the same. */
  project?(body: Body, input: z.output<I>): Body;
}

export function defineTool<I extends z.ZodObject>(definition: Definition<I>): ToolRecipe {
  const { question, project, ...facts } = definition;
  const optional = optionalMembersOf(definition.input);
  return {
    ...facts,
    accept(sent) {
      const input = parseInput(definition.input, withoutNulls(sent, optional));
      return (context) => {
        const { operation, input: asked, project: projectAsked } = question(input, context);
        const projected = (body: Body): Body => {
          if (projectAsked !== undefined) return projectAsked(body);
          return project === undefined ? body : project(body, input);
        };
        const finish = (outcome: Outcome): Answered => {
          const body = bodyOf(context, outcome);
          return { content: projected(body), search: operation.searches?.(asked, body) ?? null };
        };
        const outcome = call(operation, context, asked);
        return outcome instanceof Promise ? outcome.then(finish) : finish(outcome);
      };
    },
  };
}

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
 * Answers depend on nothing but the context's revision and the arguments, so that each is made once while there is room; that of
 * arguments which came before is found without validating them again.
 */
export function bindTool(
  recipe: ToolRecipe,
  context: Context,
  memo: Pick<LRUCache<string, Result>, 'get' | 'set'>,
): Tool {
  const { name, title, description, input, output, advice } = recipe;
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
      const held = memo.get(key);
      if (held !== undefined) return () => held;
      const answer = recipe.accept(sent);
      return () => {
        const keep = ({ content, search }: Answered): Result => {
          const made = { members: structuredMembers(content), ...(search !== null && { search }) };
          memo.set(key, made);
          return made;
        };
        const answered = answer(context);
        return answered instanceof Promise ? answered.then(keep) : keep(answered);
      };
    },
  };
}

/** The response twice: as an object, and as the one text block that holds exactly its JSON. */
function structuredMembers(body: Body): MembersText {
  const json = jsonOf(body);
  return `"content":[{"type":"text","text":${JSON.stringify(json)}}],"structuredContent":${json}`;
}
