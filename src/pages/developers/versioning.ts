/** What may change and what may not, and an anchor for every version, which its Deprecation header links to. */

import { dayInWords } from '../../content/facts.ts';
import { document, table } from '../../operations/markdown.ts';
import { versioningPolicy } from '../../operations/service-index.ts';
import { type ApiVersion, minimumNoticeDays, versionHeaders, versionStatus } from '../../operations/versions.ts';
import type { PageDocument } from '../page.ts';
import { productOf, type Site } from '../site.ts';
import { fence } from './fence.ts';
import { guidePage } from './guide-page.ts';

export async function versioningPage(site: Site): Promise<PageDocument> {
  const { versions, apiVersion } = site.production.service;
  const now = site.production.now();
  return guidePage(site, {
    path: '/developers/versioning',
    title: 'Versioning',
    description: `The versions of the ${productOf(site).name} API, what can change within one, and how much notice you get before one is retired.`,
    parts: [
      document(
        `See what can change without notice and how breaking changes are announced. ${versioningPolicy}`,
        table(
          ['Version', 'Status', 'Deprecated', 'Sunset', 'Successor'],
          versions.map((version) => [
            `[\`${version.name}\`](${site.baseUrl}/developers/versioning#${version.name})`,
            versionStatus(version, now),
            version.deprecated,
            version.sunset,
            version.successor === null ? null : `\`${version.successor}\``,
          ]),
        ),
        `The major version is in the path. \`API-Version: ${apiVersion}\` on every response is the date of the server's build. It is informational; you cannot request a version with it.`,
        '## What changes without notice',
        '- new endpoints\n- new optional parameters\n- new fields in responses\n- new values in responses\n- new error codes',
        'Ignore what you do not know, and your program keeps working.',
        '## What gets a new version',
        '- removing or renaming a field, endpoint or value\n- changing the type of a field\n- making an optional parameter required\n- changing the meaning of an error code\n- rejecting a request that was valid before',
        '## How a version is retired',
        [
          `1. Every response of the version carries \`Deprecation\` ([RFC 9745](https://www.rfc-editor.org/rfc/rfc9745)), \`Sunset\` ([RFC 8594](https://www.rfc-editor.org/rfc/rfc8594)) and \`Link\` headers with \`rel="deprecation"\` and \`rel="successor-version"\`.`,
          `2. At least ${minimumNoticeDays} days pass between the first such response and the sunset.`,
          `3. After the sunset, every path returns 410 [\`version_retired\`](${site.baseUrl}/developers/errors#version_retired) with the successor and the same headers.`,
        ].join('\n'),
        ...versions.map((version) => versionSection(site, version, now)),
      ),
    ],
  });
}

function versionSection(site: Site, version: ApiVersion, now: number): string {
  const { name, deprecated, sunset, successor } = version;
  const status = versionStatus(version, now);
  const headers = Object.entries(versionHeaders(version, now, site.baseUrl));
  return document(
    `## ${name}`,
    status === 'current' &&
      `Current. Its responses carry neither \`Deprecation\` nor \`Sunset\`${successor === null ? ', and no successor is planned' : ''}.`,
    status === 'deprecated' &&
      `Deprecated since ${dayInWords(deprecated ?? '')}${sunset === null ? '' : `, to be retired on ${dayInWords(sunset)}`}.${successor === null ? '' : ` Use \`${successor}\`.`}`,
    status === 'retired' &&
      `Retired${sunset === null ? '' : ` on ${dayInWords(sunset)}`}${deprecated === null ? '' : `, after its deprecation on ${dayInWords(deprecated)}`}. Every path returns 410.${successor === null ? '' : ` Use \`${successor}\`.`}`,
    headers.length > 0 && 'Its responses contain:',
    headers.length > 0 && fence('http', headers.map(([header, value]) => `${titled(header)}: ${value}`).join('\n')),
  ).trim();
}

const titled = (header: string): string => header.slice(0, 1).toUpperCase() + header.slice(1);
