/** Sets up an authorization server without HTTP: a real store, a manual clock and a recorded log. */

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ApiError } from '../../src/base/api-error.ts';
import type { Code } from '../../src/base/problem-codes.ts';
import type { OAuthContext } from '../../src/oauth/context.ts';
import type { Parameters } from '../../src/oauth/form.ts';
import { register } from '../../src/oauth/register.ts';
import { type IssuerSettings, trustIssuers } from '../../src/oauth/trusted-issuers.ts';
import { hashToken, type Principal, verifyToken } from '../../src/oauth/verify.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { dataRoot } from '../support/data-root.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';

/** The issuer of the authorization server. */
export const baseUrl = 'https://api.example';
/** The time at the start of a test, in milliseconds since 1970. */
export const start = Date.UTC(2026, 0, 5, 12);

/** An authorization server under test. */
export interface Setup {
  readonly context: OAuthContext;
  readonly clock: ManualClock;
  /** The folder of the store's files. */
  readonly directory: string;
  /** Every line that was logged, as JSON. */
  readonly logLines: string[];
  /** Closes the store and removes its folder. */
  close(): Promise<void>;
}

/** Creates an authorization server with an empty store, which trusts these issuers. */
export async function createSetup(issuers: readonly IssuerSettings[] = []): Promise<Setup> {
  const directory = mkdtempSync(path.join(dataRoot, 'colophon-oauth-'));
  const clock = createManualClock(start);
  const store = await openSqliteStore({ directory, now: start });
  const logLines: string[] = [];
  const recordLine = (fields: Record<string, unknown>, message: string) =>
    void logLines.push(JSON.stringify({ ...fields, message }));
  const log = { info: recordLine, warn: recordLine, error: recordLine };
  const key = Buffer.alloc(32, 7);
  return {
    context: { store, clock, log, baseUrl, key, issuers: trustIssuers(issuers) },
    clock,
    directory,
    logLines,
    async close() {
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The credentials of a client. The `secret` of a public client, which has none, is the text `undefined`. */
export interface RegisteredClient {
  readonly id: string;
  readonly secret: string;
  readonly registrationToken: string;
}

/**
 * Registers a client with every scope, for client_credentials unless the metadata says otherwise. Rejects with an ApiError if the
 * registration is refused.
 */
export async function registerClient(
  context: OAuthContext,
  metadata: Record<string, unknown> = {},
): Promise<RegisteredClient> {
  const scope = 'read:releases read:docs read:pricing read:faq export:docs';
  const body = { client_name: 'Client', scope, ...metadata };
  const { client } = await register(context, { body, principal: 'address:192.0.2.1', idempotencyKey: null });
  return {
    id: String(client.client_id),
    secret: String(client.client_secret),
    registrationToken: String(client.registration_access_token),
  };
}

/** Returns the content of each file of the store as Latin-1 text, in which a test can search for a secret. */
export const readStoreFiles = ({ directory }: Setup): string[] =>
  readdirSync(directory).map((file) => readFileSync(path.join(directory, file), 'latin1'));

/** Returns the values as the parameters of a query or a form, without those that are undefined. */
export const parameters = (values: Record<string, string | undefined>): Parameters =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));

/** Returns the value of an Authorization header with a client ID and its secret. */
export const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

/** Returns the ApiError that the promise rejects with. Throws if it does not reject, and throws any other error again. */
export async function catchError(promise: Promise<unknown>): Promise<ApiError> {
  const error = await promise.then(
    () => assert.fail('it succeeded'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw error;
  return error;
}

/**
 * Returns the OAuth failure that the promise rejects with. Asserts that it has this code, this `error` member, and a description in
 * the characters that OAuth allows.
 */
export async function assertError(promise: Promise<unknown>, code: Code, oauthError: string = code): Promise<ApiError> {
  const error = await catchError(promise);
  assert.equal(error.code, code, error.message);
  assert.equal(error.options.members?.error, oauthError);
  assert.match(String(error.options.members?.error_description), /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
  return error;
}

/**
 * Returns the principal of an access token at `now`, in milliseconds since 1970; `url` is the base URL. Rejects with the ApiError
 * `invalid_token` if the token is malformed, expired, revoked or unknown.
 */
export const verifyAccessToken = async (
  store: Pick<Setup['context']['store'], 'findToken'>,
  accessToken: string,
  now: number,
  url: string,
): Promise<Principal> => verifyToken(await store.findToken(hashToken(accessToken, url), now), url);
