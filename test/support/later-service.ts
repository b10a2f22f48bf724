/** Starts a proxy that responds as a later version of the service may: with more fields in each object, and unlisted enum values. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

type Json = Record<string, unknown>;

/**
 * Returns a copy of the value that differs at every depth: each object has a further field `a_later_member`, and each text for
 * which the schema lists values is `a_later_value`. `schemas` has the schemas of the contract by name.
 */
export function createLaterValue(value: unknown, schema: Json, schemas: Record<string, Json>): unknown {
  const target = typeof schema.$ref === 'string' ? schemas[schema.$ref.split('/').at(-1) ?? ''] : schema;
  const { anyOf, properties, items } = (target ?? {}) as {
    anyOf?: Json[];
    properties?: Record<string, Json>;
    items?: Json;
  };
  if (typeof value === 'string') return anyOf?.some(({ $ref }) => $ref !== undefined) ? 'a_later_value' : value;
  if (Array.isArray(value)) return value.map((item) => createLaterValue(item, items ?? {}, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    createLaterValue(member, properties?.[name] ?? {}, schemas),
  ]);
  return { ...Object.fromEntries(members), a_later_member: { nested: true } };
}

/** The parts of openapi.sdk.json that the later service changes. */
export interface GeneratorContract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, LaterOperation>>>>;
  readonly components: {
    readonly schemas: Record<string, Json>;
    readonly responses?: Readonly<Record<string, LaterResponse>>;
  };
}

interface LaterOperation {
  readonly responses: Readonly<Record<string, LaterResponse>>;
}

interface LaterResponse {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: Json }>>;
}

/** A service that responds as a later version may. */
export interface LaterService {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly origin: string;
  close(): Promise<void>;
}

/**
 * Starts a proxy in front of a server, which changes its responses as `contract` allows later versions to. It keeps none of their
 * headers but Content-Type, and responds with 502 if it fails.
 */
export async function startLaterService(origin: string, contract: GeneratorContract): Promise<LaterService> {
  const server = createServer(async (request, response) => {
    try {
      await forwardRequest(origin, contract, request, response);
    } catch (error) {
      response.writeHead(502).end(String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function forwardRequest(
  origin: string,
  contract: GeneratorContract,
  { method = 'GET', url = '/', headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await buffer(response.req);
  const requestHeaders = Object.entries(headers).filter(([name]) =>
    /^(accept|content-type|authorization|idempotency-key|prefer)$/.test(name),
  );
  const upstreamResponse = await fetch(origin + url, {
    method,
    headers: Object.fromEntries(requestHeaders.map(([name, value]) => [name, String(value)])),
    ...(body.length > 0 && { body }),
  });
  const text = await upstreamResponse.text();
  const type = upstreamResponse.headers.get('content-type') ?? '';
  const schema = getSchema(contract, method, new URL(url, origin).pathname, upstreamResponse.status, type);
  const responseText =
    schema === null ? text : JSON.stringify(createLaterValue(JSON.parse(text), schema, contract.components.schemas));
  response
    .writeHead(upstreamResponse.status, { 'content-type': type, 'access-control-allow-origin': '*' })
    .end(responseText);
}

function getSchema(
  contract: GeneratorContract,
  method: string,
  path: string,
  status: number,
  type: string,
): Json | null {
  const apiPath = path.replace(/^\/api\/v1(\/sandbox)?/, '') || '/';
  const pathEntry = Object.entries(contract.paths).find(([template]) =>
    new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(apiPath),
  );
  const operationResponse = pathEntry?.[1][method.toLowerCase()]?.responses[String(status)];
  const resolvedResponse =
    operationResponse?.$ref === undefined
      ? operationResponse
      : contract.components.responses?.[operationResponse.$ref.split('/').at(-1) ?? ''];
  return resolvedResponse?.content?.[type.split(';')[0] ?? '']?.schema ?? null;
}
