/** Tests latest.json of Tauri: keys of platforms, signatures as far as they can be checked without the files, and hostile files. */
import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { describe, it } from 'node:test';
import type { VerificationRules } from '../../src/feed/verify-feed.ts';
import { readSource } from '../support/release-fixtures.ts';

const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64');

/** Creates a vendor with a new minisign key. `pubkey` is the public key file in base64, and `sign` calls `signFile` with the key. */
function createVendor() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const id = randomBytes(8);
  const raw = Buffer.from(String(publicKey.export({ format: 'jwk' }).x), 'base64url');
  return {
    pubkey: base64(`untrusted comment: minisign public key\n${base64(Buffer.concat([Buffer.from('Ed'), id, raw]))}\n`),
    sign: (comment: string) => signFile(privateKey, id, comment),
  };
}

/** Returns minisign's .sig file for a file with the text `the file`, in base64, with a trusted comment. */
function signFile(key: KeyObject, id: Buffer, comment: string): string {
  const signature = sign(null, createHash('blake2b512').update('the file').digest(), key);
  const line = Buffer.concat([Buffer.from('ED'), id, signature]);
  const global = sign(null, Buffer.concat([signature, Buffer.from(comment)]), key);
  return base64(
    `untrusted comment: signature from tauri secret key\n${base64(line)}\ntrusted comment: ${comment}\n${base64(global)}\n`,
  );
}

const vendor = createVendor();
const url = 'https://github.com/acme/larder/releases/download/v1.4.0/Larder_1.4.0_x64-setup.exe';
const signature = vendor.sign('timestamp:1784790984\tfile:Larder_1.4.0_x64-setup.exe');

const createFile = (platforms: Record<string, object>, more: object = {}): string =>
  JSON.stringify({ version: 'v1.4.0', notes: 'Jars', pub_date: '2026-11-02T09:00:00Z', platforms, ...more });

const read = (text: string, rules: Partial<VerificationRules> = {}) => readSource(text, 'latest.json', rules);
const listMessages = async (text: string, rules: Partial<VerificationRules> = {}): Promise<string> =>
  (await read(text, rules)).warnings.map(({ message }) => message).join('\n');
const getRefusal = (text: string, rules: Partial<VerificationRules> = {}): Promise<string> =>
  read(text, rules).then(
    () => assert.fail('it was read'),
    (error: unknown) => String(error),
  );

describe('latest.json of Tauri', () => {
  it('each release has the system and the processor of its keys in `platforms`', async () => {
    const mac = 'https://larder.example/Larder.app.tar.gz';
    const { releases, kind } = await read(
      createFile({
        'windows-x86_64': { url, signature },
        'darwin-aarch64': { url: mac, signature },
        'darwin-x86_64': { url: mac, signature },
        'linux-aarch64-deb': { url: 'https://larder.example/larder.deb', signature },
        'linux-i686': { url: 'https://larder.example/larder.AppImage', signature },
        'android-aarch64': { url: 'https://larder.example/larder.apk', signature },
      }),
    );
    assert.equal(kind, 'tauri');
    assert.deepEqual(
      releases.map(({ os, arch, format, version, notes }) => [os, arch, format, version, notes]),
      [
        ['Windows', 'x86_64', 'exe', '1.4.0', 'Jars'],
        ['macOS', 'universal', 'tar', '1.4.0', 'Jars'],
        ['Linux', 'arm64', 'deb', '1.4.0', 'Jars'],
        ['Linux', 'x86', 'appimage', '1.4.0', 'Jars'],
      ],
    );
    assert.equal(releases[0]?.signature, signature);
  });

  it('darwin-universal is refused, because the updater never requests it', async () => {
    const text = createFile({ 'darwin-universal': { url: 'https://larder.example/a.app.tar.gz', signature } });
    assert.match(await getRefusal(text), /darwin-aarch64 and darwin-x86_64/);
  });

  it('the response of a dynamic server needs os and arch in product.yaml', async () => {
    const text = JSON.stringify({ version: '1.4.0', url, signature });
    assert.match(await getRefusal(text), /write `os` and `arch` at this source/);
    const { releases } = await readSource(text, 'update', { hints: { os: 'Windows', arch: 'x86_64' } });
    assert.deepEqual([releases[0]?.os, releases[0]?.arch], ['Windows', 'x86_64']);
  });

  it('a signature that is missing or not minisign’s is not published', async () => {
    for (const [value, problem] of [
      ['', /windows-x86_64 has no signature/],
      ['PASTE_THE_CODE_HERE', /not minisign’s/],
      [vendor.pubkey, /not minisign’s/],
    ] as const) {
      const text = createFile({ 'windows-x86_64': { url, signature: value } });
      assert.match(await listMessages(text), problem);
      assert.equal((await read(text)).releases[0]?.signature, null);
    }
  });

  it('a file whose signature is missing, of another key or changed is refused if public_keys has the vendor’s key', async () => {
    const rules = { publicKeys: [vendor.pubkey], policy: 'required' as const };
    assert.equal((await read(createFile({ 'windows-x86_64': { url, signature } }), rules)).releases.length, 1);
    const changedSignature = base64(Buffer.from(signature, 'base64').toString().replace('1784790984', '1999999999'));
    for (const [value, problem] of [
      ['', /has no signature/],
      [createVendor().sign('file:Larder_1.4.0_x64-setup.exe'), /a key that is not in public_keys/],
      [changedSignature, /the comment of its signature was changed/],
    ] as const)
      assert.match(await getRefusal(createFile({ 'windows-x86_64': { url, signature: value } }), rules), problem);
    const foreignRules = { publicKeys: [`${'A'.repeat(43)}=`], policy: 'required' as const };
    assert.match(
      await getRefusal(createFile({ 'windows-x86_64': { url, signature } }), foreignRules),
      /`pubkey` of tauri\.conf\.json/,
    );
  });

  it('a signature for another version is refused, and one for another file is a warning', async () => {
    const old = vendor.sign('timestamp:1\tfile:Larder_1.4.0_x64-setup.exe\tversion:1.3.0');
    assert.match(
      await getRefusal(createFile({ 'windows-x86_64': { url, signature: old } })),
      /its signature is for version 1\.3\.0/,
    );
    const otherSignature = vendor.sign('timestamp:1\tfile:Larder_1.3.0_x64-setup.exe');
    assert.match(
      await listMessages(createFile({ 'windows-x86_64': { url, signature: otherSignature } })),
      /is that of Larder_1\.3\.0/,
    );
    const renamed = vendor.sign('timestamp:1\tfile:Larder (new)_1.4.0_x64-setup.exe');
    const assetUrl = 'https://github.com/acme/larder/releases/download/v1/Larder.new._1.4.0_x64-setup.exe';
    assert.equal(await listMessages(createFile({ 'windows-x86_64': { url: assetUrl, signature: renamed } })), '');
  });

  it('a file name with an older version and an invalid pub_date cause warnings', async () => {
    const older = url.replaceAll('1.4.0', '1.3.9');
    const text = createFile({ 'windows-x86_64': { url: older, signature } }, { pub_date: '2026-11-02 09:00:00' });
    assert.match(await listMessages(text), /older version by its name/);
    assert.match(await listMessages(text), /its pub_date is not of the form/);
    assert.equal((await read(text)).releases[0]?.publishedAtTime, '2026-11-02T09:00:00Z');
    for (const date of ['', '9999-99-99', 'soon'])
      assert.equal(
        (await read(createFile({ 'windows-x86_64': { url, signature } }, { pub_date: date }))).releases[0]
          ?.publishedAtTime,
        null,
      );
  });

  it('hostile files are refused or read without their hostile parts', async () => {
    for (const [text, problem] of [
      ['{"version": "1.0.0", "platforms": {', /not valid JSON/],
      [createFile({}), /no release that can be read/],
      [createFile({ 'windows-x86_64': { url: 'javascript:alert(1)', signature } }), /not http or https/],
      [createFile({ 'windows-x86_64': { url: 'https://a:b@larder.example/a.exe', signature } }), /not http or https/],
      [
        createFile({ 'windows-x86_64': { url: '', signature } }),
        /windows-x86_64 is left out: its URL is missing or relative/,
      ],
      [createFile({ 'windows-x86_64': { url }, 'darwin-aarch64': {} }, { version: 7 }), /its version/],
      [createFile({ 'darwin-aarch64': { url, signature } }), /is for Windows/],
    ] as const)
      assert.match(await getRefusal(text), problem, text);
    const pollutingText = `{"version":"1.0.0","__proto__":{"x":1},"platforms":{"__proto__":{"url":"${url}"},"windows-x86_64":{"url":"${url}","signature":"${signature}"}}}`;
    assert.equal((await read(pollutingText)).releases.at(-1)?.os, 'Windows');
    const script = createFile({ 'windows-x86_64': { url, signature } }, { notes: '<script>alert(1)</script>Hello' });
    assert.doesNotMatch((await read(script)).releases[0]?.notes ?? '', /<script/);
  });
});
