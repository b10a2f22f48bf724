/** Files for this user only, whatever the mode of their folder: the contacts of clients are in them. */
import { chmodSync, closeSync, existsSync, openSync, readSync, statSync, writeSync } from 'node:fs';

const mode = 0o600;

/**
 * Makes the file when it is not there, and closes it to others when it is. Never opens one that is there: closing it again
 * would end the locks that SQLite holds on it in this process (POSIX fcntl).
 */
export function keepPrivate(file: string): void {
  if (existsSync(file)) close(file);
  else createPrivate(file);
}

/** Makes an empty file. Throws when there is one: nothing is overwritten. */
export const createPrivate = (file: string): void => closeSync(openSync(file, 'wx', mode));

/** Makes existing files unreadable to others; SQLite creates those next to a database with the database's mode. */
export function closeToOthers(files: readonly string[]): void {
  for (const file of files) if (existsSync(file)) close(file);
}

/** A copy that nobody else can read at any moment, in place of what was there. */
export function copyPrivately(from: string, to: string): void {
  const source = openSync(from, 'r');
  const target = openSync(to, 'w', mode);
  try {
    close(to);
    const piece = Buffer.allocUnsafe(1 << 20);
    for (let read = readSync(source, piece); read > 0; read = readSync(source, piece)) {
      for (let written = 0; written < read; ) written += writeSync(target, piece, written, read - written);
    }
  } finally {
    closeSync(target);
    closeSync(source);
  }
}

/** A file of another user, in a folder that several share, stays as it is. */
function close(file: string): void {
  const { uid: owner, mode: found } = statSync(file);
  const uid = process.getuid?.();
  if ((uid === owner || uid === 0) && (found & 0o777) !== mode) chmodSync(file, mode);
}
