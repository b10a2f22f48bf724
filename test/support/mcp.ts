/** Speaks to the MCP servers of a test server as plainly as a client can: one POST, one answer. */
import assert from 'node:assert/strict';
import { assertDocumented } from './contract.ts';
import type { Asked, TestServer } from './server.ts';

type Json = Record<string, unknown>;

/** The version of MCP that has no sessions. */
export const sessionless = '2026-07-28';

/** The metadata of a request in that version. */
export const sessionlessMeta = {
  'io.modelcontextprotocol/protocolVersion': sessionless,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Sends a body as it is, or none, and checks the response against the contract, with every header that every response carries. */
export async function send(
  server: Pick<TestServer, 'listenUrl'>,
  path: string,
  body: string | Uint8Array<ArrayBuffer> | undefined,
  headers: Record<string, string> = {},
  method = 'POST',
): Promise<Asked> {
  const response = await fetch(server.listenUrl + path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  const parsed = type.includes('json') && text !== '' ? JSON.parse(text) : undefined;
  assertDocumented({ method, path, status: response.status, headers: response.headers, text: withoutRpc(type, text) });
  return { status: response.status, headers: response.headers, text, json: parsed };
}

/**
 * Checks and removes the fields that JSON-RPC readers look for in a problem of these servers, and returns the rest, which is a
 * problem of the contract. Returns any other text as it is.
 */
function withoutRpc(type: string, text: string): string {
  if (type !== 'application/problem+json' || text === '') return text;
  const { jsonrpc, id, error, ...problem } = JSON.parse(text);
  assert.equal(jsonrpc, '2.0');
  assert.equal(id, null);
  assert.equal(error.message, problem.detail);
  return JSON.stringify(problem);
}

/**
 * Sends one request of a protocol version with a handshake, which is not made; `method` is that of JSON-RPC. The version header is
 * left out unless `headers` has it.
 */
export function ask(
  server: TestServer,
  path: string,
  method: string,
  params: Json = {},
  headers: Record<string, string> = {},
): Promise<Asked> {
  return send(server, path, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), headers);
}

/** Sends a request in version 2026-07-28, with the metadata and headers that it requires. */
export function askSessionless(
  server: TestServer,
  path: string,
  method: string,
  params: Json = {},
  headers: Record<string, string> = {},
): Promise<Asked> {
  const name = params.name ?? params.uri;
  const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: sessionlessMeta } };
  return send(server, path, JSON.stringify(body), {
    'mcp-protocol-version': sessionless,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
    ...headers,
  });
}

/** Returns the result of a request that succeeds, which it asserts. */
export async function fetchResult(asked: Promise<Asked>): Promise<Asked['json']> {
  const { status, json } = await asked;
  assert.equal(status, 200);
  assert.equal(json.error, undefined, JSON.stringify(json.error));
  return json.result;
}

/**
 * Calls a tool as `ask` does, without a version header, and returns the result. Asserts that the call succeeds. `input` is sent as
 * the arguments, even if it is null.
 */
export async function callTool(
  server: TestServer,
  path: string,
  name: string,
  input: Json | null = {},
): Promise<Asked['json']> {
  const result = await fetchResult(ask(server, path, 'tools/call', { name, arguments: input }));
  assert.equal(result.isError, undefined, JSON.stringify(result));
  return result;
}
