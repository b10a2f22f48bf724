/** Verifies an identity assertion (RFC 7523 section 3); imported with the first assertion, because jose takes time to load. */
import { compactVerify, decodeJwt, decodeProtectedHeader, errors } from 'jose';
import { sha256Bytes } from '../base/hash.ts';
import { isShallow } from '../base/json.ts';
import type { AssertionUse } from '../store/clients.ts';
import {
  type Assertion,
  type AssertionInput,
  claimChecks,
  headerChecks,
  Refusal,
  refuseAssertion,
  skew,
} from './assertion-checks.ts';
import type { OAuthContext } from './context.ts';
import type { TrustedIssuer } from './trusted-issuers.ts';

/** An assertion that passed every check. */
export interface VerifiedAssertion {
  readonly issuer: TrustedIssuer;
  readonly subject: string;
  /** The `scope` claim, or null if there is none. */
  readonly scope: string | null;
  /** Marks the assertion as used, in the transaction that stores the token or the client. */
  readonly use: AssertionUse;
}

/**
 * Verifies everything but whether the assertion was used before. Nothing is fetched for an issuer that is not trusted. A refused
 * assertion is logged.
 * @throws `invalid_grant` with a `reason`, or `upstream_unavailable` if the issuer's keys cannot be fetched.
 */
export async function verifyAssertion(context: OAuthContext, input: AssertionInput): Promise<VerifiedAssertion> {
  let issuer: TrustedIssuer | undefined;
  try {
    const { header, claims } = decode(input.token);
    issuer = context.issuers.get(claims.iss ?? '');
    if (issuer === undefined) throw new Refusal('invalid_issuer');
    const now = Math.floor(context.clock.now() / 1000);
    const assertion: Assertion = { ...input, header, claims, issuer, now, baseUrl: context.baseUrl };
    for (const check of headerChecks) check(assertion);
    await checkSignature(assertion);
    for (const check of claimChecks) check(assertion);
    const { jti = '', exp = 0, sub = '', scope } = claims;
    return {
      issuer,
      subject: sub,
      scope: typeof scope === 'string' ? scope : null,
      use: { hash: sha256Bytes(JSON.stringify([issuer.issuer, jti])), expiresAt: Math.ceil(exp + skew) * 1000 },
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw refuseAssertion(context, error.reason, issuer);
  }
}

/**
 * Decodes header and claims without verifying them, to find the issuer. Throws `Refusal` for a text that is no JWT, is over 8,192
 * characters long, or has JSON of too many levels.
 */
function decode(token: string): Pick<Assertion, 'header' | 'claims'> {
  const parts = token.split('.');
  const isCompact = token.length <= 8192 && parts.length === 3;
  if (!isCompact || !parts.slice(0, 2).every((part) => isShallow(Buffer.from(part, 'base64url').toString('latin1')))) {
    throw new Refusal('malformed');
  }
  try {
    return { header: decodeProtectedHeader(token), claims: decodeJwt(token) };
  } catch {
    throw new Refusal('malformed');
  }
}

/**
 * Rejects with `Refusal` for an assertion that its issuer did not sign (RFC 7523 section 3, item 9), and with
 * `upstream_unavailable` if the issuer's keys cannot be fetched. The key comes from the issuer's entry; the headers jku, x5u and
 * jwk are ignored.
 */
async function checkSignature({ token, issuer }: Assertion): Promise<void> {
  const options = { algorithms: [...issuer.algorithms] };
  try {
    await compactVerify(token, issuer.key, options);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw toRefusal(error);
    for await (const key of error) {
      const isVerified = await compactVerify(token, key, options).then(
        () => true,
        () => false,
      );
      if (isVerified) return;
    }
    throw new Refusal('invalid_signature');
  }
}

const toRefusal = (error: unknown): unknown =>
  error instanceof errors.JOSEError || error instanceof TypeError ? new Refusal('invalid_signature') : error;
