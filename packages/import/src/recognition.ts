/** Lists the systems that can be imported, and recognizes which of them a folder was written for. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { compare } from 'colophon/authoring';
import type { System, SystemName } from './site.ts';
import { docusaurus } from './systems/docusaurus.ts';
import { hugo } from './systems/hugo.ts';
import { jekyll } from './systems/jekyll.ts';
import { markdown } from './systems/markdown.ts';
import { mintlify } from './systems/mintlify.ts';
import { mkdocs } from './systems/mkdocs.ts';
import { starlight } from './systems/starlight.ts';
import { vitepress } from './systems/vitepress.ts';

const systems: readonly System[] = [mintlify, docusaurus, vitepress, starlight, mkdocs, hugo, jekyll, markdown];

/** A system that a folder was written for. */
export interface Recognized {
  readonly system: System;
  /** Path of the folder with the configuration, relative to the one that was named; empty for that one itself. */
  readonly folder: string;
  /** Path of the configuration, relative to `folder`, or `.` if there is none. */
  readonly configuration: string;
}

/** Maximum depth below the folder at which a configuration is looked for. */
const maxDepth = 4;

/**
 * Returns the systems whose configurations are nearest to the folder, sorted by their folders and then as in `systems`: several if
 * only the caller can choose. Without a configuration down to four levels below it the folder is plain Markdown, even if it does
 * not exist. With `only`, the one system to look for, all others are ignored, and the result is empty if nothing is found and it is
 * not plain Markdown.
 */
export function recognize(directory: string, only: SystemName | null): Recognized[] {
  const candidates = systems.filter(({ name }) => only === null || name === only);
  let folders = [''];
  for (let depth = 0; depth <= maxDepth && folders.length > 0; depth += 1) {
    const matches = folders.flatMap((folder) => recognizeIn(directory, folder, candidates));
    if (matches.length > 0) return matches;
    folders = folders.flatMap((folder) => listFolders(join(directory, folder)).map((name) => posix.join(folder, name)));
  }
  return only === null || only === 'markdown' ? [{ system: markdown, folder: '', configuration: '.' }] : [];
}

function recognizeIn(directory: string, folder: string, candidates: readonly System[]): Recognized[] {
  const names = listConfigurationFiles(join(directory, folder));
  return candidates.flatMap((system) => {
    const configuration = names.find((name) =>
      system.isConfiguration(name, () => readFileSync(join(directory, folder, name), 'utf8')),
    );
    return configuration === undefined ? [] : [{ system, folder, configuration }];
  });
}

/**
 * Returns the sorted paths, relative to a folder, of its files and of those in the subfolders that may contain a configuration; an
 * empty array if the folder cannot be read.
 */
function listConfigurationFiles(directory: string): string[] {
  const direct = listNames(directory, 'file');
  const inner = ['.vitepress', '.vitepress/config', 'config/_default'].flatMap((folder) =>
    listNames(join(directory, folder), 'file').map((name) => `${folder}/${name}`),
  );
  return [...direct, ...inner].sort(compare);
}

const listFolders = (directory: string): string[] =>
  listNames(directory, 'folder').filter(
    (name) => !/^\.|^(?:node_modules|vendor|dist|build|_site|fixtures|tests?|examples?)$/.test(name),
  );

function listNames(directory: string, kind: 'file' | 'folder'): string[] {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    const matchingEntries = entries.filter((entry) => (kind === 'file' ? entry.isFile() : entry.isDirectory()));
    return matchingEntries.map(({ name }) => name).sort(compare);
  } catch {
    return [];
  }
}
