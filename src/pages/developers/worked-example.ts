/** Examples from real requests: a request to this service, and what it returned when the page was made. */
import { call } from '../../operations/call.ts';
import { type BatchResult, bodyOf, type Context } from '../../operations/context.ts';
import type { Operation } from '../../operations/operation.ts';
import type { Site } from '../site.ts';
import type { SampleRequest } from './samples.ts';

export interface WorkedExample {
  readonly request: SampleRequest;
  readonly status: number;
  readonly answer: unknown;
}

/** GETs are asked of the product itself, with values that it has; what the product cannot answer, and POSTs, of the sandbox. */
export async function workedExample(site: Site, operation: Operation): Promise<WorkedExample> {
  const { production, sandbox, catalog } = site;
  const [{ input: fixture }] = operation.examples;
  if (operation.method === 'POST') {
    const outcome = await call(operation, sandbox, fixture);
    const request = sampleRequest(sandbox, operation, { input: fixture });
    return { request, status: operation.status, answer: bodyOf(sandbox, outcome) };
  }
  const input = { ...fixture, ...operation.exampleInput?.(catalog) };
  const live = await answerTo(production, fillPath(operation.path, input));
  if (live.status === 200) {
    return { request: sampleRequest(production, operation, { input }), status: live.status, answer: live.body };
  }
  const { status, body } = await answerTo(sandbox, fillPath(operation.path, fixture));
  return { request: sampleRequest(sandbox, operation, { input: fixture }), status, answer: body };
}

/** What a GET by its path relative to the API root answers. */
export async function answerTo({ getAll }: Context, path: string): Promise<BatchResult> {
  const [result] = (await getAll?.([path])) ?? [];
  if (result === undefined) throw new Error('pages are made within a request');
  return result;
}

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
    url: apiRoot + fillPath(operation.path, { ...(method === 'GET' && input), ...query }),
    baseUrl: service.baseUrl,
    environment,
    input,
    accept,
    returnsJson: accept === null,
    credential: tokenRequired && environment === 'production' ? 'token' : null,
    body: method === 'POST' ? { type: 'json', value: input } : null,
  };
}

/** Replaces the parameters that the path names; the others become its query. */
export function fillPath(path: string, parameters: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const [name, value] of Object.entries(parameters)) {
    if (path.includes(`{${name}}`)) filled = filled.replace(`{${name}}`, encodeURIComponent(String(value)));
    else query.set(name, String(value));
  }
  return query.size === 0 ? filled : `${filled}?${query}`;
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
