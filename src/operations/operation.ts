/** Defines operations: plain data and one function. REST, batch, sandbox, OpenAPI and MCP are adapters over them. */
import type { z } from 'zod';
import type { Code } from '../base/problem-codes.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Scope } from '../oauth/scopes.ts';
import type { Body, Context, Outcome } from './context.ts';
import { parseInput } from './input.ts';

/** The group of an operation in the contract and the reference. */
export type Tag = 'Service' | 'Releases' | 'Documentation' | 'Product' | 'Search' | 'Batch' | 'Exports';

/** An example of an operation's input. */
export interface Example {
  readonly summary: string;
  /** The flat input: path parameters, query parameters and body fields by name. */
  readonly input: Readonly<Record<string, unknown>>;
}

interface Facts {
  /** OpenAPI's operationId. */
  readonly id: string;
  readonly method: 'GET' | 'POST';
  /** Relative to the API root, with `{name}` for a path parameter. */
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  /** The status of a success. */
  readonly status: 200 | 202;
  /** Its own problem codes, in addition to those that every operation can return, for the contract and the reference. */
  readonly errors: readonly Code[];
  /** The scope that covers it, which a token needs where `tokenRequired` says so; null where there is none. */
  readonly scope: Scope | null;
  /** Whether a token with the scope is required outside the sandbox. */
  readonly tokenRequired: boolean;
  /** Whether the response depends on the update feed. */
  readonly needsFeed: boolean;
  /** Examples of the input; documentation shows the first one. */
  readonly examples: readonly [Example, ...Example[]];
  /** Name of the response's schema in the contract; by default it follows from the id. */
  readonly outputName?: string;
  /** Schemas within the response that the contract also names. */
  readonly components?: Readonly<Record<string, z.ZodType>>;
  /**
   * Returns values of parameters that exist in a catalog, by name; empty if it has none. They replace those of the first example,
   * which is valid for every catalog where this is left out.
   */
  exampleInput?(catalog: Catalog): Readonly<Record<string, unknown>>;
  /** Returns the value of the Link header of its successes (RFC 8288); if left out, only a list has one, to its next page. */
  links?(baseUrl: string): string;
  /** Throws `payload_too_large` for a parsed body that asks for too much, before it is validated. */
  requireSize?(body: unknown): void;
  /** Whether it stores Idempotency-Keys itself, for as long as what they created exists. */
  readonly keepsKeys?: true;
  /** Whether a caller may wait for a change with Prefer; not in the sandbox. */
  readonly waits?: true;
  /** Returns the search that this input and response are, or null for a page after the first, which is the same search. */
  searches?(input: Readonly<Record<string, unknown>>, body: Body): AnsweredSearch | null;
  /** Returns where and when to poll again, or null once the response is final. */
  followUp?(body: Body): FollowUp | null;
}

/** The next poll of a job, at an absolute URL. */
export interface FollowUp {
  readonly url: string;
  readonly afterSeconds: number;
}

/** A search that got a response: the text that was sent, and whether it has results. */
export interface AnsweredSearch {
  readonly query: string;
  readonly isFound: boolean;
}

/** One thing that the API can do: data for the adapters, and the function that does it. */
export interface Operation extends Facts {
  /** Whether the response depends only on the catalog's revision and the input: true of every GET that needs no token. */
  readonly prepared: boolean;
  /** One flat object: path parameters, then query parameters (GET) or body fields (POST). */
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  /**
   * Validates `input` and runs; returns the body with a function that writes its Markdown. Throws `invalid_request` for an invalid
   * input, and throws or rejects with whatever running throws. Only `call` and `run` may use it.
   */
  invoke(context: Context, input: unknown): Outcome | Promise<Outcome>;
}

/** Returns the operation's name in the contract and the index: `listDocs`, or in the sandbox `sandboxListDocs`. */
export const getOperationId = (environment: Context['environment'], { id }: Operation): string =>
  environment === 'sandbox' ? `sandbox${id.charAt(0).toUpperCase()}${id.slice(1)}` : id;

/** Properties that an operation has unless it states others. */
const defaults = {
  method: 'GET',
  status: 200,
  errors: [],
  scope: null,
  tokenRequired: false,
  needsFeed: false,
} as const satisfies Partial<Facts>;

type Definition<I extends z.ZodObject, O extends z.ZodObject> = Omit<Facts, keyof typeof defaults> &
  Partial<Pick<Facts, keyof typeof defaults>> &
  Behavior<I, O>;

interface Behavior<I extends z.ZodObject, O extends z.ZodObject> {
  readonly input: I;
  readonly output: O;
  run(context: Context, input: z.output<I>): z.input<O> | Promise<z.input<O>>;
  /** Writes the response as Markdown that reads well in a chat. */
  markdown(body: z.input<O>, context: Context, input: z.output<I>): string;
}

/**
 * Creates an operation, which is a GET with status 200 and without a scope unless the definition says otherwise. Hides the types of
 * both schemas, so that all operations fit into one list.
 */
export function defineOperation<I extends z.ZodObject, O extends z.ZodObject>(definition: Definition<I, O>): Operation {
  const { run, markdown, ...rest } = definition;
  const facts = { ...defaults, ...rest };
  const outcome = (body: z.input<O>, context: Context, input: z.output<I>): Outcome => ({
    body,
    markdown: () => markdown(body, context, input),
  });
  return {
    ...facts,
    prepared: facts.method === 'GET' && !facts.tokenRequired,
    invoke(context, input) {
      const parsedInput = parseInput(definition.input, input);
      const body = run(context, parsedInput);
      return body instanceof Promise
        ? body.then((resolvedBody) => outcome(resolvedBody, context, parsedInput))
        : outcome(body, context, parsedInput);
    },
  };
}
