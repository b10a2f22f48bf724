/** The protocol's methods over a server, for versions with a handshake and for those without. */
import { findNearMisses, writeDidYouMean } from '../base/near-miss.ts';
import { quote } from '../operations/input.ts';
import { createCompletion } from './completion.ts';
import type { McpServer } from './mcp-server.ts';
import type { JsonObject, Request } from './message.ts';
import { createPromptGet } from './prompts.ts';
import {
  createInvalidParams,
  fallbackVersion,
  handshakeVersions,
  RpcError,
  rpcCodes,
  sessionlessVersions,
} from './protocol.ts';
import { listingTtlMs, type Method, type Result } from './result.ts';
import { createToolCall } from './tool-call.ts';

/** Answers a request; throws RpcError or ApiError, or rejects with one. `sessionless` is true for 2026-07-28. */
export type Methods = (request: Request, sessionless: boolean) => Result | Promise<Result>;

/** Maximum number of entries on a page of a listing: about 30 KB. */
const pageSize = 100;

const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {} };

/**
 * Creates the function that answers a request by the method that it names. It throws RpcError -32601 for an unknown method, with
 * status 404 for 2026-07-28.
 */
export function createMethods(server: McpServer): Methods {
  const { serverInfo, instructions, tools, resources, templates, prompts } = server;
  const sharedMethods: Readonly<Record<string, Method>> = {
    'tools/call': createToolCall(tools),
    'tools/list': createListing(server, 'tools', tools.map(getListed)),
    'resources/list': createListing(server, 'resources', resources),
    'resources/templates/list': createListing(server, 'resourceTemplates', templates),
    'resources/read': ({ uri }) => {
      if (typeof uri !== 'string') throw createInvalidParams('params.uri is required, a string.');
      return server.read(uri);
    },
    'prompts/list': createListing(server, 'prompts', prompts.map(getListed)),
    'prompts/get': createPromptGet(prompts),
    'completion/complete': createCompletion(server),
  };
  const discovery = { supportedVersions: sessionlessVersions, capabilities, instructions };
  const handshake: Readonly<Record<string, Method>> = {
    ...sharedMethods,
    initialize: (params) => ({
      fields: { protocolVersion: negotiateVersion(params), capabilities, serverInfo, instructions },
    }),
    ping: () => ({ fields: {} }),
  };
  const sessionless: Readonly<Record<string, Method>> = {
    ...sharedMethods,
    'server/discover': () => ({ fields: discovery, ttlMs: listingTtlMs }),
  };
  return ({ method: name, params }, isSessionless) => {
    const methods = isSessionless ? sessionless : handshake;
    const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
    if (method !== undefined) return method(params, isSessionless);
    const hint = writeDidYouMean(findNearMisses(name, Object.keys(methods)));
    const status = isSessionless ? 404 : 200;
    throw new RpcError(rpcCodes.methodNotFound, `Method not found: ${quote(name)}.${hint}`, { status });
  };
}

const getListed = <T>({ listed }: { readonly listed: T }): T => listed;

/**
 * Returns the requested version if it is one with a handshake, and otherwise the newest of those (basic/lifecycle, version
 * negotiation). Throws -32602 if `protocolVersion` is missing or no string.
 */
function negotiateVersion({ protocolVersion }: JsonObject): string {
  if (typeof protocolVersion !== 'string') throw createInvalidParams('params.protocolVersion is required, a string.');
  return handshakeVersions.includes(protocolVersion) ? protocolVersion : fallbackVersion;
}

interface Entry {
  readonly name: string;
  readonly uri?: string;
}

/**
 * Creates a method that lists, a hundred entries a page: its result has them in the field `field`, and `nextCursor` unless the page
 * is the last. The method throws -32602 for a cursor that is no string, and ApiError `invalid_cursor` for one that is not of this
 * listing.
 */
function createListing({ key, cursors }: McpServer, field: string, entries: readonly Entry[]): Method {
  const listing = `mcp ${key} ${field}`;
  return ({ cursor }) => {
    if (cursor !== undefined && typeof cursor !== 'string')
      throw createInvalidParams('params.cursor must be a string.');
    const start = cursor === undefined ? 0 : findStart(entries, cursors.read(listing, null, cursor));
    const end = start + pageSize;
    const last = entries[end - 1];
    const nextCursor = last && end < entries.length && cursors.issue(listing, null, [end - 1, getId(last)]);
    return {
      fields: { [field]: entries.slice(start, end), ...(nextCursor && { nextCursor }) },
      ttlMs: listingTtlMs,
    };
  };
}

/** Returns the index of the entry after a cursor's one, or the cursor's own index if the content no longer has that entry. */
function findStart(entries: readonly Entry[], [index, id]: readonly (string | number)[]): number {
  return entries.findIndex((entry) => getId(entry) === id) + 1 || Number(index);
}

/** Returns what identifies an entry: pages and FAQ entries may have the same name, but not the same URI. */
const getId = ({ name, uri = name }: Entry): string => uri;
