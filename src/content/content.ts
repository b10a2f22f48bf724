/** What a validated content folder holds, as every floor above reads it. All of it is immutable. */
import type { Heading, LinkSpan } from '../markdown/markdown.ts';
import type { Section } from '../markdown/outline.ts';
import type { NavigationEntry } from './navigation.ts';
import type { Redirect } from './redirects.ts';
import type { YamlContent } from './schemas.ts';

export interface Page {
  /** From the content folder, such as `docs/guides/setup.md`. */
  readonly file: string;
  /** The path below docs/ without `.md`; the page of a folder has the folder’s. */
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  /** Whether the description is the page’s own word, and not the beginning of its text. */
  readonly isDescribed: boolean;
  /** Its place among all pages in reading order, from 1. */
  readonly order: number;
  /** `YYYY-MM-DD`, or null when nobody knows. */
  readonly updated: string | null;
  /** The text of its file, from its first line on, with everything that the page is made from. */
  readonly source: string;
  /** What others are given of it: the source without comments and other things that are not for readers. */
  readonly markdown: string;
  /** Where its links stand in `markdown`. */
  readonly links: readonly LinkSpan[];
  readonly headings: readonly Heading[];
  /** Anchor of the heading that the text begins with if it repeats the title; null if there is none. */
  readonly titleAnchor: string | null;
  /** What stands under each heading, as plain text. */
  readonly sections: readonly Section[];
  readonly wordCount: number;
}

export interface Prompt {
  /** The file's name without `.md`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { name: string; description: string; required: boolean }[];
  /** The MCP servers that offer it. */
  readonly servers: readonly ('product' | 'docs')[];
  /** The text, with `{argument}` where an argument goes. */
  readonly template: string;
}

export interface Asset {
  /** Relative to the folder, such as `assets/logo.svg`. */
  readonly path: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

export interface Content extends Omit<YamlContent, 'navigation' | 'redirects'> {
  /** SHA-256 (hex) over every file's path and bytes, except the feed's own file. */
  readonly revision: string;
  /** The folder's absolute path. */
  readonly directory: string;
  /** In reading order: as the navigation has them, then those that it leaves out. */
  readonly pages: readonly Page[];
  /** The menu of the documentation. */
  readonly navigation: readonly NavigationEntry[];
  /** Of redirects.yaml and of the pages’ aliases. */
  readonly redirects: readonly Redirect[];
  /** Release notes (markdown) that override the feed's, by version. */
  readonly releaseNotes: ReadonlyMap<string, string>;
  readonly prompts: readonly Prompt[];
  readonly assets: ReadonlyMap<string, Asset>;
}
