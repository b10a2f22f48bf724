/** Lists the exports of the package. */
export type { Call, Reply } from './call.ts';
export {
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  type RequestOptions,
  type WriteOptions,
} from './client.ts';
export {
  ApiError,
  ColophonError,
  ConnectionError,
  ExportError,
  isApiError,
  isCode,
  ResponseError,
  TimeoutError,
} from './errors.ts';
export type { WaitOptions } from './exports.ts';
export type { Listing, Page } from './pages.ts';
export type { Auth, ClientCredentials, ProvidedToken } from './tokens.ts';
export type { RequestEvent, ResponseEvent } from './transport.ts';
export type * from './types.ts';
