/** Reads and validates a whole content folder: all of it or, when anything is wrong, every fault at once. */
import { resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { sha256Hex } from '../base/hash.ts';
import { duplicateIds, feedFaults, feedPath, logoFaults, unknownPermissions } from './checks.ts';
import type { Content, Fault, Page } from './content.ts';
import { compare, fileFault, sortFaults } from './fault.ts';
import { type FileReadings, type PageCache, readFiles, readYamlFiles } from './files.ts';
import { listFolder } from './folder.ts';
import { createLinkCheck, type LinkCheck } from './links.ts';
import { type YamlContent, type YamlFile, type YamlName, yamlFiles, yamlNames } from './schemas.ts';
import { createSuggestions } from './suggestions.ts';
import { validate, valueAt } from './validation.ts';
import type { YamlDocument } from './yaml.ts';
import { placeOf, plainTextsOf, readTexts, type YamlTexts } from './yaml-texts.ts';

/**
 * Loads the folder, or says everything that is wrong with it, sorted by file, line and column. It does not throw.
 * `cache` carries parsed pages from one load of a folder to the next.
 */
export async function loadContent(
  directory: string,
  cache: PageCache = new Map(),
): Promise<{ content: Content } | { faults: Fault[] }> {
  const folder = await listFolder(directory);
  if (!folder.isReadable) return { faults: sortFaults(folder.faults) };
  const yaml = await readYamlFiles(folder);
  const files = await readFiles(folder, feedPath(valueAt(yaml.documents.product.value, ['feed', 'source'])), cache);

  const { documents } = yaml;
  const read = validateAll(documents);
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
    faults.push(fileFault('docs', 'there is no page: write one, such as docs/quickstart.md.'));
  const texts = readTexts(documents);
  const linkTargets = { pages: files.pages, assets: new Set(files.assets.keys()) };
  faults.push(...(await brokenLinks(files, texts, createLinkCheck(linkTargets, suggest))));
  if (faults.length > 0) return { faults: sortFaults(faults) };

  const content: Content = {
    revision: revisionOf(new Map([...yaml.digests, ...files.digests])),
    directory: resolve(directory),
    ...read.content(texts),
    pages: [...files.pages.values()]
      .flatMap(({ page }) => page ?? [])
      .sort((a: Page, b: Page) => a.order - b.order || compare(a.slug, b.slug)),
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

/** Goes through every link once; a server that reloads a large folder goes on answering meanwhile. */
async function brokenLinks(files: FileReadings, texts: YamlTexts, check: LinkCheck): Promise<Fault[]> {
  const faults: Fault[] = [];
  let checked = 0;
  for (const { slug, links, anchors } of [...files.pages.values()].sort((a, b) => compare(a.slug, b.slug))) {
    for (const link of links) faults.push(...check(link, slug, anchors));
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
