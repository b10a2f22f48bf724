/** Reads and validates a whole content folder: all of it or, when anything is wrong, every fault at once. */
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { sha256Hex } from '../base/hash.ts';
import {
  findDuplicateIds,
  findFeedFaults,
  findMissingPictures,
  findUnknownReferences,
  listSourceValues,
} from './checks.ts';
import type { Content, Page } from './content.ts';
import { compare, createFileFault, createSuggestions, type Fault, sortFaults } from './fault.ts';
import { type ParsedFiles, readFiles } from './files.ts';
import { type Folder, listFolder, readText } from './folder.ts';
import { findUnknownPlaces } from './keywords.ts';
import { findBrokenLinks } from './links.ts';
import { createFolderNavigation, findNavigationFaults, listSlugs } from './navigation.ts';
import { createRedirectLookup, findRedirectFaults, type PlacedRedirect, placeRedirects } from './redirects.ts';
import { type Documents, type YamlContent, type YamlFile, type YamlName, yamlFiles, yamlNames } from './schemas.ts';
import { hasPath } from './site-paths.ts';
import { listSourceFiles } from './source-location.ts';
import { validate } from './validation.ts';
import { completeWords } from './words.ts';
import { listIds, readYaml, type YamlDocument } from './yaml.ts';

/** The content of a valid folder, or the faults of an invalid one. */
export type Loaded = { readonly content: Content } | { readonly faults: Fault[] };

/** How often a folder is read that changes while it is read. */
const maxAttempts = 20;

/**
 * Loads the folder, or returns all its faults, sorted by file, line and column. A folder that changes while it is read is read
 * again, so that the result is all of one state; after 20 such attempts, a fault says so. Does not throw.
 *
 * @param onFile is called with the path of each YAML and Markdown file before it is read
 */
export function loadContent(directory: string, onFile: (path: string) => void = () => {}): Loaded {
  for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
    const folder = listFolder(directory);
    const loadResult = loadListed(directory, folder, onFile);
    if (isDeepStrictEqual(folder.files, listFolder(directory).files)) return loadResult;
  }
  const message = `the files changed each of ${maxAttempts} times that they were read: build the folder next to this one and rename it.`;
  return { faults: [createFileFault('.', message)] };
}

function loadListed(directory: string, folder: Folder, onFile: (path: string) => void): Loaded {
  if (!folder.isReadable) return { faults: sortFaults(folder.faults) };
  const digests = new Map<string, string>();
  const documents = readYamlFiles(folder, digests, onFile);
  // A source of releases may be a file anywhere in the folder; `readFiles` skips it, because it is no content.
  const feedFiles = listSourceFiles(listSourceValues(documents.product));
  const files = readFiles(folder, feedFiles, digests, onFile);
  const redirects = [
    ...placeRedirects(documents.redirects),
    ...[...files.pages.values()].flatMap(({ aliases }) => aliases),
  ];
  const yaml = validateYamlFiles(documents);
  const crossFaults = checkFolder(folder, documents, files, redirects);
  const faults = sortFaults([...folder.faults, ...files.faults, ...yaml.faults, ...crossFaults]);
  if (faults.length > 0) return { faults };
  const values = yaml.buildContent();
  const words = completeWords(documents.words.value, values.product.language);
  const parts = { ...values, words, revision: hashFiles(digests), directory: resolve(directory) };
  return { content: buildContent(parts, files, redirects) };
}

/**
 * Reads every YAML file, and adds its SHA-256 (hex) to `digests`. The document of one that cannot be read, or is missing although
 * every folder has it, has null as its value and the reason as its fault; that of any other missing one has the value for an
 * absent file.
 */
function readYamlFiles(folder: Folder, digests: Map<string, string>, onFile: (path: string) => void): Documents {
  const read = (name: YamlName): YamlDocument => {
    const path = `${name}.yaml`;
    const file = folder.files.find((other) => other.path === path);
    if (file === undefined) {
      const faults = folder.faults.filter((fault) => fault.file === path);
      return { ...readYaml(path, ''), value: faults.length === 0 ? yamlFiles[name].absent : null, faults };
    }
    onFile(path);
    const text = readText(file, digests);
    return 'fault' in text ? { ...readYaml(path, ''), value: null, faults: [text.fault] } : readYaml(path, text.text);
  };
  return Object.fromEntries(yamlNames.map((name) => [name, read(name)])) as Record<YamlName, YamlDocument>;
}

/** Validates every YAML file on its own. `buildContent` converts the values, and may only be called if there are no faults. */
function validateYamlFiles(documents: Documents): { faults: Fault[]; buildContent(): YamlContent } {
  const files = yamlNames.map((name) => {
    const { schema, ids = [], read } = yamlFiles[name] as YamlFile;
    const { value, faults } = validate(schema, documents[name], 'the file');
    const duplicates = ids.flatMap((list) => findDuplicateIds(documents[name], list));
    return { name, faults: [...faults, ...duplicates], build: () => read(value ?? {}) };
  });
  return {
    faults: files.flatMap(({ faults }) => faults),
    buildContent: () => Object.fromEntries(files.map(({ name, build }) => [name, build()])) as YamlContent,
  };
}

/**
 * Returns the faults between files: no page at all, unknown ids, missing pictures, wrong sources of releases, and links, redirects,
 * menu entries, keywords and facts that lead nowhere.
 */
function checkFolder(
  folder: Folder,
  documents: Documents,
  files: ParsedFiles,
  redirects: readonly PlacedRedirect[],
): Fault[] {
  const { product, faq, navigation } = documents;
  const { pages, assets } = files;
  const suggest = createSuggestions();
  const targets = { pages, assets, faqIds: listIds(faq, 'entries') };
  const findTarget = createRedirectLookup(redirects, (path) => hasPath(targets, path));
  return [
    ...(pages.size === 0
      ? [createFileFault('docs', 'there are no pages: write one, such as docs/quickstart.md.')]
      : []),
    ...findUnknownReferences(documents, suggest),
    ...findMissingPictures(product, assets),
    ...findFeedFaults(product, folder, files.releases.length > 0),
    ...findNavigationFaults(navigation, pages, suggest),
    ...findRedirectFaults(redirects, findTarget, targets),
    ...findUnknownPlaces(documents, targets, suggest),
    ...findBrokenLinks(targets, files, documents, findTarget, suggest),
  ];
}

function buildContent(
  parts: YamlContent & Pick<Content, 'revision' | 'directory'>,
  files: ParsedFiles,
  redirects: readonly PlacedRedirect[],
): Content {
  const unorderedPages = [...files.pages.values()].flatMap(({ page }) => page ?? []);
  const folders = createFolderNavigation(unorderedPages);
  const navigation = parts.navigation ?? folders;
  // Pages that navigation.yaml leaves out come after its own, in the order of their folders.
  const slugs = [...new Set([...listSlugs(navigation), ...listSlugs(folders)])];
  const bySlug = new Map(unorderedPages.map((page) => [page.slug, page]));
  const pages = slugs.flatMap((slug) => bySlug.get(slug) ?? []);
  return {
    ...parts,
    pages: pages.map((page, index): Page => ({ ...page, order: index + 1 })),
    navigation,
    redirects: redirects.map(({ from, to }) => ({ from, to })),
    releaseNotes: sortMap(files.releaseNotes),
    releases: files.releases,
    prompts: files.prompts.sort((a, b) => compare(a.name, b.name)),
    assets: sortMap(files.assets),
  };
}

/**
 * Returns the revision: a SHA-256 (hex) over paths and bytes only, so that the same folder has the same revision everywhere and at
 * any time.
 */
const hashFiles = (digests: ReadonlyMap<string, string>): string =>
  sha256Hex([...sortMap(digests)].map((entry) => `${JSON.stringify(entry)}\n`).join(''));

const sortMap = <T>(map: ReadonlyMap<string, T>): Map<string, T> => new Map([...map].sort(([a], [b]) => compare(a, b)));
