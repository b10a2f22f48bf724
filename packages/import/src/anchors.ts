/** The anchors that other systems give headings, and how a page keeps them: old links to a heading still lead to it. */

import { createAnchors, headingText, idOf, parse, parseMarkdown } from 'colophon/authoring';
import type { AnchorRule } from './site.ts';

/** GitHub's, which this site has too: Docusaurus, Starlight, Hugo and kramdown follow it. */
export const githubAnchors: AnchorRule = () => {
  const anchor = createAnchors();
  return (heading) => anchor(heading);
};

/** Repeats get what `repeat` makes of their number, from 1. */
const counting =
  (slug: (heading: string) => string, repeat: (anchor: string, count: number) => string): AnchorRule =>
  () => {
    const taken = new Map<string, number>();
    return (heading) => {
      const anchor = slug(heading);
      const count = taken.get(anchor) ?? 0;
      taken.set(anchor, count + 1);
      return count === 0 ? anchor : repeat(anchor, count);
    };
  };

/** VitePress: accents go, punctuation becomes a hyphen, and an anchor never begins with a digit. */
export const vitepressAnchors = counting(
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

/** Mintlify: a dot is a hyphen, too. */
export const mintlifyAnchors = counting(
  (heading) =>
    heading
      .toLowerCase()
      .replace(/['’"“”`()[\]{}<>!?,:;*&^%$#@+=|\\~]/g, '')
      .replace(/[\s./_]+/g, '-')
      .replace(/-{2,}/g, '-')
      .replace(/^-+|-+$/g, ''),
  (anchor, count) => `${anchor}-${count + 1}`,
);

/** Python-Markdown: what is no word goes, spaces and hyphens collapse, and a repeat gets `_1`. */
export const mkdocsAnchors = counting(
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

/** Gives each heading that would get another anchor here its old one, as `{#id}`. `first` is the heading that became the title. */
export function withOldAnchors(markdown: string, rule: AnchorRule, first: string | null): string {
  const oldAnchor = rule();
  if (first !== null) oldAnchor(first);
  const { tokens } = parse(markdown, 'page');
  const isTab = parseMarkdown(markdown, 'page').headings.map((heading) => heading.isTab);
  const headings = tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open' || token.map === null) return [];
    return [{ line: token.map[0], text: headingText(tokens, index), id: idOf(token) }];
  });
  const wanted = headings.map(({ text, id }, index) => (isTab[index] ? null : (id ?? oldAnchor(text))));
  const kept = new Set(wanted);
  const lines = markdown.split('\n');
  for (const [index, { line, text, id }] of headings.entries()) {
    const anchor = wanted[index] ?? freeLabel(text, kept);
    const isValid = /^[\p{L}\p{N}_][\p{L}\p{N}_:.-]{0,99}$/u.test(anchor);
    // It is written if another heading may take it: what comes later is not known to the one before.
    const isWritten = id === null && isValid && anchor !== createAnchors()(text);
    if (isWritten) lines[line] = `${(lines[line] ?? '').replace(/\s+#*\s*$/, '')} {#${anchor}}`;
  }
  return lines.join('\n');
}

/** The label of a tab takes no anchor that a heading has. */
function freeLabel(text: string, kept: ReadonlySet<string | null>): string {
  const plain = createAnchors()(text);
  return kept.has(plain) ? `tab-${plain}` : plain;
}

/** Anchors of what is no heading, such as a parameter: kept where a link of the documentation leads to them. */
const softAnchorPattern = /<a id="([^"]*)" name="old"><\/a>(?:\n\n)?/g;

export const softAnchor = (id: string): string =>
  /^[A-Za-z][\w:.-]{0,99}$/.test(id) ? `<a id="${id}" name="old"></a>` : '';

/** Without those that no link leads to. */
export const withUsedAnchors = (markdown: string, used: ReadonlySet<string>): string =>
  markdown.replace(softAnchorPattern, (whole, id) => (used.has(String(id)) ? whole.replace(' name="old"', '') : ''));
