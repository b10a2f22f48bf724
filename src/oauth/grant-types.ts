/** The grant types of the token endpoint, by their names in the standards. */

export const jwtBearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

export const grantTypes = ['client_credentials', 'authorization_code', 'refresh_token', jwtBearerGrant] as const;

export type GrantType = (typeof grantTypes)[number];

export const isGrantType = (name: string): name is GrantType => grantTypes.some((grantType) => grantType === name);

/** Those that need a client with a secret (RFC 6749 section 4.4.2; the ID-JAG draft, section on client authentication). */
export const confidentialGrantTypes: readonly GrantType[] = ['client_credentials', jwtBearerGrant];
