/** Computes the anchors that other systems give headings, and writes them into a page, so that old links to a heading still work. */

import { createAnchors, getHeadingId, parse, parseMarkdown, readHeading } from 'colophon/authoring';
import type { AnchorRule } from './site.ts';

/**
 * Creates the function that returns GitHub's anchors, without `#`, for the headings of one page; a repeated one gets `-1`, `-2`,
 * and an empty one is `section`. This site, Docusaurus, Starlight, Hugo and kramdown follow the same rule.
 */
export const createGithubAnchors: AnchorRule = () => {
  const anchor = createAnchors();
  return (heading) => anchor(heading);
};

/**
 * Creates a rule that gives a heading its `slug` as its anchor, and each later heading with the same slug the result of `repeat`,
 * whose `count` begins with 1.
 */
const numberRepeats =
  (slug: (heading: string) => string, repeat: (anchor: string, count: number) => string): AnchorRule =>
  () => {
    const anchorCounts = new Map<string, number>();
    return (heading) => {
      const anchor = slug(heading);
      const count = anchorCounts.get(anchor) ?? 0;
      anchorCounts.set(anchor, count + 1);
      return count === 0 ? anchor : repeat(anchor, count);
    };
  };

/**
 * Creates the function that returns VitePress' anchors for the headings of one page: accents are removed, white space and
 * punctuation become a hyphen, a digit at the beginning gets `_` before it, and a repeated anchor gets `-1`, `-2`. The anchor may
 * be empty.
 */
export const createVitepressAnchors = numberRepeats(
  (heading) =>
    heading
      .normalize('NFKD')
      .replace(/[\u0300-\u036F]/g, '')
      .replace(/[\p{Cc}]/gu, '')
      .replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, '-')
      .replace(/-{2,}/g, '-')
      .replace(/^-+|-+$/g, '')
      .replace(/^(\d)/, '_$1')
      .toLowerCase(),
  (anchor, count) => `${anchor}-${count}`,
);

/**
 * Creates the function that returns Mintlify's anchors for the headings of one page: most punctuation is removed, white space, `.`,
 * `/` and `_` become a hyphen, and a repeated anchor gets `-2`, `-3`. The anchor may be empty.
 */
export const createMintlifyAnchors = numberRepeats(
  (heading) =>
    heading
      .toLowerCase()
      .replace(/['’"“”`()[\]{}<>!?,:;*&^%$#@+=|\\~]/g, '')
      .replace(/[\s./_]+/g, '-')
      .replace(/-{2,}/g, '-')
      .replace(/^-+|-+$/g, ''),
  (anchor, count) => `${anchor}-${count + 1}`,
);

/**
 * Creates the function that returns Python-Markdown's anchors for the headings of one page: accents, punctuation and all letters
 * outside ASCII are removed, spaces and hyphens become one hyphen, and a repeated anchor gets `_1`, `_2`. The anchor may be
 * empty.
 */
export const createMkdocsAnchors = numberRepeats(
  (heading) =>
    heading
      .normalize('NFKD')
      .replace(/[\u0080-\uFFFF]/g, '')
      .replace(/[^\w\s-]/g, '')
      .trim()
      .toLowerCase()
      .replace(/[-\s]+/g, '-'),
  (anchor, count) => `${anchor}_${count}`,
);

/**
 * Returns the Markdown with `{#id}` behind each heading without an id whose anchor by `rule`, that of the old site, is valid as an
 * id and is not what its text alone gives on this site. Labels of tabs get theirs from `createTabAnchor`. `first` is the heading
 * that became the title and is no longer in the Markdown, or null if none did.
 */
export function keepOldAnchors(markdown: string, rule: AnchorRule, first: string | null): string {
  const oldAnchor = rule();
  if (first !== null) oldAnchor(first);
  const { tokens } = parse(markdown, 'page');
  const isTab = parseMarkdown(markdown, 'page').headings.map((heading) => heading.isTab);
  const headings = tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open' || token.map === null) return [];
    return [{ line: token.map[0], text: readHeading(tokens, index), id: getHeadingId(token) }];
  });
  const oldAnchors = headings.map(({ text, id }, index) => (isTab[index] ? null : (id ?? oldAnchor(text))));
  const headingAnchors = new Set(oldAnchors);
  const lines = markdown.split('\n');
  for (const [index, { line, text, id }] of headings.entries()) {
    const anchor = oldAnchors[index] ?? createTabAnchor(text, headingAnchors);
    const isValid = /^[\p{L}\p{N}_][\p{L}\p{N}_:.-]{0,99}$/u.test(anchor);
    // `{#id}` is written unless the text alone gives the anchor: one such as `setup-1` would depend on the headings before it.
    const isWritten = id === null && isValid && anchor !== createAnchors()(text);
    if (isWritten) lines[line] = `${(lines[line] ?? '').replace(/\s+#*\s*$/, '')} {#${anchor}}`;
  }
  return lines.join('\n');
}

/**
 * Returns the anchor for the label of a tab, without `#` and never empty. It begins with `tab-` if `keptAnchors`, those of the
 * page's headings with null for each tab, have the plain one.
 */
function createTabAnchor(text: string, keptAnchors: ReadonlySet<string | null>): string {
  const plain = createAnchors()(text);
  return keptAnchors.has(plain) ? `tab-${plain}` : plain;
}

/** Matches an anchor of `writeSoftAnchor`, with the blank line after it; the first group is its id. */
const softAnchorPattern = /<a id="([^"]*)" name="old"><\/a>(?:\n\n)?/g;

/**
 * Returns the HTML of an anchor for something that is no heading; `keepUsedAnchors` removes it if no link leads to it. The result
 * is empty unless `id` is an ASCII letter with at most 99 letters, digits and `_:.-` after it.
 */
export const writeSoftAnchor = (id: string): string =>
  /^[A-Za-z][\w:.-]{0,99}$/.test(id) ? `<a id="${id}" name="old"></a>` : '';

/**
 * Returns the Markdown with only those anchors of `writeSoftAnchor` whose ids are in `usedAnchors`, now without their mark
 * `name="old"`. The blank line after a removed anchor is removed too.
 */
export const keepUsedAnchors = (markdown: string, usedAnchors: ReadonlySet<string>): string =>
  markdown.replace(softAnchorPattern, (whole, id) =>
    usedAnchors.has(String(id)) ? whole.replace(' name="old"', '') : '',
  );
