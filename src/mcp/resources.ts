/** MCP resources: pages and FAQ entries under the URLs of their markdown, and the product's facts under their REST URLs. */
import { ApiError } from '../base/api-error.ts';
import { findNearMisses, writeDidYouMean } from '../base/near-miss.ts';
import { decodeUri } from '../base/uri.ts';
import { call } from '../operations/call.ts';
import { type Body, type Context, getBody } from '../operations/context.ts';
import { docsSearch } from '../operations/docs.ts';
import { faqSearch } from '../operations/faq.ts';
import type { Operation } from '../operations/operation.ts';
import { toJson } from '../operations/representation.ts';
import type { Searchable } from '../operations/searchable.ts';
import type { ListedResource, ResourceTemplate } from './mcp-server.ts';
import { listingTtlMs, type Result } from './result.ts';
import type { ServerKey } from './tool.ts';

/** The MCP resources of a resource of the product: one fact as JSON, or any number of texts as markdown. */
export type ResourceDefinition = FactDefinition | TextDefinition;

/** A fact of the product that clients may read whole, such as its pricing. */
export interface FactDefinition {
  readonly servers: readonly ServerKey[];
  /** An operation without parameters, whose response is the resource. */
  readonly fact: Operation;
}

/** Texts of the product that clients may read whole, such as its documentation pages. */
export interface TextDefinition {
  readonly servers: readonly ServerKey[];
  /** The kind of item that the texts are, with their paths and the operation that returns one. */
  readonly texts: Searchable;
  /** Returns an entry for each text, in order. */
  list(context: Context): readonly TextEntry[];
  /** The entry of resources/templates/list; its parameter has the name of the operation's. */
  readonly template: Omit<ResourceTemplate, 'uriTemplate' | 'mimeType'>;
}

interface TextEntry {
  readonly key: string;
  readonly title: string;
  readonly description: string;
  /** The importance for an answer, from 0 to 1. */
  readonly priority: number;
  /** The date of the last change as `YYYY-MM-DD`, or null if it is unknown. */
  readonly updated: string | null;
}

/** The documentation pages as resources of both servers, in reading order. */
export const docsTexts: TextDefinition = {
  servers: ['product', 'docs'],
  texts: docsSearch,
  list: ({ catalog }) =>
    catalog.content.pages.map(({ slug: key, title, description, updated }) => {
      return { key, title, description, priority: 0.8, updated };
    }),
  template: {
    name: 'page',
    title: 'Documentation page',
    description: 'A documentation page as markdown, by its slug.',
  },
};

/** The FAQ entries as resources of the documentation server, in the order of the content. */
export const faqTexts: TextDefinition = {
  servers: ['docs'],
  texts: faqSearch,
  list: ({ catalog }) =>
    catalog.content.faq.map(({ id: key, question: title, category }) => {
      return { key, title, description: `Frequently asked: ${category}.`, priority: 0.5, updated: null };
    }),
  template: {
    name: 'faq-entry',
    title: 'FAQ entry',
    description: 'A frequently asked question and its answer as markdown, by its id.',
  },
};

/** Returns the definition of a fact on the product's server: the response of an operation without parameters. */
export const defineFact = (fact: Operation): FactDefinition => ({ servers: ['product'], fact });

/** A resource of a revision as the listing has it, with the operation that reads it and that operation's input. */
export interface Resource {
  readonly listed: ListedResource;
  /** The operation that returns it, and its input. */
  readonly operation: Operation;
  readonly input: Body;
}

/** Creates the resources of these definitions in the order of the listing: facts first. */
export function createResources(definitions: readonly ResourceDefinition[], context: Context): Resource[] {
  const facts = definitions.flatMap((definition) => ('fact' in definition ? [createFact(definition, context)] : []));
  const texts = definitions.flatMap((definition) => ('fact' in definition ? [] : createTexts(definition, context)));
  return [...facts, ...texts];
}

function createFact({ fact }: FactDefinition, { apiRoot }: Context): Resource {
  const listedResource: ListedResource = {
    uri: apiRoot + fact.path,
    name: fact.path.slice(1),
    title: fact.summary.replace(/^(Get|List) (the )?/, '').replace(/^./, (letter) => letter.toUpperCase()),
    description: fact.description,
    mimeType: 'application/json',
    annotations: { audience: ['assistant'], priority: 1 },
  };
  return { listed: listedResource, operation: fact, input: {} };
}

function createTexts({ texts, list }: TextDefinition, context: Context): Resource[] {
  return list(context).map(({ key, title, description, priority, updated }) => {
    const listedResource: ListedResource = {
      uri: getMarkdownUrl(texts, context, key),
      name: key,
      title,
      description,
      mimeType: 'text/markdown',
      annotations: {
        audience: ['user', 'assistant'],
        priority,
        ...(updated !== null && { lastModified: `${updated}T00:00:00Z` }),
      },
    };
    return { listed: listedResource, operation: texts.item, input: { [texts.parameter]: key } };
  });
}

const getMarkdownUrl = ({ path }: Searchable, { service }: Context, key: string): string =>
  `${service.baseUrl}${path(key)}.md`;

/**
 * Creates the templates of the texts among the definitions; facts have none. A template's parameter has the name under which its
 * values are completed.
 */
export const createTemplates = (definitions: readonly ResourceDefinition[], context: Context): ResourceTemplate[] =>
  definitions.flatMap((definition) => {
    if ('fact' in definition) return [];
    const { texts, template } = definition;
    const uriTemplate = getMarkdownUrl(texts, context, `{${texts.parameter}}`);
    return [{ uriTemplate, ...template, mimeType: 'text/markdown' }];
  });

/**
 * Creates the function that answers resources/read with the Markdown or the JSON of one resource. It rejects with `not_found` for
 * an unknown URI, and with the ApiError of the operation if that fails. A template expands a slug with slashes to `%2F`, so URIs
 * are compared decoded.
 */
export function createResourceRead(resources: readonly Resource[], context: Context): (uri: string) => Promise<Result> {
  const byUri = new Map(resources.map((resource) => [decodeUri(resource.listed.uri), resource]));
  return async (uri) => {
    const resource = byUri.get(decodeUri(uri));
    if (resource === undefined) throw createUnknownResource(uri, byUri.keys());
    const { listed, operation, input } = resource;
    const { mimeType } = listed;
    const outcome = await call(operation, context, input);
    const text = mimeType === 'text/markdown' ? outcome.markdown() : toJson(getBody(context, outcome));
    const ttlMs = operation.needsFeed ? context.feedStatus().retryAfterSeconds * 1000 : listingTtlMs;
    return { fields: { contents: [{ uri, mimeType, text }] }, ttlMs };
  };
}

/** Creates `not_found` with similar URIs of the same folder; whether they end in `.md` makes no difference. */
function createUnknownResource(uri: string, uris: Iterable<string>): ApiError {
  const [, folder = '', name = ''] = /^(\w+:\/\/[^/]+\/[^/]+\/)(.+?)(?:\.md)?$/s.exec(decodeUri(uri)) ?? [];
  const inFolder = [...uris].filter((known) => known.startsWith(folder));
  const byName = new Map(inFolder.map((known) => [known.slice(folder.length).replace(/\.md$/, ''), known]));
  const suggestions = findNearMisses(name, byName.keys()).flatMap((near) => byName.get(near) ?? []);
  const detail = `Resource not found.${writeDidYouMean(suggestions)} resources/list has every resource.`;
  return new ApiError('not_found', detail, { suggestions, members: { uri } });
}
