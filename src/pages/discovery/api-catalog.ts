/** Writes `/.well-known/api-catalog` (RFC 9727): the APIs of this origin, each with its contract, documentation and metadata. */
import type { Site } from '../site.ts';

/** The media type of the catalog. */
export const apiCatalogType =
  'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"; charset=utf-8';

/**
 * Returns the API catalog (RFC 9727) as an object of JSON: a linkset from each API and MCP server to its portal page, from both
 * APIs to the contract, and from that in production to the OAuth metadata.
 */
export function createApiCatalog({ baseUrl, production, sandbox }: Site) {
  const contract = { href: `${baseUrl}/openapi.json`, type: 'application/vnd.oai.openapi+json;version=3.1' };
  const portal = (anchor = '') => [
    { href: `${baseUrl}/developers${anchor}`, type: 'text/html' },
    { href: `${baseUrl}/developers.md`, type: 'text/markdown' },
  ];
  const wellKnown = (name: string) => ({ href: `${baseUrl}/.well-known/${name}`, type: 'application/json' });
  return {
    linkset: [
      {
        anchor: production.apiRoot,
        'service-desc': [contract],
        'service-doc': portal(),
        'service-meta': [wellKnown('oauth-protected-resource'), wellKnown('oauth-authorization-server')],
      },
      { anchor: sandbox.apiRoot, 'service-desc': [contract], 'service-doc': portal('#sandbox-and-simulate') },
      ...['/mcp', '/mcp/docs'].map((path) => ({
        anchor: baseUrl + path,
        'service-doc': portal('#mcp'),
      })),
    ],
  };
}
