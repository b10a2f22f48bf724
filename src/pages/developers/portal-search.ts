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
import type { SearchSection } from '../../search/document.ts';
import { sectionsOf } from '../../search/pages.ts';
import { type Described, referenceTags } from '../navigation.ts';
import { guideValues, noExamples, renderGuide, simulated } from './guide-text.ts';

/** A page of the portal without its examples. */
interface PortalText {
  /** Its path without the first slash. */
  readonly slug: string;
  readonly title: string;
  readonly markdown: string;
  /** The anchors of its sections, where the page has others than their headings give. */
  readonly anchors?: readonly string[];
}

interface PortalInput extends Described {
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
  const textsOf = (input: Omit<PortalInput, keyof Described>) =>
    portalTexts({
      ...input,
      operations: operations(),
      endpoints: endpointsOf(input, input.content.product.name),
    });
  /** By slug. Few changes of a folder change a page of the portal. */
  const parsed = new Map<string, { readonly markdown: string; readonly sections: readonly SearchSection[] }>();
  return {
    kind: 'reference',
    isDocumentation: false,
    *documents({ content, limits }) {
      for (const { slug, title, markdown, anchors } of textsOf({ content, limits, baseUrl: '' })) {
        const known = parsed.get(slug);
        const page =
          known?.markdown === markdown
            ? known
            : { markdown, sections: sectionsOf(title, '', parseMarkdown(markdown).sections) };
        parsed.set(slug, page);
        yield {
          key: slug,
          title,
          titleIs: 'page',
          sections: page.sections.map((section, at) => ({ ...section, anchor: anchors?.[at] ?? section.anchor })),
        };
      }
    },
    path: (slug) => `/${slug}`,
    parameter: 'slug',
    item: readPortal(textsOf),
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
const readPortal = (textsOf: (input: Omit<PortalInput, keyof Described>) => readonly PortalText[]) =>
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
      const found = textsOf({ content, limits, baseUrl }).find((page) => page.slug === slug);
      if (found === undefined) throw new ApiError('not_found', `The portal has no page \`${slug}\`.`);
      return { object: 'reference' as const, slug, title: found.title, markdown: found.markdown };
    },
    markdown: ({ markdown }) => markdown,
  });

function portalTexts({ content, limits, operations, endpoints, baseUrl }: PortalInput): PortalText[] {
  const apiRoot = `${baseUrl}/api/v1`;
  const site = {
    baseUrl,
    catalog: { content },
    production: { apiRoot, service: { limits } },
    sandbox: { apiRoot: `${apiRoot}/sandbox` },
    operations,
    simulations: Object.keys(simulated),
  };
  const values = { ...guideValues(site), ...noExamples };
  return [
    { slug: 'developers', title: 'Developers', markdown: renderGuide('developers', values) },
    { slug: 'developers/authentication', title: 'Authentication', markdown: renderGuide('authentication', values) },
    { slug: 'developers/errors', title: 'Errors', markdown: renderGuide('errors', values) },
    ...referenceTags({ operations, endpoints }).map((tag) => ({
      slug: tag.href.slice(1),
      title: `Reference: ${tag.tag}`,
      markdown: document(...tag.operations.map(operationText), ...tag.endpoints.map(endpointText)),
      anchors: tag.entries.map(({ id }) => id),
    })),
  ];
}

/** What is said of an operation and its parameters. */
function operationText({ summary, method, path, description, input }: Operation): string {
  const parameters = Object.entries(input.shape).map(([name, schema]) => {
    const { description: about = '' } = z.globalRegistry.get(schema) ?? {};
    return `- \`${name}\`: ${about}`;
  });
  return document(`## ${summary}`, `\`${method} /api/v1${path}\``, description, parameters.join('\n')).trim();
}

const endpointText = ({ summary, method, path, description, parameters = [] }: EndpointDescription): string =>
  document(
    `## ${summary}`,
    `\`${method} ${path}\``,
    description,
    parameters.map(({ name, description: about }) => `- \`${name}\`: ${about}`).join('\n'),
  ).trim();
