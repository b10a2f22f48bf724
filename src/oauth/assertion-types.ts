/** The assertions that this server reads, by their URNs. */

/** draft-ietf-oauth-identity-assertion-authz-grant, as of April 2026. */
export const idJag = 'urn:ietf:params:oauth:token-type:id-jag';
export const jwt = 'urn:ietf:params:oauth:token-type:jwt';

export const assertionTypes = [idJag, jwt] as const;

export type AssertionType = (typeof assertionTypes)[number];

export const isAssertionType = (name: unknown): name is AssertionType => assertionTypes.some((type) => type === name);
