/** Reads Tauri's latest.json, of all systems (static) or of one (dynamic), into the files of a release. */
import { z } from 'zod';
import { compareVersions } from '../base/semver.ts';
import type { SystemName } from '../base/systems.ts';
import { FeedFault } from './fault.ts';
import { getLastSegment } from './file-names.ts';
import {
  isCommentAuthentic,
  type MinisignKey,
  type MinisignSignature,
  readCommentField,
  readMinisignKey,
  readMinisignSignature,
} from './minisign.ts';
import type { ItemOptions, ParsedItems } from './parse-item.ts';
import { parsePublicationDate } from './publication-date.ts';
import type { FeedWarning } from './release.ts';
import { createFile, createItems, type ListedFile, readListedFile, readNotes, readVersion } from './source-file.ts';

const textOrNull = z.string().nullish().catch(null);

const platform = z.object({ url: z.string(), signature: z.string().catch('') }).catch({ url: '', signature: '' });

/** The keys of RemoteRelease (plugins/updater/src/updater.rs) that are used. */
const manifest = z.object({
  version: z.string().optional(),
  name: textOrNull,
  notes: textOrNull,
  pub_date: textOrNull,
  url: z.string().optional(),
  signature: z.string().catch(''),
  platforms: z.record(z.string(), platform).optional(),
});

const systems: Readonly<Record<string, SystemName>> = { darwin: 'macOS', linux: 'Linux', windows: 'Windows' };
const archs: Readonly<Record<string, string>> = { x86_64: 'x86_64', aarch64: 'arm64', i686: 'x86', armv7: 'armv7' };

const maxPlatforms = 100;

/** A file with the machines that are offered it. */
interface Target extends ListedFile {
  /** The signature as the file states it, or '' if there is none. */
  readonly signature: string;
  /** The key of `platforms` that it is under. */
  readonly key: string;
  readonly os: SystemName;
  /** The processors that it is for; null among them is one that nobody names. */
  readonly archs: Set<string | null>;
}

/**
 * Reads the parsed JSON of latest.json into an item for each file of its release. A file that is left out, or doubtful, gets a
 * warning, but one for Android or iOS is left out without a warning. Throws a FeedFault (`refused`) if the JSON has no version, or
 * if it is the response of a dynamic server and product.yaml lacks `os` or `arch`.
 */
export function parseTauri(value: unknown, options: ItemOptions): ParsedItems {
  const file = manifest.safeParse(value).data;
  const version = readVersion(file?.version ?? file?.name);
  if (file === undefined || version === null)
    throw new FeedFault('refused', 'This is Tauri’s latest.json, and its version is not one such as 1.4.0.');
  const { pub_date: date } = file;
  const warnings: FeedWarning[] = [];
  const warn = (message: string): void =>
    void warnings.push({ line: null, message: `Release ${version}: ${message}.` });
  if (date && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i.test(date))
    warn('its pub_date is not of the form 2026-11-02T09:00:00Z, for which the updater refuses the whole file');
  const files = listTargets(file, options, warn).flatMap((target) => {
    const signature = checkSignature(target, version, options, warn);
    if (signature === 'refused') return [];
    const [arch = null] = target.archs;
    return createFile({
      source: 'tauri',
      version,
      channel: null,
      publishedAtTime: date ? parsePublicationDate(date) : null,
      downloadUrl: target.url,
      signature,
      os: target.os,
      arch: target.archs.size > 1 ? 'universal' : arch,
      namedArch: target.arch,
      format: target.format,
    });
  });
  return { kind: 'tauri', items: createItems(files, readNotes(file.notes)), warnings, hasRelativeUrls: false };
}

/**
 * Lists the files, each once: a universal build is under the keys of both processors. One that cannot be offered is left out with a
 * warning, and one for a mobile system without. Throws a FeedFault (`refused`) for a dynamic server's response, unless product.yaml
 * says which machine it is for.
 */
function listTargets(
  { platforms, url = '', signature }: z.output<typeof manifest>,
  { os, arch }: ItemOptions,
  warn: (message: string) => void,
): Target[] {
  const isDynamic = platforms === undefined;
  if (isDynamic && (os === undefined || arch === undefined))
    throw new FeedFault(
      'refused',
      'This is the response of a dynamic Tauri server, which does not say which machine it is for: write `os` and `arch` at this source in product.yaml.',
    );
  const targets = new Map<string, Target>();
  const entries = Object.entries(platforms ?? { 'the file': { url, signature } });
  for (const [key, platform] of entries.slice(0, maxPlatforms)) {
    // Platforms of Android and iOS are for the updaters of mobile systems, so they are left out without a warning.
    if (/^(?:android|ios)/.test(key)) continue;
    const [, system = '', processor = ''] =
      /^(darwin|linux|windows)-(x86_64|aarch64|i686|armv7)(?:-(?:app|nsis|msi|appimage|deb|rpm))?$/.exec(key) ?? [];
    const namedSystem = systems[system] ?? (isDynamic ? os : undefined);
    const file = URL.canParse(platform.url)
      ? readListedFile(platform.url, null, namedSystem ?? null)
      : 'its URL is missing or relative, and the updater refuses the whole file';
    if (typeof file === 'string') warn(`${key} is left out: ${file}`);
    else if (key.startsWith('darwin-universal'))
      warn(
        `${key} is left out: the updater looks for darwin-aarch64 and darwin-x86_64; list a universal build under both`,
      );
    else if (namedSystem === undefined && file.os === null)
      warn(`${key} is left out: it names no system that is known`);
    else {
      const target = { ...file, key, signature: platform.signature, os: namedSystem ?? file.os ?? 'macOS' };
      const machine = archs[processor] ?? (isDynamic ? arch : file.arch) ?? null;
      const earlier = targets.get(`${target.os} ${file.url}`);
      if (earlier === undefined) targets.set(`${target.os} ${file.url}`, { ...target, archs: new Set([machine]) });
      else earlier.archs.add(machine);
    }
  }
  return [...targets.values()];
}

/**
 * Checks a signature as far as possible without the file: its version, and unless `policy` is `off` also that one of `publicKeys`
 * made it. Returns it as it is written, null if it is not a minisign signature and `policy` is not `required`, or `refused` if the
 * file must not be offered. `warn` receives each fault, also one with which the file is still offered.
 */
function checkSignature(
  { url, signature: written, key }: Target,
  version: string,
  { publicKeys = [], policy = 'off' }: ItemOptions,
  warn: (message: string) => void,
): string | null | 'refused' {
  const name = getLastSegment(url);
  const signature = readMinisignSignature(written);
  const namedVersion = /\d+(?:\.\d+){1,3}/.exec(name)?.[0];
  if (namedVersion !== undefined && compareVersions(namedVersion, version.replace(/[-+].*$/, '')) < 0)
    warn(`${key} is ${name}, which is an older version by its name`);
  if (signature === null) {
    const what = written.trim() === '' ? 'has no signature' : 'has a signature that is not minisign’s';
    warn(`${key} ${what}, and the updater refuses the file; put the content of the .sig file there`);
    return policy === 'required' ? 'refused' : null;
  }
  const file = readCommentField(signature, 'file');
  if (file !== null && toAssetName(file) !== toAssetName(name))
    warn(`the signature of ${key} is that of ${file}, not of ${name}`);
  const signedVersion = readCommentField(signature, 'version');
  if (signedVersion !== null && compareVersions(signedVersion, version) !== 0) {
    warn(`${key} is left out: its signature is for version ${signedVersion}`);
    return 'refused';
  }
  const problem = policy === 'off' ? null : findKeyProblem(signature, publicKeys);
  if (problem === null) return written;
  warn(`${key} is left out: ${problem}`);
  return 'refused';
}

/** Returns a clause that says why none of the vendor's keys made a signature, also if there are none, or null if one did. */
function findKeyProblem(signature: MinisignSignature, publicKeys: readonly string[]): string | null {
  const keys = publicKeys.flatMap((text): MinisignKey | [] => readMinisignKey(text) ?? []);
  if (keys.length === 0) return 'public_keys has no key of Tauri, which is `pubkey` of tauri.conf.json';
  const key = keys.find(({ keyId }) => keyId === signature.keyId);
  if (key === undefined) return 'its signature was made with a key that is not in public_keys';
  return isCommentAuthentic(signature, key) ? null : 'the comment of its signature was changed';
}

/**
 * Returns a name as GitHub gives it to an asset: one full stop in place of each run of white space, `()`, `[]` and full stops, so
 * that `My App (1).zip` is `My.App.1.zip`. Any other name stays as it is.
 */
const toAssetName = (name: string): string => name.replace(/[\s()[\]]+/g, '.').replace(/\.{2,}/g, '.');
