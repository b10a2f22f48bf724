/** Serializes response bodies to JSON, as text and as bytes, once for each body object: a batch or a tool call uses the same text. */
import { setImmediate } from 'node:timers/promises';
import { createEtag, createLargeEtag } from '../base/entity-tag.ts';
import type { BatchResult, Body } from './context.ts';

/** The UTF-8 bytes of a text, one in each character (latin1), and its strong entity tag, which includes the quotation marks. */
export interface Encoded {
  readonly bytes: string;
  readonly etag: string;
}

const texts = new WeakMap<object, string>();
const encodings = new WeakMap<object, Encoded>();

/** Returns the JSON text of a body. Each body object is written once; it must not change afterwards. */
export function toJson(body: Body): string {
  const cachedText = texts.get(body);
  if (cachedText !== undefined) return cachedText;
  const text = JSON.stringify(body);
  texts.set(body, text);
  return text;
}

/**
 * Returns the bytes of a body's JSON and their entity tag. Each body object is encoded once; it must not change afterwards. A
 * batch is put together from the bytes and tags of its results: two batches have the same tag if their ids, statuses and results'
 * bytes are the same, and hashing some 30 KB again would cost as much as a GET.
 */
export function encodeJson(body: Body): Encoded {
  const cachedEncoding = encodings.get(body);
  if (cachedEncoding !== undefined) return cachedEncoding;
  const { object, results } = body;
  const encodedBody =
    object === 'batch' && Array.isArray(results)
      ? encodeBatch(body, results)
      : encodeText(texts.get(body) ?? JSON.stringify(body));
  encodings.set(body, encodedBody);
  return encodedBody;
}

/** Returns the bytes of a text, or of a Buffer with its UTF-8 bytes, and their entity tag. */
export function encodeText(text: string | Buffer): Encoded {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  return { bytes: bytes.toString('latin1'), etag: createEtag(bytes) };
}

type Result = BatchResult & { readonly id: string };

/** The UTF-8 bytes of a text, one in each character (latin1) or, if the text is large, in a Buffer, and its strong entity tag. */
export interface EncodedBytes {
  readonly bytes: string | Buffer;
  readonly etag: string;
}

/**
 * Returns the bytes of a text, or of a Buffer with its UTF-8 bytes, and their entity tag. If it has 1,000,000 characters
 * or bytes or more, the bytes are a Buffer and are hashed outside of the event loop. Rejects for a Buffer of that size in memory
 * that threads share.
 */
export async function encodeLargeText(text: string | Buffer): Promise<EncodedBytes> {
  if (text.length < large) return encodeText(text);
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  await setImmediate();
  return { bytes, etag: await createLargeEtag(bytes) };
}

const large = 1_000_000;

function encodeBatch(body: Body, results: readonly Result[]): Encoded {
  const { results: _, ...rest } = body;
  const around = JSON.stringify(rest).slice(0, -1);
  let latin1 = `${toBytes(around)},"results":[`;
  let parts = around;
  let separator = '';
  for (const result of results) {
    const part = encodeJson(result.body);
    const id = JSON.stringify(result.id);
    latin1 += `${separator}{"id":${toBytes(id)},"status":${result.status},"body":${part.bytes}}`;
    parts += `\n${id} ${result.status} ${part.etag}`;
    separator = ',';
  }
  return { bytes: `${latin1}]}`, etag: createEtag(parts) };
}

/** Returns the UTF-8 bytes of a text, one in each character. An ASCII text is returned as it is. */
const toBytes = (text: string): string => (/^[\x20-\x7e]*$/.test(text) ? text : Buffer.from(text).toString('latin1'));
