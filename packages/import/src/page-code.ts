/** The imports and exports of an MDX page: taken out of its text, their literals and files kept under their names. */
import { posix } from 'node:path';
import { exportedValues, programOf } from './literal.ts';
import { NotLiteral } from './literal-values.ts';
import type { Conversion } from './site.ts';

/** The text with spaces where its own code was. */
export function withoutCode(text: string, page: Conversion): string {
  const lines = text.split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    if (!/^(?:import|export)\b(?!\s+(?:to|from|your|the|a|an)\s)[\s{*'"]/.test(lines[index] ?? '')) continue;
    const length = codeLength(lines, index);
    readCode(page.raw(lines.slice(index, index + length).join('\n')), page);
    for (let at = index; at < index + length; at += 1) lines[at] = ' '.repeat(lines[at]?.length ?? 0);
    index += length - 1;
  }
  return lines.join('\n');
}

/** Up to the line with which it is a program, else to the next blank line. */
function codeLength(lines: readonly string[], start: number): number {
  let blank = 0;
  for (let length = 1; length <= 300 && start + length <= lines.length; length += 1) {
    const next = lines[start + length];
    if (blank === 0 && (next === undefined || next.trim() === '')) blank = length;
    const ends = next === undefined || next.trim() === '' || /^(?:import|export|<|#|[A-Z*>-])/.test(next);
    if (ends && programOf(lines.slice(start, start + length).join('\n'), false) !== null) return length;
  }
  return endOfBraces(lines, start) ?? Math.max(1, blank);
}

/** A component is written in JSX, which is no JavaScript: it ends where its braces do. */
function endOfBraces(lines: readonly string[], start: number): number | null {
  let depth = 0;
  for (let length = 1; length <= 300 && start + length <= lines.length; length += 1) {
    for (const letter of lines[start + length - 1] ?? '')
      depth += '{(['.includes(letter) ? 1 : '})]'.includes(letter) ? -1 : 0;
    const next = lines[start + length];
    if (depth <= 0 && (next === undefined || next.trim() === '')) return length;
  }
  return null;
}

function readCode(code: string, page: Conversion): void {
  for (const [, names = '', path = ''] of code.matchAll(/import\s+([\w{}\s,*$]+?)\s+from\s+['"]([^'"]+)['"]/g)) {
    const file = importedFile(path, page);
    if (file === null) continue;
    for (const [name] of names.replace(/\w+\s+as\s+/g, '').matchAll(/[\w$]+/g)) page.scope.files.set(name, file);
    const values = /\.(?:js|jsx|mdx|ts)$/.test(file) ? exportedValues(page.tree.text(file) ?? '') : null;
    for (const [name, value] of values ?? []) {
      if (names.includes(name) && !(value instanceof NotLiteral)) page.scope.values.set(name, value);
    }
  }
  if (!/^export\b/m.test(code)) return;
  for (const [name, value] of exportedValues(code) ?? []) {
    if (!(value instanceof NotLiteral)) page.scope.values.set(name, value);
  }
}

function importedFile(path: string, { tree, file, site }: Conversion): string | null {
  const places = path.startsWith('.')
    ? [posix.join(posix.dirname(file), path)]
    : [
        path.replace(/^@site\//, ''),
        path.replace(/^[@~]\//, ''),
        path.replace(/^[@~]\//, 'src/'),
        path.replace(/^\//, ''),
      ];
  const folders = path.startsWith('/') ? site.publicFolders.map((folder) => posix.join(folder, path)) : [];
  return [...places, ...folders].find((place) => tree.has(place)) ?? null;
}
