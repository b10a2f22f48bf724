/** What search finds of the developer portal: the guide, every operation, every error. */
import { z } from 'zod';
import { ApiError } from '../../base/api-error.ts';
import type { Content } from '../../content/content.ts';
import { parseMarkdown } from '../../markdown/markdown.ts';
import type { RateLimits, Service } from '../../operations/context.ts';
import type { EndpointDescription } from '../../operations/endpoint-description.ts';
import { document } from '../../operations/markdown.ts';
import { defineOperation, type Operation } from '../../operations/operation.ts';
import type { Searchable } from '../../operations/searchable.ts';
import { sectionsOf } from '../../search/pages.ts';
import { referenceTags } from '../navigation.ts';
import { guideValues, noExamples, renderGuide } from './guide-text.ts';

/** A page of the portal without its examples. */
interface PortalText {
  /** Its path without the first slash. */
  readonly slug: string;
  readonly title: string;
  readonly markdown: string;
  /** The anchors of its sections, where the page has others than their headings give. */
  readonly anchors?: readonly string[];
}

interface PortalInput {
  readonly content: Content;
  readonly limits: RateLimits;
  readonly baseUrl: string;
}

type EndpointsOf = (
  service: Pick<Service, 'baseUrl' | 'limits'>,
  productName: string,
) => readonly EndpointDescription[];

/** `operations`: every operation of the API. `endpointsOf`: what the contract has in addition. */
export function portalSearch(operations: () => readonly Operation[], endpointsOf: EndpointsOf): Searchable {
  const writeTexts = (input: PortalInput) =>
    portalTexts(input, operations(), endpointsOf(input, input.content.product.name));
  return {
    kind: 'reference',
    isDocumentation: false,
    *documents({ content, limits }) {
      for (const { slug, title, markdown, anchors } of writeTexts({ content, limits, baseUrl: '' })) {
        const sections = sectionsOf(title, '', parseMarkdown(markdown).sections);
        yield {
          key: slug,
          title,
          titleIs: 'page',
          sections: sections.map((section, index) => ({ ...section, anchor: anchors?.[index] ?? section.anchor })),
        };
      }
    },
    path: (slug) => `/${slug}`,
    parameter: 'slug',
    item: readPortal(writeTexts),
    input: (slug) => ({ slug }),
    keys: () => [
      'developers',
      'developers/authentication',
      'developers/errors',
      ...referenceTags({ operations: operations(), endpoints: [] }).map(({ href }) => href.slice(1)),
      'developers/reference/authentication',
    ],
    reading: ({ title, markdown }) => ({ title: String(title), text: String(markdown) }),
  };
}

/** For `fetch` only: people have the pages, programs their markdown twins. */
const readPortal = (writeTexts: (input: PortalInput) => readonly PortalText[]) =>
  defineOperation({
    id: 'readPortal',
    path: '/portal/{slug}',
    tag: 'Service',
    summary: 'Read a page of the portal',
    description: 'A page of the developer portal without its examples.',
    errors: ['not_found'],
    examples: [{ summary: 'The guide', input: { slug: 'developers' } }],
    input: z.object({ slug: z.string() }),
    output: z.object({ object: z.literal('reference'), slug: z.string(), title: z.string(), markdown: z.string() }),
    run({ catalog: { content }, service: { baseUrl, limits } }, { slug }) {
      const page = writeTexts({ content, limits, baseUrl }).find((text) => text.slug === slug);
      if (page === undefined) throw new ApiError('not_found', `The portal has no page \`${slug}\`.`);
      return { object: 'reference' as const, slug, title: page.title, markdown: page.markdown };
    },
    markdown: ({ markdown }) => markdown,
  });

function portalTexts(
  { content, limits, baseUrl }: PortalInput,
  operations: readonly Operation[],
  endpoints: readonly EndpointDescription[],
): PortalText[] {
  const apiRoot = `${baseUrl}/api/v1`;
  const site = {
    baseUrl,
    content,
    production: { apiRoot, service: { limits } },
    sandbox: { apiRoot: `${apiRoot}/sandbox` },
    operations,
  };
  const values = { ...guideValues(site), ...noExamples };
  return [
    { slug: 'developers', title: 'Developers', markdown: renderGuide('developers', values) },
    { slug: 'developers/authentication', title: 'Authentication', markdown: renderGuide('authentication', values) },
    { slug: 'developers/errors', title: 'Errors', markdown: renderGuide('errors', values) },
    ...referenceTags({ operations, endpoints }).map((tag) => ({
      slug: tag.href.slice(1),
      title: `Reference: ${tag.tag}`,
      markdown: document(
        ...tag.operations.map((operation) => describeCall({ ...operation, path: `/api/v1${operation.path}` })),
        ...tag.endpoints.map(describeCall),
      ),
      anchors: tag.entries.map(({ id }) => id),
    })),
  ];
}

type Call = Pick<Operation | EndpointDescription, 'summary' | 'method' | 'path' | 'description' | 'input'>;

const describeCall = ({ summary, method, path, description, input }: Call): string =>
  document(
    `## ${summary}`,
    `\`${method} ${path}\``,
    description,
    Object.entries(input?.shape ?? {})
      .map(([name, schema]) => `- \`${name}\`: ${z.globalRegistry.get(schema)?.description ?? ''}`)
      .join('\n'),
  ).trim();
