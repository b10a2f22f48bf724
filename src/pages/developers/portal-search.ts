/** Makes the developer portal searchable: the guides, every operation, every object, every error. */
import { z } from 'zod';
import { ApiError } from '../../base/api-error.ts';
import type { Content } from '../../content/content.ts';
import { parseMarkdown } from '../../markdown/markdown.ts';
import type { Service } from '../../operations/context.ts';
import type { EndpointDescription } from '../../operations/endpoint-description.ts';
import { joinBlocks } from '../../operations/markdown.ts';
import { defineOperation, type Operation } from '../../operations/operation.ts';
import type { Searchable } from '../../operations/searchable.ts';
import { listSections } from '../../search/pages.ts';
import { guides, listReferenceTags } from './contents.ts';
import { createGuideValues, noExamples, renderGuide } from './guide-text.ts';
import { endpointObjectNames, getObjectPath, getObjectTitle, listObjects } from './objects.ts';

/** A page of the portal as search reads it: where the portal shows a response as an example, its Markdown has nothing. */
interface PortalText {
  readonly href: string;
  readonly title: string;
  readonly markdown: string;
  /** The anchors of its sections in their order; left out if they are those that the headings give. */
  readonly anchors?: readonly string[];
}

interface PortalInput extends Pick<Service, 'baseUrl' | 'limits'> {
  readonly content: Content;
}

type ListEndpoints = (service: PortalInput, productName: string) => readonly EndpointDescription[];

/**
 * Returns the portal as a kind of item that search finds: its documents are the guides that answer questions about the API, and the
 * pages of tags and objects. `operations` returns those of the API, and `listEndpoints` the other endpoints of the contract.
 */
export function createPortalSearch(operations: () => readonly Operation[], listEndpoints: ListEndpoints): Searchable {
  const writeTexts = (input: PortalInput) =>
    listPortalTexts(input, operations(), listEndpoints(input, input.content.product.name));
  return {
    kind: 'reference',
    isDocumentation: false,
    *documents({ content, limits }) {
      for (const { href, title, markdown, anchors } of writeTexts({ content, limits, baseUrl: '' })) {
        const sections = listSections(title, '', parseMarkdown(markdown).sections);
        yield {
          key: href.slice(1),
          title,
          titleIs: 'page',
          sections: sections.map((section, index) => ({ ...section, anchor: anchors?.[index] ?? section.anchor })),
        };
      }
    },
    path: (slug) => `/${slug}`,
    parameter: 'slug',
    item: createPortalReading(writeTexts),
    input: (slug) => ({ slug }),
    keys() {
      const api = { operations: operations(), endpoints: [] };
      return [
        ...searchedGuides.map(({ href }) => href),
        ...listReferenceTags(api).map(({ href }) => href),
        '/developers/reference/authentication',
        ...[...listObjects(api).keys(), ...endpointObjectNames].map(getObjectPath),
      ].map((path) => path.slice(1));
    },
    reading: ({ title, markdown }) => ({ title: String(title), text: String(markdown) }),
  };
}

/** The guides that answer questions about the API; the others list what the reference has, or versions. */
const searchedGuides = guides.filter(({ name }) => ['developers', 'authentication', 'errors'].includes(name));

/**
 * Creates the operation that reads a page of the portal for the MCP tool `fetch`; people have the pages, and programs their
 * Markdown. Its `slug` is the path, without the first slash, of a page that search finds; it throws `not_found` for any other, such
 * as the changelog.
 */
const createPortalReading = (writeTexts: (input: PortalInput) => readonly PortalText[]) =>
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
      const page = writeTexts({ content, limits, baseUrl }).find(({ href }) => href === `/${slug}`);
      if (page === undefined) throw new ApiError('not_found', `The portal has no page \`${slug}\`.`);
      return { object: 'reference' as const, slug, title: page.title, markdown: page.markdown };
    },
    markdown: ({ markdown }) => markdown,
  });

function listPortalTexts(
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
  };
  const values = { ...createGuideValues(site), ...noExamples };
  return [
    ...searchedGuides.map(({ name, title, href }) => ({ href, title, markdown: renderGuide(name, values) })),
    ...listReferenceTags({ operations, endpoints }).map((tag) => ({
      href: tag.href,
      title: `Reference: ${tag.title}`,
      markdown: joinBlocks(
        ...tag.operations.map((operation) => describeCall({ ...operation, path: `/api/v1${operation.path}` })),
        ...tag.endpoints.map(describeCall),
      ),
      anchors: tag.entries.map(({ id }) => id),
    })),
    ...[...listObjects({ operations, endpoints })].map(([name, schema]) => ({
      href: getObjectPath(name),
      title: `Reference: ${getObjectTitle(name)} object`,
      markdown: joinBlocks(schema.description ?? '', '## Fields', listFields(schema)),
    })),
  ];
}

type Call = Pick<Operation | EndpointDescription, 'summary' | 'method' | 'path' | 'description' | 'input'>;

const describeCall = ({ summary, method, path, description, input }: Call): string =>
  joinBlocks(`## ${summary}`, `\`${method} ${path}\``, description, input !== undefined && listFields(input)).trim();

/** Returns the fields at the top of a schema as a Markdown list, each with its name and description. */
const listFields = ({ shape }: z.ZodObject): string =>
  Object.entries(shape)
    .map(([name, schema]) => `- \`${name}\`: ${z.globalRegistry.get(schema)?.description ?? ''}`)
    .join('\n');
