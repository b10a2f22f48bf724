/** What an MCP server offers, as data and functions: the dispatcher serves whatever catalog it is given. */
import type { Code } from '../base/problem-codes.ts';
import type { Cursors, Position } from '../catalog/cursor.ts';
import type { Result } from './result.ts';
import type { JsonSchema } from './tool-schema.ts';

export interface McpServer {
  /** Tells listings' cursors apart; the same on every process. */
  readonly key: string;
  readonly serverInfo: { readonly name: string; readonly title: string; readonly version: string };
  readonly instructions: string;
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly templates: readonly ResourceTemplate[];
  readonly prompts: readonly Prompt[];
  /** Throws ApiError `not_found` for a URI that is nothing here. */
  read(uri: string): Promise<ReadResource>;
  /** Values for a template's parameter or a prompt's argument, all of them; [] when there is nothing to propose. */
  valuesOf(argument: string): readonly string[];
  readonly cursors: Pick<Cursors, 'issue' | 'read'>;
}

export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations: Readonly<Record<`${'readOnly' | 'destructive' | 'idempotent' | 'openWorld'}Hint`, boolean>>;
}

export interface Tool {
  readonly definition: ListedTool;
  /**
   * Validates the arguments, strictly: throws `invalid_request`. The function it returns then gives the result, with at
   * least the field `content`, or throws ApiError.
   */
  accept(sent: Readonly<Record<string, unknown>>): () => Result | Promise<Result>;
  /** What to do next after a failure, in terms of this server's tools. */
  readonly advice: Readonly<Partial<Record<Code, string>>>;
}

export interface Resource {
  /** Where it stands in the listing, which is sorted by it. */
  readonly position: Position;
  readonly definition: ListedResource;
}

export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  readonly annotations?: {
    readonly audience: readonly ('user' | 'assistant')[];
    /** 0 to 1. */
    readonly priority: number;
    /** RFC 3339. */
    readonly lastModified?: string;
  };
}

export interface ResourceTemplate extends Omit<ListedResource, 'uri' | 'annotations'> {
  readonly uriTemplate: string;
}

export interface ReadResource {
  readonly contents: readonly ({ readonly uri: string; readonly mimeType: string } & (
    | { readonly text: string }
    | { readonly blob: string }
  ))[];
  /** How long it may be kept, in milliseconds. */
  readonly ttlMs: number;
}

export interface Prompt {
  readonly definition: ListedPrompt;
  /** The messages with the arguments filled in; every required one is there. */
  messages(
    values: Readonly<Record<string, string>>,
  ): readonly { readonly role: 'user' | 'assistant'; readonly content: object }[];
}

export interface ListedPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
}
