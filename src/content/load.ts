/** Reads and validates a whole content folder: all of it or, when anything is wrong, every fault at once. */
import { resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { sha256Hex } from '../base/hash.ts';
import { valueAt } from '../base/value-path.ts';
import { slugIn } from '../markdown/links.ts';
import { duplicateIds, feedFaults, feedPath, homeFaults, idsOf, pictureFaults, unknownPermissions } from './checks.ts';
import type { Content, Fault, Page } from './content.ts';
import { compare, fileFault, sortFaults } from './fault.ts';
import { createFileCache, type FileCache, type FileReadings, readFiles } from './files.ts';
import { type Folder, isSameListing, listFolder } from './folder.ts';
import { type KeywordTargets, keywordFaults } from './keywords.ts';
import { createLinkCheck, type LinkCheck } from './links.ts';
import { folderNavigation, navigationFaults, slugsOf } from './navigation.ts';
import type { NavigationEntry } from './navigation-schema.ts';
import type { WrittenPage } from './pages.ts';
import { createRedirection, type PlacedRedirect, redirectFaults } from './redirects.ts';
import { redirectsSchema } from './redirects-schema.ts';
import { type YamlContent, type YamlFile, type YamlName, yamlFiles, yamlNames } from './schemas.ts';
import { isSitePath } from './site-paths.ts';
import { createSuggestions } from './suggestions.ts';
import { readHere, type TextReader } from './text-reader.ts';
import { validate } from './validation.ts';
import type { YamlDocument } from './yaml.ts';
import { placeOf, readTextsOf, readYamlFiles, textsOf, type YamlFilesRead } from './yaml-files.ts';

type Loaded = { readonly content: Content } | { readonly faults: Fault[] };

/** How often a folder is read that changes meanwhile. */
const mostReadings = 20;

/**
 * Loads the folder, or says everything that is wrong with it, sorted by file, line and column. It does not throw.
 * `cache` carries what was read from one load of a folder to the next. A folder that is replaced while it is read is
 * read again, so that what is given is all of one or all of the other.
 */
export async function loadContent(
  directory: string,
  cache: FileCache = createFileCache(),
  reader: TextReader = readHere,
): Promise<Loaded> {
  try {
    for (let readings = 0; readings < mostReadings; readings += 1) {
      const folder = await listFolder(directory, reader.disk);
      const loaded = await loadListed(directory, folder, cache, reader);
      if (isSameListing(folder, await listFolder(directory, reader.disk))) return loaded;
    }
  } finally {
    reader.close();
  }
  const message = `the files changed each of ${mostReadings} times that they were read: build the folder next to this one and rename it.`;
  return { faults: [fileFault('.', message)] };
}

async function loadListed(directory: string, folder: Folder, cache: FileCache, reader: TextReader): Promise<Loaded> {
  if (!folder.isReadable) return { faults: sortFaults(folder.faults) };
  const { yaml, files } = await readAll(folder, cache, reader);

  // A server that reloads a large folder keeps responding: each step below takes a turn of the event loop.
  await setImmediate();
  const read = await validateAll(yaml.files);
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
    ...(await feedFaults(yaml.files.product.document, folder)),
  );
  if (files.pages.size === 0)
    faults.push(fileFault('docs', 'there are no pages: write one, such as docs/quickstart.md.'));
  const slugs = new Set(files.pages.keys());
  const faqIds = new Set([...idsOf(yaml.files.faq.document, ['entries'])].map(({ id }) => id));
  await setImmediate();
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
  await setImmediate();
  faults.push(
    ...navigationFaults(yaml.files.navigation.document, slugs, suggest),
    ...redirectFaults(redirects, redirectTargets),
    ...keywordFaults(yaml.files.keywords.document, keywordTargets(yaml.files, files, faqIds), suggest),
    ...(await brokenLinks(files, yaml.files, createLinkCheck(linkTargets, suggest))),
  );
  if (faults.length > 0) return { faults: sortFaults(faults) };

  const yamlContent = read.content();
  const pages = [...files.pages.values()].flatMap(({ page }) => page ?? []);
  await setImmediate();
  const folders = folderNavigation(pages);
  const navigation = yamlContent.navigation ?? folders;
  await setImmediate();
  const revision = revisionOf(new Map([...yaml.digests, ...files.digests]));
  await setImmediate();
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
async function readAll(folder: Folder, cache: FileCache, reader: TextReader) {
  const yaml = await readYamlFiles(folder, cache.yaml, reader);
  const feed = feedPath(valueAt(yaml.files.product.document.value, ['feed', 'source']));
  return { yaml, files: await readFiles(folder, feed, cache, reader) };
}

/** Every YAML file held against its schema; `content` is for when there is no fault. */
async function validateAll(files: YamlFilesRead) {
  const faults: Fault[] = [];
  const contents: [YamlName, () => unknown][] = [];
  for (const name of yamlNames) {
    const { schema, read } = yamlFiles[name] as YamlFile;
    const validated = validate(schema, files[name].document, 'the file');
    faults.push(...validated.faults);
    contents.push([name, () => read(validated.value ?? {}, readTextsOf(files[name]))]);
    await setImmediate();
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

/** Goes through every link once; a server that reloads a large folder keeps responding meanwhile. */
async function brokenLinks(files: FileReadings, yaml: YamlFilesRead, check: LinkCheck): Promise<Fault[]> {
  const faults: Fault[] = [];
  let checked = 0;
  const pause = async (links: number): Promise<void> => {
    checked += links + 1;
    if (checked <= 5000) return;
    checked = 0;
    await setImmediate();
  };
  for (const { file, links, anchors } of files.pages.values()) {
    for (const link of links) faults.push(...check(link, file, anchors));
    await pause(links.length);
  }
  for (const { links, anchors } of files.releaseLinks) {
    for (const link of links) faults.push(...check(link, null, anchors));
    await pause(links.length);
  }
  for (const { document, text } of textsOf(yaml)) {
    for (const link of text.links) {
      const found = check({ file: document.file, ...link }, null, text.anchors);
      faults.push(...found.map((fault) => ({ ...fault, ...placeOf(document, text, link) })));
    }
    await pause(text.links.length);
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
