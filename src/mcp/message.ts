/** Reads JSON-RPC messages: a JSON value is a request, a notification, a response, or none of them. */

/** The ID of a request, which its response repeats. */
export type MessageId = string | number;

/** A JSON object with unchecked values. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A valid message that gets a response. */
export interface Request {
  readonly kind: 'request';
  readonly id: MessageId;
  readonly method: string;
  /** An empty object if none were sent. */
  readonly params: JsonObject;
}

/** A message. Notifications and responses get no response, so the server does not distinguish them. */
export type Message =
  | Request
  /** No valid JSON-RPC; the ID is null if there is no valid one. */
  | { readonly kind: 'invalid'; readonly id: MessageId | null; readonly reason: string }
  | { readonly kind: 'unanswered' };

/**
 * Reads a message by JSON-RPC 2.0 and by MCP, where an ID is never null and params are an object. Notifications and responses both
 * become `unanswered`, without their content; a value that breaks the rules becomes `invalid` with the reason. Nothing is thrown.
 */
export function readMessage(value: unknown): Message {
  if (!isJsonObject(value)) return createInvalidMessage(null, 'a message is a JSON object');
  const id = isMessageId(value.id) ? value.id : null;
  if (value.jsonrpc !== '2.0') return createInvalidMessage(id, 'jsonrpc must be "2.0"');
  const hasId = Object.hasOwn(value, 'id');
  if (!Object.hasOwn(value, 'method')) {
    const isResponse = hasId && (Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error'));
    return isResponse ? { kind: 'unanswered' } : createInvalidMessage(id, 'method is missing');
  }
  const { method, params = {} } = value;
  if (typeof method !== 'string') return createInvalidMessage(id, 'method must be a string');
  if (hasId && id === null) return createInvalidMessage(null, 'id must be a string or a whole number up to 2^53');
  if (!isJsonObject(params)) return createInvalidMessage(id, 'params must be an object');
  return id === null ? { kind: 'unanswered' } : { kind: 'request', id, method, params };
}

/** Returns whether the value is an object, and neither null nor an array. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isMessageId = (value: unknown): value is MessageId => typeof value === 'string' || Number.isSafeInteger(value);

const createInvalidMessage = (id: MessageId | null, reason: string): Message => ({ kind: 'invalid', id, reason });
