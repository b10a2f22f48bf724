/** Converted notes, kept from one test process to the next: each server would start a process for the same notes of the example feed. */
import { createHash } from 'node:crypto';
import { appendFileSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ConvertedNotes } from '../../src/feed/notes-length.ts';
import { createNotesProcess, type NotesProcess } from '../../src/feed/notes-process.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'node_modules/.cache/colophon-tests');

/** Converts what is not kept yet. After a change to the converter's code, it starts with nothing kept. */
export function createKeptNotes(): NotesProcess {
  const process = createNotesProcess();
  const file = join(folder, `notes-${digestOfConverter()}.jsonl`);
  const kept = new Map(linesOf(file));
  return {
    open() {
      const conversions = process.open();
      return {
        async convert(source) {
          const key = JSON.stringify(source);
          const known = kept.get(key);
          if (known !== undefined) return known;
          const converted = await conversions.convert(source);
          if (converted !== null) {
            kept.set(key, converted);
            if (key.length < 4096) appendFileSync(file, `${JSON.stringify([key, converted])}\n`);
          }
          return converted;
        },
        close: conversions.close,
      };
    },
  };
}

function digestOfConverter(): string {
  const hash = createHash('sha256');
  for (const name of ['package-lock.json', ...globSync('src/{base,feed,markdown}/*.ts', { cwd: root }).sort()]) {
    hash.update(readFileSync(join(root, name)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Another test's process may be in the middle of a line. */
function linesOf(file: string): [string, ConvertedNotes][] {
  mkdirSync(folder, { recursive: true });
  try {
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    return lines.flatMap((line) => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
}
