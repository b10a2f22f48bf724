/** The versions of the API, as data: which is current, which is deprecated or retired, and from when. */

const dayMs = 86_400_000;

/** Minimum time between a version's first Deprecation header and its sunset, in days. */
export const minimumNoticeDays = 180;

/** A version of the API and its dates. */
export interface ApiVersion {
  /** The segment of the path, such as `v1`. */
  readonly name: string;
  /** False for a version whose code is gone: it returns 410 whatever the date. */
  readonly served: boolean;
  /** The day of its deprecation, `YYYY-MM-DD` (midnight UTC), or null if none is planned. */
  readonly deprecated: string | null;
  /** The day from which it returns 410, `YYYY-MM-DD` (midnight UTC), or null if none is planned. */
  readonly sunset: string | null;
  /** The name of the version to use instead, or null if there is none. */
  readonly successor: string | null;
}

/** Every version of the API, newest first. */
export const apiVersions: readonly ApiVersion[] = [
  { name: 'v1', served: true, deprecated: null, sunset: null, successor: null },
  { name: 'v0', served: false, deprecated: '2026-02-01', sunset: '2026-08-01', successor: 'v1' },
];

/** The state of a version on a date. */
export type VersionStatus = 'current' | 'deprecated' | 'retired';

/**
 * Returns the status of a version at the moment `now`, in milliseconds since 1970: `retired` from its sunset on, or if it is not
 * served; `deprecated` from its deprecation on; otherwise `current`.
 */
export function getVersionStatus(version: ApiVersion, now: number): VersionStatus {
  if (!version.served || (version.sunset !== null && now >= Date.parse(version.sunset))) return 'retired';
  return version.deprecated !== null && now >= Date.parse(version.deprecated) ? 'deprecated' : 'current';
}

/**
 * Returns the first moment after `now` at which a day of deprecation or sunset of any version begins, also of one that is not
 * served, or Infinity if none is planned. Both moments are in milliseconds since 1970.
 */
export function findNextChange(versions: readonly ApiVersion[], now: number): number {
  const dates = versions.flatMap(({ deprecated, sunset }) => [deprecated, sunset]);
  const moments = dates.filter((date) => date !== null).map((date) => Date.parse(date));
  return Math.min(...moments.filter((moment) => moment > now), Number.POSITIVE_INFINITY);
}

/**
 * Returns a sentence for each fault of a version with a sunset: no deprecation date, less than 180 days from that to the sunset, or
 * no successor. It is empty for a valid table; the server does not start with an invalid one.
 */
export function findVersionFaults(versions: readonly ApiVersion[]): string[] {
  const faults: string[] = [];
  for (const { name, deprecated, sunset, successor } of versions) {
    if (sunset === null) continue;
    if (deprecated === null) faults.push(`${name} has a sunset and no deprecation date.`);
    else if (Date.parse(sunset) - Date.parse(deprecated) < minimumNoticeDays * dayMs) {
      faults.push(`${name} is retired less than ${minimumNoticeDays} days after its deprecation on ${deprecated}.`);
    }
    if (successor === null) faults.push(`${name} has a sunset and names no successor.`);
  }
  return faults;
}

/**
 * Returns the headers of a version by their lowercase names: `deprecation` (RFC 9745), `sunset` (RFC 8594) if there is one, and
 * `link` to the policy and to the successor. A version that is current at `now`, in milliseconds since 1970, has none, and neither
 * has one without a day of deprecation.
 */
export function createVersionHeaders(version: ApiVersion, now: number, baseUrl: string): Record<string, string> {
  if (getVersionStatus(version, now) === 'current' || version.deprecated === null) return {};
  const links = [`<${baseUrl}/developers/versioning#${version.name}>; rel="deprecation"; type="text/html"`];
  if (version.successor !== null) links.push(`<${baseUrl}/api/${version.successor}>; rel="successor-version"`);
  return {
    deprecation: `@${Date.parse(version.deprecated) / 1000}`,
    ...(version.sunset !== null && { sunset: new Date(version.sunset).toUTCString() }),
    link: links.join(', '),
  };
}
