/** Removes the imports and exports of an MDX page from its text, and keeps their literals and files under their names. */
import { posix } from 'node:path';
import { parsePageCode, readDeclaredValues, resolveAlias } from './literal.ts';
import type { Conversion } from './site.ts';

const codeStart = /^(?:import|export)\b(?!\s+(?:to|from|your|the|a|an)\s)[\s{*'"]/;
/** The beginning of a line that is no code although no blank line is before it. */
const textStart = /^(?:import|export|<|#|[A-Z*>-])/;
/** Maximum length of an import or export, in lines. */
const maxLines = 300;

/**
 * Returns the text of a page of MDX with spaces in place of its imports and exports, so that nothing changes its line. Their
 * literal values and the paths of imported files are put into the page's scope.
 */
export function removeCode(text: string, page: Conversion): string {
  const lines = text.split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    if (!codeStart.test(lines[index] ?? '')) continue;
    const end = findCodeEnd(lines, index, page);
    readCode(page.raw(lines.slice(index, end).join('\n')), page);
    for (; index < end; index += 1) lines[index] = ' '.repeat(lines[index]?.length ?? 0);
    index -= 1;
  }
  return lines.join('\n');
}

/**
 * Returns the index behind the last line of an import or export that begins at `start`: the first line with which it is a program,
 * or else the one before the next blank line or the end, after at most `maxLines` lines.
 */
function findCodeEnd(lines: readonly string[], start: number, page: Conversion): number {
  const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === '';
  const limit = Math.min(lines.length, start + maxLines);
  for (let end = start + 1; end <= limit; end += 1) {
    const next = lines[end];
    const mayEnd = isBlank(next) || textStart.test(next ?? '');
    if (mayEnd && parsePageCode(page.raw(lines.slice(start, end).join('\n'))) !== null) return end;
  }
  const blank = lines.findIndex((line, index) => index > start && isBlank(line));
  return blank === -1 ? limit : Math.min(blank, limit);
}

function readCode(code: string, page: Conversion): void {
  const { files, values } = page.scope;
  for (const [, names = '', path = ''] of code.matchAll(/import\s+([\w{}\s,*$]+?)\s+from\s+['"]([^'"]+)['"]/g)) {
    const file = findImport(path, page);
    if (file === null) continue;
    for (const [name] of names.replace(/\w+\s+as\s+/g, '').matchAll(/[\w$]+/g)) files.set(name, file);
    const exportedValues = /\.(?:js|jsx|mdx|ts)$/.test(file) ? readDeclaredValues(page.tree.text(file) ?? '') : [];
    for (const [name, value] of exportedValues) if (names.includes(name)) values.set(name, value);
  }
  if (/^export\b/m.test(code)) for (const [name, value] of readDeclaredValues(code)) values.set(name, value);
}

/** Returns the path in the source of the file that a page imports as `path`, which may begin with an alias, or null without one. */
function findImport(path: string, { tree, file, site }: Conversion): string | null {
  const plain = path.replace(/^(?:@site|[@~])?\//, '');
  const publicPlaces = path.startsWith('/') ? site.publicFolders.map((folder) => posix.join(folder, path)) : [];
  const places = path.startsWith('.')
    ? [posix.join(posix.dirname(file), path)]
    : [...resolveAlias(tree, path), plain, path, path.replace(/^[@~]\//, 'src/'), ...publicPlaces];
  return places.find((place) => tree.has(place)) ?? null;
}
