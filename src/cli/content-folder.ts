/** Which content folder a command is about: its argument, CONTENT_DIR, or the folder that one stands in. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '../config/environment.ts';
import { type Invocation, UsageError } from './command.ts';

/** Absolute. Throws UsageError when there is none. */
export function contentFolder({ argument, directory }: Invocation, config: Config): string {
  if (argument !== null) return resolve(directory, argument);
  if (config.contentDir !== null) return config.contentDir;
  if (existsSync(join(directory, 'product.yaml'))) return directory;
  throw new UsageError(
    'This is no content folder (it has no product.yaml). Name one, or make one with: colophon init my-app',
  );
}

/** The environment with what the command's own words set instead. */
export function withOptions({ argument, value, env }: Invocation): Readonly<Record<string, string | undefined>> {
  const port = value('port');
  return { ...env, ...(argument !== null && { CONTENT_DIR: argument }), ...(port !== null && { PORT: port }) };
}
