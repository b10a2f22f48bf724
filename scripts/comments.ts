/**
 * Finds comments and names that a newcomer cannot read alone, and prints `file:line: fault` for each. Exits with 1 if there is one.
 *
 *     node bin/node.js scripts/comments.ts             # every folder
 *     node bin/node.js scripts/comments.ts src/feed    # one folder or file
 *
 * Three faults: a comment that begins with a word of a fragment ("Of the last check."), an export without a doc comment, and a
 * limit that is called `most…` or `least…` instead of `max…` or `min…`.
 */
import { globSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

const folders = ['src', 'packages', 'test', 'bench', 'scripts', 'bin'];

/** A comment that begins with one of these words is nearly always a fragment that only the code below it explains. */
const fragmentStart = /^(Of|By|As|In|From|With|To|And|On|At|What|Whoever|Whatever|Where|Those|The same)\b/;

const exportLine =
  /^export (?:default )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) \w+/;

const limitName = /\b(?:const|let) (most|least)(?:[A-Z]|\b)|^\s*(?:readonly )?(most|least)(?:[A-Z]\w*)?[?:]/;

const args = process.argv.slice(2);
const faults = listFiles(args.length > 0 ? args : folders).flatMap(findFaults);
for (const fault of faults) console.log(fault);
process.exitCode = faults.length > 0 ? 1 : 0;

/**
 * Returns the files among the paths, and the `.ts` and `.js` files below the folders among them except those in `node_modules`,
 * `dist` and `test/fixtures`, sorted. Generated files, whose first line says `do not edit`, are left out of both. All paths are
 * relative to the repository. Throws if a path does not exist.
 */
function listFiles(paths: readonly string[]): string[] {
  const files = paths.flatMap((path) =>
    statSync(join(root, path)).isFile()
      ? [path]
      : globSync(`${path}/**/*.{ts,js}`, { cwd: root, exclude: ['**/node_modules', '**/dist', 'test/fixtures'] }),
  );
  return files
    .filter((file) => !readFileSync(join(root, file), 'utf8').split('\n', 1)[0]?.includes('do not edit'))
    .sort();
}

/**
 * Returns `file:line: fault` for each place in a file, by its path in the repository, that has one of the three faults named at the
 * top.
 */
function findFaults(file: string): string[] {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  const isTest = file.endsWith('.test.ts');
  return lines.flatMap((line, index) => {
    const previous = lines[index - 1]?.trim() ?? '';
    const text = readCommentStart(line, previous, lines[index + 1] ?? '');
    const word = text === null ? undefined : fragmentStart.exec(text)?.[1];
    const name = limitName.exec(line)?.slice(1).find(Boolean);
    const place = `${file}:${index + 1}:`;
    return [
      ...(word === undefined ? [] : [`${place} a comment begins with "${word}"; write a sentence about the symbol`]),
      ...(isTest || !exportLine.test(line) || /\*\/$|^\/\/ biome-ignore/.test(previous)
        ? []
        : [`${place} an export has no doc comment`]),
      ...(name === undefined ? [] : [`${place} write ${name === 'most' ? 'max' : 'min'}… for a limit, not ${name}…`]),
    ];
  });
}

/**
 * Returns the text with which a comment begins on `line`, or on the `next` one if `line` has only the opening `/**`. Returns null
 * if no comment begins on `line`, such as where a `//` continues the `previous` line.
 */
function readCommentStart(line: string, previous: string, next: string): string | null {
  const block = /^\s*\/\*\*?\s*(.*)$/.exec(line);
  if (block !== null) return block[1] || next.replace(/^\s*\*\s*/, '');
  const single = /^\s*\/\/ (.*)$/.exec(line);
  return single === null || previous.startsWith('//') ? null : (single[1] ?? '');
}
