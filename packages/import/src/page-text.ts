/** Writes the file of a converted page: its front matter, with a title, and its text. */

import { posix } from 'node:path';
import { joinLines, parse, readHeading, shorten } from 'colophon/authoring';
import { stringify } from 'yaml';
import { shortenTitle, toTitle } from './blocks.ts';
import { isTrue, toRecord, toText } from './front-matter.ts';
import type { SourcePage } from './site.ts';

/** The text of a page without its title. */
export interface TitledText {
  /** The title as `shortenTitle` returns it, never empty. */
  readonly title: string;
  /** The first heading if it became the title, or else null. */
  readonly heading: string | null;
  readonly body: string;
}

/**
 * Takes the title out of a text that begins with a heading of level 1, which comments and anchors may precede. Otherwise the title
 * is that of the front matter, the page's label, or one made from the last name in its address, and the text stays as it is.
 */
export function extractTitle(page: SourcePage, markdown: string): TitledText {
  const frontMatterTitle = toText(page.frontMatter.values.title);
  const { tokens } = parse(markdown, 'page');
  const first = tokens.findIndex(
    (token) => !(token.type === 'html_block' && /^<!--|^<a id="[^"]*"><\/a>$/.test(token.content.trim())),
  );
  const token = tokens[first];
  const text =
    token?.type === 'heading_open' && token.tag === 'h1' && token.map !== null ? readHeading(tokens, first) : '';
  if (text === '' || token?.map == null)
    return {
      title: shortenTitle(joinLines(frontMatterTitle ?? page.label ?? nameFromPath(page))),
      heading: null,
      body: markdown,
    };
  const lines = markdown.split('\n');
  lines.splice(token.map[0], token.map[1] - token.map[0]);
  return { title: shortenTitle(joinLines(text)), heading: text, body: lines.join('\n').replace(/^\s*\n/, '') };
}

/**
 * Returns the label of a page in the menu, or without one the title in its front matter; null if there is neither, or if that title
 * equals `title`, the page's new one.
 */
export function findLabel(page: SourcePage, title: string): string | null {
  return page.label ?? (toText(page.frontMatter.values.title) === title ? null : toText(page.frontMatter.values.title));
}

/**
 * Turns the last name in a page’s address, or for the root its file’s name, into a title; `index` and an empty name become
 * `Documentation`.
 */
function nameFromPath({ file, address }: SourcePage): string {
  const name = posix.basename(address) || posix.basename(file);
  const title = toTitle(name.replace(/\.\w+$/, ''));
  return title === '' || title === 'Index' ? 'Documentation' : title;
}

/** The values of a page's front matter, which leaves out those that are null. */
export interface PageFacts {
  readonly title: string;
  readonly description: string | null;
  readonly order: number | null;
  /** Day of the last change, `YYYY-MM-DD`. */
  readonly updated: string | null;
  readonly isSearchable: boolean;
}

/** Tells whether the front matter of VitePress, Starlight, Material, Just the Docs or Mintlify leaves a page in search. */
export const isSearchable = ({ frontMatter: { values } }: SourcePage): boolean =>
  values.search !== false &&
  values.pagefind !== false &&
  !isTrue(toRecord(values.search).exclude) &&
  !isTrue(values.search_exclude) &&
  !isTrue(values.noindex);

/**
 * Returns the text of a page’s file, which ends with a line break: front matter in YAML with the facts that are not null, and the
 * trimmed body. The description becomes one line of at most 200 UTF-16 units, without tags.
 */
export function writePageFile(
  { title, description, order, updated, isSearchable: isFound }: PageFacts,
  body: string,
): string {
  const values = {
    title,
    ...(description !== null && { description: shorten(joinLines(description.replace(/<[^>]*>/g, ''))) }),
    ...(order !== null && { order }),
    ...(updated !== null && { updated }),
    ...(!isFound && { search: false }),
  };
  return `---\n${stringify(values, { lineWidth: 0 })}---\n${body.trim()}\n`;
}
