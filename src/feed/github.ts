/** Reads the releases of a GitHub repository, as its API lists them, into the files of releases. */
import { z } from 'zod';
import { compareVersions } from '../base/semver.ts';
import { FeedFault } from './fault.ts';
import { describeFile, getLastSegment } from './file-names.ts';
import type { ItemOptions, ParsedItem, ParsedItems, SourceHints } from './parse-item.ts';
import { parsePublicationDate } from './publication-date.ts';
import type { FeedWarning } from './release.ts';
import { createFile, createItems, readNotes, readVersion } from './source-file.ts';
import { readSize, resolveWebAddress } from './web-address.ts';

const asset = z.object({
  name: z.string(),
  state: z.string().default('uploaded'),
  size: z.number().nullish().catch(null),
  digest: z.string().nullish().catch(null),
  browser_download_url: z.string(),
});

/** The fields of a release that are used (https://docs.github.com/rest/releases/releases). */
const release = z.object({
  tag_name: z.string().max(255),
  name: z.string().nullish().catch(null),
  body: z.string().nullish().catch(null),
  draft: z.boolean().default(false),
  prerelease: z.boolean().default(false),
  published_at: z.string().nullish().catch(null),
  html_url: z.string().nullish().catch(null),
  assets: z.array(asset.nullable().catch(null)),
});

/**
 * A published release with the assets that are complete, none of which is null. Its other nullable members are undefined if the API
 * leaves them out, and null if they are null or malformed there.
 */
export type GithubRelease = z.output<typeof release>;

/**
 * Returns the published releases of parsed JSON, a list or a single one, reduced to what is used: what changes with each download,
 * such as its count, is left out. An entry that is no release is left out too, so that any other JSON gives an empty list.
 */
export function readGithubReleases(value: unknown): GithubRelease[] {
  return [value].flat().flatMap((entry) => {
    const result = release.safeParse(entry);
    if (!result.success || result.data.draft) return [];
    return [{ ...result.data, assets: result.data.assets.filter((file) => file?.state === 'uploaded') }];
  });
}

/** A tag: what is in front of the version, and the version. */
const tagForm = /^(?:(.*?[^\da-z.]))?v?(\d+(?:\.\d+){1,3}(?:[-+.]?[a-z][\w.+-]*|[-+][\w.+-]*)?)$/i;

/**
 * Parses the releases, a list in parsed JSON, into an item for each download, newest version first. Drafts, tags without a version
 * and files whose system is unclear are left out, the last two with a warning. Throws a FeedFault (`refused`) if tags begin in
 * several ways and product.yaml does not choose one.
 */
export function parseGithub(value: unknown, options: ItemOptions): ParsedItems {
  const warnings: FeedWarning[] = [];
  const warn = (message: string): void => void warnings.push({ line: null, message });
  const releases = readGithubReleases(value).map((entry) => {
    const [, prefix = '', text] = tagForm.exec(entry.tag_name) ?? [];
    return { ...entry, prefix, version: readVersion(text) ?? '' };
  });
  const unread = releases.filter(({ version }) => version === '').map((entry) => entry.tag_name);
  if (unread.length > 0) warn(`Tags without a version are left out: ${unread.slice(0, 5).join(', ')}.`);
  const versions = releases.filter(({ version }) => version !== '');
  const chosenPrefix = choosePrefix(new Set(versions.map(({ prefix }) => prefix)), options.tagPrefix);
  const getDate = (entry: GithubRelease): string => entry.published_at ?? '';
  const items = versions
    .filter(({ prefix }) => prefix === chosenPrefix)
    .sort((a, b) => compareVersions(b.version, a.version) || getDate(b).localeCompare(getDate(a)))
    .flatMap((entry) => listFiles(entry, entry.version, options, warn));
  return { kind: 'github', items, warnings, hasRelativeUrls: false };
}

/**
 * Returns the text in front of the version and its `v` in the tags to read, '' if there is none: `setting`, which is that of
 * product.yaml, or else the only one. Throws a FeedFault (`refused`) for a repository of several programs without a setting.
 */
function choosePrefix(prefixes: ReadonlySet<string>, setting: string | undefined): string {
  if (setting !== undefined) return setting.replace(/v$/i, '');
  const [only = ''] = prefixes;
  if (prefixes.size <= 1) return only;
  const list = [...prefixes].map((prefix) => JSON.stringify(prefix)).join(', ');
  const advice = 'Write the one of the application as `tag_prefix` at this source in product.yaml; "" is none.';
  throw new FeedFault('refused', `The tags of this repository have different prefixes: ${list}. ${advice}`);
}

/**
 * Returns an item for each download of a release: shorter names first, and names with portable, debug, legacy or web last. Calls
 * `warn` with a sentence about files whose system is unclear, which are left out, and about a release without downloads.
 */
function listFiles(
  { name, body, prerelease, published_at, html_url, assets }: GithubRelease,
  version: string,
  options: ItemOptions,
  warn: (message: string) => void,
): ParsedItem[] {
  const page = resolveWebAddress(html_url ?? null, null);
  const notes = readNotes(body, page);
  const unclear: string[] = [];
  const files = assets.flatMap((file): ParsedItem['release'][] => {
    const url = resolveWebAddress(file?.browser_download_url ?? null, null);
    if (file === null || url === null) return [];
    const fileFacts = describeAsset(file.name, options);
    if (fileFacts === 'unclear') unclear.push(file.name);
    if (fileFacts === null || fileFacts === 'unclear') return [];
    return [
      createFile({
        source: 'github',
        version,
        channel: readChannel(version, prerelease),
        title: name ?? null,
        publishedAtTime: published_at ? parsePublicationDate(published_at) : null,
        notesUrl: notes === null ? null : page,
        downloadUrl: url,
        sizeBytes: readSize(String(file.size ?? '')),
        sha256: /^sha256:([\da-f]{64})$/.exec(file.digest ?? '')?.[1] ?? null,
        ...fileFacts,
        namedArch: fileFacts.arch,
      }),
    ];
  });
  if (unclear.length > 0) {
    const list = unclear.slice(0, 5).join(', ');
    warn(
      `Release ${version}: no system is named, or two are, by ${list}; write \`assets\` at this source in product.yaml.`,
    );
  }
  if (files.length === 0 && unclear.length === 0)
    warn(`Release ${version} has no file that people download and is left out.`);
  const rank = ({ downloadUrl }: ParsedItem['release']): number => {
    const file = getLastSegment(downloadUrl);
    return (/portable|debug|legacy|web/i.test(file) ? 1000 : 0) + file.length;
  };
  return createItems(files, notes).sort((a, b) => rank(a.release) - rank(b.release));
}

/**
 * Returns the system, processor and format of an asset: by the first rule of `assets` that matches its name, else by the name, and
 * the system else by `preset`, the one of the source in product.yaml. Returns null if the asset is no download, and `unclear` if
 * its system is unknown, or its name contains two and no rule decides.
 */
function describeAsset(name: string, { assets = [], os: preset }: SourceHints) {
  const rule = assets.find(({ match }) => matches(name, match));
  const file = describeFile(name);
  if (file === null) return null;
  if (file === 'conflict')
    return rule?.os === undefined ? 'unclear' : { os: rule.os, arch: rule.arch ?? null, format: null };
  const os = rule?.os ?? file.os ?? preset;
  return os === undefined ? 'unclear' : { os, arch: rule?.arch ?? file.arch, format: file.format };
}

const matches = (name: string, pattern: string): boolean =>
  new RegExp(`^${pattern.replace(/[^\w*]/g, '\\$&').replaceAll('*', '.*')}$`, 's').test(name);

/** Returns the channel: the word of a prerelease version, or `beta` for what GitHub calls a prerelease, or null for the default channel. */
function readChannel(version: string, isPrerelease: boolean): string | null {
  const word = /^\d+(?:\.\d+)*-([a-z]+)/i.exec(version)?.[1]?.toLowerCase();
  return word ?? (isPrerelease ? 'beta' : null);
}
