/** Writes files into a content folder, and never over one with other content. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes all files, or none: then `taken` lists those that would be overwritten. A dry run writes none. */
export function placeFiles(
  folder: string,
  files: ReadonlyMap<string, string | Buffer>,
  isDryRun: boolean,
): { readonly written: number } | { readonly taken: readonly string[] } {
  const missing: [string, string | Buffer][] = [];
  const taken: string[] = [];
  for (const [path, content] of files) {
    const place = join(folder, path);
    if (!existsSync(place)) missing.push([place, content]);
    else if (!statSync(place).isFile() || !readFileSync(place).equals(Buffer.from(content))) taken.push(path);
  }
  if (taken.length > 0) return { taken };
  if (isDryRun) return { written: missing.length };
  for (const [place, content] of missing) {
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, content, { flag: 'wx' });
  }
  return { written: missing.length };
}
