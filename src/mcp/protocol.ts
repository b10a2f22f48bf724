/** The protocol's own names: its versions, its error codes, the fields of request and result metadata. */

/** Versions that open with `initialize`; the last one answers whoever asks for a version that is not here. */
export const handshakeVersions = ['2024-11-05', '2025-03-26', '2025-06-18'] as const;
export type HandshakeVersion = (typeof handshakeVersions)[number];

/** What a request without a version header speaks (2025-06-18, basic/transports). */
export const assumedVersion: HandshakeVersion = '2025-03-26';
export const fallbackVersion: HandshakeVersion = '2025-06-18';

/** The one version with batches. */
export const batchVersion: HandshakeVersion = '2025-03-26';

/** Versions without a handshake: every request says what it speaks. */
export const sessionlessVersions = ['2026-07-28'] as const;

/** The first day of versions without a handshake; a version header from then on means one of them. */
export const firstSessionlessVersion = '2026-01-01';

export const isHandshakeVersion = (version: string): version is HandshakeVersion =>
  handshakeVersions.some((known) => known === version);

export const isSessionlessVersion = (version: string): boolean =>
  sessionlessVersions.some((known) => known === version);

export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** 2026-07-28: headers and body say different things. */
  headerMismatch: -32020,
  /** 2026-07-28. */
  unsupportedVersion: -32022,
} as const;
export type RpcCode = (typeof rpcCodes)[keyof typeof rpcCodes];

/** Fields of `_meta` (2026-07-28, basic/index). */
export const metaKeys = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  server: 'io.modelcontextprotocol/serverInfo',
} as const;

/** A failure that is returned as a JSON-RPC error. */
export class RpcError extends Error {
  readonly code: RpcCode;
  readonly data: Readonly<Record<string, unknown>> | null;
  /** Where the transport asks for another HTTP status than the code's usual one. */
  readonly status: number | null;

  constructor(code: RpcCode, message: string, options: { data?: Record<string, unknown>; status?: number } = {}) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = options.data ?? null;
    this.status = options.status ?? null;
  }
}

export const invalidParams = (message: string, data?: Record<string, unknown>): RpcError =>
  new RpcError(rpcCodes.invalidParams, message, data === undefined ? {} : { data });
