/** Reads or generates the key that signs cursors, job IDs, refresh tokens and repeated registrations. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createDurableFile, syncDirectory } from '../base/durable-file.ts';
import { getMessage } from '../base/thrown.ts';
import { type Config, ConfigError } from './environment.ts';
import { keyCommand } from './settings.ts';

/**
 * Returns the key of SECRET_KEY or of its file as the bytes of its text, at least 32; without either that of the data folder, which
 * is generated and written there if there is none or only an empty file. Rejects with ConfigError if the file cannot be read or its
 * text is shorter than 32 characters, and with the error of the file system if a generated key cannot be written.
 */
export async function readSecret({ secretKey, secretKeyFile, dataDir }: Config): Promise<Buffer> {
  if (secretKey !== null) return Buffer.from(secretKey);
  const file = secretKeyFile ?? getKeyFile(dataDir);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const isMissing = error instanceof Error && Reflect.get(error, 'code') === 'ENOENT';
    if (secretKeyFile === null && isMissing) return generateKey(dataDir, file);
    throw new ConfigError([`${file} cannot be read (${getMessage(error)}); create it with: ${keyCommand} > ${file}`]);
  });
  if (secretKeyFile === null && text === '') {
    // A crash before the key was on disk left an empty file, so nothing was signed with that key.
    await rm(file);
    return Buffer.from(await generateKey(dataDir, file));
  }
  const key = text.trim();
  if (key.length >= 32) return Buffer.from(key);
  throw new ConfigError([`${file} must contain at least 32 characters; generate them with: ${keyCommand}`]);
}

/** Returns the path of the key that the first start generates in a data folder. */
export const getKeyFile = (dataDir: string): string => join(dataDir, 'secret-key');

async function generateKey(dataDir: string, file: string): Promise<string> {
  const key = randomBytes(32).toString('hex');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await createDurableFile(file, `${key}\n`);
  await syncDirectory(dataDir);
  return key;
}
