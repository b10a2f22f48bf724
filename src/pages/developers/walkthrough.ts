/** The steps from a 401 to a finished export: commands to paste, and the same requests for the page to send. */
import type { GuideSite } from '../site.ts';

export interface WalkthroughStep {
  readonly title: string;
  /** Markdown: why, and what comes back. */
  readonly text: string;
  /** Needs the variables of the commands before it. */
  readonly command: string;
  readonly run: WalkthroughRun;
  /** The endpoint whose example response is shown. */
  readonly example: string | null;
}

/** `{name}` stands for what an earlier step kept. */
export interface WalkthroughRun {
  readonly method: 'GET' | 'POST';
  readonly address: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** What later steps need of the response, by name, with the path of the field. */
  readonly keep?: Readonly<Record<string, string>>;
  /** The status of the response that the next step needs. */
  readonly expects: number;
  /** Sent again until the field `status` has this value. */
  readonly until?: string;
}

const client = {
  client_name: 'walkthrough',
  grant_types: ['client_credentials'],
  token_endpoint_auth_method: 'client_secret_basic',
  scope: 'export:docs',
};
const job = '{"resource":"docs","format":"markdown"}';
const bearer = { Authorization: 'Bearer {access_token}' };

export const walkthroughSteps = ({ baseUrl, sandbox }: Pick<GuideSite, 'baseUrl' | 'sandbox'>): WalkthroughStep[] => [
  ...discovery(baseUrl),
  ...credentials(baseUrl),
  ...exporting(sandbox.apiRoot),
  {
    title: 'Revoke the client',
    text: 'Revoking the secret ends the client and all its tokens. The response is 200 and empty.',
    command: `curl -sS ${baseUrl}/oauth/revoke -u "$client_id:$client_secret" --data-urlencode "token=$client_secret"`,
    run: {
      method: 'POST',
      address: `${baseUrl}/oauth/revoke`,
      headers: { Authorization: 'Basic {client_id}:{client_secret}', 'Content-Type': form },
      body: 'token={client_secret}',
      expects: 200,
    },
    example: null,
  },
];

const form = 'application/x-www-form-urlencoded';

const discovery = (baseUrl: string): WalkthroughStep[] => [
  {
    title: 'Ask without a token',
    text: 'The protected entry point returns 401. `WWW-Authenticate` links to the metadata of the resource.',
    command: `curl -sS -i ${baseUrl}/agent/auth`,
    run: { method: 'GET', address: `${baseUrl}/agent/auth`, expects: 401 },
    example: null,
  },
  {
    title: 'Find the authorization server',
    text: 'The metadata of the resource names the authorization server in `authorization_servers`, and every scope.',
    command: `curl -sS ${baseUrl}/.well-known/oauth-protected-resource`,
    run: { method: 'GET', address: `${baseUrl}/.well-known/oauth-protected-resource`, expects: 200 },
    example: 'getServiceResourceMetadata',
  },
  {
    title: 'Find its endpoints',
    text: 'The metadata of the server has the URLs to register at, to get a token from and to revoke it.',
    command: `curl -sS ${baseUrl}/.well-known/oauth-authorization-server`,
    run: { method: 'GET', address: `${baseUrl}/.well-known/oauth-authorization-server`, expects: 200 },
    example: 'getAuthorizationServerMetadata',
  },
];

const credentials = (baseUrl: string): WalkthroughStep[] => [
  {
    title: 'Register a client',
    text: 'The response is 201 with an ID and a secret. The secret is shown only this once.',
    command: `registration=$(curl -sS ${baseUrl}/oauth/register \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(client)}')
client_id=$(${field('registration', 'client_id')})
client_secret=$(${field('registration', 'client_secret')})
echo "$client_id"`,
    run: {
      method: 'POST',
      address: `${baseUrl}/oauth/register`,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(client),
      keep: { client_id: 'client_id', client_secret: 'client_secret' },
      expects: 201,
    },
    example: 'registerClient',
  },
  {
    title: 'Get a token',
    text: 'Exchange the ID and the secret for an access token. Nobody has to confirm it.',
    command: `answer=$(curl -sS ${baseUrl}/oauth/token -u "$client_id:$client_secret" \\
  -d grant_type=client_credentials -d scope=export:docs)
token=$(${field('answer', 'access_token')})
echo "$answer"`,
    run: {
      method: 'POST',
      address: `${baseUrl}/oauth/token`,
      headers: { Authorization: 'Basic {client_id}:{client_secret}', 'Content-Type': form },
      body: 'grant_type=client_credentials&scope=export:docs',
      keep: { access_token: 'access_token' },
      expects: 200,
    },
    example: 'issueToken',
  },
  {
    title: 'Use it',
    text: 'The request of the first step, now with the token: 200 with your client, its scope and its rate limit.',
    command: `curl -sS ${baseUrl}/agent/auth -H "Authorization: Bearer $token"`,
    run: { method: 'GET', address: `${baseUrl}/agent/auth`, headers: bearer, expects: 200 },
    example: 'getAgentAuth',
  },
];

const exporting = (root: string): WalkthroughStep[] => [
  {
    title: 'Start an export',
    text: 'The response is 202 with a job. This is the sandbox, where a token is optional but is checked; leave out `/sandbox` to export real pages.',
    command: `job=$(curl -sS ${root}/exports -H "Authorization: Bearer $token" \\
  -H 'Content-Type: application/json' -d '${job}')
poll_url=$(${field('job', 'poll_url')})
echo "$job"`,
    run: {
      method: 'POST',
      address: `${root}/exports`,
      headers: { ...bearer, 'Content-Type': 'application/json' },
      body: job,
      keep: { poll_url: 'poll_url' },
      expects: 202,
    },
    example: null,
  },
  {
    title: 'Poll until it is completed',
    text: 'The job is `queued`, then `running`, then `completed`. Wait the number of seconds in `Retry-After` between polls.',
    command: `while printf '%s' "$job" | grep -Eq '"status": *"(queued|running)"'; do
  sleep 1
  job=$(curl -sS "$poll_url" -H "Authorization: Bearer $token")
done
export_url=$(printf '%s' "$job" | sed -n 's/.*"result": *{[^}]*"url": *"\\([^"]*\\)".*/\\1/p')
echo "$export_url"`,
    run: {
      method: 'GET',
      address: '{poll_url}',
      headers: bearer,
      keep: { export_url: 'result.url' },
      expects: 200,
      until: 'completed',
    },
    example: null,
  },
  {
    title: 'Download the file',
    text: 'The file of an export is public and never changes.',
    command: 'curl -sS "$export_url" | head -n 5',
    run: { method: 'GET', address: '{export_url}', expects: 200 },
    example: null,
  },
];

/** The value of a field in JSON that a variable has. */
const field = (variable: string, name: string): string =>
  `printf '%s' "$${variable}" | sed -n 's/.*"${name}": *"\\([^"]*\\)".*/\\1/p'`;
