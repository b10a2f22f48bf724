/** Renders the consent page: the application, the scopes that it requests, and where the browser returns to; without JavaScript. */

import { html } from 'hono/html';
import { writeDuration } from '../base/amount-in-words.ts';
import { isLoopback } from '../base/loopback.ts';
import type { Consent } from '../oauth/authorize.ts';
import { refreshIdle, ticketLifetime, tokenLifetime } from '../oauth/lifetimes.ts';

/** Returns the page as complete HTML. The client's own name, if it has one, is escaped and labeled as not verified. */
export function renderConsentPage(productName: string, consent: Consent): string {
  const { ticket, clientId, clientName, redirectHost, scopes } = consent;
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Allow access? · ${productName}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="stylesheet" href="/site.css">
<link rel="stylesheet" href="/consent.css">
</head>
<body>
<main class="consent">
<p class="consent-product">${productName} API</p>
<h1>Allow <bdi>${clientName ?? 'an application without a name'}</bdi> to use this API?</h1>
<p class="consent-warning"><strong>Not verified.</strong> The application registered itself${clientName === null ? ' and gave no name' : ' under this name'}. Allow it only if you have just started it.</p>
<h2>It requests access to</h2>
<ul>${scopes.map(({ name, description }) => html`<li>${capitalize(description)} <code>${name}</code></li>`)}</ul>
<dl>
<div><dt>Returns to</dt><dd><bdi>${redirectHost}</bdi>${isThisComputer(redirectHost) ? ' (this computer)' : ''}</dd></div>
<div><dt>Client</dt><dd><code>${clientId}</code></dd></div>
</dl>
<form method="post" action="/oauth/authorize">
<input type="hidden" name="ticket" value="${ticket}">
<button class="button" name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button>
</form>
<p class="consent-note">The application gets a token that expires after ${writeDuration(tokenLifetime)}, and can renew it until it has not used it for ${writeDuration(refreshIdle)}. You have no account here, and nothing about you is sent. This page works once, within ${writeDuration(ticketLifetime)}.</p>
</main>
</body>
</html>
`);
}

const capitalize = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

const isThisComputer = (host: string): boolean => isLoopback(host.replace(/:\d+$/, ''));

/** The stylesheet of the page, in addition to that of the site, which has type and colors. */
export const consentStylesheet = `.consent{max-width:520px;margin:0 auto;padding:64px 24px 96px}
.consent-product{margin:0 0 24px;color:var(--soft);font-weight:600}
.consent h1{font-size:28px}
.consent h2{margin:32px 0 8px;font-size:17px}
.consent-warning{padding-left:16px;border-left:2px solid var(--bad)}
.consent dl{margin:24px 0 32px}
.consent dl div{display:flex;flex-wrap:wrap;gap:0 16px;padding:8px 0;border-top:1px solid var(--line)}
.consent dt{flex:0 0 9em;color:var(--soft)}
.consent dd{flex:1 1 14em;min-width:0;overflow-wrap:anywhere}
.consent form{display:flex;gap:12px}
.consent button{min-height:44px;padding:8px 28px;font-size:17px;font-weight:600}
.consent-note{margin-top:32px;color:var(--soft);font-size:15px}
@media (max-width:480px){.consent{padding-top:32px}.consent form{flex-direction:column}.consent button{width:100%}}
@media print{.consent button{display:block}}
`;
