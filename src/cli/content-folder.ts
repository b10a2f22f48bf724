/** Which content folder a command is about: its argument, CONTENT_DIR, or the folder that one stands in. */
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '../config/environment.ts';
import { type Invocation, UsageError } from './command.ts';

/** Absolute. Throws UsageError when there is none. */
export function contentFolder(invocation: Invocation, config: Config): string {
  const folder = servedFolder(invocation, config);
  if (folder !== null) return folder;
  throw new UsageError(
    'This is not a content folder (it has no product.yaml). Name one, or create one with: colophon init my-app',
  );
}

/** The same for what serves: null is the example that ships with Colophon. Throws UsageError for an argument that is not a folder. */
export function servedFolder({ argument, directory }: Invocation, config: Config): string | null {
  if (argument !== null) {
    const folder = resolve(directory, argument);
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
      throw new UsageError(`There is no folder \`${argument}\`. Make one with: colophon init ${argument}`);
    return folder;
  }
  if (config.contentDir !== null) return config.contentDir;
  return existsSync(join(directory, 'product.yaml')) ? directory : null;
}

/** The environment with what the command's own words set instead. */
export function withOptions({ argument, value, env }: Invocation): Readonly<Record<string, string | undefined>> {
  const port = value('port');
  return { ...env, ...(argument !== null && { CONTENT_DIR: argument }), ...(port !== null && { PORT: port }) };
}
