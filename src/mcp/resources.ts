/** MCP resources: texts under the URLs of their markdown, and the product's facts under their REST URLs. */
import { ApiError } from '../base/api-error.ts';
import { didYouMean } from '../base/near-miss.ts';
import type { Position } from '../catalog/cursor.ts';
import { rootSlug } from '../markdown/links.ts';
import { call } from '../operations/call.ts';
import { bodyOf, type Context } from '../operations/context.ts';
import { docsSearch } from '../operations/docs.ts';
import { faqSearch } from '../operations/faq.ts';
import type { Operation } from '../operations/operation.ts';
import { jsonOf } from '../operations/representation.ts';
import type { Searchable } from '../operations/searchable.ts';
import type { ListedResource, ReadResource, Resource, ResourceTemplate } from './mcp-server.ts';
import { listingTtlMs } from './result.ts';
import type { ServerKey } from './tool.ts';

/** What a resource of the product is to MCP: one fact as JSON, or any number of texts as markdown. */
export type ResourceDefinition = FactDefinition | TextDefinition;

/** An operation without parameters. */
export interface FactDefinition {
  readonly servers: readonly ServerKey[];
  readonly fact: Operation;
}

export interface TextDefinition {
  readonly servers: readonly ServerKey[];
  readonly texts: Searchable;
  /** In their order, whose places tell them apart. */
  entries(context: Context): readonly TextEntry[];
  /** What all of them are called; its parameter is that of the operation. */
  readonly template: Omit<ResourceTemplate, 'uriTemplate' | 'mimeType'>;
}

interface TextEntry {
  readonly key: string;
  readonly place: Position;
  readonly title: string;
  readonly description: string;
  /** 0 to 1. */
  readonly priority: number;
  /** `YYYY-MM-DD`. */
  readonly updated?: string | null;
}

/** Documentation pages. */
export const docsTexts: TextDefinition = {
  servers: ['product', 'docs'],
  texts: docsSearch,
  entries: ({ catalog }) =>
    catalog.content.pages.map(({ slug, title, description, order, updated }) => ({
      key: slug,
      place: [order, slug],
      title,
      description,
      priority: 0.8,
      updated,
    })),
  template: {
    name: 'page',
    title: 'Documentation page',
    description: 'A documentation page as markdown, by its slug.',
  },
};

/** FAQ entries. */
export const faqTexts: TextDefinition = {
  servers: ['docs'],
  texts: faqSearch,
  entries: ({ catalog }) =>
    catalog.content.faq.map(({ id, question, category }, index) => ({
      key: id,
      place: [index],
      title: question,
      description: `Frequently asked: ${category}.`,
      priority: 0.5,
    })),
  template: {
    name: 'faq-entry',
    title: 'FAQ entry',
    description: 'A frequently asked question and its answer as markdown, by its id.',
  },
};

/** The response of an operation without parameters. */
export const factOf = (fact: Operation): FactDefinition => ({ servers: ['product'], fact });

/** The resources of these definitions, in the order of their positions: facts first. */
export function resourcesOf(definitions: readonly ResourceDefinition[], context: Context): Resource[] {
  const made = definitions.map((definition, index) =>
    'fact' in definition ? [factResource(definition, context, index)] : textResources(definition, context, index),
  );
  return made.flat().toSorted((a, b) => Number(a.position[0]) - Number(b.position[0]));
}

function factResource({ fact }: FactDefinition, { apiRoot }: Context, index: number): Resource {
  return {
    position: [0, index],
    definition: {
      uri: apiRoot + fact.path,
      name: fact.path.slice(1),
      title: fact.summary.replace(/^(Get|List) (the )?/, '').replace(/^./, (letter) => letter.toUpperCase()),
      description: fact.description,
      mimeType: 'application/json',
      annotations: { audience: ['assistant'], priority: 1 },
    },
  };
}

function textResources({ texts, entries }: TextDefinition, context: Context, index: number): Resource[] {
  return entries(context).map(({ key, place, title, description, priority, updated }) => {
    const listed: ListedResource = {
      uri: markdownUrl(texts, context, key),
      name: key,
      title,
      description,
      mimeType: 'text/markdown',
      annotations: {
        audience: ['user', 'assistant'],
        priority,
        ...(typeof updated === 'string' && { lastModified: `${updated}T00:00:00Z` }),
      },
    };
    return { position: [1 + index, ...place], definition: listed };
  });
}

const markdownUrl = ({ path }: Searchable, { service }: Context, key: string): string =>
  `${service.baseUrl}${path(key)}.md`;

/** A template's parameter is named as the completion of its values is. */
export const templatesOf = (definitions: readonly ResourceDefinition[], context: Context): ResourceTemplate[] =>
  definitions.flatMap((definition) => {
    if ('fact' in definition) return [];
    const { texts, template } = definition;
    const uriTemplate = markdownUrl(texts, context, `{${texts.parameter}}`);
    return [{ uriTemplate, ...template, mimeType: 'text/markdown' }];
  });

/** The contents under a URI of these definitions; ApiError `not_found` with the URI and near misses for any other. */
export async function readResource(
  definitions: readonly ResourceDefinition[],
  context: Context,
  uri: string,
): Promise<ReadResource> {
  for (const definition of definitions) {
    if ('fact' in definition && uri === context.apiRoot + definition.fact.path)
      return readFact(definition, context, uri);
    const key = 'fact' in definition ? null : keyOf(definition.texts, context, uri);
    if (key !== null && !('fact' in definition)) return readText(definition, context, uri, key);
  }
  throw unknownResource(uri, []);
}

async function readFact({ fact }: FactDefinition, context: Context, uri: string): Promise<ReadResource> {
  const outcome = await call(fact, context, {});
  return {
    contents: [{ uri, mimeType: 'application/json', text: jsonOf(bodyOf(context, outcome)) }],
    ttlMs: fact.needsFeed ? context.feedStatus().retryAfterSeconds * 1000 : listingTtlMs,
  };
}

async function readText({ texts }: TextDefinition, context: Context, uri: string, key: string): Promise<ReadResource> {
  try {
    const outcome = await call(texts.item, context, { [texts.parameter]: key });
    return { contents: [{ uri, mimeType: 'text/markdown', text: outcome.markdown() }], ttlMs: listingTtlMs };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
    const near = error.options.suggestions ?? [];
    throw unknownResource(
      uri,
      near.map((name) => markdownUrl(texts, context, name)),
    );
  }
}

/** The slug or id in a markdown URL of this site. A template expands a slug with slashes to `%2F`. */
function keyOf(texts: Searchable, context: Context, uri: string): string | null {
  if (uri === markdownUrl(texts, context, rootSlug)) return rootSlug;
  const before = context.service.baseUrl + texts.path('');
  if (!uri.startsWith(before) || !uri.endsWith('.md')) return null;
  const key = uri.slice(before.length, -'.md'.length);
  try {
    return key === '' ? null : decodeURIComponent(key);
  } catch {
    return null;
  }
}

function unknownResource(uri: string, suggestions: string[]): ApiError {
  const detail = `Resource not found.${didYouMean(suggestions)} resources/list has every resource.`;
  return new ApiError('not_found', detail, { suggestions, members: { uri } });
}
