/** The developer portal as the site lists it: the guides, and the reference with a page for each tag. */
import { none } from '../../base/none.ts';
import type { Destination } from '../navigation.ts';
import type { Published, Site } from '../site.ts';
import { clientModulePath } from './client-module.ts';
import { guides, listReferenceTags } from './contents.ts';
import { describeGuide, renderGuidePage } from './guide-page.ts';
import { renderObjectPage } from './object-page.ts';
import { getObjectPath, getObjectTitle, listObjects } from './objects.ts';
import { renderReferencePage } from './reference.ts';
import { samplePartQuery } from './sample-part.ts';

/** Returns the guides, then the reference's pages of tags and of objects, each with a description, in the order of llms.txt. */
const listPortalPages = (site: Site): readonly (Destination & { readonly about: string })[] => [
  ...guides.map((guide) => ({ title: guide.title, href: guide.href, about: describeGuide(guide, site) })),
  ...listReferenceTags(site).map(({ title, href, entries }) => ({
    title: `Reference: ${title}`,
    href,
    about: `${entries.map(({ summary }) => summary).join('; ')}.`,
  })),
  ...[...listObjects(site)].map(([name, { description = '' }]) => ({
    title: `Reference: ${getObjectTitle(name)} object`,
    href: getObjectPath(name),
    about: description,
  })),
];

/** Documents for programs that llms.txt lists after the portal's pages: first those that are worth reading whole. */
const programDocuments = [
  { title: 'Credentials', path: '/auth.md', about: 'How an agent gets, uses and revokes a token.' },
  { title: 'JavaScript client', path: clientModulePath, about: 'An ES module with one method for each operation.' },
];

/** The forms of the contract, with their sizes: readers of llms.txt leave out what is optional when they have little room. */
const contractDocuments = [
  {
    title: 'OpenAPI document for code generators',
    path: '/openapi.sdk.json',
    about: 'The operations of the API in JSON, about 95,000 characters.',
  },
  { title: 'OpenAPI document', path: '/openapi.json', about: 'The whole contract, about 370,000 characters.' },
];

/** The portal's pages, and where the site lists them. */
export const portalFacets: Published = {
  page: {
    routes: [
      ...guides.map((guide) => ({ path: guide.href, make: (site: Site) => renderGuidePage(site, guide) })),
      {
        path: '/developers/reference/:tag',
        query: ['part', ...samplePartQuery],
        make: (site, { tag = '' }, query) => renderReferencePage(site, tag, query),
        needsFeed: true,
      },
      {
        path: '/developers/reference/objects/:name',
        make: (site, { name = '' }) => renderObjectPage(site, name),
        needsFeed: true,
      },
    ],
    listed: (site) => listPortalPages(site).map(({ title, href }) => ({ path: href, title })),
  },
  sandbox: none('it describes the service'),
  sitemap: 'listed',
  llms: (site) => [
    ...listPortalPages(site).map(
      ({ title, href, about }) => ({ heading: 'API', title, path: `${href}.md`, about }) as const,
    ),
    ...programDocuments.map((document) => ({ heading: 'API', ...document }) as const),
    ...contractDocuments.map((document) => ({ heading: 'Optional', ...document }) as const),
  ],
  navigation: { href: '/developers', place: 60, menu: ({ developers }) => developers, foot: null },
  suggestions: 'listed',
};
