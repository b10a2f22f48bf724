/** Recognizes operating systems, and versions of macOS, in the words that people and programs use for them. */
import { parseMacosName, parseOsVersion } from './os-version.ts';

/** Maximum number of UTF-16 code units that are read from a text; the schema of the parameter allows 64. */
const maxLength = 100;

/** Words that name a system, in lowercase. */
const systemWords: Readonly<Record<string, string>> = {
  macOS: 'mac macos osx',
  Windows: 'windows win win32 win64 winnt',
  Linux: 'linux ubuntu debian fedora mint opensuse suse centos rhel redhat arch archlinux manjaro gentoo nixos kali',
  iOS: 'ios iphone iphoneos',
  iPadOS: 'ipados ipad',
  Android: 'android',
  ChromeOS: 'chromeos chromebook',
  watchOS: 'watchos',
  tvOS: 'tvos',
  visionOS: 'visionos',
  FreeBSD: 'freebsd',
};

const systemsByWord = new Map(
  Object.entries(systemWords).flatMap(([system, words]) => words.split(' ').map((word) => [word, system] as const)),
);

/** Words around a version of macOS that say nothing else. */
const macosWords = new Set(['macos', 'mac', 'osx', 'os', 'x', 'version', 'v']);

/** A version, and what may follow it: the dot of `14.`, the `.x` of `14.x`, or further numbers. */
const versionWord = /^(\d{1,3}(?:\.\d{1,3}){0,2})(?!\d)(?:\..*)?$/;

/** The build of a macOS release, such as `23F79`. */
const buildWord = /^\d{2}[a-z]\d{1,5}[a-z]?$/;

/**
 * Returns the words of a text's first 100 UTF-16 code units in lowercase, an empty array if there are none. `win11` and `macOS14`
 * have two each, `10.0-17763` has two, and `14.5` is one.
 */
const splitWords = (text: string): string[] =>
  text
    .slice(0, maxLength)
    .toLowerCase()
    .replace(/\b([a-z]+)(?=\d)/g, '$1 ')
    .split(/[\s\p{Cc}(),;_-]+/u)
    .filter((word) => word !== '');

/**
 * Returns the system that a text names, such as `Windows` for `win11`, `Linux` for `Ubuntu 24.04` and `iOS` for `iPhone`, or null
 * if it names none. If it names several, that is macOS, or else the first.
 */
export function findSystem(text: string): string | null {
  const systems = splitWords(text).flatMap((word) => systemsByWord.get(word) ?? []);
  return systems.includes('macOS') ? 'macOS' : (systems[0] ?? null);
}

/**
 * Returns the version of macOS, such as `[14, 5]`, that a text such as `Sonoma`, `macOS 14` or `14.5 (23F79)` probably stands for.
 * Returns null if the text names no version, or has a word that is neither a version nor about macOS: a version read from other
 * words would be a guess.
 */
export function findMacosVersion(text: string): readonly number[] | null {
  const rest = splitWords(text).filter((word) => !macosWords.has(word) && !buildWord.test(word));
  const numbers = rest.filter((word) => /^\d/.test(word));
  const name = rest.filter((word) => !numbers.includes(word)).join(' ');
  const byName = parseMacosName(name);
  if (name !== '' && byName === null) return null;
  const [first] = numbers;
  return first === undefined ? byName : parseOsVersion(versionWord.exec(first)?.[1] ?? '');
}
