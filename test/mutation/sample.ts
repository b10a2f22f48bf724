/** The mutants to try: a sample of each folder that a seed decides, and that a change elsewhere leaves as it is. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Change, changesOf } from './mutants.ts';

/** In the order that they are tried. */
export const folders = ['limits', 'oauth', 'store', 'mcp', 'content', 'feed', 'http', 'endpoints', 'search'] as const;

export interface Mutant extends Change {
  /** The same for the same change to the same line, wherever that line has moved in its file. */
  readonly id: string;
  readonly folder: string;
  /** From the repository's root. */
  readonly path: string;
  readonly line: number;
  /** What stands there today. */
  readonly original: string;
}

/**
 * The `perFolder` mutants with the lowest hashes of each folder, one a line at most. The hash is of the seed and the
 * mutant's own line, so most of a sample survives a change to the code around it.
 */
export function sampleOf(root: string, options: { seed: number; perFolder: number; only?: string }): Mutant[] {
  return folders
    .filter((folder) => options.only === undefined || folder === options.only)
    .flatMap((folder) => {
      const mutants = sourcesOf(root, `src/${folder}`).flatMap((path) => mutantsOf(root, path, folder));
      const ranked = mutants
        .map((mutant) => ({ mutant, rank: hashOf(`${options.seed} ${mutant.id}`) }))
        .sort((a, b) => (a.rank < b.rank ? -1 : 1));
      const lines = new Set<string>();
      const chosen: Mutant[] = [];
      for (const { mutant } of ranked) {
        const line = `${mutant.path}:${mutant.line}`;
        if (lines.has(line)) continue;
        lines.add(line);
        if (chosen.push(mutant) === options.perFolder) break;
      }
      return chosen;
    });
}

/** The code below `folder`, from the repository's root, in a fixed order. */
export const sourcesOf = (root: string, folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .sort();

function mutantsOf(root: string, path: string, folder: string): Mutant[] {
  const source = readFileSync(join(root, path), 'utf8');
  const seen = new Map<string, number>();
  return changesOf(path, source)
    .sort((a, b) => a.start - b.start || a.end - b.end || (a.text < b.text ? -1 : 1))
    .map((change) => {
      const lineStart = source.lastIndexOf('\n', change.start - 1) + 1;
      const lineText = source.slice(lineStart, `${source}\n`.indexOf('\n', change.start)).trim();
      const fact = [path, change.operator, change.text, lineText].join('\n');
      const nth = seen.get(fact) ?? 0;
      seen.set(fact, nth + 1);
      return {
        ...change,
        id: hashOf(`${fact}\n${nth}`).slice(0, 12),
        folder,
        path,
        line: source.slice(0, change.start).split('\n').length,
        original: source.slice(change.start, change.end),
      };
    });
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
