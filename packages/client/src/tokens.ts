/** Obtains access tokens when they are first needed and renews them before they expire; concurrent callers share one request. */
import { ColophonError } from './errors.ts';
import type { Runtime } from './runtime.ts';
import type { Send } from './transport.ts';

/** The credentials of a registered client, for the grant `client_credentials` (RFC 6749 section 4.4). */
export interface ClientCredentials {
  readonly clientId: string;
  /** The secret that the registration returned. Only servers may have it. */
  readonly clientSecret: string;
  /** Scopes, separated by spaces; all registered scopes by default. */
  readonly scope?: string | undefined;
}

/** An access token that the caller obtained. */
export interface ProvidedToken {
  /**
   * A token, or a function that returns a valid one. The function is called for each request, and again after a refusal; what it
   * throws rejects the call.
   */
  readonly accessToken: string | (() => string | Promise<string>);
}

/** The authorization of requests: by credentials, with which the client fetches tokens, or by a token that the caller has. */
export type Auth = ClientCredentials | ProvidedToken;

/** The access token of one client: fetched when it is first needed, and again before it expires or when the server refuses it. */
export interface Tokens {
  /** Returns the token to send, or null to send none. Rejects if none can be obtained. */
  current(): Promise<string | null>;
  /**
   * Discards a token that the server refused, unless another one has replaced it. Returns whether `current` may have another one to
   * retry with, which is false only without `auth` or with a text as `accessToken`.
   */
  refused(token: string): boolean;
}

/** A token is renewed when it expires in less than this, in milliseconds. */
const renewBeforeMs = 60_000;

/**
 * Creates the tokens of a client, which are null without `auth`; with credentials they come from the token endpoint at `origin`.
 * Throws ColophonError for a client secret in a browser.
 */
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
  let cachedToken: { readonly token: string; readonly until: number } | null = null;
  let renewal: Promise<string> | null = null;

  const renew = async (): Promise<string> => {
    const { body } = await send({
      method: 'POST',
      url: `${origin}/oauth/token`,
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${encodeBasic(auth.clientId, auth.clientSecret)}`,
      },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        ...(auth.scope !== undefined && { scope: auth.scope }),
      }).toString(),
    });
    const { access_token: token, expires_in: seconds } = body as { access_token: string; expires_in: number };
    cachedToken = { token, until: runtime.now() + seconds * 1000 };
    return token;
  };

  return {
    async current() {
      if (cachedToken !== null && cachedToken.until - runtime.now() > renewBeforeMs) return cachedToken.token;
      // All callers share one renewal, which continues when one of them aborts.
      renewal ??= renew().finally(() => {
        renewal = null;
      });
      return renewal;
    },
    refused(token) {
      // The first refusal of a token discards it; a later refusal of the same token leaves its successor in place.
      if (cachedToken?.token === token) cachedToken = null;
      return true;
    },
  };
}

/**
 * Returns the credentials of HTTP Basic in base64, without the word `Basic`, both parts form-encoded before they are joined (RFC
 * 6749 section 2.3.1).
 */
function encodeBasic(id: string, secret: string): string {
  const encode = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);
  return btoa(`${encode(id)}:${encode(secret)}`);
}
