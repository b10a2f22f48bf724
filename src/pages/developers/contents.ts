/** The contents of the developer portal: the guides, the parts of the reference, and the menu next to their pages. */
import type { Group } from '../navigation.ts';
import type { Site } from '../site.ts';
import { type GuideName, guideNames } from './guide-text.ts';
import { type Described, getObjectPath, getObjectTitle, listObjects } from './objects.ts';

/** The title and the description of each page whose text is a file in `src/pages/guide`; `{product}` is the product's name. */
const guideTexts: Readonly<Record<GuideName, readonly [title: string, description: string]>> = {
  developers: [
    'Developers',
    'The {product} API in five minutes: releases, documentation and prices, free, no key needed.',
  ],
  authentication: ['Authentication', 'How to get, use, refresh and revoke a token of the {product} API, and what for.'],
  errors: ['Errors', 'Every error code of the {product} API: what it means, whether to retry, and how to fix it.'],
  versioning: ['Versioning', 'What can change within a version of the {product} API, and how one is retired.'],
  changelog: ['Changelog', 'What changed in the {product} API, newest first, with deprecated and retired versions.'],
  reference: ['Reference', 'Every operation and object of the {product} API, with responses, errors and samples.'],
};

/** The guides in the order in which the site lists them, each with its path as `href`, such as `/developers/errors`. */
export const guides = guideNames.map((name) => {
  const [title, description] = guideTexts[name];
  return { name, title, description, href: name === 'developers' ? '/developers' : `/developers/${name}` };
});

/** A page of the portal whose text is a Markdown file; its description has `{product}` in place of the product's name. */
export type Guide = (typeof guides)[number];

/**
 * Returns a page of the reference for each tag that operations have, in their order, then for those that only the other endpoints
 * have. `href` is its path and `about` its subject in a sentence, '' for an unknown tag. `entries` are its operations and then its
 * endpoints, with paths from the service's root and links to their sections.
 */
export function listReferenceTags({ operations, endpoints }: Described) {
  const tags = new Set([...operations, ...endpoints].map(({ tag }) => tag));
  return [...tags].map((tag) => {
    const parts = {
      operations: operations.filter((operation) => operation.tag === tag),
      endpoints: endpoints.filter((endpoint) => endpoint.tag === tag),
    };
    const href = `/developers/reference/${tag.toLowerCase()}`;
    const entries = [
      ...parts.operations.map((operation) => ({ ...operation, path: `/api/v1${operation.path}` })),
      ...parts.endpoints,
    ].map(({ id, summary, method, path }) => ({ id, summary, method, path, href: `${href}#${id}` }));
    return { title: titles[tag] ?? tag, href, about: abouts[tag] ?? '', ...parts, entries };
  });
}

/** Titles of tags that are not called like their tag: the guide above the reference is called Authentication. */
const titles: Readonly<Record<string, string>> = { Authentication: 'OAuth' };

const abouts: Readonly<Record<string, string>> = {
  Service: 'The index of the service: every endpoint, the rate limits, the versions, and links to everything else.',
  Releases: 'Releases of the application, from the same signed update feed that its updater reads.',
  Documentation: 'Documentation pages and frequently asked questions, as JSON or as markdown.',
  Product: 'Pricing, features, system requirements, and whether a computer can run the application.',
  Search: 'Full-text search over documentation and questions.',
  Batch: 'Several reads in one round trip.',
  Exports: 'Whole collections as one file, created in the background.',
  Authentication:
    'The authorization server: it registers clients without approval, issues and revokes tokens, and publishes its metadata.',
};

/**
 * Returns the menu of the developer portal: its guides without a heading, then the pages of the reference, of tags and of objects.
 */
export function createDevelopersNavigation(site: Site): Group[] {
  return [
    {
      title: null,
      links: guides
        .filter(({ name }) => name !== 'reference')
        .map(({ name, title, href }) => ({ title: name === 'developers' ? 'Get started' : title, href })),
    },
    {
      title: 'Reference',
      links: [
        { title: 'Overview', href: '/developers/reference' },
        ...listReferenceTags(site).map(({ title, href, entries }) => ({
          title,
          href,
          // The only operation of a tag would repeat the title of its page, so it has no entry.
          within: entries.length === 1 ? [] : entries.map((entry) => ({ title: entry.summary, href: entry.href })),
        })),
        {
          title: 'Objects',
          entries: [...listObjects(site).keys()].map((name) => ({
            title: getObjectTitle(name),
            href: getObjectPath(name),
          })),
        },
      ],
    },
  ];
}
