/** Reads JSON from requests: UTF-8, with or without a byte order mark, nested at most 32 levels deep. */
import { getShownMessage } from './thrown.ts';

/** Maximum nesting of arrays and objects. */
const maxDepth = 32;

/** The value, or the fault of the bytes: `The body is` in front of `fault` makes a sentence. */
export type ReadJson = { readonly value: unknown; readonly fault: null } | { readonly fault: string };

/**
 * Parses the bytes of a JSON text, or returns what is wrong with them: they are not UTF-8, empty or only white space, nested more
 * than 32 levels deep, or not JSON. Never throws.
 */
export function readJson(bytes: Uint8Array): ReadJson {
  let text: string;
  try {
    // The decoder removes a byte order mark, which writers on Windows send and RFC 8259 section 8.1 lets a reader ignore.
    text = strictUtf8.decode(bytes);
  } catch {
    return { fault: 'not UTF-8' };
  }
  if (text.trim() === '') return { fault: 'empty' };
  if (!isShallow(text)) return { fault: `nested more than ${maxDepth} levels deep` };
  try {
    return { value: JSON.parse(text), fault: null };
  } catch (error) {
    return { fault: `not JSON: ${getShownMessage(error)}` };
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Returns whether a JSON text is nested at most 32 levels deep, so that recursive code does not run out of stack. It counts
 * brackets outside of strings, so the text need not be valid.
 */
export function isShallow(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isInString) {
      if (code === 0x5c) index += 1;
      else if (code === 0x22) isInString = false;
    } else if (code === 0x22) isInString = true;
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > maxDepth) return false;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return true;
}
