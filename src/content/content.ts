/** The types of a validated content folder: plain, immutable data that can be sent to another process. */
import type { z } from 'zod';
import type { Heading, LinkSpan } from '../markdown/markdown.ts';
import type { Section } from '../markdown/outline.ts';
import type { promptFrontMatterSchema, ReleaseFrontMatter } from './front-matter.ts';
import type { NavigationEntry } from './navigation.ts';
import type { Placeholders } from './published.ts';
import type { Redirect } from './redirects.ts';
import type { YamlContent } from './schemas.ts';

/** A page of the documentation, with its front matter, its Markdown and what search, links and menus need of it. */
export interface Page {
  /** Path from the content folder, such as `docs/guides/setup.md`. */
  readonly file: string;
  /** Path below docs/ without `.md`; the page of a folder has the folder’s, and that of docs/ itself `index`. */
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  /** True if the front matter has the description; false if it is a line of the text, or the title if there is no text but code. */
  readonly isDescribed: boolean;
  /** False if the front matter keeps the page out of search. */
  readonly isSearchable: boolean;
  /** Position among all pages in reading order, from 1. */
  readonly order: number;
  /** Day of the last change, `YYYY-MM-DD`, or null if the front matter has none. */
  readonly updated: string | null;
  /** The Markdown of the file without front matter, which the page is rendered from. */
  readonly source: string;
  /** The published Markdown: the source without comments and other things that are not for readers. */
  readonly markdown: string;
  /** The links in `markdown`. */
  readonly links: readonly LinkSpan[];
  readonly headings: readonly Heading[];
  /** Anchor of the heading that the text begins with if it repeats the title; null if the text begins otherwise. */
  readonly titleAnchor: string | null;
  /** The plain text below each heading. */
  readonly sections: readonly Section[];
  readonly wordCount: number;
  /** The facts in `source` and `markdown`, or null if there are none. */
  readonly placeholders: Placeholders | null;
  /**
   * SHA-256 (hex) of the title, the description, the order, the day and the Markdown, by which a change is noticed without
   * comparing texts.
   */
  readonly hash: string;
}

/** A prompt, with `title` and `description`, that the MCP servers in `servers` offer; `arguments` is empty if it has none. */
export interface Prompt extends Readonly<z.output<typeof promptFrontMatterSchema>> {
  /** The file's name without `.md`. */
  readonly name: string;
  /** The text, with `{argument}` where an argument goes. */
  readonly template: string;
}

/** A file of assets/, or an image or a video of docs/. */
export interface Asset {
  /** Relative to the folder, such as `assets/logo.svg`; it is also the file's path on the site. */
  readonly path: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/** A release that releases/VERSION.md describes with a date and downloads; `version` is from the name of this file. */
export interface FolderRelease extends ReleaseFrontMatter {
  readonly version: string;
}

/** Everything that a valid folder contains: the values of its YAML files by name, such as `product`, and its other files. */
export interface Content extends Omit<YamlContent, 'navigation' | 'redirects'> {
  /** SHA-256 (hex) over the path and bytes of each file, except the feed's own file and ignored ones such as `.DS_Store`. */
  readonly revision: string;
  /** The folder's absolute path. */
  readonly directory: string;
  /** Pages in reading order: those of the navigation, then those that it leaves out. */
  readonly pages: readonly Page[];
  /** The menu of the documentation: that of navigation.yaml, or else one made from the folders. */
  readonly navigation: readonly NavigationEntry[];
  /** All redirects: those of redirects.yaml, then those from the aliases of pages. */
  readonly redirects: readonly Redirect[];
  /** Release notes (markdown) that override the feed's, by version. */
  readonly releaseNotes: ReadonlyMap<string, string>;
  /** The releases that the folder itself lists, sorted by file name as text, not by version. */
  readonly releases: readonly FolderRelease[];
  /** The prompts, sorted by name. */
  readonly prompts: readonly Prompt[];
  /** The assets by path. */
  readonly assets: ReadonlyMap<string, Asset>;
}
