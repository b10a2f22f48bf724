/** The identity providers that the operator trusts, read from the file that ASSERTION_ISSUERS_FILE names. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { messageOf } from '../base/thrown.ts';
import { formatFault } from '../content/fault.ts';
import { validate } from '../content/validation.ts';
import { readYaml } from '../content/yaml.ts';
import { type AssertionType, idJag, jwt } from '../oauth/assertion-types.ts';
import { scopeNames } from '../oauth/scopes.ts';
import { type IssuerSettings, trustIssuers } from '../oauth/trusted-issuers.ts';

const names = z.array(z.string().min(1)).min(1);

const typeNames: Readonly<Record<string, AssertionType>> = { 'id-jag': idJag, jwt };

const fileSchema = z
  .strictObject({
    issuers: z.array(
      z.strictObject({
        issuer: z.string().min(1).describe('Must equal `iss` in its assertions exactly.'),
        jwks_uri: z.string().min(1).optional().describe('Where its public keys are: an https URL.'),
        jwks: z
          .object({ keys: z.array(z.record(z.string(), z.unknown())) })
          .optional()
          .describe('Its public keys themselves, instead of `jwks_uri`.'),
        algorithms: names.optional().describe('The accepted signature algorithms.'),
        assertion_types: z
          .array(z.enum(['id-jag', 'jwt']))
          .min(1)
          .optional()
          .describe('The assertion types that it may send; by default both.'),
        client_ids: names
          .optional()
          .describe('The values of `client_id` that its assertions may have at registration; by default any.'),
        max_scopes: z
          .array(z.enum(scopeNames))
          .min(1)
          .optional()
          .describe('The widest scope that its assertions can grant; by default any.'),
      }),
    ),
  })
  .describe('Trusted assertion issuers.');

/** YAML or JSON. Every fault is added to `faults`, with its place. Fetches nothing. */
export function readAssertionIssuers(path: string, faults: string[]): IssuerSettings[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    faults.push(`ASSERTION_ISSUERS_FILE names ${path}, which cannot be read (${messageOf(error)}).`);
    return [];
  }
  const { value, faults: found } = validate(fileSchema, readYaml(path, text), 'the file');
  faults.push(...found.map(formatFault));
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
    ...(assertion_types !== undefined && {
      assertionTypes: assertion_types.flatMap((name) => typeNames[name] ?? []),
    }),
    ...(client_ids !== undefined && { clientIds: client_ids }),
    ...(max_scopes !== undefined && { maxScopes: max_scopes }),
  };
}
