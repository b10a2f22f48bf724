/** The scopes of the contract, and how a request's scope is read and granted (RFC 6749 section 3.3). */
import { findNearMisses, writeDidYouMean } from '../base/near-miss.ts';
import { createOAuthError } from './errors.ts';

/** The scopes with their descriptions, in the order of every list. */
export const scopes = {
  'read:releases': 'release history and the current version',
  'read:docs': 'documentation pages and search',
  'read:pricing': 'pricing and plan data',
  'read:faq': 'frequently asked questions',
  'export:docs': 'starting and polling export jobs',
} as const;

/** The name of a scope. */
export type Scope = keyof typeof scopes;

/** The names of all scopes. */
export const scopeNames = Object.keys(scopes).filter(isScope);

/** The scopes of a client that requests none: all that read. */
export const defaultScopes: readonly Scope[] = scopeNames.filter((name) => name !== 'export:docs');

/** Returns whether the text is the name of a scope. */
export function isScope(name: string): name is Scope {
  return Object.hasOwn(scopes, name);
}

/**
 * Splits a space-separated list (RFC 6749 section 3.3) into known scopes, in the table's order, and unknown ones, in the list's,
 * each of them once. Both are empty for an empty text.
 */
export function readScopes(text: string): { known: Scope[]; unknown: string[] } {
  const names = new Set(text.split(' ').filter((name) => name !== ''));
  return {
    known: scopeNames.filter((name) => names.has(name)),
    unknown: [...names].filter((name) => !isScope(name)),
  };
}

/**
 * Returns a sentence about an unknown scope, which lists all scopes and names the similar ones, and the similar names, at most
 * three, the best first. The unknown name is shortened to 64 characters and made printable.
 */
export function describeUnknownScope(name: string): { detail: string; suggestions: string[] } {
  const suggestions = findNearMisses(name, scopeNames);
  const printable = name.slice(0, 64).replace(/[^\x21-\x7e]|["\\`]/g, '?');
  return {
    detail: `The scope \`${printable}\` is unknown; the scopes are ${scopeNames.join(' ')}.${writeDidYouMean(suggestions)}`,
    suggestions,
  };
}

/**
 * Returns the scopes of a token: those in the space-separated `requestedScopes` if all of them are among `allowedScopes`, or all of
 * `allowedScopes` if none is requested.
 * @throws `invalid_scope` (RFC 6749 section 5.2) for any other scope, or if `allowedScopes` is empty.
 */
export function grantScopes(requestedScopes: string | undefined, allowedScopes: readonly string[]): string[] {
  const { known, unknown } = readScopes(requestedScopes ?? '');
  if (unknown[0] !== undefined) {
    const { detail, suggestions } = describeUnknownScope(unknown[0]);
    throw createOAuthError('invalid_scope', detail, { suggestions });
  }
  const beyond = known.filter((name) => !allowedScopes.includes(name));
  if (beyond.length > 0) {
    const grantable = allowedScopes.length > 0 ? allowedScopes.join(' ') : 'none';
    const detail = `The scope ${beyond.join(' ')} is not among those that may be granted here: ${grantable}. Ask for these, or register a client with more.`;
    throw createOAuthError('invalid_scope', detail);
  }
  if (known.length > 0) return known;
  if (allowedScopes.length === 0) {
    throw createOAuthError(
      'invalid_scope',
      'No scope may be granted here. Register a client with the scopes that you need.',
    );
  }
  return [...allowedScopes];
}
