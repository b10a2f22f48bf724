/** Imports the documentation of another system: recognizes the system, reads the folder, and converts it. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { ImportedFolder, Importer, ImportRequest } from 'colophon/authoring';
import { readGitDates } from './git-dates.ts';
import { listOtherMarkup } from './other-markup.ts';
import { type Recognized, recognize } from './recognition.ts';
import { createReport } from './report.ts';
import { systemNames } from './site.ts';
import { importSite } from './site-import.ts';
import { ChoiceFault, createSource } from './source.ts';
import { FileFault, readTree, type SourceTree } from './tree.ts';

/** The importer of all systems of this package. It refuses a folder with a fault, and rejects if files cannot be listed or read. */
export const importer: Importer = { systemNames, importFolder };

type Refusal = { readonly refused: string };

async function importFolder(request: ImportRequest): Promise<ImportedFolder | Refusal> {
  const { name, path } = request;
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    return { refused: `There is no folder \`${name}\`.` };
  const only = systemNames.find((system) => system === request.system) ?? null;
  if (only === null && request.system !== null)
    return { refused: `--from must be one of ${systemNames.join(', ')}; you sent ${request.system}.` };
  const candidates = recognize(path, only);
  const [candidate] = candidates;
  if (candidate === undefined || candidates.length > 1) return { refused: explainChoice(candidates, name, only) };
  try {
    return await convertFolder(candidate, request);
  } catch (error) {
    if (error instanceof ChoiceFault) return { refused: error.message };
    if (!(error instanceof SyntaxError)) throw error;
    const prefix = error instanceof FileFault ? '' : `${candidate.configuration} cannot be read: `;
    return { refused: `${prefix}${error.message}` };
  }
}

async function convertFolder(candidate: Recognized, request: ImportRequest): Promise<ImportedFolder | Refusal> {
  const { system, folder, configuration } = candidate;
  const source = join(request.path, folder);
  const report = createReport();
  const tree = readTree(source);
  const { language, version, env, fetchImage } = request;
  const reader = createSource({ tree, configuration, language, version, report });
  const settings = system.read(reader);
  reader.refuseOtherChoices();
  const site = { ...settings, system: system.name, configuration };
  if (site.pages.length === 0) return { refused: explainNoPages(tree, request.name, configuration) };
  const history = await readGitDates(source, env);
  if ('reason' in history) report.add(configuration, 1, `pages have no dates from git: ${history.reason}.`);
  const dates = 'dates' in history ? history.dates : new Map<string, string>();
  return { ...(await importSite({ tree, site, report, dates, fetchImage })), source };
}

function explainNoPages(tree: SourceTree, name: string, configuration: string): string {
  const [other] = listOtherMarkup(tree);
  if (other !== undefined) {
    const isOne = other.files.length === 1;
    return (
      `\`${name}\` has ${isOne ? '1 file' : `${other.files.length} files`} of ${other.name}, which cannot be imported: ` +
      `convert ${isOne ? 'it' : 'them'} to Markdown first, for example with ${other.converter}.`
    );
  }
  return configuration === '.'
    ? `\`${name}\` has no Markdown and no configuration of another system: name the folder that holds the documentation.`
    : `${configuration} is there, but there is no page to import.`;
}

/**
 * Returns a sentence that says why none or several systems are possible, and what the caller can do. `name` is the folder as the
 * caller wrote it, and `only` is the system that was asked for, or null.
 */
function explainChoice(candidates: readonly Recognized[], name: string, only: string | null): string {
  if (candidates.length === 0)
    return `\`${name}\` has no configuration of ${only}: name the folder that holds it, or leave \`--from\` out.`;
  const places = candidates.map((one) => `${one.system.name} (${join(one.folder, one.configuration)})`);
  const isOneSystem = new Set(candidates.map(({ system }) => system.name)).size === 1;
  const remedy = isOneSystem ? 'name the folder' : 'choose one with `colophon import --from`, or name its folder';
  return `\`${name}\` could be ${places.join(' or ')}: ${remedy}.`;
}
