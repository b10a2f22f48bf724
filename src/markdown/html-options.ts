/** Defines the options of rendering as HTML: how links are written, what the site adds, and in which words. */
import type { AlertKind } from './dialect-rules.ts';

/** Options of one text; left out, the HTML is plain and in English. */
export interface HtmlOptions {
  /** Maps each link and image as written to the address to use. */
  readonly link?: (href: string, isImage: boolean) => string;
  /** Added to each heading's level, 0 if left out; a sum below 1 becomes 1, and one above 6 becomes 6. */
  readonly headingOffset?: number;
  /** Returns HTML for the code of a fence that names a language, or null to show it plain. */
  readonly highlight?: (code: string, language: string) => string | null;
  /** The words of the site around the text; English if left out. */
  readonly words?: ProseWords;
  /**
   * Four quotation marks, the outer pair before the inner one, as `findQuotes` returns them; left out, straight marks stay as they
   * are written.
   */
  readonly quotes?: string;
  /** Prefix of the ids of footnotes and tabs, so that texts with different names can be on one page; none if left out. */
  readonly name?: string;
  /** Leaves out the heading that the text begins with, because the layout shows it; its anchor stays reserved. */
  readonly withoutTitle?: boolean;
  /** Additions of the site for people; left out, the HTML is plain, for readers of feeds. */
  readonly site?: SiteAdditions;
}

/** Additions of the site to the plain HTML of a text. */
export interface SiteAdditions {
  /** The label of the link next to a heading, with `{heading}`; null leaves headings without ids and links. */
  readonly headingLink: string | null;
  /** The label of a table that can be scrolled by keyboard. */
  readonly tableLabel: string;
  /**
   * Returns the size of an image at an address of the site, in CSS pixels, so that the page leaves room for it, or null if it is
   * unknown.
   */
  imageSize(address: string): { readonly width: number; readonly height: number } | null;
}

/** Words that the HTML adds to a text, in the language of the site. */
export type ProseWords = Readonly<Record<AlertKind | 'done' | 'to_do' | 'footnotes' | 'back_to_text', string>>;

/** The words for a text without a site. */
export const english: ProseWords = {
  note: 'Note',
  tip: 'Tip',
  important: 'Important',
  warning: 'Warning',
  caution: 'Caution',
  done: 'Done',
  to_do: 'To do',
  footnotes: 'Footnotes',
  back_to_text: 'Back to the text',
};
