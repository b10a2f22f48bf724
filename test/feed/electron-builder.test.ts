/** Tests latest*.yml of electron-builder: the meaning of its name, its files and its unusual values, and hostile files. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { FeedFault } from '../../src/feed/fault.ts';
import { readSource } from '../support/release-fixtures.ts';

const digest = createHash('sha512').update('Larder').digest();

const createFile = (lines: string, url = 'Larder-1.10.0.dmg'): string =>
  `version: 1.10.0\nfiles:\n  - url: ${url}\n    sha512: ${digest.toString('base64')}\n    size: 42\n${lines}`;

const read = (text: string, name = 'latest-mac.yml') => readSource(text, name);

async function getRefusal(text: string, name?: string): Promise<string> {
  const error: unknown = await read(text, name).then(
    () => assert.fail('it was read'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof FeedFault && error.kind === 'refused', String(error));
  return error.message;
}

describe('latest*.yml of electron-builder', () => {
  it('the release has the URL, size, hash, date, title and notes of the file', async () => {
    const { releases, kind } = await read(
      createFile(
        "releaseDate: '2026-11-02T10:00:00.000Z'\nreleaseName: Ten\nreleaseNotes: '<p>More <b>jars</b></p>'\n",
      ),
    );
    const [release] = releases;
    assert.equal(kind, 'electron-builder');
    assert.equal(release?.downloadUrl, 'https://larder.example/Larder-1.10.0.dmg');
    assert.equal(release?.sizeBytes, 42);
    assert.equal(release?.sha512, digest.toString('hex'));
    assert.equal(release?.publishedAtTime, '2026-11-02T10:00:00Z');
    assert.equal(release?.title, 'Ten');
    assert.equal(release?.notes, 'More **jars**');
    assert.equal(release?.signature, null);
  });

  it('the file name determines the operating system, the processor and the channel', async () => {
    for (const [name, url, os, arch, channel] of [
      ['latest.yml', 'Larder.exe', 'Windows', null, null],
      ['latest-mac.yml', 'Larder.zip', 'macOS', null, null],
      ['latest-linux.yml', 'Larder.AppImage', 'Linux', 'x86_64', null],
      ['latest-linux-arm64.yml', 'Larder.deb', 'Linux', 'arm64', null],
      ['latest-linux-arm.yml', 'Larder.deb', 'Linux', 'armv7', null],
      ['beta-mac.yml', 'Larder.zip', 'macOS', null, 'beta'],
      ['alpha.yml', 'Larder.exe', 'Windows', null, 'alpha'],
      ['beta-linux-arm64.yml', 'Larder.rpm', 'Linux', 'arm64', 'beta'],
    ] as const) {
      const [release] = (await read(createFile('', url), name)).releases;
      assert.deepEqual([release?.os, release?.arch, release?.channel], [os, arch, channel], name);
    }
  });

  it('a version that YAML would read as a number keeps its digits', async () => {
    const { releases } = await read('version: 1.10\nfiles:\n  - url: Larder.dmg\n');
    assert.equal(releases[0]?.version, '1.10');
  });

  it('a macOS file without a processor is for Intel if there is one for Apple silicon, and otherwise unknown', async () => {
    const { releases } = await read('version: 1.0.0\nfiles:\n  - url: Larder-arm64.dmg\n  - url: Larder.dmg\n');
    assert.deepEqual(
      releases.map(({ arch }) => arch),
      ['arm64', 'x86_64'],
    );
    assert.equal((await read(createFile(''))).releases[0]?.arch, null);
  });

  it('a list in the old format, without `files`, has its only file in `path`', async () => {
    const { releases } = await read('version: 1.0.0\npath: Larder.dmg\nsha512: x\n');
    assert.equal(releases[0]?.downloadUrl, 'https://larder.example/Larder.dmg');
    assert.equal(releases[0]?.sha512, null);
  });

  it('minimumSystemVersion is converted from a Darwin version to a macOS version', async () => {
    const readMinimum = async (value: string, name = 'latest-mac.yml', url = 'Larder.dmg') => {
      const { releases, warnings } = await read(createFile(`minimumSystemVersion: ${value}\n`, url), name);
      return [releases[0]?.minimumOsVersion, warnings.length];
    };
    for (const [value, expected] of [
      ['17.0.0', '10.13'],
      ['19.6.0', '10.15'],
      ['20.0.0', '11.0'],
      ['22.6.0', '13.0'],
      ['23.4.0', '14.4'],
      ['24.1.0', '15.1'],
      ['25.0.0', '26.0'],
    ] as const)
      assert.deepEqual(await readMinimum(value), [expected, 0], value);
    assert.deepEqual(await readMinimum('13.0'), ['13.0', 1]);
    assert.deepEqual(await readMinimum('26.1'), [null, 1]);
    assert.deepEqual(await readMinimum('new'), [null, 1]);
    assert.deepEqual(await readMinimum('10.0.22631', 'latest.yml', 'Larder.exe'), ['10.0.22631', 0]);
    assert.deepEqual(await readMinimum('5.15', 'latest-linux.yml', 'Larder.deb'), [null, 0]);
  });

  it('sha512 may be hexadecimal, and is omitted with a warning if it does not have 64 bytes', async () => {
    for (const [value, expected] of [
      [digest.toString('hex').toUpperCase(), digest.toString('hex')],
      [digest.subarray(0, 63).toString('base64'), null],
      [Buffer.from(digest.toString('hex')).toString('base64'), null],
      ['TODO_REPLACE_WITH_HASH', null],
    ] as const) {
      const { releases, warnings } = await read(`version: 1.0.0\nfiles:\n  - url: Larder.dmg\n    sha512: ${value}\n`);
      assert.equal(releases[0]?.sha512, expected);
      assert.equal(warnings.length, expected === null ? 1 : 0, value);
    }
  });

  it('the notes are those of the release if releaseNotes has several versions', async () => {
    const notes = 'releaseNotes:\n  - version: 1.10.0\n    note: New\n  - version: 1.9.0\n    note: Old\n';
    assert.equal((await read(createFile(notes))).releases[0]?.notes, 'New');
    assert.equal((await read(createFile('releaseNotes: null\n'))).releases[0]?.notes, '');
  });

  it('a file of another system or of an unknown type is refused with its name', async () => {
    assert.match(
      await getRefusal(createFile('', 'Larder.exe')),
      /Larder\.exe is for Windows; electron-updater reads this list on macOS/,
    );
    assert.match(
      await getRefusal(createFile('', 'Larder.blockmap')),
      /Larder\.blockmap is no file that people download/,
    );
  });

  it('hostile files are refused or read without their hostile parts', async () => {
    for (const [text, expected] of [
      ['version: &a 1.0.0\nfiles: [*a, *a]\n', /alias/],
      ['version: 1.0.0\nversion: 2.0.0\nfiles:\n  - url: a.dmg\n', /"version" is there twice/],
      [`${createFile('')}EOF < /dev/null\n`, /not valid YAML/],
      ['version: 1.0.0\nfiles: null\n', /no release that can be read/],
      ['version: 1.0.0\nfiles:\n  - sha512: x\n', /is no file that people download/],
      ['version: [1, 0]\nfiles:\n  - url: a.dmg\n', /its version is not one/],
      [`version: ${'1.'.repeat(200)}0\nfiles:\n  - url: a.dmg\n`, /its version is not one/],
      ['version: <script>\nfiles:\n  - url: a.dmg\n', /its version is not one/],
      [`version: 1.0.0\npath: "${'x'.repeat(2_000_000)}"\n`, /larger than 1048576 bytes/],
      [createFile('', 'javascript:alert(1)//.dmg'), /not http or https/],
      [createFile('', 'file:///etc/passwd.dmg'), /not http or https/],
      [createFile('', 'https://user:secret@larder.example/a.dmg'), /has a user name/],
    ] as const)
      assert.match(await getRefusal(text), expected, text.slice(0, 80));
    const { releases } = await read(`__proto__: { polluted: true }\n${createFile('', '"../../a\\u202Eb.dmg"')}`);
    assert.match(releases[0]?.downloadUrl ?? '', /^https:\/\/larder\.example\/a%E2%80%AEb\.dmg$/);
    assert.equal(Reflect.get({}, 'polluted'), undefined);
    const odd =
      'version: 1.0.0\nfiles:\n  - { url: //other.example/a.dmg, size: -1 }\n  - { url: b.dmg, size: 1e30 }\n';
    assert.deepEqual(
      (await read(odd)).releases.map(({ downloadUrl, sizeBytes }) => [downloadUrl, sizeBytes]),
      [
        ['https://other.example/a.dmg', null],
        ['https://larder.example/b.dmg', null],
      ],
    );
  });

  it('the file is refused if a signature is required', async () => {
    const rules = { publicKeys: ['A'.repeat(43).concat('=')], policy: 'required' as const };
    await assert.rejects(readSource(createFile(''), 'latest-mac.yml', rules), /only appcasts are signed as a whole/);
    const tauriKey = { publicKeys: ['A'.repeat(120)], policy: 'required' as const };
    await assert.rejects(readSource(createFile(''), 'latest-mac.yml', tauriKey), /not signed/);
  });
});
