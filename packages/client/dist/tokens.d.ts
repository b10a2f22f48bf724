import type { Runtime } from './runtime.js';
import type { Send } from './transport.js';
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
export declare function createTokens(auth: Auth | undefined, origin: string, send: Send, runtime: Runtime): Tokens;
