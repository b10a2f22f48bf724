/** Registers a client at the measured server and obtains an access token, with the same requests as any program. */

/** A registered client of the measured server. */
export interface Credential {
  /** The value of an Authorization header that authenticates the client. */
  readonly basic: string;
  /** The value of an Authorization header with an access token. */
  readonly bearer: string;
}

/**
 * Registers a client for `client_credentials` at the server with this origin, takes a token, and returns both. Throws if the server
 * refuses either.
 */
export async function obtainCredential(url: string): Promise<Credential> {
  const metadata = {
    client_name: 'bench',
    grant_types: ['client_credentials'],
    scope: 'read:releases read:docs export:docs',
  };
  const client = await fetchJson(`${url}/oauth/register`, JSON.stringify(metadata), {
    'content-type': 'application/json',
  });
  const basic = `Basic ${Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64')}`;
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  const token = await fetchJson(`${url}/oauth/token`, form, { authorization: basic });
  return { basic, bearer: `Bearer ${token.access_token}` };
}

async function fetchJson(
  url: string,
  body: string | URLSearchParams,
  headers: Record<string, string>,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(url, { method: 'POST', body, headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answers ${response.status}: ${text}`);
  return JSON.parse(text);
}
