/** Renders the icons of the header and the menu, drawn in the color of the text around them. */
import { html, raw } from 'hono/html';

const icon = (paths: string) =>
  html`<svg viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${raw(paths)}</svg>`;

/** A magnifying glass. */
export const searchIcon = icon('<circle cx="9" cy="9" r="5.5"/><path d="m13.2 13.2 3.8 3.8"/>');
/** A cross. */
export const closeIcon = icon('<path d="m5 5 10 10M15 5 5 15"/>');
/** Three lines. */
export const menuIcon = icon('<path d="M3 6h14M3 10h14M3 14h14"/>');
/** A circle with one half light and one dark. */
export const themeIcon = icon('<circle cx="10" cy="10" r="7"/><path d="M10 3a7 7 0 0 1 0 14Z" fill="currentColor"/>');
