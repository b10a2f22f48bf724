/** The parameters of requests to the authorization server, as schemas for its endpoints and for the API description. */
import { z } from 'zod';
import { grantTypes } from './client-metadata.ts';
import type { Form } from './form.ts';
import { clientIdPattern } from './secrets.ts';

/** Creates the schema of a form or body with these fields and this description. */
const object = <T extends z.core.$ZodLooseShape>(description: string, shape: T) =>
  z.object(shape).describe(description);

/** Creates the schema of a text. Its length is published and not checked: a credential that is too long is an unknown one. */
const text = (maxLength: number, description: string) =>
  z.string().meta({ minLength: 1, maxLength }).describe(description);

const parameter = (maxLength: number, description: string) => z.string().meta({ maxLength }).describe(description);

const credentials = {
  client_id: z.string().regex(clientIdPattern).optional().describe('Required unless sent by HTTP Basic.'),
  client_secret: text(200, 'Required unless sent by HTTP Basic.').optional(),
};

/** The form of `POST /oauth/token`. */
export const tokenRequestSchema = object('A token request (RFC 6749 section 4).', {
  grant_type: z.enum(grantTypes).describe('The grant type; it decides which other fields apply.'),
  ...credentials,
  scope: parameter(1000, 'Space-separated; by default every scope that may be granted.').optional(),
  code: text(200, 'With `authorization_code`.').optional(),
  code_verifier: z
    .string()
    .regex(/^[A-Za-z0-9._~-]{43,128}$/, 'must be 43 to 128 characters of A-Z a-z 0-9 - . _ ~')
    .optional()
    .describe('With `authorization_code` (RFC 7636).'),
  redirect_uri: text(2000, 'With `authorization_code`; when sent, the one of the authorization request.').optional(),
  refresh_token: text(200, 'With `refresh_token`: the newest one of the grant.').optional(),
  assertion: text(8192, 'With the JWT bearer grant: an ID-JAG.').optional(),
  resource: z.url().optional().describe('This service, when sent (RFC 8707).'),
});

/** A token request, whose parameters the functions `text`, `get`, `require` and `all` read by name. */
export type TokenForm = Form<typeof tokenRequestSchema.shape>;

const revocationDescription =
  'A revocation request (RFC 7009 section 2.1). Without credentials, anyone who holds a token can revoke it.';

/** The form of `POST /oauth/revoke`. */
export const revocationRequestSchema = object(revocationDescription, {
  token: text(2000, 'An access token, or a client’s secret, which revokes the client and all its tokens.'),
  token_type_hint: text(100, 'Optional and ignored: the type is visible in the token.').optional(),
  ...credentials,
});

/** The query of `GET /oauth/authorize`. */
export const authorizationRequestSchema = z.object({
  response_type: parameter(2000, '`code`.').refine((type) => type === 'code', 'must be code'),
  client_id: parameter(2000, 'The client’s ID.'),
  redirect_uri: parameter(2000, 'A registered redirect URI; optional if only one is registered.').optional(),
  scope: parameter(2000, 'Space-separated; by default every registered scope.').optional(),
  state: parameter(2000, 'Returned unchanged.').optional(),
  code_challenge: parameter(2000, 'The SHA-256 of the verifier, in base64url (RFC 7636).').refine(
    (challenge) => /^[A-Za-z0-9_-]{43}$/.test(challenge),
    'must be the base64url form, without padding, of the SHA-256 of the code_verifier',
  ),
  code_challenge_method: parameter(2000, '`S256`.').refine((method) => method === 'S256', 'must be S256'),
});

/** The form of the consent page, `POST /oauth/authorize`; `decision` has one value for each button. */
export const consentDecisionSchema = object('The form of the consent page.', {
  ticket: text(200, 'The hidden field of the page; it can be used once, within ten minutes.'),
  decision: z.enum(['allow', 'deny']).describe('The person’s choice.'),
});
