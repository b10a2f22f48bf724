/** What a sample is written from, and what several languages write alike. */
import type { EndpointCredential } from '../../../operations/endpoint-description.ts';

export interface SampleRequest {
  /** The operation's ID in the contract. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Absolute, with its query. */
  readonly url: string;
  /** The service's origin. */
  readonly baseUrl: string;
  readonly environment: 'production' | 'sandbox';
  /** Path parameters, query parameters and fields of the body by name. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Another representation than the usual one; null for that. */
  readonly accept: 'text/markdown' | null;
  /** Whether the usual response is JSON. */
  readonly returnsJson: boolean;
  /** Samples take it from the environment: TOKEN, REGISTRATION_ACCESS_TOKEN, or CLIENT_ID and CLIENT_SECRET. */
  readonly credential: EndpointCredential | null;
  readonly body: SampleBody | null;
}

export type SampleBody =
  | { readonly type: 'json'; readonly value: unknown }
  | { readonly type: 'form'; readonly value: Readonly<Record<string, string>> };

/** In their order, without credentials, which each language writes its own way, and without the type of a form. */
export const headersOf = ({ accept, body }: SampleRequest): readonly (readonly [name: string, value: string])[] => [
  ...(accept === null ? [] : [['Accept', accept] as const]),
  ...(body?.type === 'json' ? [['Content-Type', 'application/json'] as const] : []),
];

/** The variable that has the bearer token; null where there is none. */
export const tokenVariable = ({ credential }: SampleRequest): string | null => {
  if (credential === null || credential === 'client') return null;
  return credential === 'token' ? 'TOKEN' : 'REGISTRATION_ACCESS_TOKEN';
};

/** Whether the response is read as text rather than as JSON. */
export const isText = ({ accept, returnsJson }: SampleRequest): boolean => accept !== null || !returnsJson;

/** The body as it is sent. */
export const encodedBody = (body: SampleBody): string =>
  body.type === 'json' ? JSON.stringify(body.value) : String(new URLSearchParams(body.value));

/** All lines but the first moved to the right. */
export const indented = (text: string, by: number): string => text.replaceAll('\n', `\n${' '.repeat(by)}`);
