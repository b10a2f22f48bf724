/** The scopes that a token may carry, in the contract's words. */

export const scopes = {
  'read:releases': 'release history and the current version',
  'read:docs': 'documentation pages and search',
  'read:pricing': 'pricing and plan data',
  'read:faq': 'frequently asked questions',
  'export:docs': 'starting and polling export jobs',
} as const;

export type Scope = keyof typeof scopes;
