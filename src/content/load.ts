/** Reads and validates a whole content folder: all of it or, when anything is wrong, every fault at once. */
import { resolve } from 'node:path';
import { sha256Hex } from '../base/hash.ts';
import { valueAt } from '../base/value-path.ts';
import { slugIn } from '../markdown/links.ts';
import { duplicateIds, feedFaults, feedPath, homeFaults, idsOf, pictureFaults, unknownPermissions } from './checks.ts';
import type { Content, Page } from './content.ts';
import type { Fault } from './fault.ts';
import { compare, fileFault, sortFaults } from './fault.ts';
import { type FileReadings, readFiles } from './files.ts';
import { type Folder, isSameListing, listFolder } from './folder.ts';
import { type KeywordTargets, keywordFaults } from './keywords.ts';
import { createLinkCheck, type LinkCheck } from './links.ts';
import type { NavigationEntry } from './navigation.ts';
import { folderNavigation, navigationFaults, slugsOf } from './navigation.ts';
import type { WrittenPage } from './pages.ts';
import { createRedirection, type PlacedRedirect, redirectFaults, redirectsSchema } from './redirects.ts';
import { type YamlContent, type YamlFile, type YamlName, yamlFiles, yamlNames } from './schemas.ts';
import { isSitePath } from './site-paths.ts';
import { createSuggestions } from './suggestions.ts';
import { validate } from './validation.ts';
import type { YamlDocument } from './yaml.ts';
import { placeOf, readTextsOf, readYamlFiles, textsOf, type YamlFilesRead } from './yaml-files.ts';

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
  const { yaml, files } = readAll(folder, onFile);
  const read = validateAll(yaml.files);
  const faults = [...read.faults, ...files.faults, ...folder.faults];

  const suggest = createSuggestions();
  const images = [...files.assets.values()].filter(({ mediaType }) => mediaType.startsWith('image/'));
  faults.push(
    ...yamlNames.flatMap((name) =>
      yamlFiles[name].ids.flatMap((list) => duplicateIds(yaml.files[name].document, [list])),
    ),
    ...unknownPermissions(yaml.files.features.document, yaml.files.requirements.document, suggest),
    ...homeFaults(yaml.files.product.document, yaml.files.faq.document, yaml.files.features.document, suggest),
    ...pictureFaults(
      yaml.files.product.document,
      images.map(({ path }) => path),
    ),
    ...feedFaults(yaml.files.product.document, folder),
  );
  if (files.pages.size === 0)
    faults.push(fileFault('docs', 'there are no pages: write one, such as docs/quickstart.md.'));
  const slugs = new Set(files.pages.keys());
  const faqIds = new Set([...idsOf(yaml.files.faq.document, ['entries'])].map(({ id }) => id));
  const redirects = [
    ...placedRedirects(yaml.files.redirects.document),
    ...[...files.pages.values()].flatMap(({ file, aliases }) =>
      aliases.map(({ from, to, line, column }) => ({ from, to, file, position: () => ({ line, column }) })),
    ),
  ];
  const redirectTargets = {
    slugs,
    assets: new Set(files.assets.keys()),
    faqIds,
    anchorsOf: (slug: string) => files.pages.get(slug)?.anchors ?? null,
  };
  const redirection = createRedirection(redirects, (path) => isSitePath(path, faqIds) || slugs.has(slugIn(path) ?? ''));
  const linkTargets = {
    pages: files.pages,
    assets: redirectTargets.assets,
    faqIds,
    redirected: (path: string) => redirection.targetOf(path) !== null,
  };
  faults.push(
    ...navigationFaults(yaml.files.navigation.document, slugs, suggest),
    ...redirectFaults(redirects, redirectTargets),
    ...keywordFaults(yaml.files.keywords.document, keywordTargets(yaml.files, files, faqIds), suggest),
    ...brokenLinks(files, yaml.files, createLinkCheck(linkTargets, suggest)),
  );
  if (faults.length > 0) return { faults: sortFaults(faults) };

  const yamlContent = read.content();
  const pages = [...files.pages.values()].flatMap(({ page }) => page ?? []);
  const folders = folderNavigation(pages);
  const navigation = yamlContent.navigation ?? folders;
  const revision = revisionOf(new Map([...yaml.digests, ...files.digests]));
  const content: Content = {
    revision,
    directory: resolve(directory),
    ...yamlContent,
    pages: inReadingOrder(pages, navigation, folders),
    navigation,
    redirects: redirects.map(({ from, to }) => ({ from, to })),
    releaseNotes: sortedMap(files.releaseNotes),
    prompts: files.prompts.sort((a, b) => compare(a.name, b.name)),
    assets: sortedMap(files.assets),
  };
  return { content };
}

/** Every file: the YAML files first, since one of them names the feed. */
function readAll(folder: Folder, onFile: (path: string) => void) {
  const yaml = readYamlFiles(folder, onFile);
  const feed = feedPath(valueAt(yaml.files.product.document.value, ['feed', 'source']));
  return { yaml, files: readFiles(folder, feed, onFile) };
}

/** Every YAML file held against its schema; `content` is for when there is no fault. */
function validateAll(files: YamlFilesRead) {
  const faults: Fault[] = [];
  const contents: [YamlName, () => unknown][] = [];
  for (const name of yamlNames) {
    const { schema, read } = yamlFiles[name] as YamlFile;
    const validated = validate(schema, files[name].document, 'the file');
    faults.push(...validated.faults);
    contents.push([name, () => read(validated.value ?? {}, readTextsOf(files[name]))]);
  }
  return { faults, content: () => Object.fromEntries(contents.map(([name, read]) => [name, read()])) as YamlContent };
}

/** The pages that the navigation lists, then the others as their folders would have them, each with its place. */
function inReadingOrder(
  pages: readonly WrittenPage[],
  navigation: readonly NavigationEntry[],
  folders: readonly NavigationEntry[],
): Page[] {
  const bySlug = new Map(pages.map((page) => [page.slug, page]));
  const inOrder = new Set([...slugsOf(navigation), ...slugsOf(folders)]);
  return [...inOrder].flatMap((slug) => bySlug.get(slug) ?? []).map((page, index) => ({ ...page, order: index + 1 }));
}

function keywordTargets(yaml: YamlFilesRead, { pages }: FileReadings, questions: ReadonlySet<string>): KeywordTargets {
  const ids = (name: YamlName, list: string) => idsOf(yaml[name].document, [list]).map(({ id }) => id);
  return {
    pages,
    questions,
    plans: ids('pricing', 'plans'),
    features: ids('features', 'features'),
    permissions: ids('requirements', 'permissions'),
  };
}

/** The rules of redirects.yaml that can be read, with their places. */
function placedRedirects(document: YamlDocument): PlacedRedirect[] {
  const rules = redirectsSchema.safeParse(document.value);
  if (!rules.success) return [];
  return rules.data.redirects.map(({ from, to }, index) => ({
    from,
    to,
    file: document.file,
    position: () => document.at(['redirects', index]),
  }));
}

function brokenLinks(files: FileReadings, yaml: YamlFilesRead, check: LinkCheck): Fault[] {
  const faults: Fault[] = [];
  for (const { file, links, anchors } of files.pages.values())
    for (const link of links) faults.push(...check(link, file, anchors));
  for (const { links, anchors } of files.releaseLinks)
    for (const link of links) faults.push(...check(link, null, anchors));
  for (const { document, text } of textsOf(yaml)) {
    for (const link of text.links) {
      const broken = check({ file: document.file, ...link }, null, text.anchors);
      faults.push(...broken.map((fault) => ({ ...fault, ...placeOf(document, text, link) })));
    }
  }
  return faults;
}

/** Only over paths and bytes: the same folder has the same revision on every machine and at any time. */
const revisionOf = (digests: ReadonlyMap<string, string>): string =>
  sha256Hex(
    [...digests]
      .sort(([a], [b]) => compare(a, b))
      .map((entry) => `${JSON.stringify(entry)}\n`)
      .join(''),
  );

const sortedMap = <T>(map: ReadonlyMap<string, T>): Map<string, T> =>
  new Map([...map].sort(([a], [b]) => compare(a, b)));
