/** The two servers: one for the whole product, one for only its documentation. */
import { toSlug } from '../content/facts.ts';
import type { Context } from '../operations/context.ts';
import type { Searchable } from '../operations/searchable.ts';
import type { McpServer } from './mcp-server.ts';
import { createPrompt } from './prompts.ts';
import { createResourceRead, createResources, createTemplates, type ResourceDefinition } from './resources.ts';
import { createTool, type ServerKey, type ToolDefinition } from './tool.ts';

/** A server as data: its texts, and the tools and resources that name it. */
export interface ServerDefinition {
  readonly key: ServerKey;
  readonly path: string;
  /** Follows the product's name in the server's name and title. */
  readonly suffix: { readonly name: string; readonly title: string };
  /** `{product}` is replaced by the product's name, `{tagline}` by its tagline. */
  readonly instructions: string;
  readonly tools: readonly ToolDefinition[];
  readonly resources: readonly ResourceDefinition[];
  /** The texts of every resource, also of the other server: their keys complete an argument with the name of their parameter. */
  readonly completed: readonly Searchable[];
}

/** Returns the definitions of `/mcp` and `/mcp/docs`, each with the tools and resources that name it, in the order given. */
export const createServers = (
  tools: readonly ToolDefinition[],
  resources: readonly ResourceDefinition[],
): readonly ServerDefinition[] =>
  serverTexts.map((texts) => ({
    ...texts,
    tools: tools.filter(({ servers }) => servers.includes(texts.key)),
    resources: resources.filter(({ servers }) => servers.includes(texts.key)),
    completed: resources.flatMap((definition) => ('texts' in definition ? [definition.texts] : [])),
  }));

const serverTexts: readonly Omit<ServerDefinition, 'tools' | 'resources' | 'completed'>[] = [
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

/**
 * Returns the name, a slug, and the title of a server, and the version of the service, as the handshake and the instructions for
 * people have them.
 */
export function getServerInfo({ suffix }: ServerDefinition, { catalog, service }: Context): McpServer['serverInfo'] {
  const { name } = catalog.content.product;
  return { name: toSlug(name) + suffix.name, title: name + suffix.title, version: service.apiVersion };
}

/** Creates a server for one revision: its tools, resources, templates, prompts and completions. */
export function createMcpServer(definition: ServerDefinition, context: Context): McpServer {
  const { key, instructions, tools } = definition;
  const { product, prompts } = context.catalog.content;
  const tagline = /[.!?]$/.test(product.tagline) ? product.tagline : `${product.tagline}.`;
  const resources = createResources(definition.resources, context);
  return {
    key,
    serverInfo: getServerInfo(definition, context),
    instructions: instructions.replaceAll('{product}', product.name).replaceAll('{tagline}', tagline),
    tools: tools.map((tool) => createTool(tool, context)),
    resources: resources.map(({ listed }) => listed),
    templates: createTemplates(definition.resources, context),
    prompts: prompts.filter(({ servers }) => servers.includes(key)).map(createPrompt),
    read: createResourceRead(resources, context),
    completionsFor: (argument) => findCompletions(definition, argument, context),
    cursors: context.cursors,
  };
}

/** Returns all values of an argument by its name, whether a template or a vendor's prompt has it; empty for a name without known values. */
function findCompletions({ completed }: ServerDefinition, argument: string, { catalog }: Context): readonly string[] {
  const texts = completed.filter(({ parameter }) => parameter === argument);
  if (texts.length > 0) return texts.flatMap(({ keys }) => keys(catalog));
  if (argument === 'arch') return ['arm64', 'x86_64'];
  if (argument === 'os') return catalog.supported.map(({ os }) => os);
  if (argument === 'os_version') return [...new Set(catalog.supported.map(({ osVersion }) => osVersion))];
  return /(^|_)version$/.test(argument) ? catalog.versions : [];
}
