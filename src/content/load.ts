/** Reads and validates a whole content folder: all of it or, when anything is wrong, every fault at once. */
import { resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { sha256Hex } from '../base/hash.ts';
import { type Link, parseMarkdown } from '../markdown/markdown.ts';
import { oneLine } from '../markdown/one-line.ts';
import { duplicateIds, feedFaults, feedPath, logoFaults, unknownPermissions } from './checks.ts';
import type { Content, Fault, Page } from './content.ts';
import { compare, fileFault, sortFaults } from './fault.ts';
import { type FileReadings, type PageCache, readFiles, readYamlFiles } from './files.ts';
import { listFolder } from './folder.ts';
import { createLinkCheck, type LinkCheck } from './links.ts';
import { faqSchema, featuresSchema, pricingSchema, productSchema, requirementsSchema } from './schemas.ts';
import { createSuggestions } from './suggestions.ts';
import type { Position } from './text.ts';
import { validate, valueAt } from './validation.ts';
import type { Path, YamlDocument } from './yaml.ts';

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
  const files = await readFiles(folder, feedPath(valueAt(yaml.product.value, ['feed', 'source'])), cache);

  const product = validate(productSchema, yaml.product, 'the file');
  const faq = validate(faqSchema, yaml.faq, 'the file');
  const pricing = validate(pricingSchema, yaml.pricing, 'the file');
  const features = validate(featuresSchema, yaml.features, 'the file');
  const requirements = validate(requirementsSchema, yaml.requirements, 'the file');
  const faults = [product, faq, pricing, features, requirements, files, folder].flatMap((part) => [...part.faults]);

  const suggest = createSuggestions();
  const images = [...files.assets.values()].filter(({ mediaType }) => mediaType.startsWith('image/'));
  faults.push(
    ...duplicateIds(yaml.faq, ['entries']),
    ...duplicateIds(yaml.pricing, ['plans']),
    ...duplicateIds(yaml.pricing, ['backends']),
    ...duplicateIds(yaml.features, ['features']),
    ...duplicateIds(yaml.requirements, ['permissions']),
    ...unknownPermissions(yaml.features, yaml.requirements, suggest),
    ...logoFaults(
      yaml.product,
      images.map(({ path }) => path),
    ),
    ...(await feedFaults(yaml.product, folder)),
  );
  if (files.pages.size === 0)
    faults.push(fileFault('docs', 'there is no page: write one, such as docs/quickstart.md.'));
  const answers = readAnswers(yaml.faq);
  const linkTargets = { pages: files.pages, assets: new Set(files.assets.keys()) };
  faults.push(...(await brokenLinks(files, yaml.faq, answers, createLinkCheck(linkTargets, suggest))));

  if (
    faults.length > 0 ||
    product.value === null ||
    faq.value === null ||
    pricing.value === null ||
    features.value === null ||
    requirements.value === null
  ) {
    return { faults: sortFaults(faults) };
  }
  const content: Content = {
    revision: revisionOf(new Map([...yaml.digests, ...files.digests])),
    directory: resolve(directory),
    product: product.value,
    pages: [...files.pages.values()]
      .flatMap(({ page }) => page ?? [])
      .sort((a: Page, b: Page) => a.order - b.order || compare(a.slug, b.slug)),
    faq: faq.value.entries.map((entry, index) => ({ ...entry, text: answers.get(index)?.plain ?? '' })),
    pricing: pricing.value,
    features: features.value.features,
    requirements: requirements.value,
    releaseNotes: sortedMap(files.releaseNotes),
    prompts: files.prompts.sort((a, b) => compare(a.name, b.name)),
    assets: sortedMap(files.assets),
  };
  return { content };
}

interface Answer {
  readonly text: string;
  readonly plain: string;
  readonly anchors: ReadonlySet<string>;
  readonly links: readonly Link[];
}

/** The answers of faq.yaml that are text, by their place in the list. */
function readAnswers(faq: YamlDocument): Map<number, Answer> {
  const answers = new Map<number, Answer>();
  const entries = valueAt(faq.value, ['entries']);
  if (!Array.isArray(entries)) return answers;
  entries.forEach((entry, index) => {
    const answer = valueAt(entry, ['answer']);
    if (typeof answer !== 'string') return;
    const text = answer.trim();
    // The schema refuses what is half as long.
    if (text.length > 8000) return;
    const { sections, headings, links } = parseMarkdown(text);
    const plain = oneLine(sections.map((section) => section.text).join('\n'));
    answers.set(index, { text, plain, links, anchors: new Set(headings.map(({ anchor }) => anchor)) });
  });
  return answers;
}

/** Goes through every link once; a server that reloads a large folder goes on answering meanwhile. */
async function brokenLinks(
  files: FileReadings,
  faq: YamlDocument,
  answers: ReadonlyMap<number, Answer>,
  check: LinkCheck,
): Promise<Fault[]> {
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
  for (const [index, answer] of answers) {
    for (const link of answer.links) {
      const found = check({ file: faq.file, ...link }, null, answer.anchors);
      faults.push(
        ...found.map((fault) => ({ ...fault, ...placeInYaml(faq, ['entries', index, 'answer'], answer.text, link) })),
      );
    }
  }
  return faults;
}

/** Where a link of a YAML text stands in the file: its address is written there as it is, however the text is folded. */
function placeInYaml(document: YamlDocument, path: Path, text: string, { href, line, column }: Link): Position {
  if (href === '') return document.at(path);
  const before = text
    .split('\n')
    .slice(0, line - 1)
    .map((part) => `${part}\n`)
    .join('');
  const occurrence = text.slice(0, before.length + column - 1).split(href).length - 1;
  return document.atText(path, href, occurrence);
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
