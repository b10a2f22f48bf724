import type { Runtime } from './runtime.js';
import type { Send } from './transport.js';
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
    /** A token, or a function that returns a valid one; the function is called for each request, and again after a refusal. */
    readonly accessToken: string | (() => string | Promise<string>);
}
/** How requests are authorized. */
export type Auth = ClientCredentials | ProvidedToken;
/** The tokens of a client. */
export interface Tokens {
    /** Returns the token to send, or null to send none. */
    current(): Promise<string | null>;
    /** Discards a token that the server refused. Returns false if there is no other to retry with. */
    refused(token: string): boolean;
}
/** Creates the tokens of a client. Throws ColophonError for a client secret in a browser. */
export declare function createTokens(auth: Auth | undefined, origin: string, send: Send, runtime: Runtime): Tokens;
