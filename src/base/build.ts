/** The version of this build, and the date of its API. */
import { readFileSync } from 'node:fs';

/** The date of this build of API v1, which every response has as API-Version. It changes when the API changes. */
export const apiVersion = '2026-11-21';

/** Returns the version in package.json, such as `0.1.0`, or the text `undefined` if it has none. Throws if the file cannot be read. */
export function readReleaseVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return typeof manifest === 'object' && manifest !== null ? String(Reflect.get(manifest, 'version')) : '';
}
