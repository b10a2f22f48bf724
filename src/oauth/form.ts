/** Parameters of a form or a query, by the rules of RFC 6749 section 3.1 and 3.2. */
import { invalidParameter } from './oauth-error.ts';

/** Name and value of each parameter, decoded, in the order sent. */
export type Parameters = readonly (readonly [string, string])[];

export interface Form {
  /** The value; undefined when it was not sent, or sent without a value, which means the same. */
  get(name: string): string | undefined;
  /** Throws `invalid_request` when it was not sent. */
  require(name: string): string;
  /** Every value of a parameter that may be sent more than once. */
  all(name: string): string[];
  /** Names that were sent more than once although they must not be. */
  readonly repeated: readonly string[];
}

/** The endpoints' parameters. Throws `invalid_request` when one is sent twice. */
export function readForm(parameters: Parameters): Form {
  const form = collectForm(parameters);
  const [name] = form.repeated;
  if (name !== undefined) throw repeatedParameter(name);
  return form;
}

/** The same, leaving it to the caller what a repeated parameter leads to. */
export function collectForm(parameters: Parameters): Form {
  const values = new Map<string, string[]>();
  for (const [name, value] of parameters) {
    const sent = values.get(name);
    if (sent === undefined) values.set(name, [value]);
    else sent.push(value);
  }
  const get = (name: string): string | undefined => values.get(name)?.[0] || undefined;
  return {
    get,
    require(name) {
      const value = get(name);
      if (value === undefined) throw invalidParameter(name, 'required', `The parameter ${name} is missing.`);
      return value;
    },
    all: (name) => (values.get(name) ?? []).filter((value) => value !== ''),
    repeated: [...values].filter(([name, sent]) => sent.length > 1 && name !== 'resource').map(([name]) => name),
  };
}

export const repeatedParameter = (name: string) =>
  invalidParameter(
    name.slice(0, 64),
    'repeated',
    `The parameter ${name.slice(0, 64)} was sent more than once. Send each parameter once.`,
  );

/**
 * RFC 8707: a client may name the resource that the token is for. It must be this service; a token is good for all of it.
 */
export function requireOwnResource(form: Form, baseUrl: string): void {
  if (form.all('resource').every((resource) => isOwnResource(resource, baseUrl))) return;
  throw invalidParameter(
    'resource',
    'invalid_value',
    `Tokens of this server are valid only for ${baseUrl}. Leave resource out, or send resource=${baseUrl}.`,
    'invalid_target',
  );
}

export const isOwnResource = (resource: string, baseUrl: string): boolean =>
  resource === baseUrl || resource.startsWith(`${baseUrl}/`);
