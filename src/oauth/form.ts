/** Parameters of a form or a query, by the rules of RFC 6749 sections 3.1 and 3.2. */
import { invalidParameter } from './errors.ts';

/** Name and value of each parameter, decoded, in the order sent. */
export type Parameters = readonly (readonly [string, string])[];

/** A form that was posted to the token or revocation endpoint, and the request's Authorization header. */
export interface FormRequest {
  readonly form: Parameters;
  readonly authorization: string | undefined;
}

export interface Form {
  /** Returns the value, or undefined if it is absent or empty: RFC 6749 section 3.1 treats both alike. */
  get(name: string): string | undefined;
  /** Returns the value. Throws `invalid_request` if it is absent or empty. */
  require(name: string): string;
  /** Returns every value of a parameter that may be repeated. */
  all(name: string): string[];
  /** Names of parameters that were repeated although they must not be. */
  readonly repeated: readonly string[];
}

/** Reads the parameters of an endpoint. Throws `invalid_request` if one is repeated. */
export function readForm(parameters: Parameters): Form {
  const form = collectForm(parameters);
  const [name] = form.repeated;
  if (name !== undefined) throw repeatedParameter(name);
  return form;
}

/** Reads the parameters and leaves repeated ones to the caller. */
export function collectForm(parameters: Parameters): Form {
  const values = Map.groupBy(parameters, ([name]) => name);
  const get = (name: string): string | undefined => values.get(name)?.[0]?.[1] || undefined;
  return {
    get,
    require(name) {
      const value = get(name);
      if (value === undefined) throw invalidParameter(name, 'required', `The parameter ${name} is missing.`);
      return value;
    },
    all: (name) => (values.get(name) ?? []).map(([, value]) => value).filter((value) => value !== ''),
    // RFC 8707 section 2 allows several resources.
    repeated: [...values].filter(([name, sent]) => sent.length > 1 && name !== 'resource').map(([name]) => name),
  };
}

/** Creates the failure for a parameter that was sent more than once (RFC 6749 section 3.1). */
export function repeatedParameter(parameter: string) {
  const name = parameter.slice(0, 64);
  const detail = `The parameter ${name} was sent more than once. Send each parameter once.`;
  return invalidParameter(name, 'repeated', detail);
}

/** Checks `resource` (RFC 8707 section 2): it must be this service, and a token is valid for all of it. Throws `invalid_target`. */
export function checkResource(form: Form, baseUrl: string): void {
  if (form.all('resource').every((resource) => isOwnResource(resource, baseUrl))) return;
  const detail = `Tokens of this server are valid only for ${baseUrl}. Leave resource out, or send resource=${baseUrl}.`;
  throw invalidParameter('resource', 'invalid_value', detail, 'invalid_target');
}

/** Returns whether the URL is this service or something below it. */
export const isOwnResource = (resource: string, baseUrl: string): boolean =>
  resource === baseUrl || resource.startsWith(`${baseUrl}/`);
