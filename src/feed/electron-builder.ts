/** Reads electron-builder's latest*.yml: one release for one system, with the files that electron-updater and people download. */
import { isMap, isScalar, parseDocument, visit } from 'yaml';
import { z } from 'zod';
import type { SystemName } from '../base/systems.ts';
import { FeedFault } from './fault.ts';
import { describeFile, lastSegment } from './file-names.ts';
import type { ItemOptions, ParsedItem, ParsedItems } from './parse-item.ts';
import { publicationDate } from './publication-date.ts';
import type { FeedRelease, FeedWarning } from './release.ts';
import { createFile, markIntelFiles, readNotes, withoutV } from './source-file.ts';
import { readSize, webAddress } from './web-address.ts';

/** Maximum size in bytes; a real file has a few thousand. */
const maxLength = 1024 * 1024;
const maxFiles = 200;

/** A value that is text in the file; `null` and `~` are none. Every scalar is read as text, so that 1.10 stays 1.10. */
const textOrNone = z
  .string()
  .transform((text) => (/^(?:null|~|)$/.test(text.trim()) ? null : text))
  .nullable()
  .catch(null);

const fileSchema = z.object({ url: z.string(), sha512: textOrNone, size: textOrNone });

/** The keys of builder-util-runtime's UpdateInfo (src/updateInfo.ts) that are used. */
const updateInfo = z.object({
  version: z.string(),
  files: z.array(z.unknown()).catch([]),
  path: textOrNone,
  sha512: textOrNone,
  releaseDate: textOrNone,
  releaseName: textOrNone,
  releaseNotes: z.union([z.array(z.object({ version: z.string(), note: textOrNone })), textOrNone]).catch(null),
  minimumSystemVersion: textOrNone,
  stagingPercentage: textOrNone,
});

/** Parses the file. Throws a FeedFault (`refused`) if it is not valid YAML or has no version. */
export function parseElectronBuilder(text: string, options: ItemOptions): ParsedItems {
  const parsed = updateInfo.safeParse(readYaml(text));
  const version = withoutV(parsed.data?.version ?? '');
  if (parsed.data === undefined || !/^\d[\w.+-]{0,127}$/.test(version))
    throw new FeedFault('refused', 'This is electron-builder’s latest.yml, and its version is not one such as 1.4.0.');
  const info = parsed.data;
  const { os, arch, channel } = readFileName(options);
  const warnings: FeedWarning[] = [];
  const warn = (message: string): void =>
    void warnings.push({ line: null, message: `Release ${version}: ${message}.` });
  const date = info.releaseDate === null ? null : publicationDate(info.releaseDate);
  if (info.releaseDate !== null && date === null) warn('its releaseDate cannot be read');
  if (info.stagingPercentage !== null && Number(info.stagingPercentage) < 100)
    warn(`electron-updater offers it to ${info.stagingPercentage} % of users so far; it is shown to everybody`);
  const files = listFiles(info, warn).flatMap(({ url, sha512, size }): ParsedItem['release'][] => {
    const place = findPlace(url, options.address);
    if (!place.startsWith('http')) {
      warn(`${place}: ${url}`);
      return [];
    }
    const file = describeFile(place);
    if (file === null || file === 'conflict') {
      warn(`${lastSegment(url)} is no file that people download`);
      return [];
    }
    const system = os ?? file.os;
    if (system === null || (file.os !== null && file.os !== system)) {
      const reason =
        system === null ? 'is for a system that nobody says: write `os` at this source' : `is for ${file.os}`;
      const fix =
        system === null
          ? ''
          : `, and electron-updater reads this file on ${system}: list it in ${fileNames[file.os ?? system]}`;
      warn(`${lastSegment(url)} ${reason}${fix}`);
      return [];
    }
    return [
      createFile({
        source: 'electron-builder',
        version,
        channel,
        title: info.releaseName,
        publishedAtTime: date,
        downloadUrl: place,
        sizeBytes: readSize(size),
        sha512: readSha512(sha512, lastSegment(url), warn),
        os: system,
        arch: file.arch ?? arch,
        namedArch: file.arch,
        format: file.format,
        minimumOsVersion: null,
      }),
    ];
  });
  const minimums = readMinimums(files, info.minimumSystemVersion, warn);
  const notes = readNotes(pickNotes(info.releaseNotes, version));
  const items = markIntelFiles(files).map(
    (file): ParsedItem => ({
      kind: 'release',
      release: { ...file, minimumOsVersion: minimums.get(file.os) ?? null },
      notes,
      link: null,
      warnings: [],
    }),
  );
  return { kind: 'electron-builder', items, warnings, hasRelativeUrls: files.length > 0 };
}

/** Reads YAML of which every scalar is text, without aliases and repeated keys, as electron-updater refuses them too. */
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

/** The name of the file for each system. */
const fileNames: Readonly<Record<SystemName, string>> = {
  macOS: 'latest-mac.yml',
  Windows: 'latest.yml',
  Linux: 'latest-linux.yml',
};

interface NamedSource {
  /** Null if the name does not say it. */
  readonly os: SystemName | null;
  readonly arch: string | null;
  /** Null is the default channel. */
  readonly channel: string | null;
}

/** The processors in names such as latest-linux-arm64.yml; a name without one is for x86_64. */
const linuxArchs: Readonly<Record<string, string>> = { arm64: 'arm64', arm: 'armv7', armv7l: 'armv7', ia32: 'x86' };

/**
 * Reads the name of the file, such as latest-mac.yml or beta-linux-arm64.yml: only the name says which channel and system it is for
 * (electron-updater, src/providers/Provider.ts).
 */
function readFileName({ source = '', address, os: hint }: ItemOptions): NamedSource {
  const name = [source, address ?? ''].map(lastSegment).find((segment) => /\.ya?ml$/i.test(segment));
  const match = /^(.+?)(?:-(mac)|-(linux)(?:-([a-z\d]+))?)?\.ya?ml$/i.exec(name ?? '');
  const [, word = '', mac, linux, linuxArch] = match ?? [];
  const channel =
    match === null || /(?:^|[^a-z])latest$/i.test(word) || !/^[\p{L}\p{N}._-]{1,40}$/u.test(word) ? null : word;
  if (hint !== undefined) return { os: hint, arch: null, channel };
  if (mac !== undefined) return { os: 'macOS', arch: null, channel };
  if (linux !== undefined) return { os: 'Linux', arch: linuxArchs[linuxArch ?? ''] ?? 'x86_64', channel };
  return { os: match === null ? null : 'Windows', arch: null, channel };
}

type ListedFile = z.output<typeof fileSchema>;

/** Lists the files; files of old builders have one, in `path` and `sha512`. */
function listFiles(
  { files, path, sha512 }: z.output<typeof updateInfo>,
  warn: (message: string) => void,
): ListedFile[] {
  const listed = files.slice(0, maxFiles).flatMap((file, index) => {
    const parsed = fileSchema.safeParse(file);
    if (!parsed.success) warn(`files[${index}] has no url`);
    return parsed.data ?? [];
  });
  if (files.length > maxFiles) warn(`it has ${files.length} files, of which ${maxFiles} are read`);
  return listed.length > 0 || path === null ? listed : [{ url: path, sha512, size: null }];
}

/** Returns the URL of a file, or why it has none. On GitHub, spaces in names are hyphens (GitHubProvider.ts). */
function findPlace(url: string, address: string | null): string {
  const isOnGithub = URL.parse(address ?? '')?.host === 'github.com';
  const place = webAddress(isOnGithub ? url.replaceAll(' ', '-') : url, address);
  if (place === null)
    return address === null
      ? 'a file has a relative URL, and nothing says to what: write the URL of this file as base_url in product.yaml'
      : 'a file has no http or https URL';
  const { username, password } = new URL(place);
  return username === '' && password === '' ? place : 'a file has a URL with a user name';
}

/** Returns a SHA-512 in hexadecimal digits. electron-updater accepts base64 and hexadecimal (httpExecutor.ts). */
function readSha512(written: string | null, name: string, warn: (message: string) => void): string | null {
  if (written === null) return null;
  if (/^[\da-f]{128}$/i.test(written)) return written.toLowerCase();
  const bytes = /^[A-Za-z\d+/]{86}==$/.test(written) ? Buffer.from(written, 'base64') : null;
  if (bytes?.length === 64) return bytes.toString('hex');
  warn(`the sha512 of ${name} is not the base64 or hexadecimal digits of 64 bytes and is left out`);
  return null;
}

/** Returns the notes: those of this version, if there is a list for several. */
function pickNotes(notes: z.output<typeof updateInfo>['releaseNotes'], version: string): string | null {
  if (!Array.isArray(notes)) return notes;
  return notes.find((entry) => withoutV(entry.version) === version)?.note ?? null;
}

/** Returns the oldest version of each system that the files are for. */
function readMinimums(
  files: readonly Pick<FeedRelease, 'os'>[],
  written: string | null,
  warn: (message: string) => void,
): Map<SystemName, string | null> {
  if (written === null) return new Map();
  return new Map(
    [...new Set(files.map(({ os }) => os))].map((os) => {
      const { version, warning } = readKernelMinimum(os, written);
      if (warning !== null) warn(warning);
      return [os, version];
    }),
  );
}

/** The oldest version of a system, with a remark where the file means something else than its author thinks; null if there is none. */
interface SystemMinimum {
  readonly version: string | null;
  /** The end of a sentence, or null. */
  readonly warning: string | null;
}

/**
 * Reads minimumSystemVersion, the version of a kernel as Node's os.release() returns it (electron-updater, AppUpdater.ts). On macOS, Darwin 17 to 19 are 10.13 to 10.15, 20 to 24 are 11 to 15, and from 25 on macOS has
 * the next number; the second number is that of macOS only from Darwin 23 on. Windows has the version of its kernel.
 */
function readKernelMinimum(os: SystemName, written: string): SystemMinimum {
  const match = /^(\d{1,3})(?:\.(\d{1,5}))?(?:\.\d{1,6})?$/.exec(written.trim());
  const name = `its minimumSystemVersion, ${JSON.stringify(written)},`;
  if (os === 'Linux') return { version: null, warning: null };
  if (match === null) return { version: null, warning: `${name} is no version and is left out` };
  if (os === 'Windows') return { version: written.trim(), warning: null };
  const [major, minor] = [Number(match[1]), Number(match[2] ?? 0)];
  if (major < 17)
    return {
      version: written.trim(),
      warning: `${name} is a version of macOS; electron-updater compares it with the kernel’s, such as 23.1.0 for macOS 14.1, and so offers the update to every Mac`,
    };
  if (major >= 26)
    return {
      version: null,
      warning: `${name} may be a version of macOS or of its kernel and is left out; write minimums in product.yaml`,
    };
  if (major < 20) return { version: `10.${major - 4}`, warning: null };
  const version = major === 25 ? 26 : major - 9;
  return { version: `${version}.${major < 23 ? 0 : minor}`, warning: null };
}
