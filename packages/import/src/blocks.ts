/** Writes callouts, steps, tabs, cards and folded text as plain Markdown, in the forms that docs/markdown.md describes. */

/** A kind of callout, as Markdown writes it. */
export type CalloutKind = 'NOTE' | 'TIP' | 'IMPORTANT' | 'WARNING' | 'CAUTION';

/** The names of callouts in other systems, separated by spaces, by the kind that they become. */
const calloutNames = {
  TIP: 'tip hint success check done',
  IMPORTANT: 'important',
  WARNING: 'warning attention',
  CAUTION: 'caution danger error failure bug',
} as const;

/** Returns the kind of callout for a name in lower case, such as `hint`, or `NOTE` for a name that no kind has. */
export function findCalloutKind(name: string): CalloutKind {
  const kinds = ['TIP', 'IMPORTANT', 'WARNING', 'CAUTION'] as const;
  return kinds.find((kind) => calloutNames[kind].split(' ').includes(name)) ?? 'NOTE';
}

/** Puts the indentation `by` in front of every line that is not empty, except the first one. */
export const indentLines = (text: string, by: string): string =>
  text.replace(/^(?=.)/gm, (_, offset: number) => (offset === 0 ? '' : by));

const writeQuote = (text: string): string => text.replace(/^(.*)$/gm, (_, line) => (line === '' ? '>' : `> ${line}`));

/**
 * Writes a callout as a quote of Markdown. A title, which must not be blank, becomes a bold first line; without one the callout
 * shows the name of its kind.
 */
export function writeCallout(kind: CalloutKind, title: string | null, content: string): string {
  const bold = title === null ? null : writeBoldLine(title);
  const text = [bold, content].filter((part) => part !== null && part !== '').join('\n\n');
  return writeQuote(`[!${kind}]\n${text}`.trimEnd());
}

/**
 * Writes a text as one bold line, without the bold marks that it has already and without backslashes and asterisks at its end. A
 * blank text gives `****`.
 */
export const writeBoldLine = (text: string): string =>
  `**${joinLines(text)
    .replaceAll('**', '')
    .replace(/[\\*]+$/, '')}**`;

/** Returns a text with its first letter as a capital. */
export const capitalize = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/**
 * Turns the name of a file, without its extension, or of a folder into a title: `getting-started` is "Getting started". Hyphens,
 * underscores and slashes become spaces, and a number in front stays.
 */
export const toTitle = (name: string): string => capitalize(name.replace(/[-_/]+/g, ' ').trim());

/**
 * Returns a title on one line: one of more than 100 UTF-16 units is cut to at most 100 with an ellipsis at its end, and a blank one
 * becomes `Untitled`.
 */
export const shortenTitle = (title: string): string => {
  const plain = joinLines(title);
  return (plain.length > 100 ? `${plain.slice(0, 99).trimEnd()}…` : plain) || 'Untitled';
};

/** Puts a text on one line, with single spaces; unlike the function of that name in `colophon/authoring`, it keeps `**`. */
export const joinLines = (text: string): string => text.replace(/\s+/g, ' ').trim();

/**
 * Writes one or more steps as a numbered list, whose items begin with their titles in bold, if not null. Unless it has two or
 * more items that all have titles, the comment `<!-- steps -->` marks it.
 */
export function writeSteps(items: readonly { title: string | null; content: string }[]): string {
  const isTitled = items.every(({ title }) => title !== null) && items.length > 1;
  const list = items.map(({ title, content }, index) => {
    const marker = `${index + 1}. `;
    const text = [title === null ? null : writeBoldLine(title), content].filter((part) => part !== null && part !== '');
    return `${marker}${indentLines(text.join('\n\n'), ' '.repeat(marker.length))}`;
  });
  return `${isTitled ? '' : '<!-- steps -->\n'}${list.join('\n\n')}`;
}

/**
 * Writes one or more tabs as Markdown, between the comments `<!-- tabs:start -->` and `<!-- tabs:end -->`: each panel follows its
 * label, which is a heading. `level` is that of the last heading before them, from 1; labels have the next level, but at most 5,
 * and the headings in panels are lowered below that.
 */
export function writeTabs(panels: readonly { label: string; content: string }[], level: number): string {
  const labelLevel = Math.min(level + 1, 5);
  const parts = panels.map(({ label, content }) =>
    `${'#'.repeat(labelLevel)} ${joinLines(label)}\n\n${lowerHeadings(content, labelLevel + 1)}`.trimEnd(),
  );
  return `<!-- tabs:start -->\n\n${parts.join('\n\n')}\n\n<!-- tabs:end -->`;
}

const heading = /^((?:[ \t]|>)*)(#{1,6})(?=[ \t])/gm;

/** Lowers all headings of a Markdown text by the same number of levels, so that none is above `level`; the lowest level is 6. */
function lowerHeadings(content: string, level: number): string {
  const highest = Math.min(...[...content.matchAll(heading)].map(([, , marks = '']) => marks.length));
  if (!Number.isFinite(highest) || highest >= level) return content;
  const by = level - highest;
  return content.replace(
    heading,
    (_, prefix, marks) => `${prefix}${'#'.repeat(Math.min(6, String(marks).length + by))}`,
  );
}

/** A card: a title, a Markdown text, which may be empty, and the address that the title links to, or null if it is no link. */
export interface Card {
  readonly title: string;
  readonly href: string | null;
  readonly text: string;
}

/**
 * Writes one or more cards as a list of links, marked by the comment `<!-- cards -->`, if the text of each is one paragraph, or
 * else as paragraphs with bold titles.
 */
export function writeCards(items: readonly Card[]): string {
  const isList = items.every(({ text }) => !/\n\s*\n|\n\s*(?:[-*+>#]|\d+\.)\s|[\uE000]/.test(text));
  if (!isList) {
    return items.map(({ title, href, text }) => `**${writeLink(title, href)}**\n\n${text}`.trimEnd()).join('\n\n');
  }
  const lines = items.map(({ title, href, text }) => {
    const rest = joinLines(text);
    return `- ${writeLink(title, href)}${rest === '' ? '' : `: ${rest}`}`;
  });
  return `<!-- cards -->\n${lines.join('\n')}`;
}

function writeLink(title: string, href: string | null): string {
  const text = joinLines(title);
  if (href === null) return `**${text.replaceAll('**', '')}**`;
  return text.includes('](') ? text : `[${text}](${writeDestination(href)})`;
}

/**
 * Writes an address as the destination of a link, in angle brackets if it has white space or one of `()<>`; its own `<`, `>` and
 * line breaks are then percent-encoded. An empty address stays empty.
 */
export const writeDestination = (href: string): string =>
  /[\s()<>]/.test(href) ? `<${href.replace(/[<>\n]/g, encodeURIComponent)}>` : href;

/**
 * Writes a Markdown text that readers unfold: `<details>` with the summary, which is put on one line and not escaped. `isOpen` says
 * that it is unfolded at first.
 */
export const writeDetails = (summary: string, content: string, isOpen: boolean): string =>
  `<details${isOpen ? ' open' : ''}>\n<summary>${joinLines(summary)}</summary>\n\n${content}\n\n</details>`;

/**
 * Removes blank lines at both ends, white space at the end, and the indentation that all lines share; lines of white space become
 * empty. With `isFirstBehindTag` the first line follows a tag: it does not count, and loses all of its indentation.
 */
export function removeIndent(text: string, isFirstBehindTag: boolean): string {
  const lines = text.split('\n');
  const measuredLines = lines.filter((line, index) => line.trim() !== '' && !(index === 0 && isFirstBehindTag));
  const indent = Math.min(...measuredLines.map((line) => line.search(/\S/)));
  const indentWidth = Number.isFinite(indent) ? indent : 0;
  return lines
    .map((line, index) =>
      index === 0 && isFirstBehindTag
        ? line.trimStart()
        : line.slice(Math.min(indentWidth, Math.max(0, line.search(/\S|$/)))),
    )
    .map((line) => (line.trim() === '' ? '' : line))
    .join('\n')
    .replace(/^\n+|\s+$/g, '');
}

/**
 * Writes code as a block between fences that are longer than any run of backticks in it. Neither `code` nor the result ends with a
 * line break.
 */
export function writeFence(language: string, code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}
