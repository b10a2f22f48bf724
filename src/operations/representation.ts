/** JSON of an answer, as text and as bytes; made once for each body object, so that a batch or a tool call need not make it again. */
import { etagOf } from '../base/entity-tag.ts';
import type { BatchResult } from './context.ts';
import type { Body } from './outcome.ts';

/** A text's bytes in UTF-8, one a character, and its strong entity tag. */
export interface Encoded {
  readonly latin1: string;
  readonly etag: string;
}

const texts = new WeakMap<object, string>();
const encodings = new WeakMap<object, Encoded>();

export function jsonOf(body: Body): string {
  const known = texts.get(body);
  if (known !== undefined) return known;
  const text = JSON.stringify(body);
  texts.set(body, text);
  return text;
}

/**
 * The bytes of a body's JSON. Those of a batch are put together from its results', and so is its tag: two batches have the
 * same one when their ids, statuses and results' bytes are the same, and hashing some 30 KB again would cost as much as a GET.
 */
export function encodedJsonOf(body: Body): Encoded {
  const known = encodings.get(body);
  if (known !== undefined) return known;
  const { object, results } = body;
  const made =
    object === 'batch' && Array.isArray(results)
      ? encodedBatch(body, results)
      : encodedText(texts.get(body) ?? JSON.stringify(body));
  encodings.set(body, made);
  return made;
}

export function encodedText(text: string | Buffer): Encoded {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  return { latin1: bytes.toString('latin1'), etag: etagOf(bytes) };
}

type Result = BatchResult & { readonly id: string };

function encodedBatch(body: Body, results: readonly Result[]): Encoded {
  const { results: _, ...rest } = body;
  const around = JSON.stringify(rest).slice(0, -1);
  let latin1 = `${asBytes(around)},"results":[`;
  let parts = around;
  let separator = '';
  for (const result of results) {
    const part = encodedJsonOf(result.body);
    const id = JSON.stringify(result.id);
    latin1 += `${separator}{"id":${asBytes(id)},"status":${result.status},"body":${part.latin1}}`;
    parts += `\n${id} ${result.status} ${part.etag}`;
    separator = ',';
  }
  return { latin1: `${latin1}]}`, etag: etagOf(parts) };
}

/** Most texts are ASCII, and those are their own bytes. */
const asBytes = (text: string): string => (/^[\x20-\x7e]*$/.test(text) ? text : Buffer.from(text).toString('latin1'));
