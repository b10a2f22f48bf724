/** JSON text of an answer; made once for each body object, so that a batch or a tool call need not make it again. */
import type { Body } from './operation.ts';

const made = new WeakMap<object, string>();

/** The JSON of a body. A batch's results are put together from the texts of their bodies. */
export function jsonOf(body: Body): string {
  const known = made.get(body);
  if (known !== undefined) return known;
  const text =
    body.object === 'batch' && Array.isArray(body.results) ? batchJson(body, body.results) : JSON.stringify(body);
  made.set(body, text);
  return text;
}

function batchJson(body: Body, results: readonly { id: string; status: number; body: Body }[]): string {
  const { results: _, ...rest } = body;
  const texts = results.map(
    (result) => `{"id":${JSON.stringify(result.id)},"status":${result.status},"body":${jsonOf(result.body)}}`,
  );
  const members = Object.entries(rest).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return `{${[...members, `"results":[${texts.join(',')}]`].join(',')}}`;
}
