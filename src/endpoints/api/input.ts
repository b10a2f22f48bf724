/** Decodes a request for an operation: the representation to respond with, and one flat input. */
import { ApiError } from '../../base/api-error.ts';
import { inputJsonSchema } from '../../base/json-schema.ts';
import { parseJson, readBody, requireMediaType } from '../../http/body.ts';
import { type Exchange, readHeader } from '../../http/exchange.ts';
import { chooseAccepted } from '../../http/negotiation.ts';
import { createInvalidRequest } from '../../operations/input.ts';
import type { Operation } from '../../operations/operation.ts';
import { type Representation, representations } from './response.ts';
import type { Parameters } from './routes.ts';

/**
 * Returns the representation that a request accepts best: JSON if it has no Accept, or an empty one.
 *
 * @throws ApiError `not_acceptable`
 */
export function chooseRepresentation(exchange: Exchange): Representation {
  const accept = readHeader(exchange, 'accept');
  const representation = chooseAccepted(accept, representations);
  if (representation !== null) return representation;
  const quotedHeader = JSON.stringify(accept.slice(0, 80));
  throw new ApiError('not_acceptable', `Accept must allow ${representations.join(' or ')}; you sent ${quotedHeader}.`, {
    headers: { vary: 'Accept' },
  });
}

/**
 * Returns the input of a GET by name: path parameters, and of `query`, which has no `?`, only the parameters that the operation
 * declares. A repeated one is a list of texts, and a whole number is a number where the schema has one; every other value stays
 * text for the validation.
 *
 * @throws ApiError `invalid_request` if the first value of a declared parameter is not UTF-8
 */
export function readQueryInput(
  operation: Pick<Operation, 'input'>,
  parameters: Parameters,
  query: string,
): Record<string, unknown> {
  const input: Record<string, unknown> = { ...parameters };
  if (query === '') return input;
  const { properties = {} } = inputJsonSchema(operation.input);
  const search = new URLSearchParams(query);
  for (const [name, schema] of Object.entries(properties)) {
    if (name in parameters) continue;
    const values = search.getAll(name);
    const [value] = values;
    if (value === undefined) continue;
    if (value.includes('\u{FFFD}') && !isUtf8(query)) throw createEncodingError(name);
    // Any other value of an integer parameter stays as it was sent, so that validation can say what is wrong with it.
    const isInteger = schema.type === 'integer' && /^-?\d+$/.test(value) && Number.isSafeInteger(Number(value));
    input[name] = values.length > 1 ? values : isInteger ? Number(value) : value;
  }
  return input;
}

/** Returns whether the percent-encoded bytes of a query are UTF-8. Only whole runs of them can be: plain characters are ASCII. */
function isUtf8(query: string): boolean {
  try {
    for (const [run] of query.matchAll(/(?:%[0-9a-f]{2})+/gi)) decodeURIComponent(run);
    return true;
  } catch {
    return false;
  }
}

function createEncodingError(field: string): ApiError {
  const detail = `${field} must be percent-encoded UTF-8; the query contains bytes that are not UTF-8.`;
  return createInvalidRequest([{ field, code: 'malformed', detail }]);
}

/**
 * Reads and parses the JSON body of a POST. Rejects with `unsupported_media_type` for another media type or a compressed body,
 * `payload_too_large` for one that is too large, and `invalid_request` for one that is empty, no JSON or cut off.
 */
export async function readJsonBody(exchange: Exchange): Promise<unknown> {
  requireMediaType(exchange, 'application/json');
  return parseJson(await readBody(exchange));
}

/**
 * Returns the flat input of a POST: the body's fields and the path parameters, which win over fields of the same name. Anything but
 * an object is returned as it is, for validation to refuse.
 *
 * @throws ApiError `payload_too_large` for a body that asks for more than the operation allows
 */
export function readBodyInput(operation: Operation, parameters: Parameters, body: unknown): unknown {
  operation.requireSize?.(body);
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body, ...parameters } : body;
}
