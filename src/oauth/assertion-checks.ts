/** The checks of an assertion's header and claims, one function each, in the order in which they are made. */

import type { JWTPayload, ProtectedHeaderParameters } from 'jose';
import { durationInWords } from '../base/amount-in-words.ts';
import { type AssertionType, idJag } from './assertion-types.ts';
import { isOwnResource } from './form.ts';
import { mostAssertionAge, mostAssertionLifetime } from './lifetimes.ts';
import type { TrustedIssuer } from './trusted-issuers.ts';

export interface AssertionInput {
  readonly token: string;
  readonly type: AssertionType;
  /** The authenticated client, which the assertion must name; null at registration, where there is none yet. */
  readonly clientId: string | null;
}

export interface Assertion extends AssertionInput {
  readonly header: ProtectedHeaderParameters;
  readonly claims: JWTPayload;
  readonly issuer: TrustedIssuer;
  /** Seconds. */
  readonly now: number;
  readonly baseUrl: string;
}

/** Throws Refusal. */
type Check = (assertion: Assertion) => void;

/** Seconds that clocks may differ. */
export const skew = 30;

export const headerChecks: readonly Check[] = [
  requireAllowedType,
  requireAllowedAlgorithm,
  requireNoExtensions,
  requireTyp,
];

function requireAllowedType({ issuer, type }: Assertion): void {
  if (!issuer.assertionTypes.includes(type)) throw new Refusal('unsupported_assertion_type');
}

/** RFC 8725 section 3.1: an allow list, so that neither `none` nor a MAC keyed with a public key gets further. */
function requireAllowedAlgorithm({ issuer, header }: Assertion): void {
  if (!issuer.algorithms.includes(header.alg ?? '')) throw new Refusal('invalid_algorithm');
}

/** RFC 7515 section 4.1.11: this server understands no critical extension. */
function requireNoExtensions({ header }: Assertion): void {
  if (header.crit !== undefined) throw new Refusal('malformed');
}

/** RFC 8725 section 3.11: explicit typing keeps other kinds of JWT of the same issuer out. */
function requireTyp({ header, type }: Assertion): void {
  const typ = typeof header.typ === 'string' ? header.typ.toLowerCase().replace(/^application\//, '') : header.typ;
  const fits = type === idJag ? typ === 'oauth-id-jag+jwt' : typ === undefined || typ === 'jwt';
  if (!fits) throw new Refusal('invalid_type');
}

export const claimChecks: readonly Check[] = [
  requireAudience,
  requireSubject,
  requireNotExpired,
  requireRecentIssue,
  requireShortLife,
  requireId,
  requireNoProofKey,
  requireClient,
  requireResource,
];

/** RFC 7523 section 3, item 3; the ID-JAG draft wants the issuer identifier and nothing else. */
function requireAudience({ claims, type, baseUrl }: Assertion): void {
  const audience = typeof claims.aud === 'string' ? [claims.aud] : Array.isArray(claims.aud) ? claims.aud : [];
  const own = type === idJag ? [baseUrl] : [baseUrl, `${baseUrl}/oauth/token`];
  const fits = audience.length === 1 && own.some((name) => name === audience[0]);
  if (!fits) throw new Refusal('invalid_audience');
}

/** Item 2. */
function requireSubject({ claims }: Assertion): void {
  if (!isText(claims.sub, mostSubject)) throw new Refusal('invalid_subject');
}

/** Items 4 and 5. */
function requireNotExpired({ claims, now }: Assertion): void {
  if (typeof claims.exp !== 'number' || claims.exp + skew <= now) throw new Refusal('expired');
  if (claims.nbf !== undefined && !(typeof claims.nbf === 'number' && claims.nbf <= now + 2 * skew)) {
    throw new Refusal('not_yet_valid');
  }
}

/** Item 6. */
function requireRecentIssue({ claims, now }: Assertion): void {
  if (typeof claims.iat !== 'number' || claims.iat > now + 2 * skew) throw new Refusal('not_yet_valid');
  if (claims.iat < now - mostAssertionAge / 1000 - skew) throw new Refusal('too_old');
}

function requireShortLife({ claims }: Assertion): void {
  if ((claims.exp ?? 0) - (claims.iat ?? 0) > mostAssertionLifetime / 1000) throw new Refusal('too_long_lived');
}

/** Item 7. */
function requireId({ claims }: Assertion): void {
  if (!isText(claims.jti, mostJti)) throw new Refusal('invalid_jti');
}

/** The ID-JAG draft: a `cnf` claim without a DPoP proof must be refused. */
function requireNoProofKey({ claims }: Assertion): void {
  if (claims.cnf !== undefined) throw new Refusal('proof_required');
}

/** The ID-JAG draft: the authenticated client; at registration the agent's own name at its provider. */
function requireClient({ claims, type, clientId, issuer }: Assertion): void {
  if (type !== idJag) return;
  const named = claims.client_id;
  const fits =
    clientId !== null
      ? named === clientId
      : isText(named, 2000) && (issuer.clientIds === null || issuer.clientIds.some((id) => id === named));
  if (!fits) throw new Refusal('invalid_client_id');
}

function requireResource({ claims, baseUrl }: Assertion): void {
  if (claims.resource === undefined) return;
  const resources: unknown[] = Array.isArray(claims.resource) ? claims.resource : [claims.resource];
  const own = resources.every((resource) => typeof resource === 'string' && isOwnResource(resource, baseUrl));
  if (!own) throw new Refusal('invalid_resource');
}

const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= most;

const mostSubject = 255;
const mostJti = 256;

/** Why an assertion is refused, and what to do. */
export const reasons = {
  malformed: 'The assertion is not a signed JWT in compact form of at most 8,192 characters.',
  invalid_issuer: 'The issuer of the assertion is not trusted here. Ask the operator, or register as anonymous.',
  unsupported_assertion_type: 'The issuer of the assertion may not send assertions of this type.',
  invalid_algorithm: 'The signature algorithm of the assertion is not allowed for its issuer.',
  invalid_type: 'The typ header of the assertion does not fit its assertion type.',
  invalid_signature: 'The signature of the assertion cannot be verified with a key of its issuer.',
  invalid_audience: 'The aud claim of the assertion must be the issuer identifier of this server, and nothing else.',
  expired: 'The assertion is expired. Ask the identity provider for a new one.',
  not_yet_valid: 'The assertion is dated in the future. Check the clock of the identity provider.',
  too_old: `The assertion was issued more than ${durationInWords(mostAssertionAge)} ago. Ask the identity provider for a new one.`,
  too_long_lived: `The assertion must expire within ${durationInWords(mostAssertionLifetime)} of its issue.`,
  invalid_subject: `The sub claim of the assertion is missing or not a string of at most ${mostSubject} characters.`,
  invalid_jti: `The jti claim of the assertion is missing or not a string of at most ${mostJti} characters.`,
  proof_required: 'The assertion is bound to a key by cnf, and this server takes no proofs of possession.',
  invalid_client_id: 'The client_id claim of the assertion does not name the client that presents it.',
  invalid_resource: 'The resource claim of the assertion names another service.',
  replay_detected: 'The assertion was used before. Each works once; ask the identity provider for a new one.',
} as const;

export type Reason = keyof typeof reasons;

export class Refusal extends Error {
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(reason);
    this.reason = reason;
  }
}
