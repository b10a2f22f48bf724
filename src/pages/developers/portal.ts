/** The developer portal as the site lists it: the guides, and the reference with a page for each tag. */
import { none } from '../../base/none.ts';
import { filled } from '../../content/words.ts';
import { type Destination, referenceTags } from '../navigation.ts';
import type { PageDocument } from '../page.ts';
import type { Published, Site } from '../site.ts';
import { clientModulePath } from './client-module.ts';
import { guidePage } from './guide-page.ts';
import { exampleValues, type GuideName, guideValues, renderGuide } from './guide-text.ts';
import { referenceTagPage, referenceValues } from './reference.ts';
import { samplePartQuery } from './sample-part.ts';
import { sortByDay, versionValues } from './versioning.ts';

interface Guide {
  readonly name: GuideName;
  readonly title: string;
  /** The description for search engines; `{product}` is the product's name. */
  readonly description: string;
}

/** The pages whose text is a file in `src/pages/guide`, in the order in which they are listed. */
const guides: readonly Guide[] = [
  {
    name: 'developers',
    title: 'Developers',
    description:
      'The {product} API in five minutes: releases, documentation, prices and requirements, free, no key needed.',
  },
  {
    name: 'authentication',
    title: 'Authentication',
    description: 'What credentials are for in the {product} API, and how to get, use, refresh and revoke a token.',
  },
  {
    name: 'errors',
    title: 'Errors',
    description: 'Every error code of the {product} API: what it means, whether to retry, and how to fix it.',
  },
  {
    name: 'versioning',
    title: 'Versioning',
    description:
      'The versions of the {product} API, what can change within one, and how much notice you get before one is retired.',
  },
  {
    name: 'changelog',
    title: 'Changelog',
    description: 'What changed in the {product} API, newest first, with deprecated and retired versions.',
  },
  {
    name: 'reference',
    title: 'Reference',
    description: 'Every operation of the {product} API: parameters, responses, headers, errors, and samples that run.',
  },
];

const describe = ({ description }: Guide, { product }: Site): string => filled(description, { product: product.name });

const guidePath = ({ name }: Guide): string => (name === 'developers' ? '/developers' : `/developers/${name}`);

async function writtenGuidePage(site: Site, guide: Guide): Promise<PageDocument> {
  const values = {
    ...guideValues(site),
    ...versionValues(site),
    ...referenceValues(site),
    ...(await exampleValues(site)),
  };
  const markdown = renderGuide(guide.name, values);
  return guidePage(site, {
    path: guidePath(guide),
    title: guide.title,
    description: describe(guide, site),
    markdown: guide.name === 'changelog' ? sortByDay(markdown) : markdown,
  });
}

/** Returns the guides and the pages of the reference with a description of each, in the order in which they are listed. */
const portalPages = (site: Site): readonly (Destination & { readonly about: string })[] => [
  ...guides.map((guide) => ({
    title: guide.title,
    href: guidePath(guide),
    about: describe(guide, site),
  })),
  ...referenceTags(site).map(({ tag, href, entries }) => ({
    title: `Reference: ${tag}`,
    href,
    about: `${entries.map(({ summary }) => summary).join('; ')}.`,
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

export const portalFacets: Published = {
  page: {
    routes: [
      ...guides.map((guide) => ({ path: guidePath(guide), make: (site: Site) => writtenGuidePage(site, guide) })),
      {
        path: '/developers/reference/:tag',
        query: ['part', ...samplePartQuery],
        make: (site, { tag = '' }, query) => referenceTagPage(site, tag, query),
        needsFeed: true,
      },
    ],
    listed: (site) => portalPages(site).map(({ title, href }) => ({ path: href, title })),
  },
  sandbox: none('it describes the service'),
  sitemap: 'listed',
  llms: (site) => [
    ...portalPages(site).map(
      ({ title, href, about }) => ({ heading: 'API', title, path: `${href}.md`, about }) as const,
    ),
    ...programDocuments.map((document) => ({ heading: 'API', ...document }) as const),
    ...contractDocuments.map((document) => ({ heading: 'Optional', ...document }) as const),
  ],
  navigation: { href: '/developers', place: 60, menu: ({ developers }) => developers, foot: null },
  suggestions: 'listed',
};
