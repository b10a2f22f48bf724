/** Reads the file that ASSERTION_ISSUERS_FILE names, and returns the identity providers whose assertions register clients. */
import { z } from 'zod';
import { getMessage } from '../base/thrown.ts';
import { formatFault } from '../content/fault.ts';
import { validate } from '../content/validation.ts';
import { scopeNames } from '../oauth/scopes.ts';
import { type IssuerSettings, idJag, jwt, trustIssuers } from '../oauth/trusted-issuers.ts';
import { readNamedFile } from './file.ts';

const names = z.string().min(1).array().min(1).optional();

const assertionTypes = { 'id-jag': idJag, jwt } as const;

/** The file, whose keys docs/credentials.md explains. */
const fileSchema = z.strictObject({
  issuers: z.array(
    z.strictObject({
      issuer: z.string().min(1),
      jwks_uri: z.string().min(1).optional(),
      jwks: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }).optional(),
      algorithms: names,
      assertion_types: z.enum(['id-jag', 'jwt']).array().min(1).optional(),
      client_ids: names,
      max_scopes: z.enum(scopeNames).array().min(1).optional(),
    }),
  ),
});

/**
 * Returns the issuers of the file, which is YAML or JSON; an empty array if it cannot be read or has another shape. Adds its errors
 * to `faults`; the first issuer that cannot be trusted is one, and is returned nevertheless.
 */
export function readAssertionIssuers(path: string, faults: string[]): readonly IssuerSettings[] {
  const document = readNamedFile('ASSERTION_ISSUERS_FILE', path, path, faults);
  if (document === null) return [];
  const { value, faults: invalid } = validate(fileSchema, document, 'the file');
  faults.push(...invalid.map(formatFault));
  const issuers = value?.issuers.map(({ issuer, jwks, algorithms, ...entry }) => ({
    issuer,
    jwks,
    algorithms,
    jwksUri: entry.jwks_uri,
    assertionTypes: entry.assertion_types?.map((name) => assertionTypes[name]),
    clientIds: entry.client_ids,
    maxScopes: entry.max_scopes,
  }));
  try {
    trustIssuers(issuers ?? []);
  } catch (error) {
    faults.push(`${path}: ${getMessage(error)}`);
  }
  return issuers ?? [];
}
