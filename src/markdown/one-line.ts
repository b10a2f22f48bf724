/** Plain text on one line, in which search marks what it found. */

/** One space for any white space, none at the ends, no `**`, no broken characters. A text that is so already is itself. */
export function oneLine(text: string): string {
  const whole = text.toWellFormed();
  if (!isOtherwise.test(whole)) return whole;
  return whole
    .replace(/\*{2,}/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

const isOtherwise = /\*\*|[^\S ]|\p{Cc}| {2}|^ | $/u;
