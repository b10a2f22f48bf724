/** Answers MCP messages: takes a body and its headers, and returns a status and a text. Nothing is kept between requests. */

import { ApiError } from '../base/api-error.ts';
import type { Clock } from '../base/clock.ts';
import { createPauses } from '../base/turn.ts';
import { asApiError } from '../operations/call.ts';
import type { AnsweredSearch } from '../operations/operation.ts';
import type { McpServer } from './mcp-server.ts';
import { type Message, type MessageId, parseBody, type Request, readMessage } from './message.ts';
import { createMethods, type Methods } from './methods.ts';
import {
  assumedVersion,
  batchVersion,
  handshakeVersions,
  isHandshakeVersion,
  RpcError,
  rpcCodes,
  sessionlessVersions,
} from './protocol.ts';
import { errorResponse, successResponse } from './result.ts';
import { type Headers, isSessionless, requireMetadata } from './sessionless.ts';

export interface McpRequest {
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** The ID in the response to a request that failed internally, by which the log has the cause. */
  readonly requestId: string;
}

export interface McpAnswer {
  readonly status: number;
  /** JSON, or an empty text for notifications, which get no response. */
  readonly body: string;
  /** Internal failures, which the caller logs. */
  readonly failures: readonly ApiError[];
  /** Searches that got a response, which the caller counts. */
  readonly searches: readonly AnsweredSearch[];
}

/** Answers a request. Rejects with ApiError `invalid_request` if the version in its header is not supported. */
export type Dispatch = (request: McpRequest) => Promise<McpAnswer>;

/** Maximum number of messages in one batch. */
const maxMessages = 20;

export function createDispatcher(server: McpServer, clock: Pick<Clock, 'monotonic'>): Dispatch {
  const methods = createMethods(server);
  return async (request) => {
    const failures: ApiError[] = [];
    const searches: AnsweredSearch[] = [];
    const run: Run = { request, methods, failures, searches, clock, serverInfo: server.serverInfo };
    const { status, message } = await answerBody(run);
    return { status, body: message, failures, searches };
  };
}

interface Run {
  readonly request: McpRequest;
  readonly methods: Methods;
  readonly failures: ApiError[];
  readonly searches: AnsweredSearch[];
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly serverInfo: McpServer['serverInfo'];
}

/** The response to one message or to a batch: JSON, or an empty text where there is nothing to say. */
interface Response {
  readonly status: number;
  readonly message: string;
}

const accepted: Response = { status: 202, message: '' };

async function answerBody(run: Run): Promise<Response> {
  let value: unknown;
  try {
    value = parseBody(run.request.body);
  } catch (error) {
    return failed(run, null, error, false);
  }
  if (Array.isArray(value)) return answerBatch(run, value);
  const message = readMessage(value);
  if (message.kind === 'invalid') return refused(message);
  if (message.kind !== 'request') return accepted;
  const sessionless = isSessionless(message, run.request.headers);
  if (!sessionless) requireHandshakeVersion(message, run.request.headers);
  return answerRequest(run, message, sessionless);
}

/** 2025-03-26, basic: a batch gets the responses to its requests, or 202 when it has none. */
async function answerBatch(run: Run, values: readonly unknown[]): Promise<Response> {
  const version = run.request.headers('mcp-protocol-version') || assumedVersion;
  if (version !== batchVersion) return refused({ reason: `version ${version.slice(0, 40)} has no batches` });
  if (values.length === 0 || values.length > maxMessages) {
    return refused({ reason: `a batch has 1 to ${maxMessages} messages, this one has ${values.length}` });
  }
  const pauseIfLong = createPauses(run.clock);
  const members: Promise<Response>[] = [];
  for (const value of values) {
    members.push(answerMember(run, readMessage(value)));
    const pause = pauseIfLong();
    if (pause !== null) await pause;
  }
  const responses = await Promise.all(members);
  const messages = responses.flatMap(({ message }) => (message === '' ? [] : [message]));
  return messages.length === 0 ? accepted : { status: 200, message: `[${messages.join(',')}]` };
}

async function answerMember(run: Run, message: Message): Promise<Response> {
  if (message.kind === 'invalid') return refused(message);
  if (message.kind !== 'request') return accepted;
  if (message.method === 'initialize') return refused({ id: message.id, reason: 'initialize is not part of a batch' });
  return answerRequest(run, message, false);
}

async function answerRequest(run: Run, request: Request, sessionless: boolean): Promise<Response> {
  try {
    if (sessionless) requireMetadata(request, run.request.headers);
    const result = await run.methods(request, sessionless);
    if (result.search !== undefined) run.searches.push(result.search);
    return { status: 200, message: successResponse(request.id, result, sessionless ? run.serverInfo : null) };
  } catch (error) {
    return failed(run, request.id, error, sessionless);
  }
}

function failed(run: Run, id: MessageId | null, thrown: unknown, sessionless: boolean): Response {
  const error = thrown instanceof RpcError ? thrown : rpcErrorOf(run, thrown);
  const missing = sessionless && error.code === rpcCodes.methodNotFound;
  return { status: error.status ?? (missing ? 404 : 200), message: errorResponse(id, error) };
}

/** What the caller can fix is -32602; the rest is -32603, of which only what is expected says why. */
function rpcErrorOf({ failures, request }: Run, thrown: unknown): RpcError {
  const error = asApiError(thrown);
  const { errors, suggestions, retryAfter, members } = error.options;
  if (error.status < 500) {
    const data = {
      code: error.code,
      ...members,
      ...(errors && { errors }),
      ...(suggestions?.length && { suggestions }),
    };
    return new RpcError(rpcCodes.invalidParams, error.reason, { data });
  }
  if (error.code === 'internal_error') {
    failures.push(error);
    return new RpcError(rpcCodes.internalError, 'Internal error', { data: { request_id: request.requestId } });
  }
  const data = { code: error.code, ...(retryAfter !== undefined && { retry_after: retryAfter }) };
  return new RpcError(rpcCodes.internalError, error.reason, { data });
}

function refused({ id = null, reason }: { id?: MessageId | null; reason: string }): Response {
  return {
    status: 400,
    message: errorResponse(id, new RpcError(rpcCodes.invalidRequest, `Invalid request: ${reason}.`)),
  };
}

/** 2025-06-18, basic/transports: a version header that is not supported is 400; the handshake itself needs none. */
function requireHandshakeVersion({ method }: Request, headers: Headers): void {
  const version = headers('mcp-protocol-version');
  if (version === '' || isHandshakeVersion(version) || method === 'initialize') return;
  const versions = [...handshakeVersions, ...sessionlessVersions].join(', ');
  const detail = `MCP-Protocol-Version ${JSON.stringify(version.slice(0, 40))} is not supported. Send one of ${versions}.`;
  throw new ApiError('invalid_request', detail, {
    errors: [{ field: 'MCP-Protocol-Version', code: 'invalid_value', detail }],
  });
}
