/** The description of an endpoint that is not an operation of the API, for the contract and the reference. */
import type { z } from 'zod';
import type { Code } from '../base/problem-codes.ts';
import type { HeaderObject } from './response-headers.ts';

/** An endpoint as data: the contract, the reference and the request checks read it. */
export interface EndpointDescription {
  /** OpenAPI's operationId. */
  readonly id: string;
  readonly tag: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path from the service's root, with `{name}` for a parameter. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** The kind of credential that it takes, or undefined if it takes none. */
  readonly credential?: EndpointCredential;
  /**
   * One flat object, as an operation's: the parameters in path and query, or with POST the fields of the body. Undefined if it
   * takes none.
   */
  readonly input?: z.ZodObject;
  /** An example of the input, or undefined for an empty one. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** The media type of the body of a POST, or undefined if there is no body. */
  readonly bodyType?: 'application/json' | 'application/x-www-form-urlencoded';
  /** Responses by status, a success first. */
  readonly responses: Readonly<Record<string, EndpointResponse>>;
  /** Its own problem codes, in addition to those that every endpoint can return. */
  readonly errors: readonly Code[];
}

/**
 * The kind of a credential. `token`: an access token; `client`: a client's ID and secret, or nothing; `registration`: the token of
 * a registration.
 */
export type EndpointCredential = 'token' | 'client' | 'registration';

/** The response with one status. */
export interface EndpointResponse {
  readonly description: string;
  /** Names of headers in addition to those of every response; `createResponseHeaders` describes them. */
  readonly headers?: readonly string[];
  /** Headers with a description of their own, by name. */
  readonly ownHeaders?: Readonly<Record<string, HeaderObject>>;
  /** One entry for each media type, or undefined if there is no body. */
  readonly content?: readonly EndpointContent[];
}

/** A body of a response: text if `schema` is null, an object with any fields if it is `object`, and one without fields if it is `empty`. */
export interface EndpointContent {
  readonly type: 'application/json' | 'text/markdown' | 'text/html';
  readonly schema: z.ZodObject | 'object' | 'empty' | null;
  /** The summary of the example; the description of the response when left out. */
  readonly summary?: string;
  readonly example: unknown;
}
