/** The feed's signature: what is accepted under each policy, and every way in which it can be wrong. */
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
const ours = createSigner();
const other = createSigner();
const content = createAppcast('1.0', '2.0');
const signed = ours.sign(content);

const opened = (bytes: Buffer, policy: SignaturePolicy = 'required', keys = [ours.publicKey]) =>
  openSignedFeed(bytes, keys, policy);

const edited = (change: (text: string) => string): Buffer => Buffer.from(change(signed.toString()));

test('a valid signature gives only the content, and the key', () => {
  for (const policy of ['required', 'optional'] as const) {
    assert.deepEqual(opened(signed, policy), {
      content: Buffer.from(content),
      isSigned: true,
      verifiedBy: ours.publicKey,
    });
  }
});

test('any key of the list may have signed', () => {
  assert.equal(opened(signed, 'required', [other.publicKey, ours.publicKey]).verifiedBy, ours.publicKey);
});

test('the bytes are signed as they are: a byte order mark, line ends, a comment at the top, no line end at the bottom', () => {
  for (const written of [
    `\uFEFF${content}`,
    content.replaceAll('\n', '\r\n'),
    content.replace('<rss', '<!-- sparkle-sign-warning:\nSigned.\n-->\n<rss'),
    content.trimEnd(),
    content.replace('Larder', 'Größe 貯蔵'),
  ]) {
    assert.equal(opened(ours.sign(written)).content.toString(), written);
  }
});

test('white space may follow the block', () => {
  assert.equal(opened(Buffer.concat([signed, Buffer.from('\r\n\n \t')])).verifiedBy, ours.publicKey);
});

const wrong: Record<string, [Buffer, RegExp]> = {
  'a changed byte': [edited((text) => text.replace('Larder 2.0', 'Larder 2.1')), /does not match/],
  'another key': [other.sign(content), /does not match/],
  'an item after the block': [Buffer.concat([signed, Buffer.from('<item/>')]), /something follows it/],
  'a second block with the first signature': [
    Buffer.concat([signed, signed.subarray(Buffer.byteLength(content))]),
    /it says \d+ bytes/,
  ],
  'CRLF in the block': [edited((text) => text.replaceAll('\n', '\r\n')), /line breaks were changed/],
  'another length': [edited((text) => text.replace(/length: \d+\n-->/, 'length: 1\n-->')), /it says 1 bytes/],
  'no length': [edited((text) => text.replace(/length: \d+\n-->/, '-->')), /its lines are not/],
  'a signature of 63 bytes': [
    edited((text) => text.replace(/(edSignature: )\S+/, `$1${Buffer.alloc(63, 1).toString('base64')}`)),
    /its lines are not/,
  ],
  'a signature of zeros': [
    edited((text) => text.replace(/(edSignature: )\S+/, `$1${Buffer.alloc(64).toString('base64')}`)),
    /does not match/,
  ],
  'an unknown line in the block': [edited((text) => text.replace('\nlength', '\nkey: 2\nlength')), /its lines are not/],
  'a block that never ends': [edited((text) => text.replace(/\n-->\n$/, '')), /its lines are not/],
  'a block in the middle': [
    edited((text) => text.replace('</rss>\n', '') + '</rss>\n'.repeat(2000)),
    /something follows/,
  ],
};

for (const [what, [bytes, message]] of Object.entries(wrong)) {
  test(`${what} is refused, also where a signature is optional`, () => {
    for (const policy of ['required', 'optional'] as const) {
      assert.throws(() => opened(bytes, policy), { name: 'FeedFault', kind: 'refused', message });
    }
  });
}

test('a feed without a block is refused where a signature is required, and taken whole elsewhere', () => {
  const bare = Buffer.from(content);
  assert.throws(() => opened(bare), { kind: 'refused', message: /not signed/ });
  assert.deepEqual(opened(bare, 'optional'), { content: bare, isSigned: false, verifiedBy: null });
  assert.deepEqual(opened(bare, 'off'), { content: bare, isSigned: false, verifiedBy: null });
});

test('under `off` nothing is verified, and the block is no part of the content all the same', () => {
  assert.deepEqual(opened(other.sign(content), 'off'), {
    content: Buffer.from(content),
    isSigned: true,
    verifiedBy: null,
  });
});

test('without a key, `required` refuses and `optional` takes the feed as unsigned', () => {
  assert.throws(() => opened(signed, 'required', []), { kind: 'refused', message: /No public key/ });
  assert.equal(opened(signed, 'optional', []).verifiedBy, null);
});

test('a key that is no key never verifies anything', () => {
  for (const key of [
    '',
    'AAAA',
    Buffer.alloc(31, 7).toString('base64'),
    Buffer.alloc(33).toString('base64'),
    '\u0000',
  ]) {
    assert.throws(() => opened(signed, 'required', [key]), { kind: 'refused', message: /does not match/ });
  }
});

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sign-appcast-'));
});
after(() => rm(folder, { recursive: true }));
const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, [join(root, 'scripts', 'sign-appcast.ts'), ...args]);

test('the script signs any appcast, and signing twice changes nothing', async () => {
  const file = join(folder, 'appcast.xml');
  await writeFile(file, content);
  const { stdout } = await run('--key', exampleKeyFile, file);
  const once = await readFile(file);
  const key = /public key is (\S+)/.exec(stdout)?.[1] ?? '';
  assert.match(stdout, /2 releases, the latest is 2\.0/);
  assert.deepEqual(openSignedFeed(once, [key], 'required'), {
    content: Buffer.from(content),
    isSigned: true,
    verifiedBy: key,
  });
  await run('--key', exampleKeyFile, file);
  assert.deepEqual(await readFile(file), once);
});

test('the script replaces a block that was broken', async () => {
  const file = join(folder, 'broken.xml');
  await writeFile(
    file,
    edited((text) => text.replace(/length: \d+\n-->\n$/, 'length: 1\r\n-->\r\n')),
  );
  await run('--key', exampleKeyFile, file);
  const key = getPublicKey(createPrivateKey(await readFile(exampleKeyFile)));
  assert.equal(openSignedFeed(await readFile(file), [key], 'required').content.toString(), content);
});

test('the script says what is wrong and leaves the file alone', async () => {
  const file = join(folder, 'page.html');
  await writeFile(file, '<html><body>Not found</body></html>');
  await assert.rejects(run('--key', exampleKeyFile, file), /not an appcast/);
  assert.equal(await readFile(file, 'utf8'), '<html><body>Not found</body></html>');
  await assert.rejects(run(file), /Usage/);
  await assert.rejects(run('--key', join(folder, 'none.pem'), file), /none\.pem/);
});

test('the example’s feed is signed with the example’s key, which the server knows', async () => {
  const key = getPublicKey(createPrivateKey(await readFile(exampleKeyFile)));
  assert.ok(isExampleKey(key));
  assert.ok(!isExampleKey(ours.publicKey));
  const file = join(folder, 'sotto.xml');
  await copyFile(join(root, 'content', 'appcast.xml'), file);
  assert.equal(openSignedFeed(await readFile(file), [key], 'required').verifiedBy, key);
});
