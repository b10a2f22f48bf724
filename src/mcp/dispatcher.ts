/** Answers MCP messages: a body and its headers go in, a status and a text come out. No state is kept between requests. */
import { ApiError } from '../base/api-error.ts';
import type { Clock } from '../base/clock.ts';
import { readJson } from '../base/json.ts';
import { createPauses } from '../base/turn.ts';
import { toApiError } from '../operations/call.ts';
import type { AnsweredSearch } from '../operations/operation.ts';
import type { McpServer } from './mcp-server.ts';
import { type Message, type MessageId, type Request, readMessage } from './message.ts';
import { createMethods, type Methods } from './methods.ts';
import { batchVersion, handshakeVersions, RpcError, rpcCodes, sessionlessVersions } from './protocol.ts';
import { type Headers, isSessionless, requireMetadata } from './request-metadata.ts';
import { createErrorResponse, createSuccessResponse, describeFaults } from './result.ts';

/** The parts of an HTTP request that a message is read from. */
export interface McpRequest {
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** The ID in the response to a request that failed internally; the log has the cause under it. */
  readonly requestId: string;
}

/** The HTTP response to a request, and what the caller logs and counts. */
export interface McpAnswer {
  readonly status: number;
  /** JSON, or an empty text for notifications and responses, which get no response. */
  readonly body: string;
  /** Internal failures, which the caller logs. */
  readonly failures: readonly ApiError[];
  /** Searches that got a response, which the caller counts. */
  readonly searches: readonly AnsweredSearch[];
}

/**
 * Answers a request; failures are JSON-RPC errors in the answer. Rejects with ApiError `invalid_request` only for a single request
 * other than `initialize`, without a version in its metadata, whose version header is neither supported nor a date of 2026 or
 * later.
 */
export type Dispatch = (request: McpRequest) => Promise<McpAnswer>;

/** Maximum number of messages in one batch; their results are in memory at the same time. */
const maxBatchMessages = 20;

/**
 * Creates the function that answers the requests to a server. A batch pauses by `clock` after every 10 milliseconds, so that other
 * requests get a turn.
 */
export function createDispatcher(server: McpServer, clock: Pick<Clock, 'monotonic'>): Dispatch {
  const exchange = { methods: createMethods(server), serverInfo: server.serverInfo };
  return async (request) => {
    const json = readJson(request.body);
    if (json.fault !== null) {
      const { fault } = json;
      const detail = `Parse error: the body is ${fault}${fault === 'empty' ? '; send a JSON-RPC message' : ''}.`;
      return createErrorAnswer(null, new RpcError(rpcCodes.parseError, detail, { status: 400 }));
    }
    const { value } = json;
    if (Array.isArray(value)) return answerBatch({ ...exchange, request }, value, createPauses(clock));
    const message = readMessage(value);
    const sessionless = message.kind === 'request' && isSessionless(message, request.headers);
    if (message.kind === 'request' && !sessionless) requireHandshakeVersion(message, request.headers);
    return answerMessage({ ...exchange, request }, message, sessionless);
  };
}

/** A request to a server, with the methods that answer its messages. */
interface Exchange {
  readonly request: McpRequest;
  readonly methods: Methods;
  readonly serverInfo: McpServer['serverInfo'];
}

const nothingToReport: Pick<McpAnswer, 'failures' | 'searches'> = { failures: [], searches: [] };
const acceptedAnswer: McpAnswer = { status: 202, body: '', ...nothingToReport };

/**
 * Answers a batch of 2025-03-26 (basic) with the responses to its requests and invalid messages, in which `initialize` is refused,
 * or with 202 if it has neither. An empty batch, one of more than 20 messages and one of another version get a single error
 * (-32600) with status 400. `pauseIfLong` returns a pause to wait for, or null.
 */
async function answerBatch(
  exchange: Exchange,
  values: readonly unknown[],
  pauseIfLong: ReturnType<typeof createPauses>,
): Promise<McpAnswer> {
  const version = exchange.request.headers('mcp-protocol-version') || batchVersion;
  if (version !== batchVersion) return refuse(null, `version ${version.slice(0, 40)} has no batches`);
  if (values.length === 0 || values.length > maxBatchMessages) {
    return refuse(null, `a batch has 1 to ${maxBatchMessages} messages, this one has ${values.length}`);
  }
  const pending: Promise<McpAnswer>[] = [];
  for (const value of values) {
    const message = readMessage(value);
    const isHandshake = message.kind === 'request' && message.method === 'initialize';
    if (isHandshake) pending.push(Promise.resolve(refuse(message.id, 'initialize is not part of a batch')));
    else pending.push(answerMessage(exchange, message, false));
    const pause = pauseIfLong();
    if (pause !== null) await pause;
  }
  const answers = await Promise.all(pending);
  const bodies = answers.map(({ body }) => body).filter((body) => body !== '');
  return {
    ...(bodies.length === 0 ? acceptedAnswer : { status: 200, body: `[${bodies.join(',')}]` }),
    failures: answers.flatMap(({ failures }) => failures),
    searches: answers.flatMap(({ searches }) => searches),
  };
}

async function answerMessage(exchange: Exchange, message: Message, sessionless: boolean): Promise<McpAnswer> {
  if (message.kind === 'invalid') return refuse(message.id, message.reason);
  if (message.kind === 'unanswered') return acceptedAnswer;
  const { request, methods, serverInfo } = exchange;
  try {
    if (sessionless) requireMetadata(message, request.headers);
    const result = await methods(message, sessionless);
    const body = createSuccessResponse(message.id, result, sessionless ? serverInfo : null);
    return { status: 200, body, failures: [], searches: result.search ? [result.search] : [] };
  } catch (thrown) {
    if (thrown instanceof RpcError) return createErrorAnswer(message.id, thrown);
    const error = toApiError(thrown);
    const answer = createErrorAnswer(message.id, toRpcError(error, request.requestId));
    return { ...answer, failures: error.code === 'internal_error' ? [error] : [] };
  }
}

function createErrorAnswer(id: MessageId | null, error: RpcError): McpAnswer {
  return { status: error.status, body: createErrorResponse(id, error), ...nothingToReport };
}

const refuse = (id: MessageId | null, reason: string): McpAnswer =>
  createErrorAnswer(id, new RpcError(rpcCodes.invalidRequest, `Invalid request: ${reason}.`, { status: 400 }));

/**
 * Converts what the caller can fix to -32602 and the rest to -32603, with the failure's message and code. An internal failure has
 * only the ID of the request and is described in the log.
 */
function toRpcError(error: ApiError, requestId: string): RpcError {
  const { errors, suggestions, retryAfter, members } = error.options;
  if (error.code === 'internal_error') {
    return new RpcError(rpcCodes.internalError, 'Internal error', { data: { request_id: requestId } });
  }
  if (error.status >= 500) {
    const data = { code: error.code, ...(retryAfter !== undefined && { retry_after: retryAfter }) };
    return new RpcError(rpcCodes.internalError, error.reason, { data });
  }
  const hints = { ...(errors && { errors }), ...(suggestions?.length && { suggestions }) };
  return new RpcError(rpcCodes.invalidParams, describeFaults(error), {
    data: { code: error.code, ...members, ...hints },
  });
}

/**
 * Throws `invalid_request` for a version header that is not supported (2025-06-18, basic/transports). A request may have none, and
 * that of the handshake is not checked.
 */
function requireHandshakeVersion({ method }: Request, headers: Headers): void {
  const version = headers('mcp-protocol-version');
  if (version === '' || handshakeVersions.includes(version) || method === 'initialize') return;
  const versions = [...handshakeVersions, ...sessionlessVersions].join(', ');
  const detail = `MCP-Protocol-Version ${JSON.stringify(version.slice(0, 40))} is not supported. Send one of ${versions}.`;
  throw new ApiError('invalid_request', detail, {
    errors: [{ field: 'MCP-Protocol-Version', code: 'invalid_value', detail }],
  });
}
