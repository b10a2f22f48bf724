/** The interface between the protocol and what a server publishes: the dispatcher serves whatever implements it. */
import type { Code } from '../base/problem-codes.ts';
import type { Cursors } from '../catalog/cursor.ts';
import type { JsonObject } from './message.ts';
import type { Result } from './result.ts';

/** A server of one revision: its texts, listings and lookups. */
export interface McpServer {
  /** Distinguishes the cursors of the servers; the same on every process. */
  readonly key: string;
  readonly serverInfo: { readonly name: string; readonly title: string; readonly version: string };
  readonly instructions: string;
  readonly tools: readonly Tool[];
  readonly resources: readonly ListedResource[];
  readonly templates: readonly ResourceTemplate[];
  readonly prompts: readonly Prompt[];
  /** Returns the contents of a resource. Rejects with ApiError, `not_found` for an unknown URI. */
  read(uri: string): Promise<Result>;
  /** Returns all values that complete a template's parameter or a prompt's argument of this name; empty if there are none. */
  completionsFor(argument: string): readonly string[];
  /** Issues and reads the cursors of the listings. */
  readonly cursors: Pick<Cursors, 'issue' | 'read'>;
}

/** A tool of one server and one revision. */
export interface Tool {
  /** The entry of tools/list. */
  readonly listed: JsonObject & { readonly name: string };
  /** For each error code, the next step after the failure in terms of the server's tools. */
  readonly advice: Readonly<Partial<Record<Code, string>>>;
  /**
   * Checks the arguments and throws `invalid_request` if they are wrong. The function that it returns runs the tool with them; it
   * throws or rejects with any other ApiError.
   */
  accept(args: JsonObject): () => Result | Promise<Result>;
}

/** An entry of resources/list. */
export interface ListedResource extends ResourceFacts {
  readonly uri: string;
  /** Present in every entry that `createResources` creates. */
  readonly annotations?: {
    readonly audience: readonly ('user' | 'assistant')[];
    /** The importance for an answer, from 0 to 1. */
    readonly priority: number;
    /** A date and time of RFC 3339; absent if it is unknown. */
    readonly lastModified?: string;
  };
}

/** An entry of resources/templates/list. */
export interface ResourceTemplate extends ResourceFacts {
  readonly uriTemplate: string;
}

interface ResourceFacts {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

/** A prompt of the vendor as the listing has it, and the function that fills in its arguments. */
export interface Prompt {
  /** The entry of prompts/list. */
  readonly listed: Pick<ResourceFacts, 'name' | 'title' | 'description'> & {
    readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
  };
  /**
   * Returns the messages with the arguments filled in, an empty text for an optional one that is missing or null. Throws
   * `invalid_request` for a missing required argument, an unknown one, and one that is no text.
   */
  fill(args: JsonObject): readonly { readonly role: 'user' | 'assistant'; readonly content: object }[];
}
