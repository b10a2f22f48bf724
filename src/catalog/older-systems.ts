/** The system versions that only older releases support, with the last release for each. */
import { type KnownVersion, listKnownVersions, type SystemName } from '../base/systems.ts';
import { architecture } from '../content/field-schemas.ts';
import { runsOn } from '../feed/selection.ts';
import { readCallerOs, type SentSystem } from './caller-os.ts';
import type { Catalog, Release } from './catalog.ts';

/** A system version that the current release does not support and an older one does. */
export interface OlderSystem {
  /** Such as `macos-13` or `windows-10-1809`. */
  readonly slug: string;
  /** Such as `macOS 13`. */
  readonly name: string;
  /** Such as `macOS 13 Ventura`. */
  readonly title: string;
  /** The current release of the system, which needs a newer version. */
  readonly current: Release;
  /** The last release for it, with its builds that run there; two where processors differ. */
  readonly releases: readonly Release[];
}

/**
 * Returns the path of the page of a system version, such as `/releases/for/macos-13`. A release's page is directly below
 * `/releases/`, so that no version collides with it.
 */
export const getOlderSystemPath = ({ slug }: Pick<OlderSystem, 'slug'>): string => `/releases/for/${slug}`;

type Source = Pick<Catalog, 'systems' | 'compatibility'>;

/**
 * Lists the system versions that only an older release supports, in the order of the catalog's systems and newest first for each;
 * an empty array if there are none.
 */
export const listOlderSystems = (catalog: Source): OlderSystem[] =>
  catalog.systems.flatMap(({ os }) =>
    listKnownVersions(os).flatMap((version) => describeOlderSystem(catalog, os, version) ?? []),
  );

/**
 * Returns the system version that a caller sends, or null if the current release supports it, no release does, or the caller names
 * no version that is known. Throws an ApiError `invalid_request` or `unprocessable` for a version that `readCallerOs` refuses.
 */
export function findOlderSystem(catalog: Source, sentSystem: SentSystem): OlderSystem | null {
  const caller = readCallerOs(
    sentSystem,
    catalog.systems.map(({ os }) => os),
  );
  if (caller.kind === 'other' || caller.version === null) return null;
  const numbers = caller.version.join('.');
  const olderVersion = listKnownVersions(caller.os).find(
    ({ version, newest }) => `${numbers}.`.startsWith(`${version}.`) || numbers === newest.join('.'),
  );
  return olderVersion === undefined ? null : describeOlderSystem(catalog, caller.os, olderVersion);
}

function describeOlderSystem(
  { systems, compatibility }: Source,
  os: SystemName,
  olderVersion: KnownVersion,
): OlderSystem | null {
  const { version, name, title, newest } = olderVersion;
  const checks = architecture.options.map((arch) => compatibility({ os, osVersion: newest.join('.'), arch }));
  const last = checks.flatMap(({ lastRelease }) => lastRelease ?? []);
  const { current = null } = systems.find((system) => system.os === os) ?? {};
  if (current === null || last.length === 0 || checks.some(({ compatible }) => compatible)) return null;
  const releases = [...new Map(last.map((release) => [release.id, release])).values()];
  const computer = { os, osVersion: newest, arch: null };
  return {
    slug: `${os} ${version}`.toLowerCase().replaceAll(' ', '-'),
    name,
    title,
    current,
    releases: releases.map((release) => {
      const [first, ...others] = release.builds.filter((build) => runsOn(computer, build));
      return first === undefined ? release : { ...release, builds: [first, ...others] };
    }),
  };
}
