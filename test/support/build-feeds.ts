/** Sample feeds with builds for several systems, processors and versions, each with the downloads that computers must be offered. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wrapInAppcast } from './feed-samples.ts';

/**
 * The properties of an item in a feed. Its build is 20 and its version 2.0 unless given; other values that are left out are left
 * out of the item, too.
 */
interface FeedItem {
  build?: string;
  version?: string;
  /** Whether the item requires Apple silicon. */
  arm64?: boolean;
  /** The oldest system version that it runs on. */
  min?: string;
  /** The newest system version that it runs on. */
  max?: string;
  channel?: string;
  /** The value of `sparkle:os`. */
  os?: string;
}

const createItem = (
  name: string,
  { build = '20', version = '2.0', arm64 = false, min, max, channel, os }: FeedItem = {},
): string => {
  const createTag = (key: string, value: string | undefined) =>
    value === undefined ? '' : `<sparkle:${key}>${value}</sparkle:${key}>`;
  return `<item><pubDate>Mon, 04 May 2026 10:00:${build.padStart(2, '0').slice(-2)} +0000</pubDate>${createTag('version', build)}${createTag('shortVersionString', version)}${createTag('minimumSystemVersion', min)}${createTag('maximumSystemVersion', max)}${createTag('channel', channel)}${createTag('hardwareRequirements', arm64 ? 'arm64' : undefined)}<enclosure url="${createUrl(name)}" length="1000000"${os === undefined ? '' : ` sparkle:os="${os}"`}/></item>`;
};

const createUrl = (name: string): string => `https://lamp.example/${name}`;

/** A feed with builds for several systems, and the files that computers must be offered from it. */
export interface BuildFeed {
  /** Lines of product.yaml with the systems, each with its oldest version and its processors. @defaultValue `macOnlySystems` */
  readonly systems?: string;
  /** The texts of the files in the content folder that releases are read from, by name. */
  readonly files: Readonly<Record<string, string>>;
  /**
   * The name of the file that a computer, such as `macOS 14 arm64`, is offered, or null for none, and whether the current release
   * runs there.
   */
  readonly expected: Readonly<Record<string, readonly [file: string | null, runs: boolean]>>;
  /** System versions that must have a page of their own, such as `macos-13`. Without it, there may be no such page. */
  readonly olderSystems?: readonly string[];
}

const olderRelease = { build: '10', version: '1.0' };
const createFeed = (...items: string[]) => ({ 'appcast.xml': wrapInAppcast(...items) });

/**
 * Returns the texts of real files, which vendors have published, by the names that a folder has them under. `files` has their paths
 * below test/fixtures/releases by these names.
 */
const readSamples = (files: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).map(([name, path]) => [
      name,
      readFileSync(join(import.meta.dirname, '../fixtures/releases', path), 'utf8'),
    ]),
  );

/** Lines of product.yaml for a product that runs on macOS only. */
export const macOnlySystems = 'platform: { os: macOS }\nminimums: { os_version: "10.13", arch: [arm64, x86_64] }';
const macAndWindowsSystems =
  'platform: { os: [macOS, Windows] }\nminimums: { macOS: { os_version: "13", arch: [arm64, x86_64] }, Windows: { os_version: "10", arch: [x86_64] } }';

/** The feeds with builds for several systems or processors, by a description such as `TablePro’s feed`. */
export const buildFeeds: Readonly<Record<string, BuildFeed>> = {
  'TablePro’s feed': {
    files: readSamples({ 'appcast.xml': 'appcast-hardware/TablePro-excerpt.xml' }),
    expected: {
      'macOS 14 arm64': ['TablePro-0.75.0-arm64.zip', true],
      'macOS 14 x86_64': ['TablePro-0.75.0-x86_64.zip', true],
      'macOS 12 x86_64': [null, false],
    },
  },
  'DevBar’s feed': {
    files: readSamples({ 'appcast.xml': 'appcast-hardware/784238119__DevBar__appcast.xml' }),
    expected: { 'macOS 15 arm64': ['DevBar-0.2.15-macos-arm64.dmg', true], 'macOS 26 x86_64': [null, false] },
  },
  'Darius’s feed, all of it on a channel': {
    files: readSamples({ 'appcast.xml': 'appcast-hardware/AmElmo__darius-updates__docs_appcast.xml' }),
    expected: { 'macOS 15 arm64': [null, true], 'macOS 14 arm64': [null, false] },
  },
  'cctop’s feed': {
    files: readSamples({ 'appcast.xml': 'appcast-hardware/st0012__cctop__appcast.xml' }),
    expected: { 'macOS 14 arm64': ['cctop-macOS-arm64.zip', true] },
  },
  'Vitamin’s four files of electron-builder': {
    systems:
      'platform: { os: [macOS, Windows, Linux] }\nminimums: { macOS: { os_version: "12", arch: [arm64] }, Windows: { os_version: "10", arch: [x86_64] }, Linux: { arch: [x86_64, arm64] } }',
    files: readSamples({
      'latest-mac.yml': 'electron-mac/lmprox2025__vitamin-releases__latest-mac.yml',
      'latest.yml': 'electron-win/lmprox2025__vitamin-releases__latest.yml',
      'latest-linux.yml': 'electron-linux/lmprox2025__vitamin-releases__latest-linux.yml',
      'latest-linux-arm64.yml': 'electron-linux/lmprox2025__vitamin-releases__latest-linux-arm64.yml',
    }),
    expected: {
      'macOS 14 arm64': ['Vitamin-0.4.0-arm64.dmg', true],
      'macOS 14 x86_64': [null, false],
      'macOS 11 arm64': [null, false],
      'Windows 11 x86_64': ['Vitamin-Setup-0.4.0.exe', true],
      'Linux  x86_64': ['vitamin-browser_0.4.0_amd64.deb', true],
      'Linux  arm64': ['vitamin-browser_0.4.0_arm64.deb', true],
    },
  },
  'HyperionBox’s latest.json of Tauri': {
    systems:
      'platform: { os: [Windows, Linux] }\nminimums: { Windows: { os_version: "10", arch: [x86_64] }, Linux: { arch: [x86_64] } }',
    files: readSamples({ 'latest.json': 'tauri/GoodDay360__HyperionBox__src-tauri_latest.json' }),
    expected: {
      'Windows 10 22H2 x86_64': ['HyperionBox_2.2.7_x64-setup.exe', true],
      'Windows 8.1 x86_64': [null, false],
      'Linux  x86_64': ['HyperionBox_2.2.7_amd64.AppImage', true],
    },
  },
  'Apple silicon and Intel in one feed': {
    files: createFeed(createItem('arm64.zip', { arm64: true, min: '13.0' }), createItem('x86_64.zip', { min: '13.0' })),
    expected: {
      'macOS 14 arm64': ['arm64.zip', true],
      'macOS 14 x86_64': ['x86_64.zip', true],
      'macOS 12 x86_64': [null, false],
    },
  },
  'the item for Intel first': {
    files: createFeed(createItem('x86_64.zip', { min: '13.0' }), createItem('arm64.zip', { arm64: true, min: '13.0' })),
    expected: { 'macOS 14 x86_64': ['x86_64.zip', true], 'macOS 27 x86_64': [null, false] },
  },
  'different build numbers for the processors': {
    files: createFeed(
      createItem('arm64.zip', { build: '201', arm64: true, min: '13.0' }),
      createItem('x86_64.zip', { build: '200', min: '13.0' }),
    ),
    expected: { 'macOS 14 arm64': ['arm64.zip', true], 'macOS 14 x86_64': ['x86_64.zip', true] },
  },
  'a higher build number for Intel': {
    files: createFeed(
      createItem('arm64.zip', { build: '200', arm64: true, min: '13.0' }),
      createItem('x86_64.zip', { build: '201', min: '13.0' }),
    ),
    expected: { 'macOS 14 arm64': ['arm64.zip', true], 'macOS 14 x86_64': ['x86_64.zip', true] },
  },
  'file names without a processor': {
    files: createFeed(createItem('a.zip', { arm64: true, min: '13.0' }), createItem('b.zip', { min: '13.0' })),
    expected: { 'macOS 14 arm64': ['a.zip', true], 'macOS 14 x86_64': ['b.zip', true] },
  },
  'one file without requirements': {
    files: createFeed(createItem('a.zip')),
    expected: { 'macOS 14 x86_64': ['a.zip', true], 'macOS 10.13 x86_64': ['a.zip', true] },
  },
  'Apple silicon only': {
    files: createFeed(createItem('a.zip', { arm64: true, min: '14.0' })),
    expected: { 'macOS 14 arm64': ['a.zip', true], 'macOS 14 x86_64': [null, false] },
  },
  'Intel only in the release before': {
    files: createFeed(
      createItem('a.zip', { arm64: true, min: '14.0' }),
      createItem('b.zip', { ...olderRelease, arm64: true, min: '13.0' }),
      createItem('x86_64.zip', { ...olderRelease, min: '13.0' }),
    ),
    expected: { 'macOS 14 arm64': ['a.zip', true], 'macOS 14 x86_64': ['x86_64.zip', false] },
    olderSystems: ['macos-13'],
  },
  'a minimum for each processor': {
    files: createFeed(createItem('arm64.zip', { arm64: true, min: '14.0' }), createItem('x86_64.zip', { min: '12.0' })),
    expected: { 'macOS 12 x86_64': ['x86_64.zip', true], 'macOS 12 arm64': [null, false] },
  },
  'a minimum that rose': {
    files: createFeed(createItem('a.zip', { min: '14.0' }), createItem('b.zip', { ...olderRelease, min: '12.0' })),
    expected: { 'macOS 13 arm64': ['b.zip', false], 'macOS 11 arm64': [null, false] },
    olderSystems: ['macos-13', 'macos-12'],
  },
  'a build for each range of versions': {
    files: createFeed(createItem('new.zip', { min: '14.0' }), createItem('old.zip', { min: '11.0', max: '13.99' })),
    expected: { 'macOS 14 arm64': ['new.zip', true], 'macOS 13 arm64': ['old.zip', true] },
  },
  'ranges with a gap': {
    files: createFeed(
      createItem('new.zip', { min: '14.0' }),
      createItem('old.zip', { min: '11.0', max: '12.99' }),
      createItem('before.zip', { ...olderRelease, min: '11.0' }),
    ),
    expected: { 'macOS 12 arm64': ['old.zip', true], 'macOS 13 arm64': ['before.zip', false] },
    olderSystems: ['macos-13'],
  },
  'a release that newer systems do not run': {
    files: createFeed(
      createItem('a.zip', { min: '11.0', max: '12.99' }),
      createItem('b.zip', { ...olderRelease, min: '11.0' }),
    ),
    expected: { 'macOS 12 arm64': ['a.zip', true], 'macOS 14 arm64': ['b.zip', true] },
  },
  'a maximum in every item': {
    files: createFeed(createItem('a.zip', { min: '11.0', max: '13.99' })),
    expected: { 'macOS 13 arm64': ['a.zip', true], 'macOS 14 arm64': [null, false] },
  },
  'every release on a channel': {
    files: createFeed(createItem('a.zip', { min: '13.0', channel: 'beta' })),
    expected: { 'macOS 14 arm64': [null, true], 'macOS 12 arm64': [null, false] },
  },
  'a beta above the stable release': {
    files: createFeed(
      createItem('b.zip', { build: '30', version: '3.0', min: '15.0', channel: 'beta' }),
      createItem('a.zip', { min: '13.0' }),
    ),
    expected: { 'macOS 14 arm64': ['a.zip', true], 'macOS 26 arm64': ['a.zip', true] },
  },
  'Windows only on a channel': {
    systems: macAndWindowsSystems,
    files: createFeed(
      createItem('a.dmg', { min: '14.0' }),
      createItem('setup.exe', { build: '21', version: '2.1', os: 'windows', min: '10.0.17763', channel: 'beta' }),
    ),
    expected: { 'macOS 14 arm64': ['a.dmg', true], 'Windows 11 x86_64': [null, true] },
  },
  'a minimum of product.yaml above the feed’s': {
    systems: 'platform: { os: macOS }\nminimums: { os_version: "15", arch: [arm64] }',
    files: createFeed(createItem('a.zip', { min: '14.0' })),
    expected: { 'macOS 14 arm64': ['a.zip', false], 'macOS 26 arm64': ['a.zip', true] },
  },
  'a disk image and an archive': {
    files: createFeed(createItem('a.zip', { min: '13.0' }), createItem('a.dmg', { min: '13.0' })),
    expected: { 'macOS 14 arm64': ['a.dmg', true] },
  },
  'Windows next to macOS': {
    systems: macAndWindowsSystems,
    files: createFeed(
      createItem('a.dmg', { min: '14.0' }),
      createItem('setup.exe', { os: 'windows', min: '10.0.17763' }),
    ),
    expected: {
      'macOS 14 arm64': ['a.dmg', true],
      'Windows 11 x86_64': ['setup.exe', true],
      'Windows 11 arm64': ['setup.exe', true],
      'Windows 10 arm64': [null, false],
      'Windows 10 1803 x86_64': [null, false],
    },
  },
  'Windows behind macOS by a release': {
    systems: macAndWindowsSystems,
    files: createFeed(
      createItem('a.dmg', { min: '14.0' }),
      createItem('setup.exe', { build: '15', version: '1.5', os: 'windows', min: '11' }),
      createItem('a1.dmg', { ...olderRelease, min: '13.0' }),
      createItem('setup1.exe', { ...olderRelease, os: 'windows', min: '10' }),
    ),
    expected: {
      'macOS 13 arm64': ['a1.dmg', false],
      'Windows 11 x86_64': ['setup.exe', true],
      'Windows 10 22H2 x86_64': ['setup1.exe', false],
    },
    olderSystems: ['macos-13', 'windows-10-22h2', 'windows-10-1809'],
  },
  'Windows only, without sparkle:os': {
    systems: 'platform: { os: Windows }\nminimums: { os_version: "10", arch: [x86_64] }',
    files: createFeed(createItem('setup.exe', { min: '10.0.17763' })),
    expected: { 'Windows 11 x86_64': ['setup.exe', true], 'Windows 7 x86_64': [null, false] },
  },
  'macOS as darwin, next to Windows': {
    systems: macAndWindowsSystems,
    files: createFeed(createItem('a.zip', { os: 'darwin' }), createItem('b.zip', { os: 'windows-x64' })),
    expected: { 'macOS 14 arm64': ['a.zip', true], 'Windows 11 x86_64': ['b.zip', true] },
  },
  'Linux next to macOS': {
    systems:
      'platform: { os: [macOS, Linux] }\nminimums: { macOS: { os_version: "13", arch: [arm64] }, Linux: { arch: [x86_64] } }',
    files: createFeed(createItem('a.dmg', { min: '14.0' }), createItem('lamp-x86_64.AppImage', { os: 'linux' })),
    expected: { 'Linux  x86_64': ['lamp-x86_64.AppImage', true], 'Linux  arm64': [null, false] },
  },
  'a system without a build': {
    systems: macAndWindowsSystems,
    files: createFeed(createItem('a.dmg', { min: '14.0' })),
    expected: { 'macOS 14 arm64': ['a.dmg', true], 'Windows 11 x86_64': [null, false] },
  },
};
