/** Reads JSON that came from outside: UTF-8, with or without a byte order mark, no deeper than any honest document. */
import { shownMessageOf } from './thrown.ts';

/** Levels of arrays and objects within each other. */
const mostDepth = 32;

/** The value, or what keeps the bytes from being one: `the body` and a verb in front of `fault` make a sentence. */
export type ReadJson = { readonly value: unknown; readonly fault: null } | { readonly fault: string };

export function readJson(bytes: Uint8Array): ReadJson {
  let text: string;
  try {
    // RFC 8259 section 8.1 lets a reader ignore the mark; writers on Windows send it.
    text = strictUtf8.decode(bytes);
  } catch {
    return { fault: 'not UTF-8' };
  }
  if (text.trim() === '') return { fault: 'empty' };
  if (!isShallow(text)) return { fault: `nested more than ${mostDepth} levels deep` };
  try {
    return { value: JSON.parse(text), fault: null };
  } catch (error) {
    return { fault: `not JSON: ${shownMessageOf(error)}` };
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Counts brackets outside strings, so that nothing recursive ever meets a document thousands of levels deep. */
export function isShallow(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (quoted) {
      if (code === 0x5c) index += 1;
      else if (code === 0x22) quoted = false;
    } else if (code === 0x22) quoted = true;
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > mostDepth) return false;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return true;
}
