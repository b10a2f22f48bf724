/** Checks across the files of a content folder, on raw values, so that a fault in one file hides none in another. */

import { posix } from 'node:path';
import { isLoopback } from '../base/loopback.ts';
import { didYouMean, nearMisses } from '../base/near-miss.ts';
import { nameOf, type Path, valueAt } from '../base/value-path.ts';
import type { Fault } from './fault.ts';
import { type Folder, limits, resolveInside } from './folder.ts';
import type { Suggest } from './suggestions.ts';
import type { YamlDocument } from './yaml.ts';

/** `id`s that a list has twice, at the second. */
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

/** Permissions that features.yaml names and requirements.yaml does not have. */
export function unknownPermissions(features: YamlDocument, requirements: YamlDocument, suggest: Suggest): Fault[] {
  if (!Array.isArray(valueAt(requirements.value, ['permissions']))) return [];
  const known = new Set([...idsOf(requirements, ['permissions'])].map(({ id }) => id));
  const list = valueAt(features.value, ['features']);
  if (!Array.isArray(list)) return [];
  return list.flatMap((_, index) => {
    const path = ['features', index, 'permission'];
    const permission = valueAt(features.value, path);
    if (typeof permission !== 'string' || known.has(permission)) return [];
    const hint = didYouMean(suggest(permission, known));
    const message = `requirements.yaml has no permission \`${permission}\`.${hint}`;
    return [{ file: features.file, ...features.at(path), message }];
  });
}

/** The logo and the pictures of the front page that are no images in assets/. */
export function pictureFaults(product: YamlDocument, images: readonly string[]): Fault[] {
  const features = valueAt(product.value, ['home', 'features']);
  const paths: Path[] = [
    ['look', 'logo'],
    ['home', 'picture', 'image'],
    ['home', 'picture', 'dark'],
    ...(Array.isArray(features) ? features : []).flatMap((_, index): Path[] => [
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

/** Entries of other files that the front page shows, and that are not there. */
export function homeFaults(
  product: YamlDocument,
  faq: YamlDocument,
  features: YamlDocument,
  suggest: Suggest,
): Fault[] {
  const pictures = valueAt(product.value, ['home', 'features']);
  const references = [
    { path: ['home', 'privacy'], document: faq, list: 'entries' },
    ...(Array.isArray(pictures) ? pictures : []).map((_, index) => ({
      path: ['home', 'features', index, 'feature'],
      document: features,
      list: 'features',
    })),
  ];
  return references.flatMap(({ path, document, list }) => {
    const id = valueAt(product.value, path);
    if (typeof id !== 'string' || !Array.isArray(valueAt(document.value, [list]))) return [];
    const known = new Set([...idsOf(document, [list])].map((entry) => entry.id));
    if (known.has(id)) return [];
    const message = `${document.file} has no \`${id}\`.${didYouMean(suggest(id, known))}`;
    return [{ file: product.file, ...product.at(path), message }];
  });
}

/** The feed's own file below the folder, or null when the feed is at a URL or the path leads out. Spelled one way. */
export function feedPath(source: unknown): string | null {
  if (typeof source !== 'string' || hasScheme(source)) return null;
  const path = posix.normalize(source.trim());
  return path.startsWith('..') || path.startsWith('/') || path === '.' ? null : path;
}

/** A feed source that is neither a URL that can be trusted nor a file in the folder, and a policy without a key. */
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
  const found = resolveInside(folder.root, path);
  if (typeof found === 'string') return `names \`${path}\`: ${found}`;
  if (found.isFolder) return `names the folder \`${path}\`; it must name the feed's file.`;
  return found.stats.size > limits.fileBytes
    ? `names a file of ${found.stats.size} bytes; at most ${limits.fileBytes} are read.`
    : null;
}

export function* idsOf(document: YamlDocument, list: Path): Generator<{ id: string; path: Path }> {
  const items = valueAt(document.value, list);
  if (!Array.isArray(items)) return;
  for (let index = 0; index < items.length; index += 1) {
    const path = [...list, index, 'id'];
    const id = valueAt(document.value, path);
    if (typeof id === 'string') yield { id, path };
  }
}
