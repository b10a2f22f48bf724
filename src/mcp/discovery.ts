/** Documents by which clients and registries find the servers before they connect: cards, a catalog, server.json. */
import type { Context } from '../operations/context.ts';
import { handshakeVersions, sessionlessVersions } from './protocol.ts';
import { identityOf, type ServerRecipe } from './servers.ts';

export const cardType = 'application/mcp-server-card+json';

/** A server card (SEP-2127, experimental): who the server is and how to connect, without its tools. */
export function serverCard(recipe: ServerRecipe, context: Context): object {
  const { url } = identityOf(recipe, context);
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    ...description(recipe, context),
    remotes: [
      { type: 'streamable-http', url, supportedProtocolVersions: [...handshakeVersions, ...sessionlessVersions] },
    ],
  };
}

/** server.json for the MCP registry; the operator publishes it, since that takes proof of who owns the domain. */
export function registryEntry(recipe: ServerRecipe, context: Context): object {
  const { url } = identityOf(recipe, context);
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    ...description(recipe, context),
    remotes: [{ type: 'streamable-http', url }],
  };
}

/** The domain's catalog of servers (AI Catalog 1.0). */
export function aiCatalog(servers: readonly ServerRecipe[], context: Context): object {
  const host = new URL(context.service.baseUrl).hostname;
  return {
    specVersion: '1.0',
    entries: servers.map((recipe) => {
      const { name, title, url, description: text, queries } = identityOf(recipe, context);
      return {
        identifier: `urn:air:${host}:mcp:${name}`,
        displayName: title,
        type: cardType,
        url: `${url}/server-card`,
        description: text,
        representativeQueries: queries,
      };
    }),
  };
}

function description(recipe: ServerRecipe, context: Context) {
  const { name, title, version, description: text } = identityOf(recipe, context);
  return {
    name: `${namespaceOf(context.service.baseUrl)}/${name}`,
    title,
    description: within(text, 100),
    version,
    websiteUrl: context.service.baseUrl,
  };
}

/** The host's labels reversed, as registries name who owns a server: `docs.example.com` gives `com.example.docs`. */
function namespaceOf(baseUrl: string): string {
  const host = new URL(baseUrl).hostname;
  const numeric = /^[\d.]+$|^\[/.test(host);
  return numeric ? host.replace(/[^0-9a-f.]+/gi, '-').replace(/^-|-$/g, '') : host.split('.').reverse().join('.');
}

function within(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
