/** Writes files so that they are complete on disk, with their name, before anything depends on them. */
import { open } from 'node:fs/promises';

/** Creates a file that only its owner may read, and resolves when its bytes are on disk. Rejects with `EEXIST` if it exists. */
export async function createDurableFile(path: string, bytes: Buffer | string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Writes the entries of a folder to disk, so that a file created or renamed in it is there after a crash. Resolves too if the folder
 * cannot be opened or written: Windows cannot open one, so there the file system's journal has to do.
 */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r').catch(() => null);
  if (directory === null) return;
  try {
    await directory.sync();
  } catch {
    // Some file systems refuse to sync a folder; the bytes of the file are on disk already.
  } finally {
    await directory.close();
  }
}
