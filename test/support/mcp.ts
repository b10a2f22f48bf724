/** Sends single requests to the MCP servers of a test server, each as one HTTP request, and returns the response. */
import assert from 'node:assert/strict';
import { assertDocumented } from './contract.ts';
import type { TestResponse, TestServer } from './server.ts';

type Json = Record<string, unknown>;

/** The version of MCP that has no sessions. */
export const sessionlessVersion = '2026-07-28';

/** The metadata of a request in the version of MCP that has no sessions. */
export const sessionlessMeta = {
  'io.modelcontextprotocol/protocolVersion': sessionlessVersion,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/**
 * Sends a request with a body, whose type is JSON unless `headers` says otherwise, or without one; checks the response with
 * `assertDocumented` and returns it.
 */
export async function sendHttpRequest(
  server: Pick<TestServer, 'listenUrl'>,
  path: string,
  body: string | Uint8Array<ArrayBuffer> | undefined,
  headers: Record<string, string> = {},
  method = 'POST',
): Promise<TestResponse> {
  const response = await fetch(server.listenUrl + path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  const json = type.includes('json') && text !== '' ? JSON.parse(text) : undefined;
  assertDocumented({
    method,
    path,
    status: response.status,
    headers: response.headers,
    text: removeRpcFields(type, text),
  });
  return { status: response.status, headers: response.headers, text, json };
}

/**
 * Checks and removes the fields that JSON-RPC readers look for in a problem of these servers, and returns the rest, which is a
 * problem of the contract. Returns any other text as it is.
 */
function removeRpcFields(type: string, text: string): string {
  if (type !== 'application/problem+json' || text === '') return text;
  const { jsonrpc, id, error, ...problem } = JSON.parse(text);
  assert.equal(jsonrpc, '2.0');
  assert.equal(id, null);
  assert.equal(error.message, problem.detail);
  return JSON.stringify(problem);
}

/**
 * Sends a JSON-RPC request as in a protocol version with a handshake, but without the handshake. The version header is left out
 * unless `headers` has it.
 */
export function sendRpcRequest(
  server: TestServer,
  path: string,
  method: string,
  params: Json = {},
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  return sendHttpRequest(server, path, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), headers);
}

/** Sends a request in version 2026-07-28, with the metadata and headers that it requires. */
export function sendSessionlessRequest(
  server: TestServer,
  path: string,
  method: string,
  params: Json = {},
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  const name = params.name ?? params.uri;
  const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: sessionlessMeta } };
  return sendHttpRequest(server, path, JSON.stringify(body), {
    'mcp-protocol-version': sessionlessVersion,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
    ...headers,
  });
}

/** Returns the result of a request that succeeds, which it asserts. */
export async function readResult(response: Promise<TestResponse>): Promise<TestResponse['json']> {
  const { status, json } = await response;
  assert.equal(status, 200);
  assert.equal(json.error, undefined, JSON.stringify(json.error));
  return json.result;
}

/**
 * Calls a tool as `sendRpcRequest` does, without a version header, and returns the result. Asserts that the call succeeds. `input`
 * is sent as the arguments, even if it is null.
 */
export async function callTool(
  server: TestServer,
  path: string,
  name: string,
  input: Json | null = {},
): Promise<TestResponse['json']> {
  const result = await readResult(sendRpcRequest(server, path, 'tools/call', { name, arguments: input }));
  assert.equal(result.isError, undefined, JSON.stringify(result));
  return result;
}
