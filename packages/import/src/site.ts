/** What a documentation folder is once its system has been recognized: pages with addresses, navigation, redirects, syntax. */
import type { Element, Rendered } from './elements.ts';
import type { Matter } from './front-matter.ts';
import type { Fence } from './masking.ts';
import type { Source } from './source.ts';
import type { SourceTree } from './tree.ts';

export const systemNames = [
  'mintlify',
  'docusaurus',
  'vitepress',
  'starlight',
  'mkdocs',
  'hugo',
  'jekyll',
  'markdown',
] as const;
export type SystemName = (typeof systemNames)[number];

export interface SourcePage {
  /** From the source's root. */
  readonly file: string;
  /** The path of its URL on the old site, with the base and without a slash at its end; `/` is the root. */
  readonly address: string;
  readonly matter: Matter;
  /** What the menu calls it, where that is not its title. */
  readonly label: string | null;
  /** Its place in its folder, where the navigation does not say. */
  readonly order: number | null;
  /** `YYYY-MM-DD` from the front matter. */
  readonly updated: string | null;
  /** Other paths on the old site that lead here. */
  readonly aliases: readonly string[];
}

/** An entry of the old navigation: a page, a link, or a group of entries. */
export interface Entry {
  /** Label of the entry, or null for the title of its page. */
  readonly title: string | null;
  /** File of the entry's page in the source; a group may have one, too. */
  readonly file?: string | null;
  /** Address of a link, on the old site or elsewhere. */
  readonly href?: string;
  /** Entries of a group. */
  readonly entries?: readonly Entry[];
}

export interface OldRedirect {
  /** With `:name` or `*` where it stands for more than one path. */
  readonly from: string;
  readonly to: string;
  readonly file: string;
  readonly line: number;
}

export interface Site {
  readonly system: SystemName;
  /** What the files were written for, where the system is plain Markdown: `mdBook`. */
  readonly flavor?: string;
  /** The file that it was recognized by. */
  readonly configuration: string;
  /** In the order of their files. */
  readonly pages: readonly SourcePage[];
  /** The keys of the addresses of pages that are not imported. */
  readonly leftOut: ReadonlySet<string>;
  /** The path that all addresses begin with and links on the site leave out, such as `/uv`; empty for none. */
  readonly base: string;
  /** The path of the documentation on the old site, which `/docs` takes the place of; empty for its root. */
  readonly documentation: string;
  /** Such as `https://docs.example.com`, or null. */
  readonly origin: string | null;
  /** Null: by folder. */
  readonly navigation: readonly Entry[] | null;
  readonly redirects: readonly OldRedirect[];
  /** Folders whose files are at the root of the old site; empty text for the source's root. */
  readonly publicFolders: readonly string[];
  /** Beginnings of paths of the old site that hold no documentation, such as `/blog`: links there stay, with the origin. */
  readonly elsewhere: readonly string[];
  /** What a relative link without an extension starts from: the page's file, or its address with a slash at the end. */
  readonly linksFrom: 'file' | 'address';
  readonly anchorRule: AnchorRule;
  readonly dialect: Dialect;
}

/** The anchors of one page's headings, in their order. */
export type AnchorRule = () => (heading: string) => string;

/** How the text of a page is read. */
export interface Dialect {
  /** MDX: tags are components, braces are expressions, and nothing is code because it is indented. */
  isMdx(file: string): boolean;
  readonly shortcodes?: boolean;
  readonly directives?: boolean;
  readonly blockTags?: boolean;
  /** `!!!`, `???` and `===`. */
  readonly indented?: boolean;
  /** Before anything is read; must keep the number of lines. */
  prepare?(text: string, page: Conversion): string;
  /** A run of such elements next to each other is one of the group, where it is not in one. */
  readonly groups?: ReadonlyMap<string, string>;
  /** By the element's name. */
  readonly elements: ReadonlyMap<string, Handler>;
  /** What no handler takes, before it is reported. */
  other?(element: Element, page: Conversion): Rendered | null;
  /** Text between elements. */
  text?(text: string, page: Conversion, at: number): string;
  fence?(fence: Fence): Fence;
  /** Of the whole page, code included. */
  finish?(markdown: string): string;
}

export type Handler = (element: Element, page: Conversion) => Rendered;

/** The conversion of one page, as handlers see it. */
export interface Conversion {
  readonly tree: SourceTree;
  readonly site: Pick<Site, 'publicFolders' | 'dialect'>;
  /** The file that is being read, which is the included one within an include. */
  readonly file: string;
  readonly isMdx: boolean;
  readonly matter: Matter;
  /** Names that the page's own code gives values or files to. */
  readonly scope: Scope;
  /** The level of the last heading. */
  level: number;
  /** An element's content, without the indentation that its tag gave it. */
  content(element: Element): string;
  /** The same for a whole text. */
  convert(text: string): string;
  /** The markdown of another file, read as part of this page; null when there is none. */
  include(path: string, lines?: (text: string) => string): string | null;
  /** A text with its code as the source has it. */
  raw(text: string): string;
  fences(markdown: string): Fence[];
  hide(fence: Fence): string;
  say(element: { readonly at: number }, message: string): void;
  /** For what is read before the text is a tree: a line of the text, from 1. */
  sayLine(line: number, message: string): void;
  count(element: { readonly at: number }, name: string, message: string): void;
}

export interface Scope {
  /** Literal values. */
  readonly values: Map<string, unknown>;
  /** Imported files, by the name of what is imported. */
  readonly files: Map<string, string>;
}

/** A documentation system whose folders can be imported. A further system is one more of these in recognition.ts. */
export interface System {
  readonly name: SystemName;
  /** Whether a file is this system's configuration; `text` reads the file. */
  isConfiguration(path: string, text: () => string): boolean;
  read(source: Source): Omit<Site, 'system' | 'configuration'>;
}
