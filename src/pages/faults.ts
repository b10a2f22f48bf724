/** Renders the page that `colophon dev` shows in place of every other while the content folder is invalid. */
import { html } from 'hono/html';
import type { Fault } from '../content/fault.ts';
import type { Markup } from './components/attributes.ts';

/**
 * Returns the page as complete HTML, with `/dev/site.css`, and `/dev/site.js`, which reloads it. `isServed` says whether the API
 * serves an older revision.
 */
export function renderFaultsPage(faults: readonly Fault[], isServed: boolean): string {
  const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`;
  const state = isServed
    ? 'The API still serves the last valid revision.'
    : 'Until then, nothing is served and the API returns 503.';
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${count} in the content folder</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="stylesheet" href="/dev/site.css">
<link rel="icon" href="data:,">
<script src="/dev/site.js" defer></script>
</head>
<body>
<main class="faults">
<h1>${count} in the content folder</h1>
<p class="lead">Fix the files and save them. The page that you asked for then appears by itself. ${state}</p>
<ol class="plain">
${faults.map(
  ({
    file,
    line,
    column,
    message,
  }) => html`<li><p class="place">${file}:${line}:${column}</p><p>${renderMessage(message)}</p></li>
`,
)}</ol>
</main>
</body>
</html>
`);
}

/** Returns the parts of a message: the names, which it has in backticks, as code, and the texts around them, which a template escapes. */
const renderMessage = (message: string): (Markup | string)[] =>
  message.split('`').map((text, index) => (index % 2 === 1 ? html`<code>${text}</code>` : text));
