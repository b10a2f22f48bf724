/** Reads JSON-RPC messages: what came is a request, a notification or a response, or it is none of them. */

import { readJson } from '../base/json.ts';
import { RpcError, rpcCodes } from './protocol.ts';

export type MessageId = string | number;

/** A JSON object that came from outside. */
export type Members = Readonly<Record<string, unknown>>;

export interface Request {
  readonly kind: 'request';
  readonly id: MessageId;
  readonly method: string;
  readonly params: Members;
}

export type Message =
  | Request
  | { readonly kind: 'notification'; readonly method: string }
  | { readonly kind: 'response' }
  | { readonly kind: 'invalid'; readonly id: MessageId | null; readonly reason: string };

/** The JSON value of a body; RpcError -32700 when it is none. */
export function parseBody(bytes: Uint8Array): unknown {
  const read = readJson(bytes);
  if (read.fault === null) return read.value;
  const detail = `the body is ${read.fault}${read.fault === 'empty' ? '; send a JSON-RPC message' : ''}`;
  throw new RpcError(rpcCodes.parseError, `Parse error: ${detail}.`, { status: 400 });
}

/** One message of a body, checked against JSON-RPC 2.0 and MCP's narrowing of it (ids are never null, params an object). */
export function readMessage(value: unknown): Message {
  if (!isMembers(value)) return invalid(null, 'a message is a JSON object');
  const id = isId(value.id) ? value.id : null;
  if (value.jsonrpc !== '2.0') return invalid(id, 'jsonrpc must be "2.0"');
  const withId = Object.hasOwn(value, 'id');
  if (!Object.hasOwn(value, 'method')) {
    const answered = Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error');
    return answered && withId ? { kind: 'response' } : invalid(id, 'method is missing');
  }
  const { method, params = {} } = value;
  if (typeof method !== 'string') return invalid(id, 'method must be a string');
  if (withId && id === null) return invalid(null, 'id must be a string or a whole number up to 2^53');
  if (!isMembers(params)) return invalid(id, 'params must be an object');
  return id === null ? { kind: 'notification', method } : { kind: 'request', id, method, params };
}

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isId = (value: unknown): value is MessageId => typeof value === 'string' || Number.isSafeInteger(value);

const invalid = (id: MessageId | null, reason: string): Message => ({ kind: 'invalid', id, reason });
