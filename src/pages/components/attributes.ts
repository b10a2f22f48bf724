/** Renders attributes whose presence depends on a condition, for templates. */
import { html } from 'hono/html';

/** Safe HTML, as a template returns it. The type includes a promise, which the value never is, because pages await what they show. */
export type Markup = ReturnType<typeof html>;

/**
 * Renders attributes, each after a space, with their values escaped. `true` renders only the name; `false`, `null` and `undefined`
 * render nothing.
 */
export const renderAttributes = (
  values: Readonly<Record<string, string | number | boolean | null | undefined>>,
): Markup =>
  html`${Object.entries(values).map(([name, value]) =>
    value === true
      ? html` ${name}`
      : value !== false && value !== null && value !== undefined && html` ${name}="${value}"`,
  )}`;
