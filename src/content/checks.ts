/** Checks across the files of a content folder, on raw values, so that a fault in one file hides none in another. */
import { isLoopback } from '../base/loopback.ts';
import { findNearMisses, writeDidYouMean } from '../base/near-miss.ts';
import { formatPath, getValue, type Path } from '../base/value-path.ts';
import type { Asset } from './content.ts';
import type { Fault, Suggest } from './fault.ts';
import { type Folder, limits, resolveInside } from './folder.ts';
import type { Documents } from './schemas.ts';
import { locateSource } from './source-location.ts';
import { findIds, listIds, listPaths, type YamlDocument } from './yaml.ts';

/** Returns a fault for each id that an earlier entry has; `list` is a top-level key of the file, such as `plans`. */
export function findDuplicateIds(document: YamlDocument, list: string): Fault[] {
  const first = new Map<string, Path>();
  return findIds(document, list).flatMap(({ id, path }) => {
    const earlier = first.get(id);
    first.set(id, earlier ?? path);
    if (earlier === undefined) return [];
    return [document.faultAt(path, `the id \`${id}\` is already used on line ${document.at(earlier).line}.`)];
  });
}

/** Returns the faults of the logos and of pictures of the front page that are no image in `assets`, which has those of docs/ too. */
export function findMissingPictures(product: YamlDocument, assets: ReadonlyMap<string, Asset>): Fault[] {
  const images = [...assets.values()].filter(({ mediaType }) => mediaType.startsWith('image/')).map(({ path }) => path);
  const pictures = [['home', 'picture'], ...listPaths(product, ['home', 'features'])];
  const paths = [
    ['look', 'logo'],
    ['look', 'logo_dark'],
    ...pictures.flatMap((picture) => ['image', 'dark'].map((key) => [...picture, key])),
  ];
  return paths.flatMap((path) => {
    const image = getValue(product.value, path);
    if (typeof image !== 'string' || images.includes(image.trim())) return [];
    const hint = writeDidYouMean(findNearMisses(image, images));
    return [
      product.faultAt(path, `\`${formatPath(path)}\` must be an image in assets/; there is no \`${image}\`.${hint}`),
    ];
  });
}

/**
 * Returns the faults of ids that the file they refer to does not have: the permission of a feature, and the features and the
 * privacy question of the front page. There is none if that file has no list of entries.
 */
export function findUnknownReferences({ product, faq, features, requirements }: Documents, suggest: Suggest): Fault[] {
  const check = (from: YamlDocument, path: Path, to: YamlDocument, list: string, noun = ''): Fault[] => {
    const id = getValue(from.value, path);
    const ids = listIds(to, list);
    if (typeof id !== 'string' || ids.has(id) || !Array.isArray(getValue(to.value, [list]))) return [];
    return [from.faultAt(path, `${to.file} has no ${noun}\`${id}\`.${writeDidYouMean(suggest(id, ids))}`)];
  };
  return [
    ...check(product, ['home', 'privacy'], faq, 'entries'),
    ...listPaths(product, ['home', 'features']).flatMap((entry) =>
      check(product, [...entry, 'feature'], features, 'features'),
    ),
    ...listPaths(features, ['features']).flatMap((entry) =>
      check(features, [...entry, 'permission'], requirements, 'permissions', 'permission '),
    ),
  ];
}

/** Returns the path of each source in product.yaml: those of the list below `feed`, or only `feed` if it is no list, empty or missing. */
function listSourcePaths(product: YamlDocument): Path[] {
  const list = listPaths(product, ['feed']);
  return list.length > 0 ? list : [['feed']];
}

/** Returns the value of `source` in each source of product.yaml, of whatever type it is; undefined for a source without one. */
export const listSourceValues = (product: YamlDocument): unknown[] =>
  listSourcePaths(product).map((path) => getValue(product.value, [...path, 'source']));

/**
 * Returns the faults of the sources: none at all, a source that is neither a secure URL, a file in the folder nor a repository, one
 * that is there twice, and a signature that is `required` without a key.
 *
 * @param hasReleases whether the folder has releases of its own, so that it needs no source
 */
export function findFeedFaults(product: YamlDocument, folder: Folder, hasReleases: boolean): Fault[] {
  const { value } = product;
  if (getValue(value, ['feed']) === undefined && !hasReleases && typeof value === 'object' && value !== null) {
    const message =
      '`feed` is missing: name the application’s own update feed or its GitHub repository, or write releases/1.0.0.md with `date` and `downloads`.';
    return [product.faultAt([], message)];
  }
  const values = listSourceValues(product);
  return listSourcePaths(product).flatMap((path, index) => {
    const faults: Fault[] = [];
    const report = (key: string, problem: string) =>
      void faults.push(product.faultAt([...path, key], `\`${formatPath([...path, key])}\` ${problem}`));
    const source = getValue(value, [...path, 'source']);
    if (typeof source === 'string' && source.trim() !== '') {
      const problem = findSourceProblem(source.trim(), folder);
      if (problem !== null) report('source', problem);
      else if (values.indexOf(source) < index) report('source', 'is there twice: remove one of them.');
    }
    const keys = getValue(value, [...path, 'public_keys']) ?? [];
    if (getValue(value, [...path, 'signature']) === 'required' && Array.isArray(keys) && keys.length === 0) {
      const key = formatPath([...path, 'public_keys']);
      report('signature', `is \`required\`, but \`${key}\` has no key to check with: add the key, or set \`off\`.`);
    }
    return faults;
  });
}

function findSourceProblem(source: string, folder: Folder): string | null {
  const location = locateSource(source);
  if (location.kind === 'file') return findPathProblem(source, location.path, folder);
  return location.kind === 'github' && !source.includes(':') ? null : findUrlProblem(source);
}

function findUrlProblem(source: string): string | null {
  const url = URL.parse(source);
  if (url === null || url.hostname === '') return `is not a URL: \`${source}\`.`;
  const isLocal = url.protocol === 'http:' && isLoopback(url.hostname);
  return url.protocol === 'https:' || isLocal
    ? null
    : 'must be an https URL, a path in this folder or a GitHub repository; http is allowed only for this machine.';
}

function findPathProblem(source: string, path: string | null, folder: Folder): string | null {
  if (path === null) return `must stay inside the content folder; \`${source}\` leads out of it.`;
  if (!folder.names.includes(path.split('/')[0] ?? '')) {
    return `names a file that does not exist: there is no \`${path}\`.${writeDidYouMean(findNearMisses(path, folder.names))}`;
  }
  const target = resolveInside(folder.root, path);
  if (typeof target === 'string') return `names \`${path}\`: ${target}`;
  if (target.kind === 'folder') return `names the folder \`${path}\`; it must name the feed's file.`;
  return target.stats.size > limits.fileBytes
    ? `names a file of ${target.stats.size} bytes; at most ${limits.fileBytes} are read.`
    : null;
}
