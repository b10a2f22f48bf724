/** Examples from real requests: a request to this service, and what it returned when the page was made. */
import { call } from '../../operations/call.ts';
import { type BatchResult, type Context, getBody } from '../../operations/context.ts';
import type { Operation } from '../../operations/operation.ts';
import type { Site } from '../site.ts';
import type { SampleRequest } from './samples.ts';

/**
 * Runs the example of an operation, and returns its request with the status and the body of a success. A GET runs against the
 * product itself, with values that it has; a POST, and a GET that fails there, runs against the sandbox. Rejects with an Error for
 * a GET outside of a request, and with an ApiError if the example fails in the sandbox.
 */
export async function runExample(site: Site, operation: Operation) {
  const { production, catalog } = site;
  if (operation.method === 'GET') {
    const input = { ...operation.examples[0].input, ...operation.exampleInput?.(catalog) };
    const { status, body } = await readPath(production, fillPath(operation.path, input));
    if (status === 200) return { request: createSampleRequest(production, operation, { input }), status, body };
  }
  return runFixture(site, operation);
}

/**
 * Runs the example of an operation against the sandbox, which has something of everything, and returns its request with the status
 * and the body of the response. Rejects with an ApiError if it fails.
 */
export async function runFixture({ sandbox }: Site, operation: Operation) {
  const [{ input }] = operation.examples;
  const body = getBody(sandbox, await call(operation, sandbox, input));
  return { request: createSampleRequest(sandbox, operation, { input }), status: operation.status, body };
}

/**
 * Sends a GET by its path below the API root, such as `/docs`, and returns the status and the body of the response, which may be a
 * problem document. Rejects with an Error outside of a request.
 */
export async function readPath({ getAll }: Context, path: string): Promise<BatchResult> {
  const [result] = (await getAll?.([path])) ?? [];
  if (result === undefined) throw new Error('pages are made within a request');
  return result;
}

/** A call of an operation. */
interface SampleCall {
  /** Path parameters, query parameters and fields of the body by name. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The representation to ask for; null or left out for the default one. */
  readonly accept?: SampleRequest['accept'];
  /** Parameters in addition to the operation's own. */
  readonly query?: Readonly<Record<string, string>>;
}

/**
 * Returns the request of a call in the environment of the context, without sending it. The input is in the path and the query of a
 * GET, or is the body of a POST; `query` is added to the URL of both.
 */
export function createSampleRequest(
  { environment, apiRoot, service }: Context,
  operation: Operation,
  { input, accept = null, query = {} }: SampleCall,
): SampleRequest {
  const { id, method, tokenRequired } = operation;
  return {
    id,
    method,
    url: apiRoot + fillPath(operation.path, { ...(method === 'GET' && input), ...query }),
    baseUrl: service.baseUrl,
    environment,
    input,
    accept,
    returnsJson: accept === null,
    credential: tokenRequired && environment === 'production' ? 'token' : null,
    body: method === 'POST' ? { isForm: false, value: input } : null,
  };
}

/**
 * Returns a path with the values of its `{name}` parameters, percent-encoded; all others of `parameters` become its query. A
 * `{name}` that is not among `parameters` stays; null and undefined are written as `null` and `undefined`.
 */
export function fillPath(path: string, parameters: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  let filledPath = path;
  for (const [name, value] of Object.entries(parameters)) {
    if (path.includes(`{${name}}`)) filledPath = filledPath.replace(`{${name}}`, encodeURIComponent(String(value)));
    else query.set(name, String(value));
  }
  return query.size === 0 ? filledPath : `${filledPath}?${query}`;
}

/** Maximum length of a text in an example, in characters; a page has thousands. */
const maxExampleLength = 400;

/** Returns the first 400 UTF-16 units of a longer text and an ellipsis, or the text as it is. */
export const shortenText = (text: string): string =>
  text.length <= maxExampleLength ? text : `${text.slice(0, maxExampleLength)}…`;

/** Writes a value as indented JSON with its long texts cut as `shortenText` does. */
export const writeReadableJson = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => (typeof member === 'string' ? shortenText(member) : member), 2);
