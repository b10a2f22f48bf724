/** The protocol's methods over a server, for versions with a handshake and for those without. */
import { didYouMean, nearMisses } from '../base/near-miss.ts';
import { quote } from '../operations/input.ts';
import { createCompletion } from './completion.ts';
import { createListing } from './listing.ts';
import type { McpServer } from './mcp-server.ts';
import type { JsonObject, Request } from './message.ts';
import { createPromptGet } from './prompts.ts';
import {
  fallbackVersion,
  handshakeVersions,
  invalidParams,
  RpcError,
  rpcCodes,
  sessionlessVersions,
} from './protocol.ts';
import { listingTtlMs, type Method, type Result } from './result.ts';
import { createToolCall } from './tool-call.ts';

/** Answers a request; throws RpcError or ApiError. */
export type Methods = (request: Request, sessionless: boolean) => Result | Promise<Result>;

const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {} };

/** Creates the methods of a server. */
export function createMethods(server: McpServer): Methods {
  const { serverInfo, instructions, tools, resources, templates, prompts } = server;
  const shared: Readonly<Record<string, Method>> = {
    'tools/call': createToolCall(tools),
    'tools/list': createListing(server, 'tools', tools.map(getListed)),
    'resources/list': createListing(server, 'resources', resources),
    'resources/templates/list': createListing(server, 'resourceTemplates', templates),
    'resources/read': ({ uri }) => {
      if (typeof uri !== 'string') throw invalidParams('params.uri is required, a string.');
      return server.read(uri);
    },
    'prompts/list': createListing(server, 'prompts', prompts.map(getListed)),
    'prompts/get': createPromptGet(prompts),
    'completion/complete': createCompletion(server),
  };
  const discovery = { supportedVersions: sessionlessVersions, capabilities, instructions };
  const handshake: Readonly<Record<string, Method>> = {
    ...shared,
    initialize: (params) => ({
      fields: { protocolVersion: negotiateVersion(params), capabilities, serverInfo, instructions },
    }),
    ping: () => ({ fields: {} }),
  };
  const sessionless: Readonly<Record<string, Method>> = {
    ...shared,
    'server/discover': () => ({ fields: discovery, ttlMs: listingTtlMs }),
  };
  return ({ method: name, params }, isSessionless) => {
    const methods = isSessionless ? sessionless : handshake;
    const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
    if (method !== undefined) return method(params, isSessionless);
    const hint = didYouMean(nearMisses(name, Object.keys(methods)));
    const status = isSessionless ? 404 : 200;
    throw new RpcError(rpcCodes.methodNotFound, `Method not found: ${quote(name)}.${hint}`, { status });
  };
}

const getListed = <T>({ listed }: { readonly listed: T }): T => listed;

/** Returns the requested version if it is supported, and otherwise the newest one (basic/lifecycle, version negotiation). */
function negotiateVersion({ protocolVersion }: JsonObject): string {
  if (typeof protocolVersion !== 'string') throw invalidParams('params.protocolVersion is required, a string.');
  return handshakeVersions.includes(protocolVersion) ? protocolVersion : fallbackVersion;
}
