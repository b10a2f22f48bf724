/** Checks responses of the HTTP tests against contract/openapi.json: a status, header or field that it does not document is a failure. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { readConfig } from '../../src/config/environment.ts';

type Json = Record<string, unknown>;

interface Responses {
  [status: string]: {
    $ref?: string;
    headers?: Record<string, { $ref?: string; required?: boolean }>;
    content?: Record<string, { schema: Json }>;
  };
}

const document = JSON.parse(readFileSync(new URL('../../contract/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, { responses: Responses }>>;
  components: { responses: Responses; schemas: Record<string, Json>; headers: Record<string, { required?: boolean }> };
};

/** The schemas without the additions that clients must accept, so that a field that the contract lacks is a failure. */
const closedSchemas = structuredClone(document.components.schemas);
for (const schema of Object.values(closedSchemas)) {
  closeEnums(schema);
  closeObjects(schema);
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'contract', components: { schemas: closedSchemas } });
const validators = new Map<string, ValidateFunction>();

/** Removes from a schema, in place and at any depth, the alternative for values that only a later version may have. */
function closeEnums(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  const schema = node as { anyOf?: Json[] };
  const isList = ({ $ref }: Json): boolean =>
    typeof $ref === 'string' && document.components.schemas[$ref.split('/').at(-1) ?? '']?.enum !== undefined;
  if (schema.anyOf?.some(isList)) schema.anyOf = schema.anyOf.filter(({ type }) => type !== 'string');
  for (const child of Object.values(schema)) closeEnums(child);
}

function closeObjects(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  const schema = node as Json;
  if (
    [schema.type].flat().includes('object') &&
    typeof schema.properties === 'object' &&
    Object.keys(schema.properties ?? {}).length > 0
  ) {
    schema.additionalProperties ??= false;
  }
  for (const child of Object.values(schema)) closeObjects(child);
}

/** Headers of HTTP, of caching and of browser security, which a response may have although the contract does not document them. */
const httpHeaders = new Set([
  ...['connection', 'content-encoding', 'content-language', 'content-length', 'content-type', 'date', 'keep-alive'],
  ...['transfer-encoding', 'cache-control', 'pragma', 'vary', 'x-content-type-options'],
  ...['content-security-policy', 'cross-origin-opener-policy', 'referrer-policy', 'x-frame-options'],
]);

const commonHeaders = [
  'etag',
  'x-request-id',
  'api-version',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'ratelimit-policy',
  'ratelimit',
  'access-control-allow-origin',
  'x-content-type-options',
];

/** A request and its response. */
export interface HttpExchange {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Throws an AssertionError unless the response has the headers of every response, and is one that the contract documents. For a
 * path or method that the contract does not have, it must be a documented problem; outside of `/api/`, it may be any other with a
 * status below 500.
 */
export function assertDocumented(exchange: HttpExchange): void {
  const { method, status, headers, text } = exchange;
  const path = (exchange.path.split('?')[0] ?? '').replace(/^(\/api\/v1(?:\/sandbox)?)\/$/, '$1');
  const label = `${method} ${exchange.path} → ${status}`;
  for (const name of commonHeaders) {
    if (name === 'access-control-allow-origin' && path.startsWith('/oauth/authorize')) continue;
    assert.ok(headers.has(name), `${label}: no ${name} header`);
  }
  assert.match(headers.get('etag') ?? '', /^"[\x21\x23-\x7e]+"$/, `${label}: the entity tag is not strong`);
  if (method === 'HEAD' || status === 304 || status === 204) assert.equal(text, '', `${label}: a body`);
  if (method === 'OPTIONS' && status === 204) return;

  const type = (headers.get('content-type') ?? '').split(';')[0] ?? '';
  const pathItem = findPathItem(path);
  const operation = pathItem?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
  if (operation === undefined) {
    assertOutsideContract(path, status, type, text, label);
    return;
  }
  const responseEntry = operation.responses[String(status)];
  assert.ok(responseEntry, `${label}: the contract documents no such status`);
  const name = responseEntry.$ref?.split('/').at(-1);
  const response = name === undefined ? responseEntry : document.components.responses[name];
  assert.ok(response, `${label}: ${name} is not in the contract`);
  for (const [header, headerEntry] of Object.entries(response.headers ?? {})) {
    const { required = false } =
      headerEntry.$ref === undefined ? headerEntry : (document.components.headers[header] ?? {});
    if (required) assert.ok(headers.has(header), `${label}: the documented header ${header} is missing`);
  }
  const documentedHeaders = new Set(Object.keys(response.headers ?? {}).map((header) => header.toLowerCase()));
  for (const header of headers.keys()) {
    const isKnown = documentedHeaders.has(header) || httpHeaders.has(header) || header.startsWith('access-control-');
    assert.ok(isKnown, `${label}: the contract does not document the header ${header}`);
  }
  if (status === 304 || method === 'HEAD') return;
  if (response.content === undefined) {
    assert.equal(text, '', `${label}: a body`);
    return;
  }
  const mediaType = response.content[type];
  assert.ok(mediaType, `${label}: the contract documents no ${type} here`);
  if (type.endsWith('json')) assertSchema(mediaType.schema, JSON.parse(text), label);
}

/**
 * Throws unless a response that the contract does not have, such as one to an unknown path or a page, is allowed: a problem has to
 * fit its schema, and any other needs a path outside of `/api/` and a status below 500. `type` is the media type, and `label`
 * begins the message of a failure.
 */
function assertOutsideContract(path: string, status: number, type: string, text: string, label: string): void {
  if (type === 'application/problem+json') {
    const isSandbox = /^\/(?:api\/v1\/)?sandbox(?:\/|$)/.test(path);
    if (text !== '')
      assertSchema({ $ref: `#/components/schemas/${isSandbox ? 'Sandbox' : ''}Problem` }, JSON.parse(text), label);
    return;
  }
  assert.ok(!path.startsWith('/api/'), `${label}: the contract does not have this`);
  assert.ok(status < 500, label);
}

/** Returns the path item whose template fits a path without its query, one with fixed segments first, or undefined if none does. */
function findPathItem(path: string): Record<string, { responses: Responses }> | undefined {
  const exact = document.paths[path];
  if (exact !== undefined) return exact;
  const templates = Object.keys(document.paths).filter((template) => {
    const pattern = template
      .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
      .replace(/\{slug\}/g, '.+')
      .replace(/\{\w+\}/g, '[^/]+');
    return new RegExp(`^${pattern}$`).test(path);
  });
  const bestTemplate = templates.sort((a, b) => a.split('{').length - b.split('{').length)[0];
  return bestTemplate === undefined ? undefined : document.paths[bestTemplate];
}

/** Throws when `value` does not fit a schema of the contract; `label` begins the message. */
export function assertSchema(schema: Json, value: unknown, label: string): void {
  const validate = createValidator(schema);
  const isValid = validate(value);
  const errors = validate.errors?.map(({ instancePath, message, params }) =>
    [`data${instancePath}`, message, JSON.stringify(params)].join(' '),
  );
  assert.ok(
    isValid,
    `${label}: ${errors?.join('\n  ')}\nIf the response is right, change its schema in src/operations if it is not yet so, and run npm run openapi.`,
  );
}

/**
 * Returns a validator of a schema, which may refer to those of the contract; equal schemas share one. It rejects fields that the
 * referenced schemas do not document.
 */
export function createValidator(schema: Json): ValidateFunction {
  const key = JSON.stringify(schema);
  let validate = validators.get(key);
  if (validate === undefined) {
    validate = ajv.compile(JSON.parse(key.replaceAll('"#/components', '"contract#/components')));
    validators.set(key, validate);
  }
  return validate;
}

/** The parsed contract/openapi.json. */
export const contract = document;

const { limits } = readConfig({}, '/');

/** Settings of a server whose documents are the committed ones: they name the origin and the preset limits. */
export const committedSettings = {
  BASE_URL: 'http://127.0.0.1:8080',
  RATE_LIMIT_ANONYMOUS: String(limits.anonymous),
  RATE_LIMIT_TOKEN: String(limits.authenticated),
  RATE_LIMIT_SANDBOX: String(limits.sandbox),
  RATE_LIMIT_PAGES: String(limits.pages),
  RATE_LIMIT_ADDRESS: String(limits.address),
  RATE_LIMIT_REGISTRATION: String(limits.registration),
  RATE_LIMIT_ISSUE: String(limits.issue),
  RATE_LIMIT_REFUSED: String(limits.refused),
};
