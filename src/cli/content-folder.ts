/** Finds and loads the content folder of a command: its argument, CONTENT_DIR, or the current folder. */
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Argument, Option } from 'commander';
import type { Config, Environment } from '../config/environment.ts';
import type { Content } from '../content/content.ts';
import { loadContent } from '../content/load.ts';
import { ContentError } from '../content/source.ts';
import { type Invocation, UsageError } from './command.ts';

/** The argument of commands that need a content folder. */
export const folderArgument = new Argument(
  '[DIR]',
  'The content folder; by default CONTENT_DIR, or else the current folder.',
);

/** The option of commands that serve. */
export const portOption = new Option('--port <NUMBER>', 'The port to listen on, instead of PORT; 0 picks a free one.');

/** Returns the absolute path of the folder that `findContentFolder` finds. Throws UsageError if it finds none. */
export function requireContentFolder(invocation: Invocation, config: Config): string {
  const folder = findContentFolder(invocation, config);
  if (folder !== null) return folder;
  throw new UsageError(
    'This is not a content folder (it has no product.yaml). Name one, or create one with: colophon init my-app',
  );
}

/**
 * Returns the absolute path of the argument, of CONTENT_DIR, or of the current folder if it has a product.yaml, in this order; null
 * means the example product. Throws UsageError for an argument that is not a folder; CONTENT_DIR is not checked.
 */
export function findContentFolder({ argument, directory }: Invocation, config: Config): string | null {
  if (argument !== null) {
    const folder = resolve(directory, argument);
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder;
    throw new UsageError(`There is no folder \`${argument}\`. Make one with: colophon init ${argument}`);
  }
  if (config.contentDir !== null) return config.contentDir;
  return existsSync(join(directory, 'product.yaml')) ? directory : null;
}

/**
 * Returns the environment with the argument and --port, as they were given, in place of CONTENT_DIR and PORT; what was not given
 * replaces nothing. Throws UsageError for an empty --port.
 */
export function applyOptions({ argument, value, env }: Invocation): Environment {
  const port = value('port');
  return { ...env, ...(argument !== null && { CONTENT_DIR: argument }), ...(port !== null && { PORT: port }) };
}

/** Loads the content folder at an absolute path. Rejects with a ContentError that has all of its errors if it is invalid. */
export async function loadValidContent(folder: string): Promise<Content> {
  const loadResult = await loadContent(folder);
  if ('faults' in loadResult) throw new ContentError(loadResult.faults, folder);
  return loadResult.content;
}
