/** Access tokens: obtained when first needed, renewed before they expire, and once for however many callers wait. */
import { ColophonError } from './errors.ts';
import type { Runtime } from './runtime.ts';
import type { Send } from './transport.ts';

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Space-separated; the scopes that the client registered unless given. */
  readonly scope?: string | undefined;
}

export interface ProvidedToken {
  /** A token, or a function that gives a current one; it is called again after a token was refused. */
  readonly accessToken: string | (() => string | Promise<string>);
}

export type Auth = ClientCredentials | ProvidedToken;

export interface Tokens {
  /** The token to send, or null to send none. */
  current(): Promise<string | null>;
  /** A token that the server refused is not sent again. False: there is no other one to try. */
  refused(token: string): boolean;
}

/** A token is renewed when less than this is left of it. */
const renewBeforeMs = 60_000;

export function createTokens(auth: Auth | undefined, origin: string, send: Send, runtime: Runtime): Tokens {
  if (auth === undefined) return { current: async () => null, refused: () => false };
  if ('accessToken' in auth) {
    const { accessToken } = auth;
    if (typeof accessToken === 'string') return { current: async () => accessToken, refused: () => false };
    return { current: async () => accessToken(), refused: () => true };
  }
  if (runtime.browser) {
    throw new ColophonError(
      'A client secret in a web page is readable by everyone who opens it. Obtain the token on your server and pass it as auth.accessToken.',
    );
  }
  let held: { readonly token: string; readonly until: number } | null = null;
  let renewal: Promise<string> | null = null;

  const renew = async (): Promise<string> => {
    const { body } = await send({
      method: 'POST',
      url: `${origin}/oauth/token`,
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${basic(auth.clientId, auth.clientSecret)}`,
      },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        ...(auth.scope !== undefined && { scope: auth.scope }),
      }).toString(),
    });
    const { access_token: token, expires_in: seconds } = body as { access_token: string; expires_in: number };
    held = { token, until: runtime.now() + seconds * 1000 };
    return token;
  };

  return {
    async current() {
      if (held !== null && held.until - runtime.now() > renewBeforeMs) return held.token;
      // Shared by all who wait: a caller that aborts leaves it to the others.
      renewal ??= renew().finally(() => {
        renewal = null;
      });
      return renewal;
    },
    refused(token) {
      // The first refusal of a token discards it; a later refusal of the same token leaves its successor in place.
      if (held?.token === token) held = null;
      return true;
    },
  };
}

/** RFC 6749, section 2.3.1: both parts are form-encoded before they are joined. */
function basic(id: string, secret: string): string {
  const encode = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);
  return btoa(`${encode(id)}:${encode(secret)}`);
}
