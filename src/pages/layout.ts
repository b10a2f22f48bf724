/** The frame of every page: head, main and footer, complete without JavaScript. */
import { html, raw } from 'hono/html';
import type { Catalog } from '../catalog/catalog.ts';

/** A page for people, and the same as markdown. */
export interface PageDocument {
  readonly title: string;
  readonly html: string;
  readonly markdown: string;
}

export interface Site {
  readonly baseUrl: string;
  readonly catalog: Catalog;
}

/** `body` is HTML that is safe already. `markdownPath` is the page's twin, when it has one. */
export function layout(site: Site, page: { title: string; body: string; markdownPath?: string }): string {
  const { product } = site.catalog.content;
  const twin = page.markdownPath;
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} · ${product.name}</title>
<link rel="stylesheet" href="/site.css">
${twin === undefined ? '' : html`<link rel="alternate" type="text/markdown" href="${twin}">`}
</head>
<body>
<header><a href="/">${product.name}</a> <nav><a href="/docs">Documentation</a> <a href="/faq">FAQ</a> <a href="/developers">Developers</a></nav></header>
<main>
${raw(page.body)}
</main>
<footer>${product.vendor.name}</footer>
</body>
</html>
`);
}

/** One quiet stylesheet for all pages. */
export const stylesheet = `:root{color-scheme:light dark;--ground:#fcfcfb;--text:#1d1d1f;--soft:#5f5f66;--line:#dcdce0;--accent:#0b57b7}
@media (prefers-color-scheme:dark){:root{--ground:#161618;--text:#ececee;--soft:#a0a0a8;--line:#38383d;--accent:#7db4ff}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:46rem;padding:24px 16px 64px;background:var(--ground);color:var(--text);font:17px/1.6 -apple-system,system-ui,sans-serif}
header,footer{display:flex;gap:16px;justify-content:space-between;color:var(--soft);padding:8px 0}
nav{display:flex;gap:16px}
a{color:var(--accent)}
h1,h2,h3{line-height:1.25;margin:48px 0 12px}
h1{margin-top:32px}
pre,.table{overflow-x:auto;border:1px solid var(--line);border-radius:6px}
pre{padding:12px;font:14px/1.5 ui-monospace,monospace}
code{font-family:ui-monospace,monospace;font-size:.9em}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:left;vertical-align:top;padding:8px 12px;border-bottom:1px solid var(--line)}
`;
