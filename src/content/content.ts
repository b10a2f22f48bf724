/** What a validated content folder holds, as every floor above reads it. All of it is immutable. */
import type { Heading } from '../markdown/markdown.ts';
import type { YamlContent } from './schemas.ts';

export interface Page {
  /** The path below docs/ without `.md`; a nested folder gives a slug with slashes. */
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly order: number;
  /** `YYYY-MM-DD`. */
  readonly updated: string;
  /** The source without its front matter, starting at its first line of text. */
  readonly markdown: string;
  readonly headings: readonly Heading[];
  /** What stands under the headings, as plain text on one line. */
  readonly text: string;
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

export interface Content extends YamlContent {
  /** SHA-256 (hex) over every file's path and bytes, except the feed's own file. */
  readonly revision: string;
  /** The folder's absolute path. */
  readonly directory: string;
  /** By `order`, then by slug. */
  readonly pages: readonly Page[];
  /** Release notes (markdown) that override the feed's, by version. */
  readonly releaseNotes: ReadonlyMap<string, string>;
  readonly prompts: readonly Prompt[];
  readonly assets: ReadonlyMap<string, Asset>;
}

/** One thing wrong with the folder. Line and column count from 1. */
export interface Fault {
  /** Relative to the folder, with `/`. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}
