/** Reads the parameters of a form or a query with the schema that describes them, by the rules of RFC 6749 sections 3.1 and 3.2. */
import { z } from 'zod';
import type { Code } from '../base/problem-codes.ts';
import { describeIssue } from './client-metadata.ts';
import { createInvalidParameter, createOAuthError } from './errors.ts';

/** Name and value of each parameter, decoded, in the order sent. */
export type Parameters = readonly (readonly [string, string])[];

/** A form that was posted to the token or revocation endpoint, and the request's Authorization header. */
export interface FormRequest {
  readonly form: Parameters;
  readonly authorization: string | undefined;
}

/** The schemas of parameters by name. */
type Fields = Readonly<Record<string, z.ZodType>>;

/**
 * Parameters that are checked when they are read, so that an endpoint decides on the order of the checks. `text` and `get` return
 * undefined for an absent or empty one, for which `require` throws; `all` returns an empty array. `refuseRepeated` throws if one
 * is repeated.
 */
export type Form<F extends Fields = Fields> = ReturnType<typeof collectForm<F>>;

/**
 * Returns the parameters of an endpoint, which are checked when they are read. Throws `invalid_request` if one is repeated, except
 * `resource`.
 */
export function readForm<F extends Fields>(schema: z.ZodObject<F>, parameters: Parameters): Form<F> {
  const form = collectForm(schema.shape, parameters);
  form.refuseRepeated();
  return form;
}

/**
 * Returns functions that read the parameters by name: `text` and `all` read them unchecked, `get` and `require` check them by their
 * schemas. `text`, `get` and `require` read the first of repeated ones, which only `refuseRepeated` refuses.
 */
export function collectForm<F extends Fields>(fields: F, parameters: Parameters) {
  const values = Map.groupBy(parameters, ([name]) => name);
  /** Returns the text of a parameter, or undefined if it is absent or empty: RFC 6749 section 3.1 treats both alike. */
  const text = (name: string): string | undefined => values.get(name)?.[0]?.[1] || undefined;
  /**
   * Returns the value, or undefined if it is absent or empty. Throws `invalid_request` if the schema refuses it, but
   * `unsupported_grant_type` for `grant_type`, and `unsupported_response_type` for `response_type`.
   */
  const get = <N extends keyof F & string>(name: N): z.output<F[N]> | undefined => {
    const value = text(name);
    if (value === undefined) return undefined;
    const { data, error } = z.safeParse<F[N]>(fields[name], value);
    const [issue] = error?.issues ?? [];
    if (issue === undefined) return data;
    const [, kind, detail] = describeIssue({ ...issue, path: [name] });
    const ownCode = ownCodes[name];
    throw ownCode === undefined ? createInvalidParameter(name, kind, detail) : createOAuthError(ownCode, detail);
  };
  return {
    text,
    get,
    /** Returns the value. Throws `invalid_request` if it is absent or empty, and the failure of `get` if the schema refuses it. */
    require<N extends keyof F & string>(name: N) {
      const value = get(name);
      if (value !== undefined && value !== null) return value;
      throw createInvalidParameter(name, 'required', `The parameter ${name} is missing.`);
    },
    /** Returns every value, except empty ones, of a parameter that may be repeated, unchecked and in the order sent. */
    all: (name: string) => (values.get(name) ?? []).map(([, value]) => value).filter((value) => value !== ''),
    /** Throws `invalid_request` if one of these parameters, by default any, is repeated, except `resource` (RFC 6749 section 3.1). */
    refuseRepeated(names: readonly string[] = [...values.keys()]) {
      // RFC 8707 section 2 allows several `resource` parameters.
      const repeatedName = names
        .find((name) => name !== 'resource' && (values.get(name)?.length ?? 0) > 1)
        ?.slice(0, 64);
      if (repeatedName === undefined) return;
      const detail = `The parameter ${repeatedName} was sent more than once. Send each parameter once.`;
      throw createInvalidParameter(repeatedName, 'repeated', detail);
    },
  };
}

/** The codes of parameters that have their own (RFC 6749 sections 4.1.2.1 and 5.2). */
const ownCodes: Readonly<Record<string, Code>> = {
  grant_type: 'unsupported_grant_type',
  response_type: 'unsupported_response_type',
};

/**
 * Throws `invalid_request`, OAuth's `invalid_target`, if a `resource` is not this service or below it (RFC 8707 section 2). It may
 * be absent: a token is valid for all of the service.
 */
export function checkResource(form: Pick<Form, 'all'>, baseUrl: string): void {
  if (form.all('resource').every((resource) => isOwnResource(resource, baseUrl))) return;
  const detail = `Tokens of this server are valid only for ${baseUrl}. Leave resource out, or send resource=${baseUrl}.`;
  throw createInvalidParameter('resource', 'invalid_value', detail, 'invalid_target');
}

/** Returns whether the URL is this service or something below it. */
export const isOwnResource = (resource: string, baseUrl: string): boolean =>
  resource === baseUrl || resource.startsWith(`${baseUrl}/`);
