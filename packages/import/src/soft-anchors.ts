/** Anchors of what is no heading, such as a parameter: kept where a link of the documentation leads to them. */

const pattern = /<a id="([^"]*)" name="old"><\/a>(?:\n\n)?/g;

export const softAnchor = (id: string): string =>
  /^[A-Za-z][\w:.-]{0,99}$/.test(id) ? `<a id="${id}" name="old"></a>` : '';

/** Without those that no link leads to. */
export const withUsedAnchors = (markdown: string, used: ReadonlySet<string>): string =>
  markdown.replace(pattern, (whole, id) => (used.has(String(id)) ? whole.replace(' name="old"', '') : ''));
