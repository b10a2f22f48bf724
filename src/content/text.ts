/** Turns the bytes of a text file into text, and says where they are not text. */
import { isUtf8 } from 'node:buffer';
import type { Fault } from './content.ts';

export interface Position {
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in UTF-16 units. */
  readonly column: number;
}

/** The text without a byte order mark and with `\n` only, or the first thing wrong with it. */
export function decodeText(file: string, bytes: Buffer): { text: string } | { fault: Fault } {
  if (!isUtf8(bytes)) {
    const before = normalise(bytes.subarray(0, firstInvalidByte(bytes)).toString('utf8'));
    return {
      fault: { file, ...positionAt(before, before.length), message: 'this is not UTF-8: save the file as UTF-8.' },
    };
  }
  const text = normalise(bytes.toString('utf8'));
  const nul = text.indexOf('\0');
  if (nul !== -1) {
    return { fault: { file, ...positionAt(text, nul), message: 'there is a NUL character here: remove it.' } };
  }
  return { text };
}

export function positionAt(text: string, offset: number): Position {
  const start = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < start; at = text.indexOf('\n', at + 1)) line += 1;
  return { line, column: offset - start + 1 };
}

const normalise = (text: string): string => text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');

/** Decoding replaces what is invalid, so that encoding again gives other bytes from there on. */
function firstInvalidByte(bytes: Buffer): number {
  const repaired = Buffer.from(bytes.toString('utf8'));
  let at = 0;
  while (at < bytes.length && bytes[at] === repaired[at]) at += 1;
  return at;
}
