/** Reads and validates a whole content folder: all of it or, when anything is wrong, every fault at once. */
import { resolve } from 'node:path';
import { sha256Hex } from '../base/hash.ts';
import { valueAt } from '../base/value-path.ts';
import { slugIn } from '../markdown/links.ts';
import { duplicateIds, feedFaults, feedPath, findUnknownReferences, idsOf, pictureFaults } from './checks.ts';
import type { Content, Page } from './content.ts';
import { compare, createSuggestions, type Fault, fileFault, sortFaults } from './fault.ts';
import { type FileReadings, readFiles } from './files.ts';
import { type Folder, isSameListing, listFolder } from './folder.ts';
import { keywordFaults } from './keywords.ts';
import { findBrokenLinks } from './links.ts';
import { folderNavigation, type NavigationEntry, navigationFaults, slugsOf } from './navigation.ts';
import type { WrittenPage } from './pages.ts';
import { createRedirection, type PlacedRedirect, placeRedirects, redirectFaults } from './redirects.ts';
import { type YamlContent, type YamlFile, type YamlName, yamlFiles, yamlNames } from './schemas.ts';
import { isSitePath } from './site-paths.ts';
import { validate } from './validation.ts';
import type { YamlDocument } from './yaml.ts';
import { readYamlFiles, textsOf, type YamlFilesRead } from './yaml-files.ts';

/** A valid folder, or what is wrong with it. */
export type Loaded = { readonly content: Content } | { readonly faults: Fault[] };

/** How often a folder is read that changes while it is read. */
const maxAttempts = 20;

/**
 * Loads the folder, or returns all its faults, sorted by file, line and column. A folder that is replaced while it is read is read
 * again, so that the result is all of one or all of the other. Does not throw.
 *
 * @param onFile is called with the path of each file before it is parsed
 */
export function loadContent(directory: string, onFile: (path: string) => void = () => {}): Loaded {
  for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
    const folder = listFolder(directory);
    const loaded = loadListed(directory, folder, onFile);
    if (isSameListing(folder, listFolder(directory))) return loaded;
  }
  const message = `the files changed each of ${maxAttempts} times that they were read: build the folder next to this one and rename it.`;
  return { faults: [fileFault('.', message)] };
}

function loadListed(directory: string, folder: Folder, onFile: (path: string) => void): Loaded {
  if (!folder.isReadable) return { faults: sortFaults(folder.faults) };
  const parsed = parseFolder(folder, onFile);
  const faults = [...folder.faults, ...parsed.faults, ...checkFolder(folder, parsed)];
  return faults.length > 0 ? { faults: sortFaults(faults) } : { content: buildContent(directory, parsed) };
}

/** Every file of a folder on its own: read, parsed and held against its schema. */
interface ParsedFolder {
  readonly yaml: YamlFilesRead;
  readonly files: FileReadings;
  /** SHA-256 (hex) of each file's bytes, by path. */
  readonly digests: ReadonlyMap<string, string>;
  /** Redirects of redirects.yaml and from the aliases of pages. */
  readonly redirects: readonly PlacedRedirect[];
  readonly faults: readonly Fault[];
  /** Converts the values of the YAML files; only for a folder without faults. */
  buildYamlContent(): YamlContent;
}

function parseFolder(folder: Folder, onFile: (path: string) => void): ParsedFolder {
  const yaml = readYamlFiles(folder, onFile);
  // The feed's own file may be anywhere in the folder, and is none of its contents.
  const feed = feedPath(valueAt(yaml.files.product.document.value, ['feed', 'source']));
  const files = readFiles(folder, feed, onFile);
  const faults = [...files.faults];
  const builders: [YamlName, () => unknown][] = [];
  for (const name of yamlNames) {
    const { schema, ids = [], read } = yamlFiles[name] as YamlFile;
    const { document, texts } = yaml.files[name];
    const validated = validate(schema, document, 'the file');
    faults.push(...validated.faults, ...ids.flatMap((list) => duplicateIds(document, [list])));
    builders.push([name, () => read(validated.value ?? {}, texts)]);
  }
  return {
    yaml: yaml.files,
    files,
    digests: new Map([...yaml.digests, ...files.digests]),
    redirects: [
      ...placeRedirects(yaml.files.redirects.document),
      ...[...files.pages.values()].flatMap(({ aliases }) => aliases),
    ],
    faults,
    buildYamlContent: () => Object.fromEntries(builders.map(([name, build]) => [name, build()])) as YamlContent,
  };
}

/** Checks what files say of each other. */
function checkFolder(folder: Folder, { yaml, files, redirects }: ParsedFolder): Fault[] {
  const suggest = createSuggestions();
  const documents = Object.fromEntries(yamlNames.map((name) => [name, yaml[name].document])) as Documents;
  const idsIn = (name: YamlName, list: string) => new Set([...idsOf(documents[name], [list])].map(({ id }) => id));
  const { pages } = files;
  const assets = new Set(files.assets.keys());
  const images = [...files.assets.values()].flatMap(({ path, mediaType }) =>
    mediaType.startsWith('image/') ? path : [],
  );
  const slugs = new Set(pages.keys());
  const faqIds = idsIn('faq', 'entries');
  const redirection = createRedirection(redirects, (path) => isSitePath(path, faqIds) || slugs.has(slugIn(path) ?? ''));
  const isRedirected = (path: string) => redirection.targetOf(path) !== null;
  const keywordTargets = {
    pages,
    questions: faqIds,
    plans: idsIn('pricing', 'plans'),
    features: idsIn('features', 'features'),
    permissions: idsIn('requirements', 'permissions'),
  };
  return [
    ...(pages.size === 0 ? [fileFault('docs', 'there are no pages: write one, such as docs/quickstart.md.')] : []),
    ...findUnknownReferences(documents, suggest),
    ...pictureFaults(documents.product, images),
    ...feedFaults(documents.product, folder),
    ...navigationFaults(documents.navigation, slugs, suggest),
    ...redirectFaults(redirects, { slugs, assets, faqIds, anchorsOf: (slug) => pages.get(slug)?.anchors ?? null }),
    ...keywordFaults(documents.keywords, keywordTargets, suggest),
    ...findBrokenLinks({ pages, assets, faqIds, isRedirected }, files.releaseLinks, textsOf(yaml), suggest),
  ];
}

type Documents = Readonly<Record<YamlName, YamlDocument>>;

function buildContent(directory: string, { files, digests, redirects, buildYamlContent }: ParsedFolder): Content {
  const yamlContent = buildYamlContent();
  const pages = [...files.pages.values()].flatMap(({ page }) => page ?? []);
  const folders = folderNavigation(pages);
  const navigation = yamlContent.navigation ?? folders;
  return {
    revision: hashFiles(digests),
    directory: resolve(directory),
    ...yamlContent,
    pages: inReadingOrder(pages, navigation, folders),
    navigation,
    redirects: redirects.map(({ from, to }) => ({ from, to })),
    releaseNotes: sortedMap(files.releaseNotes),
    prompts: files.prompts.sort((a, b) => compare(a.name, b.name)),
    assets: sortedMap(files.assets),
  };
}

/** Returns the pages that the navigation lists, then the others as their folders would have them, each with its order. */
function inReadingOrder(
  pages: readonly WrittenPage[],
  navigation: readonly NavigationEntry[],
  folders: readonly NavigationEntry[],
): Page[] {
  const bySlug = new Map(pages.map((page) => [page.slug, page]));
  const inOrder = new Set([...slugsOf(navigation), ...slugsOf(folders)]);
  return [...inOrder].flatMap((slug) => bySlug.get(slug) ?? []).map((page, index) => ({ ...page, order: index + 1 }));
}

/** Returns the revision: a hash over paths and bytes only, so that the same folder has the same revision everywhere and at any time. */
const hashFiles = (digests: ReadonlyMap<string, string>): string =>
  sha256Hex(
    [...digests]
      .sort(([a], [b]) => compare(a, b))
      .map((entry) => `${JSON.stringify(entry)}\n`)
      .join(''),
  );

const sortedMap = <T>(map: ReadonlyMap<string, T>): Map<string, T> =>
  new Map([...map].sort(([a], [b]) => compare(a, b)));
