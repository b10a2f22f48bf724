/** Chooses the folder for the data of tests: in memory if that has enough space, because a commit to a disk takes milliseconds. */
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Minimum free space of a folder in memory, in bytes: more than all test processes together need. */
const minSpace = 1_000_000_000;

/** The folder in which tests create their data folders: /dev/shm on most Linux systems, otherwise the folder for temporary files. */
export const dataRoot = hasSpace('/dev/shm') ? '/dev/shm' : tmpdir();

function hasSpace(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return process.platform === 'linux' && bavail * bsize > minSpace;
  } catch {
    return false;
  }
}
