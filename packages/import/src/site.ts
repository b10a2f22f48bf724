/** The types of a documentation folder whose system was recognized: pages with addresses, navigation, redirects, syntax. */
import type { Element, Rendered } from './elements.ts';
import type { FrontMatter } from './front-matter.ts';
import type { Fence } from './masking.ts';
import type { Source } from './source.ts';
import type { SourceTree } from './tree.ts';

/** The names of the systems, as `--from` takes them. */
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
/** The name of a system. */
export type SystemName = (typeof systemNames)[number];

/** A page of the old site. */
export interface SourcePage {
  /** Path of the file, relative to the source's root. */
  readonly file: string;
  /** The path of its URL on the old site, with the base and without a slash at its end; `/` is the root. */
  readonly address: string;
  readonly frontMatter: FrontMatter;
  /** Label in the menu, or null for the page's title. */
  readonly label: string | null;
  /** Place in the page's folder if there is no navigation, or null for the order of the files. */
  readonly order: number | null;
  /** Day of the last change, `YYYY-MM-DD`, or null if the front matter has none. */
  readonly updated: string | null;
  /** Other paths on the old site that lead here, with the base. */
  readonly aliases: readonly string[];
}

/** An entry of the old navigation: a page, a link, or a group of entries. */
export interface Entry {
  /** Label of the entry, or null for the title of its page. */
  readonly title: string | null;
  /** File of the entry's page in the source, which a group may have, too; null or absent if it has none. */
  readonly file?: string | null;
  /** Address of a link, on the old site or elsewhere; absent for every other entry. */
  readonly href?: string;
  /** Entries of a group; absent or empty for every other entry. */
  readonly entries?: readonly Entry[];
}

/** A redirect of the old site, with the place where it is written. */
export interface OldRedirect {
  /** A path without the base, which has `:name` or `*` if it stands for more than one. */
  readonly from: string;
  /** A path without the base, which may have the placeholders of `from`, or a URL. */
  readonly to: string;
  readonly file: string;
  readonly line: number;
}

/** A documentation folder as its system describes it. */
export interface Site {
  readonly system: SystemName;
  /** The program that plain Markdown was written for, and the file that shows it: `mdBook, by book.toml`. Absent for other systems. */
  readonly flavor?: string;
  /** Path of the file that the system was recognized by, or `.` if there is none. */
  readonly configuration: string;
  /** The pages, in the order of their files. */
  readonly pages: readonly SourcePage[];
  /** The addresses of pages that are not imported, as `normalizeAddress` writes them. */
  readonly leftOut: ReadonlySet<string>;
  /** The path that all addresses begin with and links on the site leave out, such as `/uv`; empty for none. */
  readonly base: string;
  /** The path of the documentation on the old site, base included, which `/docs` takes the place of; empty for its root. */
  readonly documentation: string;
  /** Origin of the old site, such as `https://docs.example.com`, or null if it is unknown. */
  readonly origin: string | null;
  /** The menu of the old site, or null if pages are in the order of their folders. */
  readonly navigation: readonly Entry[] | null;
  readonly redirects: readonly OldRedirect[];
  /** Folders whose files are at the root of the old site; empty text for the source's root. */
  readonly publicFolders: readonly string[];
  /**
   * Beginnings of paths of the old site, without the base, that are no documentation, such as `/blog`: links there lead to the old
   * site.
   */
  readonly elsewhere: readonly string[];
  /** The start of a relative link without an extension: the page's file, or its address with a slash at the end. */
  readonly linksFrom: 'file' | 'address';
  readonly anchorRule: AnchorRule;
  readonly dialect: Dialect;
}

/** Creates the function that is called with the text of each heading of one page, in their order, and returns its anchor without `#`. */
export type AnchorRule = () => (heading: string) => string;

/** The syntax of a system's pages. A flag that is absent is false, and without a function everything stays as it is. */
export interface Dialect {
  /** Tells whether a file is MDX: tags are components, braces are expressions, and indented text is no code. */
  isMdx(file: string): boolean;
  /** Whether pages have shortcodes of Hugo. */
  readonly shortcodes?: boolean;
  /** Whether pages have containers with colons. */
  readonly directives?: boolean;
  /** Whether pages have block tags of GitBook. */
  readonly blockTags?: boolean;
  /** Whether pages have blocks by indentation below `!!!`, `???` and `===`. */
  readonly indented?: boolean;
  /** Changes the text before anything is read; it must keep the number of lines. */
  prepare?(text: string, page: Conversion): string;
  /** The name of the group that neighbors of one name are put into if they are in none, by their name. */
  readonly groups?: ReadonlyMap<string, string>;
  /** The handlers by the names of the elements, whatever their kind. */
  readonly elements: ReadonlyMap<string, Handler>;
  /**
   * Handles an element or a comment that no handler is named for; null if the element is to be handled like HTML, and the comment
   * left out.
   */
  other?(element: Element, page: Conversion): Rendered | null;
  /** Changes the text between elements; `offset` is where it begins in the page. */
  text?(text: string, page: Conversion, offset: number): string;
  /** Changes a block of code, or returns it as it is. */
  fence?(fence: Fence): Fence;
  /** Changes the whole page at the end, code included. */
  finish?(markdown: string): string;
}

/** Converts an element of a page to Markdown; `block` sets it on lines of its own, and an empty `text` leaves it out. */
export type Handler = (element: Element, page: Conversion) => Rendered;

/** The conversion of one page, which handlers use. */
export interface Conversion {
  readonly tree: SourceTree;
  readonly site: Pick<Site, 'publicFolders' | 'dialect'>;
  /** The file that is being read: within an include, the included one. */
  readonly file: string;
  readonly isMdx: boolean;
  readonly frontMatter: FrontMatter;
  /** The names that the page's code declares or imports. */
  readonly scope: Scope;
  /** The level of the last heading, from 1; 1 before the first. */
  level: number;
  /** Converts the content of an element to Markdown, without the indentation that it shares. */
  content(element: Element): string;
  /** Converts a text with the page’s own handlers to Markdown. */
  convert(text: string): string;
  /**
   * Returns the file at a path of the source, or what `lines` keeps of its text, as Markdown that is a part of this page; null if
   * there is no such file or too many include each other.
   */
  include(path: string, lines?: (text: string) => string): string | null;
  /** Returns a text with its inline code and comments as the source has them, and its blocks of code without fences. */
  raw(text: string): string;
  /** Returns the blocks of code whose placeholders are in a text, in their order. */
  fences(markdown: string): Fence[];
  /** Keeps a block of code and returns the placeholder for it. */
  hide(fence: Fence): string;
  /** Reports a loss at the line of an element, or of what begins at the offset `at` of the text. */
  say(element: { readonly at: number }, message: string): void;
  /** Reports a loss at a line of the text, counted from 1, before the text is parsed. */
  sayLine(line: number, message: string): void;
  /** Reports a loss once for the whole import under each `name`, with the number of its elements. */
  count(element: { readonly at: number }, name: string, message: string): void;
}

/** The names that expressions and components of a page may refer to. */
export interface Scope {
  /** Literal values by name. */
  readonly values: Map<string, unknown>;
  /** Paths in the source of imported files, by the name of what is imported. */
  readonly files: Map<string, string>;
}

/** A documentation system whose folders can be imported. docs/architecture.md lists what a further one needs. */
export interface System {
  readonly name: SystemName;
  /** Tells whether a file, by its path below the folder, is this system's configuration; `text` reads the file. */
  isConfiguration(path: string, text: () => string): boolean;
  /**
   * Returns the folder as its configuration describes it. Throws a FileFault for a file that its parser rejects, or another
   * SyntaxError for a pattern in the configuration that is invalid, or a ChoiceFault for a choice that is not there.
   */
  read(source: Source): Omit<Site, 'system' | 'configuration'>;
}
