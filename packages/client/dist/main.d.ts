/** Lists the exports of the package. */
export type { Call, Reply } from './call.js';
export { type CallOptions, type Client, type ClientOptions, createClient, type RequestOptions, type WriteOptions, } from './client.js';
export { ApiError, ColophonError, ConnectionError, ExportError, isApiError, isCode, ResponseError, TimeoutError, } from './errors.js';
export type { WaitOptions } from './exports.js';
export type { Listing, Page } from './pages.js';
export type { Auth, ClientCredentials, ProvidedToken } from './tokens.js';
export type { RequestEvent, ResponseEvent } from './transport.js';
export type * from './types.js';
