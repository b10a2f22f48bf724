/** Turns the bytes of a text file into text, and says where they are not text. */
import { isUtf8 } from 'node:buffer';
import { createLineMap } from '../base/line-map.ts';
import type { Fault } from './fault.ts';

/** Decodes UTF-8. Returns the text without a byte order mark and with `\n` only, or the first thing wrong with it. */
export function decodeText(file: string, bytes: Buffer): { text: string } | { fault: Fault } {
  if (!isUtf8(bytes)) {
    const before = normalize(bytes.subarray(0, firstInvalidByte(bytes)).toString('utf8'));
    return {
      fault: { file, ...createLineMap(before)(before.length), message: 'this is not UTF-8: save the file as UTF-8.' },
    };
  }
  const text = normalize(bytes.toString('utf8'));
  const nul = text.indexOf('\0');
  if (nul !== -1) {
    return { fault: { file, ...createLineMap(text)(nul), message: 'there is a NUL character here: remove it.' } };
  }
  return { text };
}

const normalize = (text: string): string => text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');

/** Returns the offset of the first invalid byte: decoding replaces it, so that encoding again gives other bytes from there on. */
function firstInvalidByte(bytes: Buffer): number {
  const repaired = Buffer.from(bytes.toString('utf8'));
  let at = 0;
  while (at < bytes.length && bytes[at] === repaired[at]) at += 1;
  return at;
}
