/** Describes every version of the API for the guides, with an anchor to which its Deprecation header links. */

import { dayInWords } from '../../content/facts.ts';
import { joinBlocks, writeTable } from '../../operations/markdown.ts';
import { versioningPolicy } from '../../operations/service-index.ts';
import { type ApiVersion, createVersionHeaders, getVersionStatus } from '../../operations/versions.ts';
import type { Site } from '../site.ts';
import { writeFence } from './fence.ts';

/**
 * Returns the values of the placeholders in the guide on versioning and in the changelog, by name. The versions are those of the
 * production site, also on the pages of the sandbox.
 */
export function createVersionValues({ baseUrl, production }: Site): Readonly<Record<string, string>> {
  const { versions, apiVersion } = production.service;
  const now = production.now();
  return {
    api_version: apiVersion,
    versioning_policy: versioningPolicy,
    version_table: writeTable(
      ['Version', 'Status', 'Deprecated', 'Sunset', 'Successor'],
      versions.map((version) => [
        `[\`${version.name}\`](${baseUrl}/developers/versioning#${version.name})`,
        getVersionStatus(version, now),
        version.deprecated,
        version.sunset,
        version.successor === null ? null : `\`${version.successor}\``,
      ]),
    ),
    version_entries: joinBlocks(...versions.map((version) => writeVersionSection(baseUrl, version, now))).trim(),
    version_changes: joinBlocks(...listVersionChanges(versions, now)).trim(),
  };
}

function writeVersionSection(baseUrl: string, version: ApiVersion, now: number): string {
  const { name, deprecated, sunset, successor } = version;
  const status = getVersionStatus(version, now);
  const headers = Object.entries(createVersionHeaders(version, now, baseUrl));
  return joinBlocks(
    `## ${name}`,
    status === 'current' &&
      `Current. Its responses carry neither \`Deprecation\` nor \`Sunset\`${successor === null ? ', and no successor is planned' : ''}.`,
    status === 'deprecated' &&
      `Deprecated since ${dayInWords(deprecated ?? '')}${sunset === null ? '' : `, to be retired on ${dayInWords(sunset)}`}.${successor === null ? '' : ` Use \`${successor}\`.`}`,
    status === 'retired' &&
      `Retired${sunset === null ? '' : ` on ${dayInWords(sunset)}`}${deprecated === null ? '' : `, after its deprecation on ${dayInWords(deprecated)}`}. Every path returns 410.${successor === null ? '' : ` Use \`${successor}\`.`}`,
    headers.length > 0 && 'Its responses contain:',
    headers.length > 0 &&
      writeFence('http', headers.map(([header, value]) => `${capitalize(header)}: ${value}`).join('\n')),
  ).trim();
}

/** Returns the deprecations and retirements up to `now`, in milliseconds since 1970, as Markdown sections of the changelog. */
const listVersionChanges = (versions: readonly ApiVersion[], now: number): string[] =>
  versions.flatMap((version) => {
    const { name, deprecated, sunset, successor } = version;
    const status = getVersionStatus(version, now);
    const next = successor === null ? '' : ` Use \`${successor}\`.`;
    const describe = (day: string, change: string) => `## ${dayInWords(day)}\n\n- \`${name}\` is ${change}.${next}`;
    return [
      ...(deprecated !== null && status !== 'current' ? [describe(deprecated, 'deprecated')] : []),
      ...(sunset !== null && status === 'retired' ? [describe(sunset, 'retired and returns 410')] : []),
    ];
  });

/**
 * Returns the Markdown of the changelog with its sections in the order of the days that are their headings, newest first. The
 * introduction stays above them.
 */
export function sortByDay(changelog: string): string {
  const [introduction = '', ...sections] = changelog.split(/^(?=## )/m).map((section) => section.trim());
  const readDay = (section: string) => Date.parse(section.split('\n')[0]?.slice(3) ?? '');
  return joinBlocks(introduction, ...sections.toSorted((a, b) => readDay(b) - readDay(a)));
}

const capitalize = (header: string): string => header.slice(0, 1).toUpperCase() + header.slice(1);
