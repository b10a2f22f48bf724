/** The few signs that the pages need, as SVG in the colour of the text around them. */
import { raw } from 'hono/html';

const icon = (paths: string) =>
  raw(
    `<svg viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths}</svg>`,
  );

export const lens = icon('<circle cx="9" cy="9" r="5.5"/><path d="m13.2 13.2 3.8 3.8"/>');
export const lines = icon('<path d="M3 6h14M3 10h14M3 14h14"/>');

/** Light and dark. */
export const halves = icon('<circle cx="10" cy="10" r="7"/><path d="M10 3a7 7 0 0 1 0 14Z" fill="currentColor"/>');
