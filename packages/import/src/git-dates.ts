/** Reads the day of the last change of each file from the git history that the source folder is in. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Settings that keep git from running programs that the folder's own configuration may name. */
const settings = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'log.showSignature=false',
  'core.quotePath=false',
];

/**
 * Returns the day of each file's last commit, as `YYYY-MM-DD`, by its path relative to `directory`; a file that was never committed
 * has none. If git fails, this does not throw: `reason` says why in a clause such as `git log failed`. `env` is the environment of
 * git.
 */
export async function readGitDates(
  directory: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ dates: ReadonlyMap<string, string> } | { reason: string }> {
  const runGit = async (...words: string[]): Promise<string> => {
    const options = {
      cwd: directory,
      env: { ...env, GIT_OPTIONAL_LOCKS: '0' },
      maxBuffer: 512 * 2 ** 20,
      timeout: 120_000,
    };
    return (await run('git', [...settings.flatMap((setting) => ['-c', setting]), ...words], options)).stdout;
  };
  const shallow = await runGit('rev-parse', '--is-shallow-repository').catch(({ code }: NodeJS.ErrnoException) => ({
    reason: code === 'ENOENT' ? 'git is not installed' : 'the folder is in no git repository',
  }));
  if (typeof shallow !== 'string') return shallow;
  if (shallow.trim() === 'true') return { reason: 'the clone is shallow: git fetch --unshallow brings its history' };
  const words = ['log', '-z', '--no-renames', '--relative', '--name-only', '--format=@@%cs', '--', '.'];
  const history = await runGit(...words).catch(() => null);
  if (history === null) return { reason: 'git log failed' };
  const dates = new Map<string, string>();
  let day = '';
  for (const part of history.split('\0')) {
    const [, found] = /^@@(\d{4}-\d{2}-\d{2})$/.exec(part) ?? [];
    const path = part.replace(/^\n/, '');
    if (found !== undefined) day = found;
    else if (path !== '' && !dates.has(path)) dates.set(path, day);
  }
  return { dates };
}
