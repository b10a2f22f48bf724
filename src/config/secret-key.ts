/** The key that cursors, job ids and repeated registrations are signed with. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, ConfigError } from './environment.ts';

/** Made once and kept in the data directory unless the operator gives one. Throws ConfigError for one that is too short. */
export async function readSecret({ secretKey, secretKeyFile, dataDir }: Config): Promise<Buffer> {
  if (secretKey !== null) return Buffer.from(secretKey);
  const file = secretKeyFile ?? join(dataDir, 'secret-key');
  try {
    const kept = (await readFile(file, 'utf8')).trim();
    if (kept.length >= 32) return Buffer.from(kept);
    throw new ConfigError([`${file} must contain at least 32 characters; generate them with: openssl rand -hex 32`]);
  } catch (error) {
    if (secretKeyFile !== null || !(error instanceof Error) || Reflect.get(error, 'code') !== 'ENOENT') throw error;
  }
  const made = randomBytes(32).toString('hex');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeFile(file, `${made}\n`, { mode: 0o600, flag: 'wx' });
  return Buffer.from(made);
}
