/** The scopes that a token may carry, in the contract's words, and how lists of them are read and granted. */
import { didYouMean, nearMisses } from '../base/near-miss.ts';
import { oauthError } from './oauth-error.ts';

export const scopes = {
  'read:releases': 'release history and the current version',
  'read:docs': 'documentation pages and search',
  'read:pricing': 'pricing and plan data',
  'read:faq': 'frequently asked questions',
  'export:docs': 'starting and polling export jobs',
} as const;

export type Scope = keyof typeof scopes;

export const scopeNames = Object.keys(scopes).filter(isScope);

/** What a client gets that names no scope: everything that reads. */
export const defaultScopes: readonly Scope[] = scopeNames.filter((name) => name !== 'export:docs');

export function isScope(name: string): name is Scope {
  return Object.hasOwn(scopes, name);
}

/** A space-separated list (RFC 6749 section 3.3): the known scopes, once each and in the table's order, and the others. */
export function readScopes(text: string): { known: Scope[]; unknown: string[] } {
  const names = new Set(text.split(' ').filter((name) => name !== ''));
  return {
    known: scopeNames.filter((name) => names.has(name)),
    unknown: [...names].filter((name) => !isScope(name)),
  };
}

/** A sentence for an unknown scope, with near misses. The name is cut and made printable. */
export function unknownScope(name: string): { detail: string; suggestions: string[] } {
  const suggestions = nearMisses(name, scopeNames);
  const shown = name.slice(0, 64).replace(/[^\x21-\x7e]|["\\`]/g, '?');
  return {
    detail: `The scope \`${shown}\` is unknown; the scopes are ${scopeNames.join(' ')}.${didYouMean(suggestions)}`,
    suggestions,
  };
}

/**
 * What a token gets: the scopes asked for, when all of them are among `allowed`, or all of `allowed` when none is named.
 * Throws `invalid_scope` (RFC 6749 section 5.2).
 */
export function grantScopes(requested: string | undefined, allowed: readonly string[]): string[] {
  const { known, unknown } = readScopes(requested ?? '');
  if (unknown[0] !== undefined) {
    const { detail, suggestions } = unknownScope(unknown[0]);
    throw oauthError('invalid_scope', detail, { suggestions });
  }
  const beyond = known.filter((name) => !allowed.includes(name));
  if (beyond.length > 0) {
    const had = allowed.length > 0 ? allowed.join(' ') : 'none';
    throw oauthError(
      'invalid_scope',
      `The scope ${beyond.join(' ')} is not among those that may be granted here: ${had}. Ask for these, or register a client with more.`,
    );
  }
  if (known.length > 0) return known;
  if (allowed.length === 0) {
    throw oauthError('invalid_scope', 'No scope may be granted here. Register a client with the scopes that you need.');
  }
  return [...allowed];
}
