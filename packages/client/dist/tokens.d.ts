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
/**
 * Creates the tokens of a client, which are null without `auth`; with credentials they come from the token endpoint at `origin`.
 * Throws ColophonError for a client secret in a browser.
 */
export declare function createTokens(auth: Auth | undefined, origin: string, send: Send, runtime: Runtime): Tokens;
