/** Checks the metadata of a 2026-07-28 request, which names its version in the body and repeats parts of the body in headers. */
import { isJsonObject, type JsonObject, type Request } from './message.ts';
import { metaKeys, RpcError, rpcCodes, sessionlessVersions } from './protocol.ts';

/** Returns a header's value by its lower-case name, or an empty text if it was not sent. */
export type Headers = (name: string) => string;

/**
 * Returns whether a request is of a version without a handshake: its metadata has a version, or its version header is of 2026 or
 * later and its method is not `initialize`.
 */
export function isSessionless(request: Request, headers: Headers): boolean {
  if (readMetadata(request)[metaKeys.version] !== undefined) return true;
  const version = headers('mcp-protocol-version');
  // `initialize` is a handshake even if its header names a later version.
  return request.method !== 'initialize' && /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= '2026';
}

/**
 * Checks body and headers of a request without a handshake by basic/transports/streamable-http (Request Metadata, Server
 * Validation). Throws RpcError with status 400: -32602 for missing metadata, -32020 for a header that is missing or differs, -32022
 * for a version that is not supported.
 */
export function requireMetadata(request: Request, headers: Headers): void {
  const { [metaKeys.version]: version, [metaKeys.capabilities]: capabilities } = readMetadata(request);
  if (typeof version !== 'string') throw createInvalidMetadata(`${metaKeys.version}, a string`);
  if (!isJsonObject(capabilities)) throw createInvalidMetadata(`${metaKeys.capabilities}, an object`);
  requireHeader(headers, 'MCP-Protocol-Version', version);
  if (!sessionlessVersions.includes(version)) {
    const data = { supported: sessionlessVersions, requested: version };
    const message = `Unsupported protocol version: ${shorten(version)}.`;
    throw new RpcError(rpcCodes.unsupportedVersion, message, { status: 400, data });
  }
  requireHeader(headers, 'Mcp-Method', request.method);
  const name = request.params[repeatedParameters[request.method] ?? ''];
  if (typeof name === 'string') requireHeader(headers, 'Mcp-Name', name);
}

/** The parameter that the header Mcp-Name repeats, by method. */
const repeatedParameters: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

const readMetadata = ({ params: { _meta: metadata } }: Request): JsonObject => (isJsonObject(metadata) ? metadata : {});

const createInvalidMetadata = (expectation: string): RpcError =>
  new RpcError(rpcCodes.invalidParams, `params._meta must have ${expectation}.`, { status: 400 });

function requireHeader(headers: Headers, name: string, expectedValue: string): void {
  const sentValue = headers(name.toLowerCase()).trim();
  if (decodeHeader(sentValue) === expectedValue && sentValue !== '') return;
  const fault =
    sentValue === ''
      ? `is missing; send ${JSON.stringify(shorten(expectedValue))}`
      : `is ${shorten(sentValue)}, and the body has ${shorten(expectedValue)}`;
  throw new RpcError(rpcCodes.headerMismatch, `Header mismatch: the header ${name} ${fault}.`, { status: 400 });
}

/** Returns the plain value of a header that may be wrapped as `=?base64?…?=`, or null if the wrapped text is not Base64. */
function decodeHeader(value: string): string | null {
  const encodedValue = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  if (encodedValue === undefined) return value;
  const bytes = Buffer.from(encodedValue, 'base64');
  return bytes.toString('base64') === encodedValue ? bytes.toString() : null;
}

const shorten = (text: string): string => [...text].slice(0, 80).join('');
