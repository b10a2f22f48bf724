/**
 * Every list of releases in test/fixtures/releases/ is read or refused, and the release that is offered to a computer is the one that
 * the application's own updater offers. The rules of the updaters are implemented here again, from their documentation and sources.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { tryOffer } from '../../src/catalog/release-index.ts';
import { FeedFault } from '../../src/feed/fault.ts';
import { indexSource, type ReleaseFixture, readSource, releaseFixtures } from '../support/release-fixtures.ts';

type Os = 'macOS' | 'Windows' | 'Linux';

interface Computer {
  readonly os: Os;
  readonly version: string | null;
  readonly arch: 'arm64' | 'x86_64';
}

const versions: Readonly<Record<Os, readonly (string | null)[]>> = {
  macOS: ['12', '13', '14', '15', '26', '27'],
  Windows: ['10', '11'],
  Linux: [null],
};
const systems: readonly Os[] = ['macOS', 'Windows', 'Linux'];
const archs = ['arm64', 'x86_64'] as const;
const computers = systems.flatMap((os) =>
  versions[os].flatMap((version) => archs.map((arch): Computer => ({ os, version, arch }))),
);

/** Returns whether a computer runs programs for x86_64. Windows 11 does even on Arm; macOS 27 does not run on Intel. */
const runsX64 = ({ os, version, arch }: Computer): boolean =>
  arch === 'x86_64' ? !(os === 'macOS' && version === '27') : os === 'Windows' && version === '11';
const isPossible = ({ os, version, arch }: Computer): boolean =>
  !(os === 'macOS' && version === '27' && arch === 'x86_64');

const getSystemByExtension = (name: string): Os | null =>
  /\.(?:dmg|pkg)$/i.test(name)
    ? 'macOS'
    : /\.(?:exe|msi)$/i.test(name)
      ? 'Windows'
      : /\.(?:appimage|deb|rpm)$/i.test(name)
        ? 'Linux'
        : null;

/**
 * Reads a file of electron-builder as MacUpdater.ts, NsisUpdater.ts and AppImageUpdater.ts of electron-updater do, and counts the
 * dmg, deb and rpm files that people download.
 */
function readElectron({ bytes, name }: ReleaseFixture) {
  const file = parse(bytes.toString(), { schema: 'failsafe' });
  const os: Os = /-mac\.yml$/.test(name) ? 'macOS' : /-linux/.test(name) ? 'Linux' : 'Windows';
  const files: { url: string }[] = file.files ?? [{ url: file.path }];
  const urls = files
    .map(({ url }) => url)
    .filter((url) => /\.(?:zip|dmg|pkg|exe|msi|appimage|deb|rpm|tar\.gz)$/i.test(url))
    .filter((url) => (getSystemByExtension(url) ?? os) === os);
  return (computer: Computer): string | null => {
    if (computer.os !== os) return null;
    if (os === 'Linux') {
      const arch = /-arm64\.yml$/.test(name) ? 'arm64' : 'x86_64';
      return urls.length > 0 && computer.arch === arch ? file.version : null;
    }
    const isArm = (url: string): boolean => /arm64/i.test(url);
    const isIntel = (url: string): boolean => /(?<![a-z\d])(?:x64|intel)(?![a-z\d])/i.test(url);
    const hasArm = urls.some(isArm);
    const suitableUrls =
      computer.arch === 'arm64' && (hasArm || urls.every(isIntel))
        ? urls.filter(isArm)
        : urls.filter((url) => !isArm(url));
    const emulatedUrls = runsX64(computer) ? urls.filter((url) => !isArm(url)) : [];
    return suitableUrls.length + emulatedUrls.length > 0 ? file.version.replace(/^v/, '') : null;
  };
}

/** Reads latest.json as `get_urls` of tauri-plugin-updater does: a key is a system, a processor and perhaps an installer. */
function readTauri({ bytes }: ReleaseFixture) {
  const file = JSON.parse(bytes.toString());
  const names = { macOS: 'darwin', Windows: 'windows', Linux: 'linux' };
  return (computer: Computer): string | null => {
    const keys = Object.keys(file.platforms).filter((key) => /^https?:/.test(file.platforms[key].url));
    const has = (arch: string): boolean =>
      keys.some((key) => new RegExp(`^${names[computer.os]}-${arch}(?:-|$)`).test(key));
    const isOffered =
      (computer.arch === 'arm64' && has('aarch64')) ||
      (computer.arch === 'x86_64' && has('x86_64')) ||
      (runsX64(computer) && has('x86_64'));
    return isOffered ? file.version.replace(/^v/, '') : null;
  };
}

/** Reads a list of GitHub releases: the first one that is stable and has a file for the system and the processor is offered. */
function readGithub({ bytes }: ReleaseFixture) {
  interface Entry {
    readonly tag_name: string;
    readonly draft: boolean;
    readonly prerelease: boolean;
    readonly assets: readonly { readonly name: string }[];
  }
  const releases: Entry[] = [JSON.parse(bytes.toString())].flat();
  const words = {
    macOS: /darwin|macos|\.dmg$/i,
    Windows: /windows|\.msi$|\.exe$/i,
    Linux: /linux|\.deb$|\.appimage$/i,
  };
  return (computer: Computer): string | null => {
    const suits = (name: string): boolean => {
      if (/\.(?:txt|json|jar|sig)$/.test(name) || !words[computer.os].test(name)) return false;
      if (/arm64|aarch64/i.test(name)) return computer.arch === 'arm64';
      return /amd64|x64|x86_64/i.test(name) ? runsX64(computer) : true;
    };
    const release = releases.find(
      ({ draft, prerelease, tag_name: tag, assets }) =>
        !draft && !prerelease && !tag.includes('-') && assets.some(({ name }) => suits(name)),
    );
    return release?.tag_name.replace(/^v/, '') ?? null;
  };
}

/** Compares the first six numbers of two versions such as 1.5.2+12, as for a sort. */
function compareNumbers(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => text.match(/\d+/g)?.map(Number) ?? []);
  for (let place = 0; place < 6; place += 1) {
    const order = (left?.[place] ?? 0) - (right?.[place] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}

/** Reads an appcast as Sparkle's SUAppcastDriver and WinSparkle's appcast.cpp do: the highest build, the first of equal ones. */
function readAppcast({ bytes }: ReleaseFixture) {
  const items = [...bytes.toString().matchAll(/<item>.*?<\/item>/gs)].map(([item]) => {
    const value = (name: string): string | undefined =>
      new RegExp(`${name}="([^"]*)"`).exec(item)?.[1] ??
      new RegExp(`<${name}>\\s*([^<]*?)\\s*</${name}>`).exec(item)?.[1];
    const url = /<enclosure[^>]*?\burl="([^"]*)"/s.exec(item)?.[1] ?? '';
    const osName = value('sparkle:os') ?? '';
    const os: Os = /win/i.test(osName)
      ? 'Windows'
      : /linux/i.test(osName)
        ? 'Linux'
        : /mac/i.test(osName)
          ? 'macOS'
          : (getSystemByExtension(url) ?? 'macOS');
    return {
      os,
      build: value('sparkle:version') ?? '0',
      version: value('sparkle:shortVersionString') ?? value('sparkle:version') ?? '',
      channel: value('sparkle:channel') ?? null,
      minimum: value('sparkle:minimumSystemVersion') ?? '0',
      needsArm: os === 'macOS' && /arm64/.test(value('sparkle:hardwareRequirements') ?? ''),
    };
  });
  return ({ os, version, arch }: Computer, channel: string | null): string | null => {
    const numbers = os === 'Windows' ? (version === '11' ? '10.0.22000' : '10.0') : (version ?? '0');
    let best: (typeof items)[number] | null = null;
    for (const item of items) {
      const isOffered =
        item.os === os &&
        (item.channel === null || item.channel === channel) &&
        (arch === 'arm64' || !item.needsArm) &&
        (os === 'Linux' || compareNumbers(item.minimum, numbers) <= 0);
      if (isOffered && (best === null || compareNumbers(item.build, best.build) > 0)) best = item;
    }
    return best?.version ?? null;
  };
}

/** Returns the version that a computer is offered on the default channel or `channel`, or null for none. */
type Updater = (computer: Computer, channel: string | null) => string | null;

const updaters: Readonly<Record<string, (fixture: ReleaseFixture) => Updater>> = {
  'appcast-hardware': readAppcast,
  'appcast-windows': readAppcast,
  'electron-mac': readElectron,
  'electron-win': readElectron,
  'electron-linux': readElectron,
  tauri: readTauri,
  github: readGithub,
};

/** The error messages for the kinds of files that Colophon does not read. */
const refusals: Readonly<Record<string, RegExp>> = {
  squirrel: /^This is Squirrel’s RELEASES, which Colophon does not read.*GitHub repository.*releases\/VERSION\.md/,
  velopack: /^This is Velopack’s releases\.win\.json.*which Colophon does not read.*releases\/VERSION\.md/,
};

describe('Release lists of Sparkle, electron-builder, Tauri and GitHub: the offered release', () => {
  for (const fixture of releaseFixtures) {
    const { path, kind, name, bytes } = fixture;
    const updater = updaters[kind]?.(fixture);
    it(`${path} offers the release that its updater offers, or is refused with a reason`, async () => {
      let snapshot: Awaited<ReturnType<typeof readSource>>;
      try {
        snapshot = await readSource(bytes, name);
      } catch (error) {
        assert.ok(error instanceof FeedFault && error.kind === 'refused');
        assert.match(error.message, refusals[kind] ?? /^The feed has no release that can be read\. \S.{20}/);
        for (const computer of computers.filter(isPossible))
          assert.equal(updater?.(computer, null) ?? null, null, `${error.message} ${JSON.stringify(computer)}`);
        return;
      }
      assert.ok(updater !== undefined, 'this kind has to be refused');
      const index = indexSource(snapshot);
      for (const channel of [null, 'beta', 'alpha'])
        for (const computer of computers.filter(isPossible)) {
          const { os, version: osVersion, arch } = computer;
          const offer = tryOffer(() => index.offered({ os, osVersion, arch, channel, format: null }));
          const expected = updater(computer, channel);
          const isListed = kind === 'github' && channel === 'alpha';
          // Builds of one version that differ only after `+` are one release, so the part after `+` is not compared.
          const removeBuild = (text: string | null): string | null => text?.replace(/\+.*$/, '') ?? null;
          if (!isListed)
            assert.equal(
              removeBuild(offer?.version ?? null),
              removeBuild(expected),
              JSON.stringify({ ...computer, channel }),
            );
        }
    });
  }
});
