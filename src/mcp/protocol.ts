/** The protocol's own names: its versions, its error codes, the fields of request and result metadata. */

/** Versions that begin with `initialize`. */
export const handshakeVersions: readonly string[] = ['2024-11-05', '2025-03-26', '2025-06-18'];

/** The version that `initialize` returns if the client asks for one that is not supported. */
export const fallbackVersion = '2025-06-18';

/** The only version with batches, and the version of a request without a version header (2025-06-18, basic/transports). */
export const batchVersion = '2025-03-26';

/** Versions without a handshake: every request names its version. */
export const sessionlessVersions: readonly string[] = ['2026-07-28'];

/** The error codes of JSON-RPC 2.0 and of MCP. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** A header contradicts the body (2026-07-28). */
  headerMismatch: -32020,
  /** The version is not supported (2026-07-28). */
  unsupportedVersion: -32022,
} as const;

/** Fields of `_meta` (2026-07-28, basic/index). */
export const metaKeys = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  server: 'io.modelcontextprotocol/serverInfo',
} as const;

/** An Error that is returned as a JSON-RPC error. */
export class RpcError extends Error {
  readonly code: number;
  /** Details of the failure for programs; undefined if there are none. */
  readonly data: object | undefined;
  /** The HTTP status: 200, unless the transport requires another one. */
  readonly status: number;

  constructor(code: number, message: string, { data, status = 200 }: Partial<Pick<RpcError, 'data' | 'status'>> = {}) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
    this.status = status;
  }
}

/** Creates the error (-32602) for params that the method refuses. */
export const createInvalidParams = (message: string, data?: object): RpcError =>
  new RpcError(rpcCodes.invalidParams, message, { data });
