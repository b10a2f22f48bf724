/** Redirect URIs: which may be registered, which one a request may name, and how a response is added to it. */
import { isLoopback, isLoopbackAddress } from '../base/loopback.ts';

/**
 * Returns why the URI may not be registered, such as `has a fragment`, or null if it may (RFC 9700 section 2.1, RFC 8252 sections 7
 * and 8).
 */
export function findRedirectUriFault(uri: string): string | null {
  return rules.find(([test]) => !test(uri))?.[1] ?? null;
}

/**
 * Returns whether the URI is one of the client's: the same string, or an http URI of a loopback address, which `localhost` is not,
 * with another port.
 */
export function matchesRedirectUri(requestedUri: string, registeredUris: readonly string[]): boolean {
  if (registeredUris.includes(requestedUri)) return true;
  const portless = removeLoopbackPort(requestedUri);
  if (portless === null || findRedirectUriFault(requestedUri) !== null) return false;
  return registeredUris.some((uri) => removeLoopbackPort(uri) === portless);
}

/** Returns the URI with the parameters added to its query (RFC 6749 section 4.1.2). Parameters with the value null are omitted. */
export function addParameters(uri: string, parameters: Record<string, string | null>): string {
  const addedParameters = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== null) addedParameters.append(name, value);
  const joint = !uri.includes('?') ? '?' : uri.endsWith('?') || uri.endsWith('&') ? '' : '&';
  return `${uri}${joint}${addedParameters}`;
}

/** Returns what a person can recognize in a valid redirect URI: its host and port, or an application's custom scheme with its colon. */
export function getRedirectHost(uri: string): string {
  return readAuthority(uri) !== null && isWeb(uri) ? new URL(uri).host : readScheme(uri);
}

/** Returns a valid redirect URI's origin, or its scheme with a colon: the source that a page's policy must allow for the redirect. */
export function getRedirectOrigin(uri: string): string {
  return isWeb(uri) ? new URL(uri).origin : readScheme(uri);
}

const rules: readonly [(uri: string) => boolean, string][] = [
  [(uri) => uri.length <= 2000, 'is longer than 2,000 characters'],
  [(uri) => /^[\x21-\x7e]+$/.test(uri), 'has characters that a URI cannot have; percent-encode them'],
  [(uri) => !/[\\*]/.test(uri), 'has a backslash or a wildcard'],
  [(uri) => !uri.includes('#'), 'has a fragment'],
  [(uri) => URL.canParse(uri), 'is not a valid absolute URI'],
  [(uri) => !(readAuthority(uri) ?? '').includes('@'), 'has a user name'],
  [(uri) => !isWeb(uri) || (readAuthority(uri) ?? '') !== '', 'has no host'],
  [
    (uri) => !isWeb(uri) || /^(\[[\da-f:.]+\]|[a-z\d.-]+)(:[1-9]\d{0,4})?$/i.test(readAuthority(uri) ?? ''),
    'has a host other than letters, digits, dots and hyphens, or a port other than 1 to 65535',
  ],
  [
    (uri) => readScheme(uri) !== 'http:' || isLoopback((readAuthority(uri) ?? '').replace(/:\d{1,5}$/, '')),
    'is plain http to a host other than 127.0.0.1, [::1], localhost or another loopback address',
  ],
  [
    (uri) => isWeb(uri) || /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(readScheme(uri)),
    'has a scheme that is neither https nor a reversed domain name such as com.example.app',
  ],
];

const isWeb = (uri: string): boolean => /^https?:/i.test(uri);

const readScheme = (uri: string): string => (/^[^:/?#]*:/.exec(uri)?.[0] ?? '').toLowerCase();

const readAuthority = (uri: string): string | null => /^[^:/?#]*:\/\/([^/?#]*)/.exec(uri)?.[1] ?? null;

/**
 * Returns an http redirect URI of a loopback address without its scheme and port, because an application listens on any free port
 * (RFC 8252 section 7.3), or null for any other URI, also one of `localhost`, which may resolve to another machine.
 */
function removeLoopbackPort(uri: string): string | null {
  const [, host = '', rest = ''] = /^http:\/\/(\[[^\]]*\]|[^/?:]*)(?::\d{1,5})?((?:[/?].*)?)$/.exec(uri) ?? [];
  return isLoopbackAddress(host) ? host + rest : null;
}
