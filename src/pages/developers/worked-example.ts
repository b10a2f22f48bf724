/** Examples that really were answered: a request of this service, and what it gave when the page was made. */
import { call } from '../../operations/call.ts';
import { type BatchResult, bodyOf, type Context } from '../../operations/context.ts';
import type { Example, Operation } from '../../operations/operation.ts';
import type { Site } from '../site.ts';

export interface WorkedExample {
  readonly summary: string;
  readonly environment: 'production' | 'sandbox';
  /** The flat input. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** Of a POST. */
  readonly body: unknown;
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
export async function answerTo({ get }: Context, path: string): Promise<BatchResult> {
  if (get === null) throw new Error('pages are made within a request');
  return get(path);
}

function worked(
  context: Context,
  operation: Operation,
  { summary, input }: Example,
  result: BatchResult,
): WorkedExample {
  const { environment, apiRoot } = context;
  const { method } = operation;
  const url = apiRoot + pathOf(operation, input);
  return {
    summary,
    environment,
    input,
    method,
    url,
    body: method === 'POST' ? input : null,
    status: result.status,
    answer: result.body,
  };
}

/** The operation's path with the input in it, relative to the API root. */
function pathOf(operation: Operation, input: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  let path = operation.path;
  for (const [name, value] of Object.entries(input)) {
    if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
    else if (operation.method === 'GET') query.set(name, String(value));
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

const longest = 400;

/** JSON to read: long texts are cut, which `cut` tells. */
export function readableJson(value: unknown): { text: string; cut: boolean } {
  let cut = false;
  const text = JSON.stringify(
    value,
    (_, member: unknown) => {
      if (typeof member !== 'string' || member.length <= longest) return member;
      cut = true;
      return `${member.slice(0, longest)}…`;
    },
    2,
  );
  return { text, cut };
}
