/** The methods of the protocol over a catalog, for versions with a handshake and for those without. */
import { didYouMean, nearMisses } from '../base/near-miss.ts';
import { quote } from '../operations/input.ts';
import { createCompletion } from './completion.ts';
import { createListing } from './listing.ts';
import type { McpServer } from './mcp-server.ts';
import type { Members, Request } from './message.ts';
import { createPromptGet } from './prompts.ts';
import {
  fallbackVersion,
  invalidParams,
  isHandshakeVersion,
  RpcError,
  rpcCodes,
  sessionlessVersions,
} from './protocol.ts';
import { listingTtlMs, type Method, type Result } from './result.ts';
import { createToolCall } from './tool-call.ts';

/** The result of a request; throws RpcError or ApiError. */
export type Methods = (request: Request, sessionless: boolean) => Result | Promise<Result>;

const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {} };

export function createMethods(server: McpServer): Methods {
  const { serverInfo, instructions, tools, resources, templates, prompts } = server;
  const shared: Readonly<Record<string, Method>> = {
    'tools/call': createToolCall(tools),
    'tools/list': createListing(server, 'tools', tools),
    'resources/list': createListing(server, 'resources', resources),
    'resources/templates/list': createListing(
      server,
      'resourceTemplates',
      templates.map((definition) => ({ definition })),
    ),
    'resources/read': createResourceRead(server),
    'prompts/list': createListing(server, 'prompts', prompts),
    'prompts/get': createPromptGet(prompts),
    'completion/complete': createCompletion(server),
  };
  const initialize: Method = (params) => ({
    fields: { protocolVersion: agreedVersion(params), capabilities, serverInfo, instructions },
  });
  const discover: Method = () => ({
    fields: { supportedVersions: sessionlessVersions, capabilities, instructions },
    ttlMs: listingTtlMs,
  });
  const handshake = new Map(Object.entries({ ...shared, initialize, ping: () => ({ fields: {} }) }));
  const sessionless = new Map(Object.entries({ ...shared, 'server/discover': discover }));
  return (request, later) => {
    const known = later ? sessionless : handshake;
    const method = known.get(request.method);
    if (method === undefined) throw unknownMethod(request.method, [...known.keys()]);
    return method(request.params, later);
  };
}

/** basic/lifecycle, version negotiation: the version asked for when it is known, else the newest one. */
function agreedVersion({ protocolVersion }: Members): string {
  if (typeof protocolVersion !== 'string') throw invalidParams('params.protocolVersion is required, a string.');
  return isHandshakeVersion(protocolVersion) ? protocolVersion : fallbackVersion;
}

function createResourceRead(server: McpServer): Method {
  return async ({ uri }) => {
    if (typeof uri !== 'string') throw invalidParams('params.uri is required, a string.');
    const { contents, ttlMs } = await server.read(uri);
    return { fields: { contents }, ttlMs };
  };
}

function unknownMethod(method: string, known: readonly string[]): RpcError {
  const hint = didYouMean(nearMisses(method, known));
  return new RpcError(rpcCodes.methodNotFound, `Method not found: ${quote(method)}.${hint}`);
}
