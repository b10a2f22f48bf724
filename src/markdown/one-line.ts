/** Puts plain text on one line, in which search results can mark words. */

/** Replaces white space by single spaces, and removes it at the ends; removes `**` and broken characters. */
export function oneLine(text: string): string {
  const whole = text.toWellFormed();
  if (!needsChange.test(whole)) return whole;
  return whole
    .replace(/\*{2,}/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

const needsChange = /\*\*|[^\S ]|\p{Cc}| {2}|^ | $/u;
