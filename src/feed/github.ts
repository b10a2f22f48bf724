/** Reads the releases of a GitHub repository, as its API lists them, into the files of releases. */
import { z } from 'zod';
import { compareVersions } from '../base/semver.ts';
import { FeedFault } from './fault.ts';
import { describeFile } from './file-names.ts';
import type { ItemOptions, ParsedItem, ParsedItems, SourceHints } from './parse-item.ts';
import { publicationDate } from './publication-date.ts';
import type { FeedWarning } from './release.ts';
import { createFile, markIntelFiles, readNotes } from './source-file.ts';
import { readSize, webAddress } from './web-address.ts';

const asset = z.object({
  name: z.string(),
  state: z.string().default('uploaded'),
  size: z.number().nullish().catch(null),
  digest: z.string().nullish().catch(null),
  browser_download_url: z.string(),
});

/** The fields of a release that are used (https://docs.github.com/rest/releases/releases). */
const release = z.object({
  tag_name: z.string(),
  name: z.string().nullish().catch(null),
  body: z.string().nullish().catch(null),
  draft: z.boolean().default(false),
  prerelease: z.boolean().default(false),
  published_at: z.string().nullish().catch(null),
  html_url: z.string().nullish().catch(null),
  assets: z.array(asset.nullable().catch(null)),
});

/** A published release with the assets that are complete. */
export type GithubRelease = z.output<typeof release>;

/** Returns the published releases, reduced to what is used: what changes with each download, such as its count, is left out. */
export function readGithubReleases(value: unknown): GithubRelease[] {
  return [value].flat().flatMap((entry) => {
    const parsed = release.safeParse(entry);
    if (!parsed.success || parsed.data.draft) return [];
    return [{ ...parsed.data, assets: parsed.data.assets.filter((file) => file?.state === 'uploaded') }];
  });
}

/** A tag: what is in front of the version, and the version. */
const tagForm = /^(?:(.*?[^\da-z.]))?v?(\d+(?:\.\d+){1,3}(?:[-+.]?[a-z][\w.+-]*|[-+][\w.+-]*)?)$/i;

const maxVersionLength = 128;

/** Parses the releases. Throws a FeedFault (`refused`) if tags begin in several ways and product.yaml does not choose one. */
export function parseGithub(value: unknown, options: ItemOptions): ParsedItems {
  const warnings: FeedWarning[] = [];
  const warn = (message: string): void => void warnings.push({ line: null, message });
  const tagged = readGithubReleases(value).map((entry) => {
    const [, prefix = '', version = null] = tagForm.exec(entry.tag_name) ?? [];
    return { entry, prefix, version: version !== null && version.length > maxVersionLength ? null : version };
  });
  const prefix = choosePrefix(
    tagged.flatMap((tag) => (tag.version === null ? [] : tag.prefix)),
    options.tagPrefix,
  );
  const unread = tagged.filter(({ version }) => version === null).map(({ entry }) => entry.tag_name);
  if (unread.length > 0) warn(`Tags without a version are left out: ${unread.slice(0, 5).join(', ')}.`);
  const versions = tagged
    .flatMap((tag) =>
      tag.version !== null && tag.prefix === prefix ? [{ entry: tag.entry, version: tag.version }] : [],
    )
    .sort(
      (a, b) =>
        compareVersions(b.version, a.version) || (b.entry.published_at ?? '').localeCompare(a.entry.published_at ?? ''),
    );
  const items = versions.flatMap(({ entry, version }) => listFiles(entry, version, options, warn));
  return { kind: 'github', items, warnings, hasRelativeUrls: false };
}

/** Returns what the tags to read begin with. In a repository of several programs, somebody has to say which one it is. */
function choosePrefix(prefixes: readonly string[], setting: string | undefined): string {
  if (setting !== undefined) return setting.replace(/v$/i, '');
  const names = [...new Set(prefixes)];
  if (names.length > 1) {
    const list = names.map((name) => (name === '' ? 'nothing' : JSON.stringify(name))).join(', ');
    throw new FeedFault(
      'refused',
      `The tags of this repository have different prefixes: ${list}. Write the one of the application as \`tag_prefix\` at this source in product.yaml; "" is none.`,
    );
  }
  return names[0] ?? '';
}

/** Lists the files of a release, those that most people want first. */
function listFiles(
  { name, body, prerelease, published_at, html_url, assets }: GithubRelease,
  version: string,
  options: ItemOptions,
  warn: (message: string) => void,
): ParsedItem[] {
  const page = webAddress(html_url ?? null, null);
  const notes = readNotes(body, page);
  const unclear: string[] = [];
  const files = assets.flatMap((file): ParsedItem['release'][] => {
    const url = webAddress(file?.browser_download_url ?? null, null);
    if (file === null || url === null) return [];
    const described = describeAsset(file.name, options);
    if (described === 'unclear') unclear.push(file.name);
    if (described === null || described === 'unclear') return [];
    return [
      createFile({
        source: 'github',
        version,
        channel: readChannel(version, prerelease),
        title: name ?? null,
        publishedAtTime: published_at ? publicationDate(published_at) : null,
        notesUrl: notes === null ? null : page,
        downloadUrl: url,
        sizeBytes: readSize(String(file.size ?? '')),
        sha256: /^sha256:([\da-f]{64})$/.exec(file.digest ?? '')?.[1] ?? null,
        ...described,
        namedArch: described.arch,
      }),
    ];
  });
  if (unclear.length > 0)
    warn(
      `Release ${version}: ${unclear.slice(0, 5).join(', ')} ${unclear.length === 1 ? 'does' : 'do'} not name one system and ${unclear.length === 1 ? 'is' : 'are'} left out; write \`assets\` at this source in product.yaml.`,
    );
  if (files.length === 0 && unclear.length === 0)
    warn(`Release ${version} has no file that people download and is left out.`);
  const names = new Map(
    assets.flatMap((file) => (file === null ? [] : [[webAddress(file.browser_download_url, null), file.name]])),
  );
  const rank = (url: string): number => {
    const fileName = names.get(url) ?? '';
    return (/portable|debug|legacy|web/i.test(fileName) ? 1000 : 0) + fileName.length;
  };
  return markIntelFiles(files)
    .sort((a, b) => rank(a.downloadUrl) - rank(b.downloadUrl))
    .map((file): ParsedItem => ({ kind: 'release', release: file, notes, link: null, warnings: [] }));
}

/** Describes an asset by product.yaml and its name; null if it is no download, `unclear` if nothing says which system it is for. */
function describeAsset(name: string, { assets = [], os: preset }: SourceHints) {
  const rule = assets.find(({ match }) => matches(name, match));
  const file = describeFile(name);
  if (file === null) return null;
  if (file === 'conflict')
    return rule?.os === undefined ? 'unclear' : { os: rule.os, arch: rule.arch ?? null, format: null };
  const os = rule?.os ?? file.os ?? preset;
  return os === undefined ? 'unclear' : { os, arch: rule?.arch ?? file.arch, format: file.format };
}

const matches = (name: string, pattern: string): boolean => {
  const [start = '', ...parts] = pattern.split('*');
  if (parts.length === 0) return name === pattern;
  if (!name.startsWith(start)) return false;
  const end = parts.pop() ?? '';
  let place = start.length;
  for (const part of parts) {
    const found = name.indexOf(part, place);
    if (found === -1) return false;
    place = found + part.length;
  }
  return name.length - end.length >= place && name.endsWith(end);
};

/** Returns the channel: the word of a prerelease version, or `beta` for what GitHub calls a prerelease. */
function readChannel(version: string, isPrerelease: boolean): string | null {
  const word = /^\d+(?:\.\d+)*-([a-z]+)/i.exec(version)?.[1]?.toLowerCase();
  return word ?? (isPrerelease ? 'beta' : null);
}
