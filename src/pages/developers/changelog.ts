/** What changed in the API, build by build, with what became of its versions. */

import { dayInWords } from '../../content/facts.ts';
import { document } from '../../operations/markdown.ts';
import { versionStatus } from '../../operations/versions.ts';
import type { PageDocument } from '../page.ts';
import { productOf, type Site } from '../site.ts';
import { guidePage } from './guide-page.ts';

/** Builds of the API by their date, newest first; a test holds the first one against the date that responses carry. */
export const builds: readonly { readonly date: string; readonly changes: readonly string[] }[] = [
  {
    date: '2026-11-21',
    changes: [
      'First build of `v1`: releases, documentation, FAQ, pricing, features, requirements, compatibility and search.',
      'Batch, export jobs, and a sandbox for every path with `simulate`.',
      'OAuth 2.0 clients that register themselves, without approval.',
      'Two MCP servers, `/mcp` and `/mcp/docs`.',
      'Every response as JSON and as markdown, with a strong entity tag.',
    ],
  },
];

export async function changelogPage(site: Site): Promise<PageDocument> {
  const { service, now } = site.production;
  const past = service.versions.flatMap((version) => {
    const { name, deprecated, sunset, successor } = version;
    const instead = successor === null ? '' : ` Use \`${successor}\`.`;
    return [
      ...(deprecated !== null && Date.parse(deprecated) <= now()
        ? [{ date: deprecated, changes: [`\`${name}\` is deprecated.${instead}`] }]
        : []),
      ...(sunset !== null && versionStatus(version, now()) === 'retired'
        ? [{ date: sunset, changes: [`\`${name}\` is retired and returns 410.${instead}`] }]
        : []),
    ];
  });
  const entries = [...builds, ...past].toSorted((a, b) => (a.date < b.date ? 1 : -1));
  return guidePage(site, {
    path: '/developers/changelog',
    title: 'Changelog',
    description: `What changed in the ${productOf(site).name} API, newest first, with deprecated and retired versions.`,
    markdown: document(
      `Additions to a version are announced only here. [Versioning](${site.baseUrl}/developers/versioning) lists what can change. For the application itself, see [Releases](${site.baseUrl}/releases).`,
      ...entries.map(({ date, changes }) =>
        document(`## ${dayInWords(date)}`, changes.map((change) => `- ${change}`).join('\n')).trim(),
      ),
    ),
  });
}
