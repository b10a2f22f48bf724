/** Tests openSignedFeed: which signatures each policy accepts and refuses, and the appcasts that scripts/sign-appcast.ts signs. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { getPublicKey } from '../../scripts/sign-appcast.ts';
import { isExampleKey } from '../../src/feed/example-key.ts';
import { openSignedFeed, type SignaturePolicy } from '../../src/feed/signature.ts';
import { createAppcast, createSigner } from '../support/feed-samples.ts';

const root = join(import.meta.dirname, '../..');
const exampleKeyFile = join(root, 'examples', 'sotto-signing-key', 'EXAMPLE-PRIVATE-KEY.pem');
const signer = createSigner();
const otherSigner = createSigner();
const content = createAppcast('1.0', '2.0');
const signed = signer.sign(content);

const openFeed = (bytes: Buffer, policy: SignaturePolicy = 'required', keys = [signer.publicKey]) =>
  openSignedFeed(bytes, keys, policy);

const editSignedFeed = (change: (text: string) => string): Buffer => Buffer.from(change(signed.toString()));

test('openSignedFeed returns the content without the signature block, and the key that signed it', () => {
  for (const policy of ['required', 'optional'] as const) {
    assert.deepEqual(openFeed(signed, policy), {
      content: Buffer.from(content),
      isSigned: true,
      verifiedBy: signer.publicKey,
    });
  }
});

test('openSignedFeed accepts a signature of any key in the list', () => {
  assert.equal(openFeed(signed, 'required', [otherSigner.publicKey, signer.publicKey]).verifiedBy, signer.publicKey);
});

test('openSignedFeed returns the signed bytes unchanged, with byte order mark, line ends and comments', () => {
  for (const text of [
    `\uFEFF${content}`,
    content.replaceAll('\n', '\r\n'),
    content.replace('<rss', '<!-- sparkle-sign-warning:\nSigned.\n-->\n<rss'),
    content.trimEnd(),
    content.replace('Larder', 'Größe 貯蔵'),
  ]) {
    assert.equal(openFeed(signer.sign(text)).content.toString(), text);
  }
});

test('openSignedFeed accepts white space after the signature block', () => {
  assert.equal(openFeed(Buffer.concat([signed, Buffer.from('\r\n\n \t')])).verifiedBy, signer.publicKey);
});

const damagedFeeds: Record<string, [Buffer, RegExp]> = {
  'a changed byte': [editSignedFeed((text) => text.replace('Larder 2.0', 'Larder 2.1')), /does not match/],
  'a signature of another key': [otherSigner.sign(content), /does not match/],
  'an item after the block': [Buffer.concat([signed, Buffer.from('<item/>')]), /something follows it/],
  'a second block with the first signature': [
    Buffer.concat([signed, signed.subarray(Buffer.byteLength(content))]),
    /it says \d+ bytes/,
  ],
  'CRLF in the block': [editSignedFeed((text) => text.replaceAll('\n', '\r\n')), /line breaks were changed/],
  'a wrong length': [editSignedFeed((text) => text.replace(/length: \d+\n-->/, 'length: 1\n-->')), /it says 1 bytes/],
  'a block without a length': [editSignedFeed((text) => text.replace(/length: \d+\n-->/, '-->')), /its lines are not/],
  'a signature of 63 bytes': [
    editSignedFeed((text) => text.replace(/(edSignature: )\S+/, `$1${Buffer.alloc(63, 1).toString('base64')}`)),
    /its lines are not/,
  ],
  'a signature of zeros': [
    editSignedFeed((text) => text.replace(/(edSignature: )\S+/, `$1${Buffer.alloc(64).toString('base64')}`)),
    /does not match/,
  ],
  'an unknown line in the block': [
    editSignedFeed((text) => text.replace('\nlength', '\nkey: 2\nlength')),
    /its lines are not/,
  ],
  'a block without an end': [editSignedFeed((text) => text.replace(/\n-->\n$/, '')), /its lines are not/],
  'a block in the middle of the feed': [
    editSignedFeed((text) => text.replace('</rss>\n', '') + '</rss>\n'.repeat(2000)),
    /something follows/,
  ],
};

for (const [defect, [bytes, message]] of Object.entries(damagedFeeds)) {
  test(`openSignedFeed refuses ${defect}, also if a signature is optional`, () => {
    for (const policy of ['required', 'optional'] as const) {
      assert.throws(() => openFeed(bytes, policy), { name: 'FeedFault', kind: 'refused', message });
    }
  });
}

test('openSignedFeed refuses an unsigned feed if a signature is required, and otherwise returns it unchanged', () => {
  const unsignedFeed = Buffer.from(content);
  assert.throws(() => openFeed(unsignedFeed), { kind: 'refused', message: /not signed/ });
  assert.deepEqual(openFeed(unsignedFeed, 'optional'), { content: unsignedFeed, isSigned: false, verifiedBy: null });
  assert.deepEqual(openFeed(unsignedFeed, 'off'), { content: unsignedFeed, isSigned: false, verifiedBy: null });
});

test('openSignedFeed with the policy `off` verifies nothing and removes the signature block', () => {
  assert.deepEqual(openFeed(otherSigner.sign(content), 'off'), {
    content: Buffer.from(content),
    isSigned: true,
    verifiedBy: null,
  });
});

test('openSignedFeed without a key refuses a feed under `required` and does not verify it under `optional`', () => {
  assert.throws(() => openFeed(signed, 'required', []), { kind: 'refused', message: /No public key/ });
  assert.equal(openFeed(signed, 'optional', []).verifiedBy, null);
});

test('openSignedFeed refuses every signature if the public key is invalid', () => {
  for (const key of [
    '',
    'AAAA',
    Buffer.alloc(31, 7).toString('base64'),
    Buffer.alloc(33).toString('base64'),
    '\u0000',
  ]) {
    assert.throws(() => openFeed(signed, 'required', [key]), { kind: 'refused', message: /does not match/ });
  }
});

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sign-appcast-'));
});
after(() => rm(folder, { recursive: true }));
const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, [join(root, 'scripts', 'sign-appcast.ts'), ...args]);

test('scripts/sign-appcast.ts signs an appcast, and signing it again changes nothing', async () => {
  const file = join(folder, 'appcast.xml');
  await writeFile(file, content);
  const { stdout } = await run('--key', exampleKeyFile, file);
  const signedBytes = await readFile(file);
  const key = /public key is (\S+)/.exec(stdout)?.[1] ?? '';
  assert.match(stdout, /2 releases, the latest is 2\.0/);
  assert.deepEqual(openSignedFeed(signedBytes, [key], 'required'), {
    content: Buffer.from(content),
    isSigned: true,
    verifiedBy: key,
  });
  await run('--key', exampleKeyFile, file);
  assert.deepEqual(await readFile(file), signedBytes);
});

test('scripts/sign-appcast.ts replaces a damaged signature block', async () => {
  const file = join(folder, 'broken.xml');
  await writeFile(
    file,
    editSignedFeed((text) => text.replace(/length: \d+\n-->\n$/, 'length: 1\r\n-->\r\n')),
  );
  await run('--key', exampleKeyFile, file);
  const key = getPublicKey(createPrivateKey(await readFile(exampleKeyFile)));
  assert.equal(openSignedFeed(await readFile(file), [key], 'required').content.toString(), content);
});

test('scripts/sign-appcast.ts rejects a file that is not an appcast, a missing key file and missing arguments', async () => {
  const file = join(folder, 'page.html');
  await writeFile(file, '<html><body>Not found</body></html>');
  await assert.rejects(run('--key', exampleKeyFile, file), /not an appcast/);
  assert.equal(await readFile(file, 'utf8'), '<html><body>Not found</body></html>');
  await assert.rejects(run(file), /Usage/);
  await assert.rejects(run('--key', join(folder, 'none.pem'), file), /none\.pem/);
});

test('content/appcast.xml is signed with the example key, which isExampleKey recognizes', async () => {
  const key = getPublicKey(createPrivateKey(await readFile(exampleKeyFile)));
  assert.ok(isExampleKey(key));
  assert.ok(!isExampleKey(signer.publicKey));
  const file = join(folder, 'sotto.xml');
  await copyFile(join(root, 'content', 'appcast.xml'), file);
  assert.equal(openSignedFeed(await readFile(file), [key], 'required').verifiedBy, key);
});
