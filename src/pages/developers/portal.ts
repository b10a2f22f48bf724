/** The developer portal as the site lists it: the guides, and the reference with a page for each tag. */
import { none } from '../../base/none.ts';
import { wordsOf } from '../language.ts';
import { type Destination, referenceTags } from '../navigation.ts';
import type { PageDocument } from '../page.ts';
import { type Published, productOf, type Site } from '../site.ts';
import { changelogPage } from './changelog.ts';
import { clientModulePath } from './client-module.ts';
import { guidePage } from './guide-page.ts';
import { exampleValues, type GuideName, guideValues, renderGuide } from './guide-text.ts';
import { referencePage, referenceTagPage } from './reference.ts';
import { samplePartQuery } from './sample-part.ts';
import { versionValues } from './versioning.ts';

interface Guide extends Destination {
  readonly about: string;
}

/** The portal's pages with those of the reference's tags, in the order in which they are listed. */
const guides = (site: Site): readonly Guide[] => [
  {
    title: wordsOf(site).developers,
    href: '/developers',
    about: 'A five-minute start, limits, pagination, batch, sandbox, MCP.',
  },
  {
    title: 'Authentication',
    href: '/developers/authentication',
    about: 'What credentials are for, and how to get, use, refresh and revoke them.',
  },
  { title: 'Reference', href: '/developers/reference', about: 'Every operation of the API.' },
  ...referenceTags(site).map(({ tag, href, entries }) => ({
    title: `Reference: ${tag}`,
    href,
    about: `${entries.map(({ summary }) => summary).join('; ')}.`,
  })),
  { title: 'Errors', href: '/developers/errors', about: 'Every error code and how to fix it.' },
  { title: 'Versioning', href: '/developers/versioning', about: 'What can change, and how it is announced.' },
  { title: 'Changelog', href: '/developers/changelog', about: 'What changed in the API.' },
];

interface WrittenGuide {
  readonly file: GuideName;
  readonly path: string;
  readonly title: string;
  describe(productName: string): string;
}

/** The pages whose text is a file in `src/pages/guide`. */
const writtenGuides: readonly WrittenGuide[] = [
  {
    file: 'developers',
    path: '/developers',
    title: 'Developers',
    describe: (name) =>
      `The ${name} API in five minutes: releases, documentation, prices and requirements, free, no key needed.`,
  },
  {
    file: 'authentication',
    path: '/developers/authentication',
    title: 'Authentication',
    describe: (name) => `What credentials are for in the ${name} API, and how to get, use, refresh and revoke a token.`,
  },
  {
    file: 'errors',
    path: '/developers/errors',
    title: 'Errors',
    describe: (name) => `Every error code of the ${name} API: what it means, whether to retry, and how to fix it.`,
  },
  {
    file: 'versioning',
    path: '/developers/versioning',
    title: 'Versioning',
    describe: (name) =>
      `The versions of the ${name} API, what can change within one, and how much notice you get before one is retired.`,
  },
];

async function writtenGuidePage(site: Site, { file, path, title, describe }: WrittenGuide): Promise<PageDocument> {
  const values = { ...guideValues(site), ...versionValues(site), ...(await exampleValues(site)) };
  return guidePage(site, {
    path,
    title,
    description: describe(productOf(site).name),
    markdown: renderGuide(file, values),
  });
}

export const portalFacets: Published = {
  page: {
    routes: [
      ...writtenGuides.map((guide) => ({ path: guide.path, make: (site: Site) => writtenGuidePage(site, guide) })),
      { path: '/developers/reference', make: referencePage },
      {
        path: '/developers/reference/:tag',
        query: ['part', ...samplePartQuery],
        make: (site, { tag = '' }, query) => referenceTagPage(site, tag, query),
        needsFeed: true,
      },
      { path: '/developers/changelog', make: changelogPage },
    ],
    listed: (site) => guides(site).map(({ title, href }) => ({ path: href, title })),
  },
  sandbox: none('it describes the service'),
  sitemap: 'listed',
  llms: (site) => [
    ...guides(site).map(({ title, href, about }) => ({ heading: 'API' as const, title, path: `${href}.md`, about })),
    {
      heading: 'API',
      title: 'Credentials',
      path: '/auth.md',
      about: 'How an agent gets, uses and revokes a token.',
    },
    { heading: 'API', title: 'OpenAPI document', path: '/openapi.json', about: 'The whole contract, as JSON.' },
    {
      heading: 'API',
      title: 'OpenAPI document for code generators',
      path: '/openapi.sdk.json',
      about: 'The same operations in JSON only.',
    },
    {
      heading: 'API',
      title: 'JavaScript client',
      path: clientModulePath,
      about: 'An ES module with one method for each operation.',
    },
  ],
  navigation: { href: '/developers', place: 60, menu: ({ developers }) => developers, foot: null },
  suggestions: 'listed',
};
