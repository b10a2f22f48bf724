/** Tests the secret key: at least 32 characters from the environment or a file, or a key that is generated in the data folder. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { ConfigError, readConfig } from '../../src/config/environment.ts';
import { readSecret } from '../../src/config/secret-key.ts';

function createFolder(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'colophon-secret-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
}

it('SECRET_KEY and the file of SECRET_KEY_FILE need at least 32 characters', async (t) => {
  const directory = createFolder(t);
  const [shortKey, longKey] = ['s'.repeat(31), 's'.repeat(32)];
  assert.throws(() => readConfig({ SECRET_KEY: shortKey }, directory), ConfigError);
  assert.equal((await readSecret(readConfig({ SECRET_KEY: longKey }, directory))).toString(), longKey);

  const file = join(directory, 'key');
  const config = readConfig({ SECRET_KEY_FILE: file }, directory);
  writeFileSync(file, ` ${shortKey}\n`);
  await assert.rejects(readSecret(config), (error) => {
    assert.ok(error instanceof ConfigError);
    assert.deepEqual(error.faults, [
      `${file} must contain at least 32 characters; generate them with: openssl rand -hex 32`,
    ]);
    return true;
  });
  writeFileSync(file, ` ${longKey}\n`);
  assert.equal((await readSecret(config)).toString(), longKey);
});

it('a secret key is generated once in DATA_DIR, readable only by its owner, if no key is set', async (t) => {
  const dataDir = join(createFolder(t), 'data');
  const config = readConfig({ DATA_DIR: dataDir }, dataDir);
  const key = (await readSecret(config)).toString();
  assert.match(key, /^[0-9a-f]{64}$/);
  assert.equal((await readSecret(config)).toString(), key);
  assert.equal(readFileSync(join(dataDir, 'secret-key'), 'utf8'), `${key}\n`);
  if (process.platform !== 'win32') assert.equal(statSync(join(dataDir, 'secret-key')).mode & 0o777, 0o600);
});

it('an empty key file that a crash left in DATA_DIR is replaced by a generated key', async (t) => {
  const dataDir = createFolder(t);
  writeFileSync(join(dataDir, 'secret-key'), '', { mode: 0o600 });
  const key = (await readSecret(readConfig({ DATA_DIR: dataDir }, dataDir))).toString();
  assert.match(key, /^[0-9a-f]{64}$/);
  assert.equal(readFileSync(join(dataDir, 'secret-key'), 'utf8'), `${key}\n`);
});

it('a missing SECRET_KEY_FILE is refused, and the error has the command that creates the file', async (t) => {
  const file = join(createFolder(t), 'no-such-key');
  await assert.rejects(readSecret(readConfig({ SECRET_KEY_FILE: file }, '/')), {
    name: 'ConfigError',
    message: /no-such-key cannot be read \(ENOENT.*; create it with: openssl rand -hex 32 > .*no-such-key$/,
  });
});
