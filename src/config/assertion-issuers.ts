/** The file that ASSERTION_ISSUERS_FILE names → the identity providers whose assertions register clients. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { messageOf } from '../base/thrown.ts';
import { formatFault } from '../content/fault.ts';
import { validate } from '../content/validation.ts';
import { readYaml } from '../content/yaml.ts';
import { scopeNames } from '../oauth/scopes.ts';
import { type IssuerSettings, idJag, jwt, trustIssuers } from '../oauth/trusted-issuers.ts';

const names = z.array(z.string().min(1)).min(1);

const assertionTypes = { 'id-jag': idJag, jwt } as const;

/** The file, whose keys docs/credentials.md explains. */
const fileSchema = z.strictObject({
  issuers: z.array(
    z.strictObject({
      issuer: z.string().min(1),
      jwks_uri: z.string().min(1).optional(),
      jwks: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }).optional(),
      algorithms: names.optional(),
      assertion_types: z
        .array(z.enum(['id-jag', 'jwt']))
        .min(1)
        .optional(),
      client_ids: names.optional(),
      max_scopes: z.array(z.enum(scopeNames)).min(1).optional(),
    }),
  ),
});

/** Reads the file, which is YAML or JSON, and adds its errors to `faults`, each with its place. */
export function readAssertionIssuers(path: string, faults: string[]): IssuerSettings[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    faults.push(`ASSERTION_ISSUERS_FILE names ${path}, which cannot be read (${messageOf(error)}).`);
    return [];
  }
  const { value, faults: invalid } = validate(fileSchema, readYaml(path, text), 'the file');
  faults.push(...invalid.map(formatFault));
  if (value === null) return [];
  const issuers = value.issuers.map(toSettings);
  try {
    trustIssuers(issuers);
  } catch (error) {
    faults.push(`${path}: ${messageOf(error)}`);
  }
  return issuers;
}

function toSettings(entry: z.output<typeof fileSchema>['issuers'][number]): IssuerSettings {
  const { issuer, jwks_uri, jwks, algorithms, assertion_types, client_ids, max_scopes } = entry;
  return {
    issuer,
    ...(jwks_uri !== undefined && { jwksUri: jwks_uri }),
    ...(jwks !== undefined && { jwks }),
    ...(algorithms !== undefined && { algorithms }),
    ...(assertion_types !== undefined && { assertionTypes: assertion_types.map((name) => assertionTypes[name]) }),
    ...(client_ids !== undefined && { clientIds: client_ids }),
    ...(max_scopes !== undefined && { maxScopes: max_scopes }),
  };
}
