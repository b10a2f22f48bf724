/** Reads what the name of a download says about it: its operating system, its processor and its format. */
import type { SystemName } from '../base/systems.ts';
import type { BuildFormat } from './release.ts';

/** The facts in a file's name; one that it does not have is null. */
export interface NamedFile {
  readonly os: SystemName | null;
  readonly arch: string | null;
  readonly format: BuildFormat | null;
}

/** Files next to downloads: signatures, hashes, update data, packages of other kinds, sources, debug symbols. */
const noDownload =
  /\.(?:sig|asc|sha\d+|md5|blockmap|ya?ml|json|txt|sbom|zsync|nupkg|apk|ipa|jar)$|(?:^|[^a-z])(?:source|src|symbols|dsym|debug)(?:$|[^a-z])[^/]*\.(?:zip|7z|tar)/i;

/**
 * The extensions of downloads, each with the only system that opens it, if any, and its format, if it has one; the first match
 * counts.
 */
const extensions: readonly (readonly [RegExp, SystemName | null, BuildFormat | null])[] = [
  [/\.dmg$/i, 'macOS', 'dmg'],
  [/\.pkg$/i, 'macOS', 'pkg'],
  [/\.app\.zip$/i, 'macOS', 'zip'],
  [/\.app\.tar\.\w+$/i, 'macOS', 'tar'],
  [/\.exe$/i, 'Windows', 'exe'],
  [/\.msi$/i, 'Windows', 'msi'],
  [/\.(?:msix|appx)(?:bundle)?$/i, 'Windows', 'msix'],
  [/\.appimage$/i, 'Linux', 'appimage'],
  [/\.deb$/i, 'Linux', 'deb'],
  [/\.rpm$/i, 'Linux', 'rpm'],
  [/\.(?:flatpak|snap)$/i, 'Linux', null],
  [/\.appimage\.tar\.\w+$/i, 'Linux', 'tar'],
  [/\.(?:nsis|msi)\.zip$/i, 'Windows', 'zip'],
  [/\.zip$/i, null, 'zip'],
  [/\.(?:tar\.\w+|tgz|txz)$/i, null, 'tar'],
  [/\.7z$/i, null, null],
];

/** Words for systems; a word ends where letters end, so that `darwin` is no `win`. */
const systemWords: readonly (readonly [RegExp, SystemName])[] = [
  [/(?<![a-z])(?:darwin|mac|macos|macosx|osx|apple)(?![a-z])/i, 'macOS'],
  [/(?<![a-z])(?:windows|win|win32|win64|msvc)(?![a-z])/i, 'Windows'],
  [/(?<![a-z])(?:linux|ubuntu|debian|gnu|musl)(?![a-z])/i, 'Linux'],
];

/** Words for processors, of which the first that is found counts. `win32` says nothing: programs for x86_64 have it too. */
const archWords: readonly (readonly [RegExp, string])[] = [
  [/(?<![a-z\d])universal2?(?![a-z\d])/i, 'universal'],
  [/(?<![a-z\d])(?:arm64|aarch64|armv8|apple[-_ .]?silicon|m1)(?![a-z\d])/i, 'arm64'],
  [/(?<![a-z\d])(?:x86[-_]64|x64|amd64|win64|intel)(?![a-z\d])/i, 'x86_64'],
  [/(?<![a-z\d])(?:ia32|i[36]86|x86)(?![a-z\d])/i, 'x86'],
  [/(?<![a-z\d])armv7l?(?![a-z\d])/i, 'armv7'],
  [/(?<![a-z\d])armhf(?![a-z\d])/i, 'armv7'],
  [/(?<![a-z\d])riscv64(?![a-z\d])/i, 'riscv64'],
];

/** Returns the systems that words of a name mean, each once, in the order of `systemWords`; an empty array if no word does. */
export const findSystems = (name: string): SystemName[] =>
  systemWords.filter(([word]) => word.test(name)).map(([, os]) => os);

/** Returns the processor that a word of a file's name means, of several the first in `archWords`, or null if no word does. */
export const findArch = (name: string): string | null => archWords.find(([word]) => word.test(name))?.[1] ?? null;

/**
 * Returns the facts in the name of a file, which may be the last segment of a URL. Returns null if it is no download or has none of
 * `extensions`, and `conflict` if its extension means one system and its words mean exactly one, another one. `os` is null if the
 * extension means none and the words mean none or several.
 */
export function describeFile(urlOrName: string): NamedFile | 'conflict' | null {
  const name = getLastSegment(urlOrName);
  if (noDownload.test(name)) return null;
  const extension = extensions.find(([pattern]) => pattern.test(name));
  if (extension === undefined) return null;
  const [, system, format] = extension;
  const [word = null, another] = findSystems(name);
  const arch = findArch(name);
  if (system === null) return { os: another === undefined ? word : null, arch, format };
  return word !== null && another === undefined && word !== system ? 'conflict' : { os: system, arch, format };
}

/** Maximum length of a name, in characters; of a longer one, the end is looked at. */
const maxNameLength = 255;

/**
 * Returns the decoded last segment of a path or URL, without query and fragment, or the last `maxNameLength` characters of a longer
 * one; '' if it ends with a slash. Percent codes that are invalid stay.
 */
export function getLastSegment(urlOrName: string): string {
  const segment =
    urlOrName
      .replace(/[?#].*$/s, '')
      .split('/')
      .at(-1)
      ?.slice(-maxNameLength) ?? '';
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
