/** Examples from real requests: a request to this service, and what it returned when the page was made. */
import { call } from '../../operations/call.ts';
import { type BatchResult, bodyOf, type Context } from '../../operations/context.ts';
import type { Example, Operation } from '../../operations/operation.ts';
import type { Site } from '../site.ts';
import type { SampleRequest } from './samples.ts';

export interface WorkedExample {
  readonly request: SampleRequest;
  readonly status: number;
  readonly answer: unknown;
}

/** GETs are asked of the product itself, with values that it has; what the product cannot answer, and POSTs, of the sandbox. */
export async function workedExample(site: Site, operation: Operation): Promise<WorkedExample> {
  const [example] = operation.examples;
  if (operation.method === 'GET') {
    const input = { ...example.input, ...operation.exampleInput?.(site.catalog) };
    const live = await answerTo(site.production, pathOf(operation, input));
    if (live.status === 200) return worked(site.production, operation, { ...example, input }, live);
    return worked(site.sandbox, operation, example, await answerTo(site.sandbox, pathOf(operation, example.input)));
  }
  const outcome = await call(operation, site.sandbox, example.input);
  return worked(site.sandbox, operation, example, {
    status: operation.status,
    body: bodyOf(site.sandbox, outcome),
  });
}

/** What a GET by its path relative to the API root answers. */
export async function answerTo({ getAll }: Context, path: string): Promise<BatchResult> {
  const [result] = (await getAll?.([path])) ?? [];
  if (result === undefined) throw new Error('pages are made within a request');
  return result;
}

const worked = (context: Context, operation: Operation, { input }: Example, result: BatchResult): WorkedExample => ({
  request: sampleRequest(context, operation, { input }),
  status: result.status,
  answer: result.body,
});

/** A call of an operation. `query`: more than the operation's own parameters. */
export interface SampleCall {
  /** The flat input. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly accept?: SampleRequest['accept'];
  readonly query?: Readonly<Record<string, string>>;
}

export function sampleRequest(
  { environment, apiRoot, service }: Context,
  operation: Operation,
  { input, accept = null, query = {} }: SampleCall,
): SampleRequest {
  const { id, method, tokenRequired } = operation;
  return {
    id,
    method,
    url: apiRoot + pathOf(operation, input, query),
    baseUrl: service.baseUrl,
    environment,
    input,
    accept,
    returnsJson: accept === null,
    credential: tokenRequired && environment === 'production' ? 'token' : null,
    body: method === 'POST' ? { type: 'json', value: input } : null,
  };
}

/** The operation's path with the input in it, relative to the API root. */
function pathOf(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams();
  let path = operation.path;
  for (const [name, value] of Object.entries(input)) {
    if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
    else if (operation.method === 'GET') query.set(name, String(value));
  }
  for (const [name, value] of Object.entries(more)) query.set(name, value);
  return query.size === 0 ? path : `${path}?${query}`;
}

const longest = 400;

/** A text of which an example shows the beginning. */
export const shortened = (text: string): { text: string; cut: boolean } =>
  text.length <= longest ? { text, cut: false } : { text: `${text.slice(0, longest)}…`, cut: true };

/** JSON to read: long texts are cut, which `cut` tells. */
export function readableJson(value: unknown): { text: string; cut: boolean } {
  let cut = false;
  const text = JSON.stringify(
    value,
    (_, member: unknown) => {
      if (typeof member !== 'string') return member;
      const short = shortened(member);
      cut ||= short.cut;
      return short.text;
    },
    2,
  );
  return { text, cut };
}
