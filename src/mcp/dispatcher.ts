/** The protocol: a body and its headers in, a status and a text out. It keeps nothing between requests. */

import { ApiError } from '../base/api-error.ts';
import type { Clock } from '../base/clock.ts';
import { createPauses } from '../base/turn.ts';
import { asApiError } from '../operations/call.ts';
import type { AnsweredSearch } from '../operations/operation.ts';
import { type Encoded, encodedText } from '../operations/representation.ts';
import type { Catalogue } from './catalogue.ts';
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
import { batchOf, errorResponse, type Result, success } from './result.ts';
import { type Headers, isSessionless, requireMetadata } from './sessionless.ts';

export interface McpRequest {
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** Comes back with an internal error, so that its cause can be found in the log. */
  readonly requestId: string;
}

export interface McpAnswer {
  readonly status: number;
  /** JSON; without bytes where there is nothing to say. */
  readonly body: Encoded;
  /** What failed inside, for the log. */
  readonly failures: readonly ApiError[];
  /** What was searched for and answered. */
  readonly searches: readonly AnsweredSearch[];
}

/** Throws ApiError `invalid_request` for a version header that no version here fits, which the transport refuses. */
export type Dispatch = (request: McpRequest) => McpAnswer | Promise<McpAnswer>;

/** How many messages one batch may hold. */
const mostMessages = 20;

export function createDispatcher(catalogue: Catalogue, clock: Pick<Clock, 'monotonic'>): Dispatch {
  const methods = createMethods(catalogue);
  return (request) => {
    const failures: ApiError[] = [];
    const searches: AnsweredSearch[] = [];
    const finish = ({ status, body }: Made): McpAnswer => ({ status, body, failures, searches });
    const made = answerBody({ request, methods, failures, searches, clock, server: catalogue.serverInfo });
    return made instanceof Promise ? made.then(finish) : finish(made);
  };
}

interface Run {
  readonly request: McpRequest;
  readonly methods: Methods;
  readonly failures: ApiError[];
  readonly searches: AnsweredSearch[];
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly server: Catalogue['serverInfo'];
}

type Made = Pick<McpAnswer, 'status' | 'body'>;

const accepted: Made = { status: 202, body: encodedText('') };

function answerBody(run: Run): Made | Promise<Made> {
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
async function answerBatch(run: Run, values: readonly unknown[]): Promise<Made> {
  const version = run.request.headers('mcp-protocol-version') || assumedVersion;
  if (version !== batchVersion) return refused({ reason: `version ${version.slice(0, 40)} has no batches` });
  if (values.length === 0 || values.length > mostMessages) {
    return refused({ reason: `a batch has 1 to ${mostMessages} messages, this one has ${values.length}` });
  }
  const pauseIfLong = createPauses(run.clock);
  const members: (Made | Promise<Made> | null)[] = [];
  for (const value of values) {
    members.push(answerMember(run, readMessage(value)));
    const pause = pauseIfLong();
    if (pause !== null) await pause;
  }
  const answers = await Promise.all(members);
  const bodies = answers.flatMap((answer) => (answer === null ? [] : [answer.body]));
  return bodies.length === 0 ? accepted : { status: 200, body: batchOf(bodies) };
}

function answerMember(run: Run, message: Message): Made | Promise<Made> | null {
  if (message.kind === 'invalid') return refused(message);
  if (message.kind !== 'request') return null;
  if (message.method === 'initialize') return refused({ id: message.id, reason: 'initialize is not part of a batch' });
  return answerRequest(run, message, false);
}

function answerRequest(run: Run, request: Request, sessionless: boolean): Made | Promise<Made> {
  const { methods, server, request: sent } = run;
  const succeed = (result: Result): Made => {
    if (result.search !== undefined) run.searches.push(result.search);
    return { status: 200, body: success(request.id, result, sessionless ? server : null) };
  };
  const fail = (error: unknown): Made => failed(run, request.id, error, sessionless);
  try {
    if (sessionless) requireMetadata(request, sent.headers);
    const result = methods(request, sessionless);
    return result instanceof Promise ? result.then(succeed).catch(fail) : succeed(result);
  } catch (error) {
    return fail(error);
  }
}

function failed(run: Run, id: MessageId | null, thrown: unknown, sessionless: boolean): Made {
  const error = thrown instanceof RpcError ? thrown : rpcErrorOf(run, thrown);
  const missing = sessionless && error.code === rpcCodes.methodNotFound;
  return { status: error.status ?? (missing ? 404 : 200), body: errorResponse(id, error) };
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

function refused({ id = null, reason }: { id?: MessageId | null; reason: string }): Made {
  return { status: 400, body: errorResponse(id, new RpcError(rpcCodes.invalidRequest, `Invalid request: ${reason}.`)) };
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
