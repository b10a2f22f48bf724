/** Makes files readable for this user only, whatever the mode of their folder, because they contain the contacts of clients. */
import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';

const mode = 0o600;

/**
 * Creates the file with mode 0600, or gives an existing one that mode if this user may: one of another user stays as it is. Never
 * opens an existing file: closing it again would release the locks that SQLite has on it in this process (POSIX fcntl).
 */
export function keepPrivate(file: string): void {
  if (existsSync(file)) makePrivate(file);
  else createPrivate(file);
}

/** Creates an empty file that only this user can read and write. Throws if the file exists. */
export const createPrivate = (file: string): void => closeSync(openSync(file, 'wx', mode));

/** Makes the files that exist private; SQLite creates those next to a database with the database's mode. */
export function makeAllPrivate(files: readonly string[]): void {
  for (const file of files) if (existsSync(file)) makePrivate(file);
}

/** Gives a file mode 0600 if this user may: one of another user, in a shared folder, stays as it is. Throws if there is no such file. */
function makePrivate(file: string): void {
  const { uid: owner, mode: fileMode } = statSync(file);
  const uid = process.getuid?.();
  if ((uid === owner || uid === 0) && (fileMode & 0o777) !== mode) chmodSync(file, mode);
}
