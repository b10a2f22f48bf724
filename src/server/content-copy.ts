/** Copies the last valid content to the data folder, from which a server starts while its content folder is invalid. */
import { constants, copyFileSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { listFolder } from '../content/folder.ts';
import type { Task } from '../worker/task.ts';

/** A content folder, the paths of the feeds that are files in it, relative to it, and the folder for the copy. */
interface CopyInput {
  readonly source: string;
  readonly feeds: readonly string[];
  readonly target: string;
}

/** The task that copies a content folder and its feeds, in place of an earlier copy. The budget is for all files together. */
export const copyTask: Task<CopyInput, void> = { name: 'copy', worker: 'content', budgetMs: 60_000 };

/**
 * Runs `copyTask`: copies the files that `listFolder` lists, and the feeds. The target is replaced once the copy is complete, and
 * left as it is if the folder changed meanwhile: the server, which watches it, then loads it again and copies it if it is valid.
 * Throws the file system's error.
 */
export function copyContent({ source, feeds, target }: CopyInput): void {
  const next = `${target}.next`;
  const { files } = listFolder(source);
  rmSync(next, { recursive: true, force: true });
  for (const path of [...files.map((file) => file.path), ...feeds]) {
    const copy = join(next, path);
    mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
    // The copy shares its bytes with the original on file systems that can do so.
    copyFileSync(join(source, path), copy, constants.COPYFILE_FICLONE);
  }
  if (!isDeepStrictEqual(listFolder(source).files, files)) return;
  rmSync(target, { recursive: true, force: true });
  renameSync(next, target);
}
