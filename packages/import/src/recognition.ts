/** Every system that can be imported, and which of them a folder belongs to. */
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

export interface Recognized {
  readonly system: System;
  /** Below the folder that was named; empty for itself. */
  readonly folder: string;
  /** Below `folder`. */
  readonly configuration: string;
}

/** How far below the folder a configuration is looked for. */
const maxDepth = 4;

/**
 * Returns those nearest to the folder, in the order of their paths: several if only the caller can choose. A folder without any
 * configuration is read as plain Markdown.
 */
export function recognize(directory: string, only: SystemName | null): Recognized[] {
  const candidates = systems.filter(({ name }) => only === null || name === only);
  let folders = [''];
  for (let depth = 0; depth <= maxDepth && folders.length > 0; depth += 1) {
    const found = folders.flatMap((folder) => recognizedIn(directory, folder, candidates));
    if (found.length > 0) return found;
    folders = folders.flatMap((folder) => foldersIn(join(directory, folder)).map((name) => posix.join(folder, name)));
  }
  return only === null || only === 'markdown' ? [{ system: markdown, folder: '', configuration: '.' }] : [];
}

function recognizedIn(directory: string, folder: string, candidates: readonly System[]): Recognized[] {
  const names = configurationNames(join(directory, folder));
  return candidates.flatMap((system) => {
    const configuration = names.find((name) =>
      system.isConfiguration(name, () => readFileSync(join(directory, folder, name), 'utf8')),
    );
    return configuration === undefined ? [] : [{ system, folder, configuration }];
  });
}

/** The folder’s own files, and those of the folders that some systems keep their configuration in. */
function configurationNames(directory: string): string[] {
  const own = namesIn(directory, 'file');
  const inner = ['.vitepress', '.vitepress/config', 'config/_default'].flatMap((folder) =>
    namesIn(join(directory, folder), 'file').map((name) => `${folder}/${name}`),
  );
  return [...own, ...inner].sort(compare);
}

const foldersIn = (directory: string): string[] =>
  namesIn(directory, 'folder').filter(
    (name) => !/^\.|^(?:node_modules|vendor|dist|build|_site|fixtures|tests?|examples?)$/.test(name),
  );

function namesIn(directory: string, kind: 'file' | 'folder'): string[] {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    const chosen = entries.filter((entry) => (kind === 'file' ? entry.isFile() : entry.isDirectory()));
    return chosen.map(({ name }) => name).sort(compare);
  } catch {
    return [];
  }
}
