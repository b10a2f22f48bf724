/** 2026-07-28: what every request must say of itself, in its body and again in its headers. */
import { isMembers, type Members, type Request } from './message.ts';
import {
  firstSessionlessVersion,
  isSessionlessVersion,
  metaKeys,
  RpcError,
  rpcCodes,
  sessionlessVersions,
} from './protocol.ts';

/** A header's value by its lower-case name, '' when it was not sent. */
export type Headers = (name: string) => string;

/** Whether a request speaks a version without a handshake: its metadata says so, or its version header does. */
export function isSessionless(request: Request, headers: Headers): boolean {
  if (metaOf(request)[metaKeys.version] !== undefined) return true;
  // A handshake that comes with the header of a later version is still a handshake.
  return request.method !== 'initialize' && isLaterVersion(headers('mcp-protocol-version'));
}

/** A date from 2026 on, whether or not there is such a version. */
const isLaterVersion = (version: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= firstSessionlessVersion;

/** Throws what basic/transports/streamable-http (Request Metadata, Server Validation) asks for, each with status 400. */
export function requireMetadata(request: Request, headers: Headers): void {
  const meta = metaOf(request);
  const version = requireMembers(meta);
  requireHeader(headers, 'MCP-Protocol-Version', version);
  if (!isSessionlessVersion(version)) {
    throw new RpcError(rpcCodes.unsupportedVersion, `Unsupported protocol version: ${shown(version)}.`, {
      status: 400,
      data: { supported: sessionlessVersions, requested: version },
    });
  }
  requireHeader(headers, 'Mcp-Method', request.method);
  const source = nameSources.get(request.method);
  const name = source === undefined ? undefined : request.params[source];
  if (typeof name === 'string') requireHeader(headers, 'Mcp-Name', name);
}

/** Methods whose Mcp-Name header repeats a parameter, and which. */
const nameSources: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

function metaOf({ params }: Request): Members {
  const meta = params._meta;
  return isMembers(meta) ? meta : {};
}

function requireMembers(meta: Members): string {
  const version = meta[metaKeys.version];
  if (typeof version !== 'string') throw badMeta(`params._meta must have ${metaKeys.version}, a string.`);
  if (!isMembers(meta[metaKeys.capabilities])) {
    throw badMeta(`params._meta must have ${metaKeys.capabilities}, an object.`);
  }
  return version;
}

const badMeta = (message: string): RpcError => new RpcError(rpcCodes.invalidParams, message, { status: 400 });

function requireHeader(headers: Headers, name: string, expected: string): void {
  const sent = headers(name.toLowerCase()).trim();
  if (sent === '') throw mismatch(`the header ${name} is missing; send ${JSON.stringify(shown(expected))}.`);
  if (decoded(sent) === expected) return;
  throw mismatch(`the header ${name} says ${shown(sent)}, the body says ${shown(expected)}.`);
}

/** The plain value of a header that may be wrapped as `=?base64?…?=`; null when what is wrapped is not Base64. */
function decoded(value: string): string | null {
  const wrapped = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  if (wrapped === undefined) return value;
  const bytes = Buffer.from(wrapped, 'base64');
  return bytes.toString('base64') === wrapped ? bytes.toString() : null;
}

const mismatch = (message: string): RpcError =>
  new RpcError(rpcCodes.headerMismatch, `Header mismatch: ${message}`, { status: 400 });

const shown = (text: string): string => [...text].slice(0, 80).join('');
