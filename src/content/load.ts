/** Reads and validates a whole content folder: all of it or, when anything is wrong, every fault at once. */
import { resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { sha256Hex } from '../base/hash.ts';
import { valueAt } from '../base/value-path.ts';
import { duplicateIds, feedFaults, feedPath, idsOf, logoFaults, unknownPermissions } from './checks.ts';
import type { Content, Fault, Page } from './content.ts';
import { compare, fileFault, sortFaults } from './fault.ts';
import { type FileReadings, type MarkdownCache, readFiles, readYamlFiles } from './files.ts';
import { listFolder } from './folder.ts';
import { createLinkCheck, type LinkCheck } from './links.ts';
import { type MarkdownReader, readHere } from './markdown-reader.ts';
import { folderNavigation, navigationFaults, slugsOf } from './navigation.ts';
import type { NavigationEntry } from './navigation-schema.ts';
import type { WrittenPage } from './pages.ts';
import { createRedirection, type PlacedRedirect, redirectFaults } from './redirects.ts';
import { redirectsSchema } from './redirects-schema.ts';
import { type YamlContent, type YamlFile, type YamlName, yamlFiles, yamlNames } from './schemas.ts';
import { isSitePath } from './site-paths.ts';
import { slugIn } from './slugs.ts';
import { createSuggestions } from './suggestions.ts';
import { validate } from './validation.ts';
import type { YamlDocument } from './yaml.ts';
import { placeOf, plainTextsOf, readTexts, type YamlTexts } from './yaml-texts.ts';

/**
 * Loads the folder, or says everything that is wrong with it, sorted by file, line and column. It does not throw.
 * `cache` carries what was read from one load of a folder to the next.
 */
export async function loadContent(
  directory: string,
  cache: MarkdownCache = new Map(),
  reader: MarkdownReader = readHere,
): Promise<{ content: Content } | { faults: Fault[] }> {
  const folder = await listFolder(directory);
  if (!folder.isReadable) return { faults: sortFaults(folder.faults) };
  const yaml = await readYamlFiles(folder);
  const files = await readFiles(
    folder,
    feedPath(valueAt(yaml.documents.product.value, ['feed', 'source'])),
    cache,
    reader,
  );

  // A server that reloads a large folder goes on responding: each step below takes a turn of the event loop.
  await setImmediate();
  const { documents } = yaml;
  const read = validateAll(documents);
  await setImmediate();
  const faults = [...read.faults, ...files.faults, ...folder.faults];

  const suggest = createSuggestions();
  const images = [...files.assets.values()].filter(({ mediaType }) => mediaType.startsWith('image/'));
  faults.push(
    ...yamlNames.flatMap((name) => yamlFiles[name].ids.flatMap((list) => duplicateIds(documents[name], [list]))),
    ...unknownPermissions(documents.features, documents.requirements, suggest),
    ...logoFaults(
      documents.product,
      images.map(({ path }) => path),
    ),
    ...(await feedFaults(documents.product, folder)),
  );
  if (files.pages.size === 0)
    faults.push(fileFault('docs', 'there are no pages: write one, such as docs/quickstart.md.'));
  const texts = readTexts(documents);
  const slugs = new Set(files.pages.keys());
  const faqIds = new Set([...idsOf(documents.faq, ['entries'])].map(({ id }) => id));
  const redirects = [
    ...placedRedirects(documents.redirects),
    ...[...files.pages.values()].flatMap((page) => page.aliases),
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
    ...navigationFaults(documents.navigation, slugs, suggest),
    ...redirectFaults(redirects, redirectTargets),
    ...(await brokenLinks(files, texts, createLinkCheck(linkTargets, suggest))),
  );
  if (faults.length > 0) return { faults: sortFaults(faults) };

  const yamlContent = read.content(texts);
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

/** Every YAML file held against its schema; `content` is for when there is no fault. */
function validateAll(documents: Readonly<Record<YamlName, YamlDocument>>) {
  const checked = yamlNames.map((name) => {
    const { schema, read } = yamlFiles[name] as YamlFile;
    const { value, faults } = validate(schema, documents[name], 'the file');
    return { name, faults, read: (texts: YamlTexts) => read(value ?? {}, plainTextsOf(texts, name)) };
  });
  return {
    faults: checked.flatMap(({ faults }) => [...faults]),
    content: (texts: YamlTexts) =>
      Object.fromEntries(checked.map(({ name, read }) => [name, read(texts)])) as YamlContent,
  };
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

/** The rules of redirects.yaml that can be read, with their places. */
function placedRedirects(document: YamlDocument): PlacedRedirect[] {
  const rules = redirectsSchema.safeParse(document.value);
  if (!rules.success) return [];
  return rules.data.redirects.map(({ from, to }, index) => ({
    from,
    to,
    file: document.file,
    ...document.at(['redirects', index]),
  }));
}

/** Goes through every link once; a server that reloads a large folder goes on answering meanwhile. */
async function brokenLinks(files: FileReadings, texts: YamlTexts, check: LinkCheck): Promise<Fault[]> {
  const faults: Fault[] = [];
  let checked = 0;
  for (const { file, links, anchors } of files.pages.values()) {
    for (const link of links) faults.push(...check(link, file, anchors));
    checked += links.length + 1;
    if (checked > 5000) {
      checked = 0;
      await setImmediate();
    }
  }
  for (const { links, anchors } of files.releaseLinks) {
    for (const link of links) faults.push(...check(link, null, anchors));
  }
  for (const text of texts.values()) {
    for (const link of text.links) {
      const found = check({ file: text.document.file, ...link }, null, text.anchors);
      faults.push(...found.map((fault) => ({ ...fault, ...placeOf(text, link) })));
    }
  }
  return faults;
}

/** Over paths and bytes alone: the same folder has the same revision on every machine and at any time. */
const revisionOf = (digests: ReadonlyMap<string, string>): string =>
  sha256Hex(
    [...digests]
      .sort(([a], [b]) => compare(a, b))
      .map((entry) => `${JSON.stringify(entry)}\n`)
      .join(''),
  );

const sortedMap = <T>(map: ReadonlyMap<string, T>): Map<string, T> =>
  new Map([...map].sort(([a], [b]) => compare(a, b)));
