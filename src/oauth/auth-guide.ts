/** Fills in the text of `/auth.md`: how an agent gets, uses and revokes a credential. The text itself is in auth.md. */
import { readFileSync } from 'node:fs';
import { writeDuration } from '../base/amount-in-words.ts';
import { fillTemplate } from '../base/template.ts';
import { idempotencyLifetime } from '../store/idempotency.ts';
import { unusedClientLifetime } from '../store/sweep.ts';
import { maxAssertionAge, maxAssertionLifetime, refreshGrace, refreshIdle, tokenLifetime } from './lifetimes.ts';
import { scopeNames, scopes } from './scopes.ts';
import { assertionTypes, idJag, jwt } from './trusted-issuers.ts';

/** The values that the text contains. */
export interface AuthGuideValues {
  /** The origin, without a trailing slash. */
  readonly baseUrl: string;
  readonly productName: string;
  /** Requests per minute, registrations per hour and address, and tokens per minute and client. */
  readonly limits: Readonly<Record<'anonymous' | 'authenticated' | 'registration' | 'issue', number>>;
}

/**
 * Returns the Markdown of `/auth.md`. The commands in its `sh` fences run as they are, in order, in one POSIX shell with curl
 * and sed; the last ones revoke what the first ones created.
 */
export function renderAuthGuide({ baseUrl, productName, limits }: AuthGuideValues): string {
  const template = readFileSync(new URL('./auth.md', import.meta.url), 'utf8');
  return fillTemplate(template, {
    base_url: baseUrl,
    product: productName,
    ...limits,
    scopes: scopeNames.join(' '),
    scope_table: scopeNames.map((name) => `| \`${name}\` | ${scopes[name]} |`).join('\n'),
    token_lifetime: writeDuration(tokenLifetime),
    token_seconds: tokenLifetime / 1000,
    refresh_idle: writeDuration(refreshIdle),
    refresh_grace: writeDuration(refreshGrace),
    unused_client_lifetime: writeDuration(unusedClientLifetime),
    idempotency_lifetime: writeDuration(idempotencyLifetime),
    assertion_types: `\`${assertionTypes.join('` or `')}\``,
    assertion_age: writeDuration(maxAssertionAge),
    assertion_lifetime: writeDuration(maxAssertionLifetime),
    id_jag: idJag,
    jwt,
  });
}
