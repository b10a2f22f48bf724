/** The file of a converted page: its front matter, with a title from where there is one, and its text. */

import { posix } from 'node:path';
import { headingText, oneLine, parse } from 'colophon/authoring';
import { stringify } from 'yaml';
import { shortTitle, titleOfName } from './blocks.ts';
import { isTrue, recordOf, textOf } from './front-matter.ts';
import type { SourcePage } from './site.ts';

export interface TitledText {
  readonly title: string;
  /** The first heading, where it went into the title. */
  readonly heading: string | null;
  readonly body: string;
}

/** The first heading of level 1 is the title, and goes out of the text; without one the front matter has it, or the file’s name. */
export function titled(page: SourcePage, markdown: string): TitledText {
  const given = textOf(page.matter.values.title);
  const { tokens } = parse(markdown, 'page');
  const first = tokens.findIndex(
    (token) => !(token.type === 'html_block' && /^<!--|^<a id="[^"]*"><\/a>$/.test(token.content.trim())),
  );
  const token = tokens[first];
  const text =
    token?.type === 'heading_open' && token.tag === 'h1' && token.map !== null ? headingText(tokens, first) : '';
  if (text === '' || token?.map == null)
    return { title: shortTitle(oneLine(given ?? page.label ?? nameOf(page))), heading: null, body: markdown };
  const lines = markdown.split('\n');
  lines.splice(token.map[0], token.map[1] - token.map[0]);
  return { title: shortTitle(oneLine(text)), heading: text, body: lines.join('\n').replace(/^\s*\n/, '') };
}

/** What the menu calls a page whose front matter and heading differ. */
export function labelOf(page: SourcePage, title: string): string | null {
  return page.label ?? (textOf(page.matter.values.title) === title ? null : textOf(page.matter.values.title));
}

/** `getting-started.md` is "Getting started"; the page of a folder has the folder’s name. */
function nameOf({ file, address }: SourcePage): string {
  const name = posix.basename(address) || posix.basename(file);
  const title = titleOfName(name.replace(/\.\w+$/, ''));
  return title === '' || title === 'Index' ? 'Documentation' : title;
}

export interface PageFacts {
  readonly title: string;
  readonly description: string | null;
  readonly order: number | null;
  readonly updated: string | null;
  readonly isSearchable: boolean;
}

/** Whether the front matter of VitePress, Starlight, Material, Just the Docs or Mintlify leaves a page in search. */
export const isSearchable = ({ matter: { values } }: SourcePage): boolean =>
  values.search !== false &&
  values.pagefind !== false &&
  !isTrue(recordOf(values.search).exclude) &&
  !isTrue(values.search_exclude) &&
  !isTrue(values.noindex);

export function pageFile(
  { title, description, order, updated, isSearchable: isFound }: PageFacts,
  body: string,
): string {
  const values = {
    title,
    ...(description !== null && { description: clipped(description) }),
    ...(order !== null && { order }),
    ...(updated !== null && { updated }),
    ...(!isFound && { search: false }),
  };
  return `---\n${stringify(values, { lineWidth: 0 })}---\n${body.trim()}\n`;
}

/** At most 200 characters, ended behind a sentence or a word. */
function clipped(text: string): string {
  const plain = oneLine(text.replace(/<[^>]*>/g, '')).trim();
  if (plain.length <= 200) return plain;
  const cut = plain.slice(0, 199);
  const sentence = cut.lastIndexOf('. ');
  return sentence > 60 ? cut.slice(0, sentence + 1) : `${cut.slice(0, cut.lastIndexOf(' ') + 1 || 199).trimEnd()}…`;
}
