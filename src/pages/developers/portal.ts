/** The developer portal as the site lists it: the guides, and the reference with a page for each tag. */
import { none } from '../../base/none.ts';
import { document } from '../../operations/markdown.ts';
import { wordsOf } from '../language.ts';
import { type Destination, referenceTags } from '../navigation.ts';
import type { PageDocument } from '../page.ts';
import { type Published, productOf, type Site } from '../site.ts';
import { authenticationPage } from './authentication.ts';
import { changelogPage } from './changelog.ts';
import { clientModulePath } from './client-module.ts';
import { errorsPage } from './errors.ts';
import { guidePage } from './guide-page.ts';
import { referencePage, referenceTagPage } from './reference.ts';
import { samplePartQuery } from './sample-part.ts';
import { accessSections } from './start-access.ts';
import { firstSteps } from './start-first.ts';
import { programSections } from './start-programs.ts';
import { readingSections } from './start-reading.ts';
import { versioningPage } from './versioning.ts';

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

/** Where a developer starts: five minutes that work when pasted, then one section for each thing to know. */
async function developersPage(site: Site): Promise<PageDocument> {
  const { name } = productOf(site);
  return guidePage(site, {
    path: '/developers',
    title: 'Developers',
    description: `The ${name} API in five minutes: releases, documentation, prices and requirements, free, no key needed.`,
    parts: [
      document(
        `Read the releases, documentation, prices and requirements of ${name} from your program, and handle every response. Reading is free and needs no key.`,
        ...(await firstSteps(site)),
        ...accessSections(site),
        ...readingSections(site),
        ...(await programSections(site)),
      ),
    ],
  });
}

export const portalFacets: Published = {
  page: {
    routes: [
      { path: '/developers', make: developersPage },
      { path: '/developers/authentication', make: authenticationPage },
      { path: '/developers/reference', make: referencePage },
      {
        path: '/developers/reference/:tag',
        query: ['part', ...samplePartQuery],
        make: (site, { tag = '' }, query) => referenceTagPage(site, tag, query),
        needsFeed: true,
      },
      { path: '/developers/errors', make: errorsPage },
      { path: '/developers/versioning', make: versioningPage },
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
