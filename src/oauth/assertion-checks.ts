/** The checks of an assertion's header and claims, one function each, in the order in which they run. */

/* They do no I/O and read no clock: `now` is an argument. Sources: RFC 7523 section 3, RFC 8725, the ID-JAG draft. */
import type { JWTPayload, ProtectedHeaderParameters } from 'jose';
import { writeDuration } from '../base/amount-in-words.ts';
import type { ApiError } from '../base/api-error.ts';
import type { OAuthContext } from './context.ts';
import { createOAuthError } from './errors.ts';
import { isOwnResource } from './form.ts';
import { maxAssertionAge, maxAssertionLifetime } from './lifetimes.ts';
import { type AssertionType, idJag, type TrustedIssuer } from './trusted-issuers.ts';

/** An assertion as a client sent it. */
export interface AssertionInput {
  /** The JWT in compact form. */
  readonly token: string;
  readonly type: AssertionType;
  /** The authenticated client, which the assertion must name, or null at registration, where there is none yet. */
  readonly clientId: string | null;
}

/** A decoded assertion, with everything that the checks compare it with. */
export interface Assertion extends AssertionInput {
  readonly header: ProtectedHeaderParameters;
  readonly claims: JWTPayload;
  readonly issuer: TrustedIssuer;
  /** Seconds since 1970. */
  readonly now: number;
  readonly baseUrl: string;
}

/** Throws `Refusal` if the assertion fails the check. */
type Check = (assertion: Assertion) => void;

/** Tolerance for clocks that differ, in seconds. */
export const skew = 30;

/** The checks before the signature. */
export const headerChecks: readonly Check[] = [checkAssertionType, checkAlgorithm, checkExtensions, checkTyp];

function checkAssertionType({ issuer, type }: Assertion): void {
  if (!issuer.assertionTypes.includes(type)) throw new Refusal('unsupported_assertion_type');
}

/**
 * Throws `Refusal` for an algorithm that is not in the issuer's list (RFC 8725 section 3.1). Otherwise `none`, or a MAC keyed with
 * the public key, would pass as a signature.
 */
function checkAlgorithm({ issuer, header }: Assertion): void {
  if (!issuer.algorithms.includes(header.alg ?? '')) throw new Refusal('invalid_algorithm');
}

/** Throws `Refusal` for any critical extension, because this server understands none (RFC 7515 section 4.1.11). */
function checkExtensions({ header }: Assertion): void {
  if (header.crit !== undefined) throw new Refusal('malformed');
}

/**
 * Throws `Refusal` for another type of JWT (RFC 8725 section 3.11), which the same issuer may have made for another purpose. A
 * plain JWT may leave out `typ`.
 */
function checkTyp({ header, type }: Assertion): void {
  const typ = typeof header.typ === 'string' ? header.typ.toLowerCase().replace(/^application\//, '') : header.typ;
  const fits = type === idJag ? typ === 'oauth-id-jag+jwt' : typ === undefined || typ === 'jwt';
  if (!fits) throw new Refusal('invalid_type');
}

/** The checks after the signature. */
export const claimChecks: readonly Check[] = [
  checkAudience,
  checkSubject,
  checkExpiry,
  checkIssueTime,
  checkLifetime,
  checkJti,
  checkConfirmation,
  checkClientId,
  checkResourceClaim,
  checkScope,
];

/**
 * Throws `Refusal` unless this server is the only audience (RFC 7523 section 3, item 3): an ID-JAG has to name the issuer, and a
 * plain JWT may name the token endpoint.
 */
function checkAudience({ claims, type, baseUrl }: Assertion): void {
  const audience = typeof claims.aud === 'string' ? [claims.aud] : Array.isArray(claims.aud) ? claims.aud : [];
  const ownAudiences = type === idJag ? [baseUrl] : [baseUrl, `${baseUrl}/oauth/token`];
  const fits = audience.length === 1 && ownAudiences.some((name) => name === audience[0]);
  if (!fits) throw new Refusal('invalid_audience');
}

/** Throws `Refusal` for an assertion without a subject of at most 255 characters (RFC 7523 section 3, item 2). */
function checkSubject({ claims }: Assertion): void {
  if (!isText(claims.sub, maxSubjectLength)) throw new Refusal('invalid_subject');
}

/**
 * Throws `Refusal` for an assertion that has expired, never expires, or is not valid yet (RFC 7523 section 3, items 4 and 5), with
 * a tolerance of 30 seconds, or 60 for `nbf`.
 */
function checkExpiry({ claims, now }: Assertion): void {
  if (typeof claims.exp !== 'number' || claims.exp + skew <= now) throw new Refusal('expired');
  if (claims.nbf !== undefined && !(typeof claims.nbf === 'number' && claims.nbf <= now + 2 * skew)) {
    throw new Refusal('not_yet_valid');
  }
}

/**
 * Throws `Refusal` for an assertion that was issued at an unknown time, in the future or over ten minutes ago (RFC 7523 section 3,
 * item 6), with a tolerance of 60 seconds into the future and 30 into the past.
 */
function checkIssueTime({ claims, now }: Assertion): void {
  if (typeof claims.iat !== 'number' || claims.iat > now + 2 * skew) throw new Refusal('not_yet_valid');
  if (claims.iat < now - maxAssertionAge / 1000 - skew) throw new Refusal('too_old');
}

/** Throws `Refusal` for an assertion that is valid for more than an hour, so that a stolen one soon becomes useless. */
function checkLifetime({ claims }: Assertion): void {
  if ((claims.exp ?? 0) - (claims.iat ?? 0) > maxAssertionLifetime / 1000) throw new Refusal('too_long_lived');
}

/** Throws `Refusal` for an assertion without an ID of at most 256 characters, by which a replay is noticed (RFC 7523 section 3, item 7). */
function checkJti({ claims }: Assertion): void {
  if (!isText(claims.jti, maxJtiLength)) throw new Refusal('invalid_jti');
}

/**
 * Throws `Refusal` for an assertion that is bound to a key: the `cnf` claim asks for a DPoP proof, which this server does not read
 * (ID-JAG draft).
 */
function checkConfirmation({ claims }: Assertion): void {
  if (claims.cnf !== undefined) throw new Refusal('proof_required');
}

/**
 * Throws `Refusal` for an ID-JAG without `client_id` or of another client: the claim is the authenticated client, or at
 * registration the agent's name at its provider, which is one of the issuer's `clientIds` if it has them.
 */
function checkClientId({ claims, type, clientId, issuer }: Assertion): void {
  if (type !== idJag) return;
  const claim = claims.client_id;
  const fits =
    clientId !== null
      ? claim === clientId
      : isText(claim, 2000) && (issuer.clientIds === undefined || issuer.clientIds.some((id) => id === claim));
  if (!fits) throw new Refusal('invalid_client_id');
}

/** Throws `Refusal` for an assertion whose `resource` names anything outside of this service (ID-JAG draft); it may be absent. */
function checkResourceClaim({ claims, baseUrl }: Assertion): void {
  if (claims.resource === undefined) return;
  const resources: unknown[] = Array.isArray(claims.resource) ? claims.resource : [claims.resource];
  const isOwn = resources.every((resource) => typeof resource === 'string' && isOwnResource(resource, baseUrl));
  if (!isOwn) throw new Refusal('invalid_resource');
}

/** Throws `Refusal` for a `scope` claim that is not one text (ID-JAG draft): read as none, it would allow all of the client's scopes. */
function checkScope({ claims }: Assertion): void {
  if (claims.scope !== undefined && typeof claims.scope !== 'string') throw new Refusal('invalid_scope');
}

const isText = (value: unknown, maxLength: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= maxLength;

const maxSubjectLength = 255;
const maxJtiLength = 256;

/** The details of `invalid_grant` by `reason`: why the assertion is refused, and what to do. */
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
  too_old: `The assertion was issued more than ${writeDuration(maxAssertionAge)} ago. Ask the identity provider for a new one.`,
  too_long_lived: `The assertion must expire within ${writeDuration(maxAssertionLifetime)} of its issue.`,
  invalid_subject: `The sub claim of the assertion is missing or not a string of at most ${maxSubjectLength} characters.`,
  invalid_jti: `The jti claim of the assertion is missing or not a string of at most ${maxJtiLength} characters.`,
  proof_required: 'The assertion is bound to a key by cnf, and this server takes no proofs of possession.',
  invalid_client_id: 'The client_id claim of the assertion does not name the client that presents it.',
  invalid_scope: 'The scope claim of the assertion must be a string, with spaces between scopes.',
  invalid_resource: 'The resource claim of the assertion names another service.',
  replay_detected: 'The assertion was used before. Each works once; ask the identity provider for a new one.',
} as const;

/** The reason why an assertion is refused, as `invalid_grant` reports it. */
export type Reason = keyof typeof reasons;

/** The Error that ends the checks of an assertion; its message is the reason why it is refused. */
export class Refusal extends Error {
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Logs a refused assertion and returns its failure, `invalid_grant`. Only a trusted issuer's name is logged: everything else is
 * what anybody sent.
 */
export function refuseAssertion(context: OAuthContext, reason: Reason, issuer: TrustedIssuer | undefined): ApiError {
  context.log.warn({ event: 'assertion.refused', reason, issuer: issuer?.issuer }, 'Refused an identity assertion.');
  return createOAuthError('invalid_grant', reasons[reason], { members: { reason } });
}
