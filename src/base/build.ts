/** What names this build: the release, and the date of its API. */
import { readFileSync } from 'node:fs';

/** The date that names this build of API v1; every response carries it as API-Version. Changed when the API changes. */
export const apiVersion = '2026-11-21';

/** The release's number, as in its package.json. */
export function releaseVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return typeof manifest === 'object' && manifest !== null ? String(Reflect.get(manifest, 'version')) : '';
}
