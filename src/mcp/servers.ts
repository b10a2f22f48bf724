/** The two servers: one for the whole product, one for only its documentation. */
import { LRUCache } from 'lru-cache';
import { productSlug } from '../content/facts.ts';
import type { Context } from '../operations/context.ts';
import type { Searchable } from '../operations/searchable.ts';
import type { McpServer } from './mcp-server.ts';
import { createPrompt } from './prompts.ts';
import { type ResourceDefinition, readResource, resourcesOf, templatesOf } from './resources.ts';
import type { Result } from './result.ts';
import { bindTool, type ServerKey, type ToolDefinition } from './tool.ts';

/** Maximum number of characters in the cached results of one server, keys included. */
const maxCachedCharacters = 8_000_000;

interface ServerFacts {
  readonly key: ServerKey;
  readonly path: string;
  /** Behind the product's name. */
  readonly suffix: { readonly name: string; readonly title: string };
  readonly instructions: string;
}

/** A server as data, with what the resources of the product give it. */
export interface ServerDefinition extends ServerFacts {
  readonly tools: readonly ToolDefinition[];
  readonly resources: readonly ResourceDefinition[];
  /** Whose keys complete an argument of that name, on either server. */
  readonly completed: readonly Searchable[];
}

/** Creates the definitions of both servers; each gets the tools and resources that name it, in the order in which they are listed. */
export const createServers = (
  tools: readonly ToolDefinition[],
  resources: readonly ResourceDefinition[],
): readonly ServerDefinition[] =>
  servers.map((server) => {
    const isMeant = ({ servers: keys }: { readonly servers: readonly ServerKey[] }): boolean =>
      keys.includes(server.key);
    return {
      ...server,
      tools: tools.filter(isMeant),
      resources: resources.filter(isMeant),
      completed: resources.flatMap((definition) => ('texts' in definition ? [definition.texts] : [])),
    };
  });

/** `{product}` stands for the product's name, `{tagline}` for its tagline. */
const servers: readonly ServerFacts[] = [
  {
    key: 'product',
    path: '/mcp',
    suffix: { name: '', title: '' },
    instructions:
      '{product}: {tagline} Answer from these tools, not from memory. How to use, set up or fix it: search, then fetch the best result and cite its url. Versions and changes: get_release, list_releases. Whether it runs on a computer: check_compatibility; what it needs: get_requirements. What it does and costs: list_features, get_pricing. All of it is public and read-only.',
  },
  {
    key: 'docs',
    path: '/mcp/docs',
    suffix: { name: '-docs', title: ' documentation' },
    instructions:
      'Documentation and FAQ of {product}: {tagline} For a question about it, search with two to five words, then fetch the best result and cite its url. list_docs shows what there is. Do not answer from memory what a page can answer.',
  },
];

/** Returns the name, title, version and URL of a server, as the handshake and the help for people name them. */
export function identityOf(definition: ServerDefinition, { catalog, service }: Context) {
  const { name } = catalog.content.product;
  return {
    name: productSlug(name) + definition.suffix.name,
    title: name + definition.suffix.title,
    version: service.apiVersion,
    url: service.baseUrl + definition.path,
  };
}

export function createMcpServer(definition: ServerDefinition, context: Context): McpServer {
  const { catalog, cursors } = context;
  const { product, prompts } = catalog.content;
  const { name, title, version } = identityOf(definition, context);
  const results = new LRUCache<string, Result>({
    maxSize: maxCachedCharacters,
    maxEntrySize: maxCachedCharacters / 8,
    sizeCalculation: ({ json = '' }, key) => key.length + json.length,
  });
  return {
    key: definition.key,
    serverInfo: { name, title, version },
    instructions: definition.instructions
      .replaceAll('{product}', product.name)
      .replaceAll('{tagline}', sentence(product.tagline)),
    tools: definition.tools.map((tool) => bindTool(tool, context, results)),
    resources: resourcesOf(definition.resources, context),
    templates: templatesOf(definition.resources, context),
    prompts: prompts.filter((prompt) => prompt.servers.includes(definition.key)).map(createPrompt),
    read: (uri) => readResource(definition.resources, context, uri),
    valuesOf: (argument) => valuesOf(definition, argument, context),
    cursors,
  };
}

/** By the argument's name, whether a template or a vendor's prompt has it. */
function valuesOf({ completed }: ServerDefinition, argument: string, { catalog }: Context): readonly string[] {
  const named = completed.filter(({ parameter }) => parameter === argument);
  if (named.length > 0) return named.flatMap(({ keys }) => keys(catalog));
  if (argument === 'arch') return ['arm64', 'x86_64'];
  if (argument === 'os_version') return [catalog.requirements.osVersion];
  return /(^|_)version$/.test(argument) ? catalog.versions : [];
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
