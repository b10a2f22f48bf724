/** Reads electron-builder's latest*.yml: one release for one system, with the files that electron-updater and people download. */
import { isMap, isScalar, parseDocument, visit } from 'yaml';
import { z } from 'zod';
import type { SystemName } from '../base/systems.ts';
import { FeedFault } from './fault.ts';
import { getLastSegment } from './file-names.ts';
import type { ItemOptions, ParsedItems } from './parse-item.ts';
import { parsePublicationDate } from './publication-date.ts';
import type { FeedRelease, FeedWarning } from './release.ts';
import { createFile, createItems, readListedFile, readNotes, readVersion } from './source-file.ts';
import { readSize } from './web-address.ts';

/** Maximum length in UTF-16 units; a real file has a few thousand. */
const maxLength = 1024 * 1024;
const maxFiles = 200;

/**
 * The text of a scalar; null for `null`, `~`, blank text and what is no scalar. Every scalar is read as text, so that 1.10 stays
 * 1.10.
 */
const textOrNone = z
  .string()
  .transform((text) => (/^(?:null|~|)$/.test(text.trim()) ? null : text))
  .nullable()
  .catch(null);

/** The keys of builder-util-runtime's UpdateInfo (src/updateInfo.ts) that are used. */
const updateInfo = z.object({
  version: z.string(),
  files: z.array(z.object({ url: z.string(), sha512: textOrNone, size: textOrNone }).nullable().catch(null)).catch([]),
  path: textOrNone,
  sha512: textOrNone,
  releaseDate: textOrNone,
  releaseName: textOrNone,
  releaseNotes: z.union([z.array(z.object({ version: z.string(), note: textOrNone })), textOrNone]).catch(null),
  minimumSystemVersion: textOrNone,
  stagingPercentage: textOrNone,
});

type UpdateInfo = z.output<typeof updateInfo>;

/**
 * Parses the text of latest*.yml into an item for each file of its release, at most `maxFiles`. A file that nobody can download, or
 * that is for another system, is left out with a warning. Throws a FeedFault (`refused`) if the text is not valid YAML or has no
 * version.
 */
export function parseElectronBuilder(text: string, options: ItemOptions): ParsedItems {
  const info = updateInfo.safeParse(readYaml(text)).data;
  const version = readVersion(info?.version);
  if (info === undefined || version === null)
    throw new FeedFault('refused', 'This is electron-builder’s latest.yml, and its version is not one such as 1.4.0.');
  const { os, arch, channel } = readFileName(options);
  const warnings: FeedWarning[] = [];
  const warn = (message: string): void =>
    void warnings.push({ line: null, message: `Release ${version}: ${message}.` });
  const date = info.releaseDate === null ? null : parsePublicationDate(info.releaseDate);
  if (info.releaseDate !== null && date === null) warn('its releaseDate cannot be read');
  if (info.stagingPercentage !== null && Number(info.stagingPercentage) < 100)
    warn(`electron-updater offers it to ${info.stagingPercentage} % of users so far; it is shown to everybody`);
  const minimumOsVersion = info.minimumSystemVersion && readKernelMinimum(os, info.minimumSystemVersion, warn);
  // electron-updater replaces spaces in the names of files at GitHub by hyphens (GitHubProvider.ts).
  const isOnGithub = URL.parse(options.address ?? '')?.host === 'github.com';
  const files = listFiles(info).flatMap((entry) => {
    const fileUrl = (isOnGithub ? entry?.url.replaceAll(' ', '-') : entry?.url) ?? '';
    const file = readListedFile(fileUrl, options.address, os);
    if (typeof file === 'string') {
      warn(`${file}; electron-updater reads this list on ${os}`);
      return [];
    }
    return createFile({
      source: 'electron-builder',
      version,
      channel,
      title: info.releaseName,
      publishedAtTime: date,
      downloadUrl: file.url,
      sizeBytes: readSize(entry?.size ?? null),
      sha512: readSha512(entry?.sha512 ?? null, getLastSegment(fileUrl), warn),
      os,
      arch: file.arch ?? arch,
      namedArch: file.arch,
      format: file.format,
      minimumOsVersion,
    });
  });
  const notes = readNotes(pickNotes(info.releaseNotes, version));
  return { kind: 'electron-builder', items: createItems(files, notes), warnings, hasRelativeUrls: false };
}

/**
 * Returns the map that a YAML text is, with every scalar as text. Throws a FeedFault (`refused`) for anything else, for a text that
 * is too long, and for aliases and repeated keys, which electron-updater refuses too.
 */
function readYaml(text: string): unknown {
  const refuse = (why: string): never => {
    throw new FeedFault('refused', `This is electron-builder’s latest.yml, and it is not valid YAML: ${why}.`);
  };
  if (text.length > maxLength) refuse(`it is larger than ${maxLength} bytes`);
  const document = parseDocument(text, {
    schema: 'failsafe',
    uniqueKeys: false,
    prettyErrors: true,
    logLevel: 'error',
  });
  const [error] = document.errors;
  if (error !== undefined) refuse(error.message.split('\n')[0]?.replace(/[.:]$/, '') ?? error.code);
  visit(document, {
    Alias: (_, { source }) => refuse(`it has the alias *${source}`),
    Map(_, map) {
      const keys = new Set<unknown>();
      for (const { key } of map.items) {
        const name = isScalar(key) ? key.value : key;
        if (keys.has(name)) refuse(`the key ${JSON.stringify(name)} is there twice`);
        keys.add(name);
      }
    },
  });
  if (!isMap(document.contents)) refuse('it is no map');
  return document.toJS({ maxAliasCount: 0 });
}

/** The processors in names such as latest-linux-arm64.yml; a name without one is for x86_64. */
const linuxArchs: Readonly<Record<string, string>> = { arm64: 'arm64', arm: 'armv7', armv7l: 'armv7', ia32: 'x86' };

/**
 * Returns the system, processor and channel of the file by its name in `source`, or else in `address`, such as latest-mac.yml or
 * beta-linux-arm64.yml, since nothing else says them (electron-updater, src/providers/Provider.ts). The system is that of
 * product.yaml if it has one, and Windows for a name without any. The processor is null except for a name with `-linux`, which
 * means x86_64 if it names none; the channel is null for `latest` and for a word that is no name of a channel.
 */
function readFileName({ source = '', address, os: hint }: ItemOptions): Pick<FeedRelease, 'os' | 'arch' | 'channel'> {
  const name = [source, address ?? ''].map(getLastSegment).find((segment) => /\.ya?ml$/i.test(segment)) ?? '';
  const [, word = 'latest', mac, linux, linuxArch = ''] =
    /^(.+?)(?:-(mac)|-(linux)(?:-([a-z\d]+))?)?\.ya?ml$/i.exec(name) ?? [];
  const isChannel = !/(?:^|[^a-z])latest$/i.test(word) && /^[\p{L}\p{N}._-]{1,40}$/u.test(word);
  const os: SystemName = hint ?? (mac ? 'macOS' : linux ? 'Linux' : 'Windows');
  return { os, arch: linux ? (linuxArchs[linuxArch] ?? 'x86_64') : null, channel: isChannel ? word : null };
}

/**
 * Returns the entries of the files, at most `maxFiles`, with null for one that is malformed. Files of old builders have one, in
 * `path` and `sha512`; if that is missing too, there are none.
 */
const listFiles = ({ files, path, sha512 }: UpdateInfo): UpdateInfo['files'] =>
  files.length > 0 || path === null ? files.slice(0, maxFiles) : [{ url: path, sha512, size: null }];

/**
 * Returns a SHA-512 in lowercase hexadecimal digits, or null if there is none or it is not valid. The second case gets a warning
 * with the file's `name`; electron-updater accepts base64 and hexadecimal (httpExecutor.ts).
 */
function readSha512(digest: string | null, name: string, warn: (message: string) => void): string | null {
  if (digest === null) return null;
  if (/^[\da-f]{128}$/i.test(digest)) return digest.toLowerCase();
  const bytes = /^[A-Za-z\d+/]{86}==$/.test(digest) ? Buffer.from(digest, 'base64') : null;
  if (bytes?.length === 64) return bytes.toString('hex');
  warn(`the sha512 of ${name} is not the base64 or hexadecimal digits of 64 bytes and is left out`);
  return null;
}

/**
 * Returns the notes of a version, or null if there are none: the whole text, or the entry for the version if there is a list for
 * several.
 */
function pickNotes(notes: UpdateInfo['releaseNotes'], version: string): string | null {
  if (!Array.isArray(notes)) return notes;
  return notes.find((entry) => readVersion(entry.version) === version)?.note ?? null;
}

/**
 * Returns the minimum version of the system, such as `14.1`, from minimumSystemVersion, the version of a kernel as Node's
 * os.release() returns it (electron-updater, AppUpdater.ts): unchanged for Windows, null for Linux, and null with a warning for a
 * text that is no version. Darwin 17 to 19 are macOS 10.13 to 10.15, 20 to 24 are 11 to 15 and 25 is 26, with a second number from
 * Darwin 23 on. A lower number is taken for a version of macOS itself, and a higher one gives null, each with a warning.
 */
function readKernelMinimum(os: SystemName, kernelVersion: string, warn: (message: string) => void): string | null {
  const text = kernelVersion.trim();
  const match = /^(\d{1,3})(?:\.(\d{1,5}))?(?:\.\d{1,6})?$/.exec(text);
  const name = `its minimumSystemVersion, ${JSON.stringify(kernelVersion.slice(0, 40))},`;
  if (os === 'Linux') return null;
  if (match === null) warn(`${name} is no version and is left out`);
  if (match === null || os === 'Windows') return match && text;
  const [major, minor] = [Number(match[1]), Number(match[2] ?? 0)];
  if (major >= 26) {
    warn(`${name} may be a version of macOS or of its kernel and is left out; write minimums in product.yaml`);
    return null;
  }
  if (major >= 20) return `${major === 25 ? 26 : major - 9}.${major < 23 ? 0 : minor}`;
  if (major >= 17) return `10.${major - 4}`;
  warn(
    `${name} is a version of macOS; electron-updater compares it with the kernel’s, such as 23.1.0 for macOS 14.1, and so offers the update to every Mac`,
  );
  return text;
}
