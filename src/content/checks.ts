/** Checks across the files of a content folder, on raw values, so that a fault in one file hides none in another. */

import { posix } from 'node:path';
import { isLoopback } from '../base/loopback.ts';
import { didYouMean, nearMisses } from '../base/near-miss.ts';
import { nameOf, type Path, valueAt } from '../base/value-path.ts';
import type { Fault, Suggest } from './fault.ts';
import { type Folder, limits, resolveInside } from './folder.ts';
import type { YamlDocument } from './yaml.ts';

/** Returns the faults of ids that occur twice in a list, each at the second. */
export function duplicateIds(document: YamlDocument, list: Path): Fault[] {
  const first = new Map<string, Path>();
  const faults: Fault[] = [];
  for (const { id, path } of idsOf(document, list)) {
    const earlier = first.get(id);
    if (earlier === undefined) first.set(id, path);
    else {
      const message = `the id \`${id}\` is already used on line ${document.at(earlier).line}.`;
      faults.push({ file: document.file, ...document.at(path), message });
    }
  }
  return faults;
}

/** Returns the faults of the logo and of pictures of the front page that are no images in assets/. */
export function pictureFaults(product: YamlDocument, images: readonly string[]): Fault[] {
  const paths: Path[] = [
    ['look', 'logo'],
    ['home', 'picture', 'image'],
    ['home', 'picture', 'dark'],
    ...indexesOf(product, ['home', 'features']).flatMap((index): Path[] => [
      ['home', 'features', index, 'image'],
      ['home', 'features', index, 'dark'],
    ]),
  ];
  return paths.flatMap((path) => {
    const image = valueAt(product.value, path);
    if (typeof image !== 'string' || images.includes(image.trim())) return [];
    const hint = didYouMean(nearMisses(image, images));
    const message = `\`${nameOf(path)}\` must be an image in assets/; there is no \`${image}\`.${hint}`;
    return [{ file: product.file, ...product.at(path), message }];
  });
}

/** Returns the faults of ids that refer to entries of other files: the permission of a feature, and what the front page shows. */
export function findUnknownReferences(
  documents: Readonly<Record<'product' | 'faq' | 'features' | 'requirements', YamlDocument>>,
  suggest: Suggest,
): Fault[] {
  const { product, faq, features, requirements } = documents;
  const references: readonly { from: YamlDocument; path: Path; to: YamlDocument; list: string; noun: string }[] = [
    { from: product, path: ['home', 'privacy'], to: faq, list: 'entries', noun: '' },
    ...indexesOf(product, ['home', 'features']).map((index) => ({
      ...{ from: product, path: ['home', 'features', index, 'feature'], to: features, list: 'features', noun: '' },
    })),
    ...indexesOf(features, ['features']).map((index) => ({
      ...{ from: features, path: ['features', index, 'permission'], to: requirements, list: 'permissions' },
      noun: 'permission ',
    })),
  ];
  return references.flatMap(({ from, path, to, list, noun }) => {
    const id = valueAt(from.value, path);
    if (typeof id !== 'string' || !Array.isArray(valueAt(to.value, [list]))) return [];
    const ids = new Set([...idsOf(to, [list])].map((entry) => entry.id));
    if (ids.has(id)) return [];
    const message = `${to.file} has no ${noun}\`${id}\`.${didYouMean(suggest(id, ids))}`;
    return [{ file: from.file, ...from.at(path), message }];
  });
}

/** Returns the indexes of the list at a path; none if there is no list. */
function indexesOf({ value }: YamlDocument, path: Path): number[] {
  const list = valueAt(value, path);
  return Array.isArray(list) ? [...list.keys()] : [];
}

/** Returns the normalized path of the feed's file in the folder, or null if the feed is at a URL or the path leads out. */
export function feedPath(source: unknown): string | null {
  if (typeof source !== 'string' || hasScheme(source)) return null;
  const path = posix.normalize(source.trim());
  return path.startsWith('..') || path.startsWith('/') || path === '.' ? null : path;
}

/** Returns the faults of the feed: a source that is neither a secure URL nor a file in the folder, and a signature policy without a key. */
export function feedFaults(product: YamlDocument, folder: Folder): Fault[] {
  const faults: Fault[] = [];
  const say = (key: string, problem: string) => {
    const path = ['feed', key];
    faults.push({ file: product.file, ...product.at(path), message: `\`${nameOf(path)}\` ${problem}` });
  };
  const source = valueAt(product.value, ['feed', 'source']);
  if (typeof source === 'string' && source.trim() !== '') {
    const problem = hasScheme(source) ? urlProblem(source.trim()) : pathProblem(source, folder);
    if (problem !== null) say('source', problem);
  }
  const keys = valueAt(product.value, ['feed', 'public_keys']) ?? [];
  if (valueAt(product.value, ['feed', 'signature']) === 'required' && Array.isArray(keys) && keys.length === 0) {
    say('signature', 'is `required`, but `feed.public_keys` has no key to check with: add the key, or set `off`.');
  }
  return faults;
}

const hasScheme = (source: string): boolean => /^\s*[a-z][a-z0-9+.-]*:/i.test(source);

function urlProblem(source: string): string | null {
  const url = URL.parse(source);
  if (url === null || url.hostname === '') return `is not a URL: \`${source}\`.`;
  const isLocal = url.protocol === 'http:' && isLoopback(url.hostname);
  return url.protocol === 'https:' || isLocal
    ? null
    : `must be an https URL or a path in this folder; http is allowed only for this machine.`;
}

function pathProblem(source: string, folder: Folder): string | null {
  const path = feedPath(source);
  if (path === null) return `must stay inside the content folder; \`${source}\` leads out of it.`;
  if (!folder.names.includes(path.split('/')[0] ?? '')) {
    return `names a file that does not exist: there is no \`${path}\`.${didYouMean(nearMisses(path, folder.names))}`;
  }
  const target = resolveInside(folder.root, path);
  if (typeof target === 'string') return `names \`${path}\`: ${target}`;
  if (target.isFolder) return `names the folder \`${path}\`; it must name the feed's file.`;
  return target.stats.size > limits.fileBytes
    ? `names a file of ${target.stats.size} bytes; at most ${limits.fileBytes} are read.`
    : null;
}

/** Yields the ids of a list, each with its path. */
export function* idsOf(document: YamlDocument, list: Path): Generator<{ id: string; path: Path }> {
  const items = valueAt(document.value, list);
  if (!Array.isArray(items)) return;
  for (let index = 0; index < items.length; index += 1) {
    const path = [...list, index, 'id'];
    const id = valueAt(document.value, path);
    if (typeof id === 'string') yield { id, path };
  }
}
